"""Wires the use cases of people, the pages over them, and the OAuth endpoints of applications and users."""

from datetime import timedelta
from pathlib import Path
from secrets import randbits
from typing import Final

import structlog
from litestar import Router

from accounts.mailer import SmtpMailer, smtp_server
from accounts.password_hasher import Argon2Hasher
from accounts.ports import AccountPorts, Mailer
from computing.runner import JobRunner
from domain.errors import Rejection
from domain.oauth import TokenKind, compose
from domain.session import Lifetimes
from edge.cookies import Cookies
from edge.credentials import CallerLookup
from edge.rate_limit import RateLimiter
from graphql_api.context import Ports
from graphql_api.request_limits import LimitedSchema
from persistence.postgres.installation import CannotStart
from service.settings import Settings
from web.built_application import (
    BUILT,
    REPEAT,
    BuiltApplication,
    BuiltGraphiQL,
    NotBuilt,
    built_application,
    built_graphiql,
)
from web.context import WebContext
from web.oauth import oauth_router
from web.oauth_consent import consent_router
from web.oauth_grants import Rules
from web.oauth_ports import Apps, Fetch, OAuth
from web.operations import PageOperations

_log: Final = structlog.get_logger("service")
OPERATIONS: Final = {
    f"/oauth/{name}": f"oauth.{name}" for name in ("authorize", "consent", "register", "revoke", "token")
}
"""The names of these requests in metrics and logs."""


def lifetimes(settings: Settings) -> Lifetimes:
    return Lifetimes(timedelta(days=settings.session_idle_days), timedelta(days=settings.session_days))


def mailer_of(settings: Settings) -> SmtpMailer:
    """Return the mailer of the settings; raises CannotStart."""
    server = smtp_server(settings.smtp_url) if settings.smtp_url else None
    if isinstance(server, Rejection):
        raise CannotStart(server.message)
    return SmtpMailer(server, settings.mail_from)


def account_ports(settings: Settings, ports: Ports, mailer: Mailer) -> AccountPorts:
    return AccountPorts(
        ports.store,
        ports.clock,
        ports.ids,
        ports.secrets,
        Argon2Hasher(),
        mailer,
        ports.origin,
        lifetimes(settings),
        settings.sign_up == "open",
    )


def web_context(
    settings: Settings,
    schema: LimitedSchema,
    ports: Ports,
    sessions: CallerLookup,
    limiter: RateLimiter | None,
    mailer: Mailer,
    jobs: JobRunner,
) -> WebContext:
    return WebContext(
        origin=ports.origin,
        cookies=Cookies(ports.origin),
        sessions=sessions,
        operations=PageOperations(schema, ports),
        accounts=account_ports(settings, ports, mailer),
        jobs=jobs,
        limiter=limiter,
        application=built_or_none(settings),
        graphiql=graphiql_or_none(settings),
    )


def built_or_none(settings: Settings, folder: Path = BUILT) -> BuiltApplication | None:
    """Return the web application, or None, in whose place the read-only pages are served; the log says why."""
    if settings.no_app:
        return None
    try:
        return built_application(folder)
    except NotBuilt as fault:
        _log.warning(
            "the web application is not built: the read-only pages are served", reason=str(fault), build=REPEAT
        )
        return None


def graphiql_or_none(settings: Settings, folder: Path = BUILT) -> BuiltGraphiQL | None:
    """Return GraphiQL where the settings serve it, or None; the log says why it cannot be had."""
    if not settings.demo:
        return None
    try:
        return built_graphiql(folder)
    except NotBuilt as fault:
        _log.warning("GraphiQL is not built: `/graphql` serves no page", reason=str(fault), build=REPEAT)
        return None


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
