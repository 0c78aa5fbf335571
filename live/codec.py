"""Encodes and decodes the frames of live documents.

A Hocuspocus frame is a y-websocket frame after a name: `name`, a text, identifies the document, and may continue
after a NUL with a session suffix of the client's own. So one codec serves both protocols; the types from 5 on, and
the content of type 2, belong to Hocuspocus alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from documents.yjs.lib0 import Decoder, Hostile, uint
from documents.yjs.scan import MAX_CLOCK

SYNC, AWARENESS, AUTH, QUERY, STATELESS, CLOSE, SYNC_STATUS, PING, PONG = 0, 1, 2, 3, 5, 7, 8, 9, 10
STEP1, STEP2, UPDATE = 0, 1, 2
TOKEN, DENIED, AUTHENTICATED = 0, 1, 2
MAX_NAME: Final = 128  # bytes of a document's name; it goes before every frame about the document
READ_WRITE: Final = "read-write"
READ_ONLY: Final = "readonly"


@dataclass(frozen=True, slots=True)
class Step1:
    """The client's state vector; it requests the missing updates."""

    vector: bytes


@dataclass(frozen=True, slots=True)
class Step2:
    """The client's updates that the server lacks."""

    update: bytes


@dataclass(frozen=True, slots=True)
class UpdateMessage:
    update: bytes


@dataclass(frozen=True, slots=True)
class ClientState:
    """The awareness state of one Yjs client: JSON, `null` once it has left."""

    client: int
    clock: int
    json: str


@dataclass(frozen=True, slots=True)
class AwarenessUpdate:
    states: tuple[ClientState, ...]


@dataclass(frozen=True, slots=True)
class Token:
    token: str


@dataclass(frozen=True, slots=True)
class QueryAwareness:
    pass


@dataclass(frozen=True, slots=True)
class Stateless:
    text: str


@dataclass(frozen=True, slots=True)
class Leave:
    pass


@dataclass(frozen=True, slots=True)
class Ping:
    pass


@dataclass(frozen=True, slots=True)
class Pong:
    pass


@dataclass(frozen=True, slots=True)
class Malformed:
    pass


type Message = (
    Step1 | Step2 | UpdateMessage | AwarenessUpdate | Token | QueryAwareness | Stateless | Leave | Ping | Pong
)


def read(frame: bytes, *, named: bool) -> tuple[str, Message] | Malformed:
    """Return the document's name and the message. `named`: in the dialect of Hocuspocus."""
    if named and len(frame) == 1 and frame[0] in (PING, PONG):
        return "", Ping() if frame[0] == PING else Pong()
    decoder = Decoder(frame)
    try:
        name = _name(decoder) if named else ""
        message = _message(decoder, named=named)
    except (IndexError, UnicodeDecodeError, Hostile):
        return Malformed()
    # Providers say their version after the token.
    return (name, message) if decoder.at == len(frame) or isinstance(message, Token) else Malformed()


def _name(decoder: Decoder) -> str:
    name = decoder.bytes()
    if len(name) > MAX_NAME:
        raise Hostile("the name of a document is too long")
    return name.decode()


def _message(decoder: Decoder, *, named: bool) -> Message:
    kind = decoder.uint()
    if kind == SYNC:
        return _sync(decoder)
    if kind == AWARENESS:
        inner = Decoder(decoder.bytes())
        states = tuple(ClientState(inner.uint(), inner.uint(), inner.text()) for _ in range(inner.count(3)))
        if inner.at == len(inner.data):
            return AwarenessUpdate(states)
    if kind == QUERY:
        return QueryAwareness()
    if named and kind == AUTH and decoder.uint() == TOKEN:
        return Token(decoder.text())
    if named and kind == STATELESS:
        return Stateless(decoder.text())
    if named and kind == CLOSE:
        return Leave()
    raise Hostile("nothing that a client says")


def _sync(decoder: Decoder) -> Message:
    step = decoder.uint()
    content = decoder.bytes()
    if step == STEP2:
        return Step2(content)
    if step == UPDATE:
        return UpdateMessage(content)
    if step == STEP1:
        read_vector(content)
        return Step1(content)
    raise Hostile("no step of a sync")


def read_vector(vector: bytes) -> dict[int, int]:
    """Return how far each client is known; raises where this is no state vector, which native code must not see."""
    decoder = Decoder(vector)
    clocks = {decoder.uint(): decoder.uint() for _ in range(decoder.count(2))}
    if decoder.at != len(vector) or any(clock > MAX_CLOCK for clock in clocks.values()):
        raise Hostile("no state vector")
    return clocks


def sized(content: bytes) -> bytes:
    return uint(len(content)) + content


def text(value: str) -> bytes:
    return sized(value.encode())


# What the server says; each goes behind the name, `text(name)`, in the dialect of Hocuspocus.


def step1(vector: bytes) -> bytes:
    return b"\0\0" + sized(vector)


def step2(update: bytes) -> bytes:
    return b"\0\1" + sized(update)


def update(content: bytes) -> bytes:
    return b"\0\2" + sized(content)


def awareness(states: Iterable[ClientState]) -> bytes:
    written = [uint(state.client) + uint(state.clock) + text(state.json) for state in states]
    return b"\1" + sized(uint(len(written)) + b"".join(written))


def authenticated(*, may_edit: bool) -> bytes:
    return bytes((AUTH, AUTHENTICATED)) + text(READ_WRITE if may_edit else READ_ONLY)


def encode_denied(reason: str) -> bytes:
    return bytes((AUTH, DENIED)) + text(reason)


def sync_status(*, applied: bool) -> bytes:
    return b"\x08\1" if applied else b"\x08\0"


def stateless(content: str) -> bytes:
    return bytes((STATELESS,)) + text(content)


PONG_FRAME: Final = bytes((PONG,))
NO_PRESENCE: Final = awareness(())
