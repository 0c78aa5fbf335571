"""Parses the messages of one WebSocket into effects, by the protocol that its first message is in, without any I/O.

`received` takes one message as it came and returns its effects, in order. The caller carries them out, tells how a
`JoinDocument` went by `admitted` or `denied`, and sends what comes back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, Self, cast

from domain.errors import Code
from domain.key import LOOKS_LIKE_A_KEY
from domain.ticket import PREFIX as TICKET
from live import codec
from live.codec import (
    AwarenessUpdate,
    Leave,
    Malformed,
    Message,
    Ping,
    QueryAwareness,
    Step1,
    Step2,
    Token,
    UpdateMessage,
)

MAX_MESSAGE: Final = 1024 * 1024
MAX_FIRST_SYNC: Final = 16 * 1024 * 1024 + 1024  # the frame around a document of 16 MiB
MAX_DOCUMENTS: Final = 50  # on one socket
MAX_WAITING: Final = 64  # messages about a document that is not open yet
MAX_WAITING_BYTES: Final = 1024 * 1024  # of all documents of a socket that are not open yet
MAX_UNIDENTIFIED: Final = 64 * 1024  # bytes that a client may send, in all, before it has shown who it is


class CloseCode(IntEnum):
    """Close codes of the protocol, each with its reason. A full drive has the number of a full document."""

    reason: str

    def __new__(cls, number: int, reason: str = "") -> Self:
        member = int.__new__(cls, number)
        cast("Any", member)._value_ = number, reason  # by which two of one number are two
        member.reason = reason
        return member

    NORMAL = 1000
    UNSUPPORTED = 1003, Code.UNSUPPORTED_MEDIA_TYPE.value
    TOO_BIG = 1009, Code.PAYLOAD_TOO_LARGE.value
    RESET = 4205, Code.SERVICE_UNAVAILABLE.value
    UNAUTHORIZED = 4401, Code.UNAUTHORIZED.value
    FORBIDDEN = 4403, Code.FORBIDDEN.value
    NOT_FOUND = 4404, Code.NOT_FOUND.value
    FULL = 4413, Code.LIMIT_EXCEEDED.value
    STORAGE_FULL = 4413, Code.STORAGE_FULL.value
    REFUSED = 4422, Code.BAD_REQUEST.value
    SLOW_DOWN = 4429, Code.TOO_MANY_REQUESTS.value


@dataclass(frozen=True, slots=True)
class SendMessage:
    message: bytes


@dataclass(frozen=True, slots=True)
class CloseConnection:
    code: CloseCode


@dataclass(frozen=True, slots=True)
class JoinDocument:
    """Open the document with a ticket or (None) as the user of the handshake."""

    name: str
    document_id: str
    ticket: str | None


@dataclass(frozen=True, slots=True)
class AnswerSync:
    """Answer a Step1 with what the client lacks, and ask for what we lack."""

    name: str
    vector: bytes


@dataclass(frozen=True, slots=True)
class ApplyUpdate:
    """Apply the update and acknowledge it; `whole`: it answers a Step1 of ours."""

    name: str
    update: bytes
    whole: bool


@dataclass(frozen=True, slots=True)
class ApplyAwareness:
    """Take the awareness states that are the client's own, and broadcast them."""

    name: str
    states: tuple[codec.ClientState, ...]


@dataclass(frozen=True, slots=True)
class SendAwareness:
    """Send the client the awareness states of all."""

    name: str


@dataclass(frozen=True, slots=True)
class LeaveDocument:
    name: str


type Effect = (
    SendMessage
    | CloseConnection
    | JoinDocument
    | AnswerSync
    | ApplyUpdate
    | ApplyAwareness
    | SendAwareness
    | LeaveDocument
)


@dataclass(slots=True)
class _Document:
    """One document of the WebSocket: messages wait until it is open; of ours, `unanswered` Step1 have no answer yet."""

    is_open: bool = False
    waiting: list[Message] = field(default_factory=list)
    waiting_bytes: int = 0
    unanswered: int = 0


def short_update(update_prefix: bytes, message: bytes) -> bytes | None:
    """Decode a short update about an open document by its prefix alone; None leaves any other message to `received`."""
    at = len(update_prefix)
    if message.startswith(update_prefix) and at < len(message) < 128 and message[at] == len(message) - at - 1:
        return message[at + 1 :]
    return None


class SyncProtocol:
    """One socket. `path_document` is the id in its URL, `known`: the handshake identified the user."""

    def __init__(self, path_document: str | None, *, known: bool) -> None:
        self._path_document = path_document
        self._known = known
        self._named: bool | None = None  # the first message tells
        self._documents: dict[str, _Document] = {}
        self._refused: set[str] = set()

    @property
    def acknowledges(self) -> bool:
        return self._named is True

    @property
    def identified(self) -> bool:
        """Whether the client has shown who it is, at the handshake or by a ticket."""
        return self._known or any(document.is_open for document in self._documents.values())

    @property
    def _largest(self) -> int:
        """Bytes that a message may have now: only the answer to a Step1 of ours may be large."""
        if not self.identified:
            return MAX_UNIDENTIFIED
        return MAX_FIRST_SYNC if any(document.unanswered for document in self._documents.values()) else MAX_MESSAGE

    def prefix(self, name: str) -> bytes:
        return codec.text(name) if self._named else b""

    def received(self, message: bytes) -> list[Effect]:
        return list(self._received(message))

    def update_prefix(self, name: str) -> bytes:
        """Return how the updates of a document begin; `short_update` finds them by that."""
        return self.prefix(name) + codec.update(b"")[:-1]

    def admitted(self, name: str, *, may_edit: bool) -> list[Effect]:
        return list(self._admitted(name, may_edit=may_edit))

    def denied(self, name: str, reason: Code) -> list[Effect]:
        """Deny the document: to Hocuspocus by a message, to y-websocket by closing."""
        document = self._documents.pop(name, None)
        if (
            self._known and len(self._refused) < MAX_DOCUMENTS
        ):  # without a credential in the handshake a client does not begin by itself
            self._refused.add(name)
        left: list[Effect] = [LeaveDocument(name)] if document and document.is_open else []
        if self._named:
            return [*left, SendMessage(self.prefix(name) + codec.encode_denied(reason.value))]
        return [CloseConnection(CloseCode.UNAUTHORIZED if reason is Code.UNAUTHORIZED else CloseCode.NOT_FOUND)]

    def asked_again(self, name: str) -> None:
        """Expect one more answer to a Step1 of ours."""
        if document := self._documents.get(name):
            document.unanswered += 1

    def _received(self, frame: bytes) -> Iterator[Effect]:
        if self._named is None:
            yield from self._begin(frame)
        if len(frame) > self._largest:
            yield CloseConnection(CloseCode.TOO_BIG)
            return
        read = codec.read(frame, named=bool(self._named))
        if isinstance(read, Malformed):
            yield CloseConnection(CloseCode.REFUSED)
            return
        name, message = read
        document = self._documents.get(name)
        if len(frame) > MAX_MESSAGE and not (isinstance(message, Step2) and document and document.unanswered):
            yield CloseConnection(CloseCode.TOO_BIG)
        elif isinstance(message, Ping):
            yield SendMessage(codec.PONG_FRAME)
        elif isinstance(message, Token):
            yield from self._token(name, message.token, document)
        elif document is None:
            yield from self._unannounced(name, message)
        elif document.is_open:
            yield from self._about_open(name, message, document)
        else:
            document.waiting.append(message)
            document.waiting_bytes += len(frame)
            waiting = sum(each.waiting_bytes for each in self._documents.values())
            if len(document.waiting) > MAX_WAITING or waiting > MAX_WAITING_BYTES:
                yield CloseConnection(CloseCode.RESET)

    def _begin(self, frame: bytes) -> Iterator[Effect]:
        """Tell the protocol: no document's name is empty, and y-websocket begins with a sync, which is a zero."""
        self._named = not (self._path_document and frame[:1] == b"\0")
        if self._named or self._path_document is None:
            return
        if self._known:
            self._documents[""] = _Document()
            yield JoinDocument("", self._path_document, None)
        else:
            yield CloseConnection(CloseCode.UNAUTHORIZED)

    def _unannounced(self, name: str, message: Message) -> Iterator[Effect]:
        """Begin without a token, as providers 2.x do that have none; else the message was on its way when the document was denied."""
        if isinstance(message, Step1) and self._known and name not in self._refused:
            yield from self._token(name, "", None)
            if document := self._documents.get(name):
                document.waiting.append(message)

    def _token(self, name: str, token: str, document: _Document | None) -> Iterator[Effect]:
        if document is not None and not document.is_open:
            return  # one look at a time
        # INVARIANT: a key in a message opens nothing: messages end up in logs and debuggers.
        ticket = token if token.startswith(TICKET) else None
        if LOOKS_LIKE_A_KEY.search(token) or not (ticket or self._known):
            yield from self.denied(name, Code.UNAUTHORIZED)
        elif document is None and len(self._documents) >= MAX_DOCUMENTS:
            yield from self.denied(name, Code.LIMIT_EXCEEDED)
        else:
            if document is None:
                self._documents[name] = _Document()
            yield JoinDocument(name, name.partition("\0")[0], ticket)

    def _admitted(self, name: str, *, may_edit: bool) -> Iterator[Effect]:
        document = self._documents.get(name)
        if document is None:
            return
        document.is_open = True
        if self._named:
            yield SendMessage(self.prefix(name) + codec.authenticated(may_edit=may_edit))
        yield SendAwareness(name)
        waiting, document.waiting, document.waiting_bytes = document.waiting, [], 0
        for message in waiting:
            yield from self._about_open(name, message, document)

    def _about_open(self, name: str, message: Message, document: _Document) -> Iterator[Effect]:
        match message:
            case Step1(vector):
                document.unanswered += 1
                yield AnswerSync(name, vector)
            case Step2(update):
                document.unanswered = max(document.unanswered - 1, 0)
                yield ApplyUpdate(name, update, whole=True)
            case UpdateMessage(update):
                yield ApplyUpdate(name, update, whole=False)
            case AwarenessUpdate(states):
                yield ApplyAwareness(name, states)
            case QueryAwareness():
                yield SendAwareness(name)
            case Leave():
                del self._documents[name]
                yield LeaveDocument(name)
            case _:  # stateless messages are between applications
                return
