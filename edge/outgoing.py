"""Answers on their way out: large ones go in pieces, as they are read, and count among what their user left unread."""

from dataclasses import dataclass, field
from typing import Any, Final, cast

from litestar.types import Message, Send

from domain.errors import Code, Rejection
from edge.in_flight import InFlight
from edge.responses import Response, error_response

PIECE: Final = 64 * 1024  # bytes: smaller answers neither wait nor count
TOO_MUCH_UNREAD: Final = error_response(
    Rejection(Code.TOO_MANY_REQUESTS, "too much of your answers is unread: read them before you ask for more"),
    (b"retry-after", b"1"),
)
_OF_THE_BODY: Final = frozenset({b"content-length", b"content-type", b"cache-control", b"etag", b"content-disposition"})


@dataclass(slots=True)
class Outgoing:
    """One answer, sent by `send`. `user_id` is whose it is, None until that is known; `ended` gives back what it held."""

    send: Send
    unread: InFlight
    user_id: str | None = None
    status: int = field(default=0, init=False)
    _held: int = field(default=0, init=False)
    _refusal: Response | None = field(default=None, init=False)

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self._begin(cast("dict[str, Any]", message))
        elif self._refusal is None:
            await self._go_on(cast("dict[str, Any]", message))

    def ended(self) -> None:
        if self.user_id is not None:
            self.unread.end(self.user_id, self._held)
        self._held = 0

    async def _begin(self, message: dict[str, Any]) -> None:
        size = next((int(value) for name, value in message["headers"] if name == b"content-length"), 0)
        if self.user_id is not None and size > PIECE:
            if self.unread.begin(self.user_id, size):
                self._held = size
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
        body, more = memoryview(message.get("body", b"")), message.get("more_body", False)
        for begin in range(0, len(body) - PIECE, PIECE):
            piece: Any = body[begin : begin + PIECE]
            await self.send({"type": "http.response.body", "body": piece, "more_body": True})
        last = body[(max(0, len(body) - 1) // PIECE) * PIECE :] if len(body) > PIECE else message.get("body", b"")
        await self.send(cast("Message", message | {"body": last, "more_body": more}))
