"""Reads OAuth Client ID Metadata Documents: clients whose id is an https address."""

from typing import Literal

import msgspec
import structlog

from domain.oauth import Client
from web.oauth import Registration, client_of
from web.oauth_grants import OAuthResponse
from web.oauth_ports import OAuth

_log = structlog.get_logger("oauth")


class ClientDocument(Registration, kw_only=True):
    """The fields that are read; `client_id` is the document's own address, to the letter."""

    client_id: str
    token_endpoint_auth_method: Literal["none"] = "none"  # noqa: S105 - the method of clients that have no secret


async def client_at(oauth: OAuth, address: str) -> Client | None:
    """Return the client, stored as if it had registered itself; None where its document is invalid or another's."""
    found = await oauth.fetch(address) if oauth.fetch else None
    client = None if found is None else described(oauth, address, found)
    if client is None:
        _log.warning("a client's document is refused", address=address)
        return None
    await oauth.apps.register(client)
    return client


def described(oauth: OAuth, address: str, found: bytes) -> Client | None:
    try:
        document = msgspec.json.decode(found, type=ClientDocument)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if document.client_id != address:
        return None
    client = client_of(document, address, oauth.context.accounts.clock())
    return None if isinstance(client, OAuthResponse) else client
