"""Whom a request is from that a proxy brings: what the proxies say that are trusted, and nothing that a stranger says."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from litestar.types import ASGIApp, Receive, Scope, Send

from service.proxies import Proxies, address_in

_SCHEMES: Final = {
    "http": {"http": "http", "https": "https"},
    "websocket": {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"},
}


@dataclass(frozen=True, slots=True)
class Forwarded:
    """The ASGI application around `app`, which takes the caller for the client, and not the proxy."""

    app: ASGIApp
    trusted: Proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        peer = address_in(client[0]) if client else None
        if client and peer and self.trusted.trust(peer):
            headers = scope["headers"]
            origin = self.trusted.origin_of(client[0], _joined(headers, b"x-forwarded-for"))
            scheme = _joined(headers, b"x-forwarded-proto").rpartition(",")[2].strip().lower()
            seen = scope["scheme"]
            told = {"client": (origin, 0), "scheme": _SCHEMES[scope["type"]].get(scheme, seen)}
            scope = cast("Scope", {**scope, **told})
        await self.app(scope, receive, send)


def _joined(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> str:
    return ",".join(value.decode("latin-1") for name, value in headers if name == wanted)
