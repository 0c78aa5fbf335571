"""Responses: a status, headers and a body; the envelope of failures; and sending, compressed and in pieces."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, cast

import msgspec
from graphql import GraphQLError
from litestar.types import HTTPScope, Message, Receive, Scope, Send
from litestar.types.asgi_types import RawHeaders

from contract.errors import rejection_of
from contract.operations import MediaType
from domain.errors import Code, Rejection
from edge.compression import MIN_SIZE, VARY, accepts, compressed, is_compressible, vary
from edge.in_flight import InFlight

type Headers = tuple[tuple[bytes, bytes], ...]
type Serve = Callable[[HTTPScope, Receive], Awaitable["Response"]]

STATUS: Final[Mapping[Code, int]] = MappingProxyType(
    {
        Code.BAD_REQUEST: 400,
        Code.UNAUTHORIZED: 401,
        Code.FORBIDDEN: 403,
        Code.NOT_FOUND: 404,
        Code.METHOD_NOT_SUPPORTED: 405,
        Code.CROSS_ORGANIZATION_MOVE: 409,
        Code.DRIVE_NOT_EMPTY: 409,
        Code.IDEMPOTENCY_KEY_REUSED: 409,
        Code.LAST_ADMIN: 409,
        Code.LAST_OWNER: 409,
        Code.LIMIT_EXCEEDED: 409,
        Code.MOVE_CYCLE: 409,
        Code.NO_ACTIVE_ORGANIZATION: 409,
        Code.NOT_A_DOCUMENT: 409,
        Code.NOT_A_FOLDER: 409,
        Code.NOT_A_SHARED_DRIVE: 409,
        Code.NOT_IN_TRASH: 409,
        Code.PARENT_NOT_IN_DRIVE: 409,
        Code.PASSAGE_AMBIGUOUS: 409,
        Code.PASSAGE_NOT_FOUND: 409,
        Code.REVISION_CHANGED: 409,
        Code.REVISION_GONE: 409,
        Code.SELF_SHARE: 409,
        Code.SHARE_EXISTS: 409,
        Code.STORAGE_FULL: 409,
        Code.TREE_TOO_DEEP: 409,
        Code.UNPUBLISH_FIRST: 409,
        Code.PAYLOAD_TOO_LARGE: 413,
        Code.UNSUPPORTED_MEDIA_TYPE: 415,
        Code.TOO_MANY_REQUESTS: 429,
        Code.INTERNAL_SERVER_ERROR: 500,
        Code.SERVICE_UNAVAILABLE: 503,
    }
)
"""The status of HTTP that each code is answered under, wherever an answer has one."""

JSON: Final = (b"content-type", MediaType.JSON.encode())
NO_STORE: Final = (b"cache-control", b"no-store")
PRIVATE: Final = ((b"cache-control", b"private, no-cache"), (b"vary", b"x-api-key, accept-encoding"))
NOSNIFF: Final = (b"x-content-type-options", b"nosniff")

encode: Final = msgspec.json.Encoder().encode

FAULT: Final = rejection_of(GraphQLError(""))
METHOD_NOT_SUPPORTED: Final = Rejection(
    Code.METHOD_NOT_SUPPORTED, "this address does not support that method: use one that the `Allow` header lists"
)
TOO_MANY_UPLOADS: Final = Rejection(
    Code.TOO_MANY_REQUESTS, "too many of your uploads are on the way at once: wait for their answers"
)
TOO_MUCH_ARRIVES: Final = Rejection(
    Code.TOO_MANY_REQUESTS, "too much of your requests is on the way at once: wait for their answers"
)
UNAVAILABLE: Final = Rejection(
    Code.SERVICE_UNAVAILABLE, "the service is not available just now: send the same request again in a moment"
)
UNAVAILABLE_SECONDS: Final = 2


@dataclass(frozen=True, slots=True)
class Response:
    """An answer that can be sent as it is; its length is added then."""

    status: int
    headers: Headers
    body: bytes = b""

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [*self.headers]
        if self.status not in (204, 304):
            headers.append((b"content-length", b"%d" % len(self.body)))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


EMPTY: Final = Response(200, (JSON, NO_STORE))


def json_response(body: object) -> Response:
    return Response(200, (JSON, NO_STORE), encode(body))


def error_response(rejection: Rejection, *extra: tuple[bytes, bytes]) -> Response:
    """Return the envelope: exactly `code` and `message`, under the status of the code."""
    status = STATUS[rejection.code]
    if status == 503:
        extra = (*extra, (b"retry-after", b"%d" % UNAVAILABLE_SECONDS))
    body = encode({"code": rejection.code.value, "message": rejection.message})
    return Response(status, (JSON, NO_STORE, *extra), body)


PIECE: Final = 64 * 1024  # bytes: smaller answers neither wait nor count
TOO_MUCH_UNREAD: Final = error_response(
    Rejection(Code.TOO_MANY_REQUESTS, "too much of your answers is unread: read them before you ask for more"),
    (b"retry-after", b"1"),
)
_OF_THE_BODY: Final = frozenset(
    {b"content-length", b"content-type", b"content-encoding", b"cache-control", b"etag", b"content-disposition"}
)


@dataclass(slots=True)
class Outgoing:
    """One answer, sent by `send`.

    Long JSON is compressed where `request_headers` take gzip. A large answer goes in pieces, as it is read, and counts
    among what its user left unread. `user_id` is whose it is, None until that is known; `ended` gives back what it held.
    """

    send: Send
    unread: InFlight
    request_headers: RawHeaders = ()
    user_id: str | None = None
    without_body: bool = False
    status: int = field(default=0, init=False)
    _size: int = field(default=0, init=False)  # of the body, as the headers have it
    _to_compress: dict[str, Any] | None = field(default=None, init=False)  # the start, until the body is there
    _held: int = field(default=0, init=False)
    _refusal: Response | None = field(default=None, init=False)

    async def __call__(self, event: Message) -> None:
        message = cast("dict[str, Any]", event)
        if message["type"] == "http.response.start":
            self._size, self._to_compress = int(dict(message["headers"]).get(b"content-length", 0)), None
            if self._size > MIN_SIZE and is_compressible(message["headers"]):
                message["headers"] = vary(message["headers"], VARY)
                if accepts(b"gzip", self.request_headers):
                    self._to_compress = message
                    return
            await self._begin(message)
            return
        if begun := self._to_compress:
            self._to_compress = None
            if not message.get("more_body", False):
                message["body"] = await compressed(begun, message["body"])
                self._size = len(message["body"])
            await self._begin(begun)
        if self._refusal is None:
            await self._go_on(message)

    def ended(self) -> None:
        if self.user_id is not None and self._held:
            self.unread.end(self.user_id, self._held)
        self._held = 0

    async def _begin(self, message: dict[str, Any]) -> None:
        if self.user_id is not None and self._size > PIECE:
            if self.unread.begin(self.user_id, self._size):
                self._held = self._size
            else:
                self._refusal = TOO_MUCH_UNREAD
        if self._refusal is None:
            self.status = message["status"]
            await self.send(cast("Message", message))
            return
        kept = [each for each in message["headers"] if each[0] not in _OF_THE_BODY]
        length = (b"content-length", b"%d" % len(self._refusal.body))
        self.status = self._refusal.status
        begun = {"status": self.status, "headers": [*kept, *self._refusal.headers, length]}
        await self.send(cast("Message", message | begun))
        await self.send({"type": "http.response.body", "body": self._refusal.body, "more_body": False})

    async def _go_on(self, message: dict[str, Any]) -> None:
        body = b"" if self.without_body else message.get("body", b"")
        more, view = message.get("more_body", False), memoryview(body)
        for begin in range(0, len(body) - PIECE, PIECE):
            piece: Any = view[begin : begin + PIECE]
            await self.send({"type": "http.response.body", "body": piece, "more_body": True})
        last = view[(max(0, len(body) - 1) // PIECE) * PIECE :] if len(body) > PIECE else body
        await self.send(cast("Message", message | {"body": last, "more_body": more}))
