"""Checks a WebSocket handshake by RFC 6455, and answers it before anything is looked up."""

import binascii
from base64 import b64decode
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from domain.caller import Caller

VERSION: Final = b"13"
MAX_HEADERS: Final = 100

type RequestHeaders = Sequence[tuple[bytes, bytes]]
"""Names in lower case."""


@dataclass(frozen=True, slots=True)
class HandshakeRejected:
    """A handshake that is answered with an HTTP status and a body instead."""

    status: int
    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Handshake:
    """A handshake that is accepted: the document in the path, and how to identify the client; `False` is a bad key.

    `address` is the client's, by which unidentified connections are counted.
    """

    path_document: str | None
    identify: Callable[[], Awaitable[Caller | bool | None]]
    address: str
    limited: bool = True


type Authorize = Callable[[bytes, RequestHeaders, str], Handshake | HandshakeRejected]
"""Given path and query of the handshake, its headers, and the address at the other end of the connection.

What needs the database is asked after the answer.
"""


def handshake_fault(method: str, headers: RequestHeaders) -> str | None:
    """Return the fault of a request for a WebSocket (RFC 6455, section 4.2.1), or None."""
    named: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        named.setdefault(name, []).append(value)
    if method != "GET":
        return "a handshake is a `GET`"
    if len(headers) > MAX_HEADERS:
        return f"a handshake has at most {MAX_HEADERS} headers"
    if b"transfer-encoding" in named or named.get(b"content-length", [b"0"]) != [b"0"]:
        return "a handshake has no body"
    if [value.lower() for value in named.get(b"upgrade", [])] != [b"websocket"]:
        return "`Upgrade` must be `websocket`"
    if named.get(b"sec-websocket-version") != [VERSION]:
        return f"`Sec-WebSocket-Version` must be {VERSION.decode()}"
    if not _is_nonce(named.get(b"sec-websocket-key", [])):
        return "`Sec-WebSocket-Key` must be 16 bytes in base64"
    return None


def _is_nonce(keys: Sequence[bytes]) -> bool:
    try:
        return [len(b64decode(key, validate=True)) for key in keys] == [16]
    except binascii.Error:
        return False
