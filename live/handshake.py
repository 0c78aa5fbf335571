"""What is said to a handshake, at once, before anything of it was looked up."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from live.hall import Session

type Headers = Sequence[tuple[bytes, bytes]]
"""Names in lower case."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A handshake that is answered with an HTTP status and a body instead."""

    status: int
    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who comes: the document in the path, and how to find out who it is; `False` is somebody with a bad key."""

    path_document: str | None
    identify: Callable[[], Awaitable[Session | bool | None]]
    limited: bool = True


type Door = Callable[[bytes, Headers], Arrival | Refusal]
"""Given path and query of the handshake, and its headers; what needs the database is asked after the answer."""
