"""CORS for the origins of the settings."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

METHODS: Final = b"GET, POST, PUT, PATCH, DELETE"
TAKEN: Final = (
    b"authorization, content-type, idempotency-key, if-none-match, last-event-id, mcp-method, mcp-name, "
    b"mcp-protocol-version, mcp-session-id, x-api-key, x-request-id, x-service-agent"
)
SHOWN: Final = b"etag, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id"


@dataclass(frozen=True, slots=True)
class CORS:
    """The ASGI application around `app`; keys travel in headers, so no answer ever allows cookies."""

    app: ASGIApp
    allowed: frozenset[bytes]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", ()))
        origin = headers.get(b"origin")
        if scope["type"] != ScopeType.HTTP or origin is None or origin not in self.allowed:
            await self.app(scope, receive, send)
            return
        allow = [(b"access-control-allow-origin", origin), (b"vary", b"origin")]
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
            taken = [
                (b"access-control-allow-methods", METHODS),
                (b"access-control-allow-headers", TAKEN),
                (b"access-control-max-age", b"600"),
            ]
            await send({"type": "http.response.start", "status": 204, "headers": [*allow, *taken]})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start" and not _is_for_everybody(message["headers"]):
                shown = (b"access-control-expose-headers", SHOWN)
                message["headers"] = [*message["headers"], *allow, shown]
            await send(message)

        await self.app(scope, receive, send_with_headers)


def _is_for_everybody(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return any(name == b"access-control-allow-origin" for name, _ in headers)
