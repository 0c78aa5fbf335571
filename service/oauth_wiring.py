"""Wires the OAuth endpoints of applications and users."""

from secrets import randbits
from typing import Final

from litestar import Router

from domain.oauth import TokenKind, compose
from web.context import WebContext
from web.oauth import oauth_router
from web.oauth_consent import consent_router
from web.oauth_grants import Rules
from web.oauth_ports import Apps, Fetch, OAuth

OPERATIONS: Final = {
    f"/oauth/{name}": f"oauth.{name}" for name in ("authorize", "consent", "register", "revoke", "token")
}
"""The names of these requests in metrics and logs."""


def fresh_secret(kind: TokenKind) -> str:
    return compose(kind, randbits(256))


def oauth_routers(context: WebContext, apps: Apps, *, documents: bool) -> list[Router]:
    """`documents`: clients may say who they are by a document at an address, which is then fetched."""
    rules = Rules(context.origin)
    oauth = OAuth(context, apps, rules, fresh_secret, _fetch() if documents else None)
    return [oauth_router(oauth), consent_router(oauth)]


def _fetch() -> Fetch:
    from web.client_documents import ClientDocuments  # noqa: PLC0415 - an HTTP client that only this setting needs

    return ClientDocuments().fetch
