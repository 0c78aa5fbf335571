"""Where one socket sits at one document, and what it can be told there."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from domain.credit import Credit
from live import codec
from live.protocol import CloseCode

type Who = tuple[str, str | None]
"""A user and the agent that acts for them, if any: whose a Yjs client id is."""


class Outlet(Protocol):
    """The socket of a seat."""

    def send(self, *messages: bytes, whole: bool = False) -> None:
        """Send soon. `whole`: a document as such, which may be larger than what a slow reader may leave lying."""
        ...

    def close(self, code: CloseCode) -> None: ...


@dataclass(eq=False, slots=True)
class Seat:
    """One socket's place at one document. `prefix` goes before every frame; `asked` is told of a Step1 of our own."""

    credit: Credit
    outlet: Outlet
    prefix: bytes
    acknowledges: bool
    may_edit: bool
    asked: Callable[[], None]
    ahead: list[bytes] = field(default_factory=list)
    owed: bool = True
    who: Who = field(init=False)
    acknowledgement: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.who = self.credit.user_id, self.credit.agent
        self.acknowledgement = self.prefix + codec.sync_status(applied=True)

    def say(self, body: bytes, *, whole: bool = False) -> None:
        self.outlet.send(self.prefix + body, whole=whole)

    def acknowledge(self, *, applied: bool) -> None:
        if self.acknowledges:
            self.say(codec.sync_status(applied=applied))
