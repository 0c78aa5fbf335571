"""Rewrites the client address from `X-Forwarded-*` headers of trusted proxies."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

from litestar.types import ASGIApp, Receive, Scope, Send

from edge.proxies import TrustedProxies, address_in

_SCHEMES: Final = {
    "http": {"http": "http", "https": "https"},
    "websocket": {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"},
}


@dataclass(frozen=True, slots=True)
class ProxyHeaders:
    """The ASGI application around `app`, which takes the caller for the client, and not the proxy."""

    app: ASGIApp
    trusted: TrustedProxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        headers = scope["headers"]
        origin = origin_of(client[0], headers, self.trusted) if client else None
        if origin is not None:
            scheme = _header(headers, b"x-forwarded-proto").rpartition(",")[2].strip().lower()
            seen = scope["scheme"]
            told = {"client": (origin, 0), "scheme": _SCHEMES[scope["type"]].get(scheme, seen)}
            scope = cast("Scope", {**scope, **told})
        await self.app(scope, receive, send)


def origin_of(peer: str, headers: Iterable[tuple[bytes, bytes]], trusted: TrustedProxies) -> str | None:
    """Return for whom a trusted peer speaks; None of one that is not trusted. Names are in lower case."""
    address = address_in(peer)
    if address is None or not trusted.trust(address):
        return None
    return trusted.origin_of(peer, _header(headers, b"x-forwarded-for"))


def _header(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> str:
    return ",".join(value.decode("latin-1") for name, value in headers if name == wanted)
