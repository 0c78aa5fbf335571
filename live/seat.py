"""Where one socket sits at one document, what it can be told there, and what all are told of an edit."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from documents.keystroke import Run
from documents.owners import Owner
from documents.scan import Scanned
from domain.credit import Credit
from live import codec
from live.commits import Author
from live.protocol import CloseCode

type Who = Owner
"""Who is at the other end of a socket: whose a Yjs client id is."""


class Outlet(Protocol):
    """The socket of a seat."""

    def frame(self, message: bytes) -> bytes:
        """Return the message as `write` takes it, the same for all sockets of the process: what goes to many is made once."""
        ...

    def write(self, frames: Iterable[bytes]) -> None:
        """Send soon."""
        ...

    def send(self, message: bytes, *, whole: bool = False) -> None:
        """Send soon. `whole`: a document as such, which may be larger than what a slow reader may leave lying."""
        ...

    def in_turn(self, answer: Callable[[], bool]) -> None:
        """Call `answer` once the client has read what was sent whole before, at once where that is so.

        It is to send one message whole, or to see to it that this happens later; false where it will not.
        """
        ...

    def close(self, code: CloseCode) -> None: ...


@dataclass(eq=False, slots=True)
class Ahead:
    """An update that came before what it builds on, and the first clock of that which was not here."""

    update: bytes
    scanned: Scanned
    lacks: tuple[int, int]

    def fits(self, state: Mapping[int, int]) -> bool:
        """Whether a document with this state vector has all that the update builds on by now."""
        client, clock = self.lacks
        if state.get(client, 0) < clock:
            return False
        lacks = self.scanned.lacking(state)
        self.lacks = lacks or self.lacks
        return lacks is None


@dataclass(eq=False, slots=True)
class Seat:
    """One socket's place at one document. `prefix` goes before every frame; `asked` is told of a Step1 of our own."""

    credit: Credit
    outlet: Outlet
    prefix: bytes
    acknowledges: bool
    may_edit: bool
    asked: Callable[[], None]
    ahead: list[Ahead] = field(default_factory=list)
    asks: bytes | None = None  # the state vector of a Step1 that is not answered yet
    owed: bool = True
    run: Run | None = None
    who: Who = field(init=False)
    author: Author = field(init=False)  # the room's, once it sits there
    acknowledgement: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.who = self.credit.user_id, self.credit.agent
        self.author = Author(self.credit)
        self.acknowledgement = self.outlet.frame(self.prefix + codec.sync_status(applied=True))

    def say(self, body: bytes, *, whole: bool = False) -> None:
        self.outlet.send(self.prefix + body, whole=whole)

    def hear(self, relays: Sequence[bytes], own: Sequence[int]) -> None:
        """Say the frames `relays`, those at the places `own`, which were sent from here, as acknowledgements."""
        if self.acknowledges:
            said = [*relays]
            for at in own:
                said[at] = self.acknowledgement
        else:
            said = [relay for at, relay in enumerate(relays) if at not in own]
        if said:
            self.outlet.write(said)

    def acknowledge(self, *, applied: bool) -> None:
        if self.acknowledges:
            self.say(codec.sync_status(applied=applied))


type Edit = tuple[Seat, bytes, bytes | None]
"""Who sent an update, the update, and the message that it came in where that can be passed on as it is."""

type Elsewhere = tuple[None, bytes, None]
"""An update that none of these seats sent."""


def share(seats: Collection[Seat], edits: Sequence[Edit | Elsewhere]) -> None:
    """Acknowledge each edit to its sender and tell it to all the others: every seat once, whatever is new."""
    if not edits:
        return
    sent: dict[Seat, list[int]] = {}
    for at, (sender, _, _) in enumerate(edits):
        if sender:
            sent.setdefault(sender, []).append(at)
    framed: dict[bytes, list[bytes]] = {}
    for seat in seats:
        relays = framed.get(seat.prefix)
        if relays is None:
            frame, prefix = seat.outlet.frame, seat.prefix
            relays = framed[prefix] = [
                frame(message if message and sender and sender.prefix == prefix else prefix + codec.update(update))
                for sender, update, message in edits
            ]
        if own := sent.pop(seat, None):
            seat.hear(relays, own)
        else:
            seat.outlet.write(relays)
    for gone, own in sent.items():
        for _ in own:
            gone.acknowledge(applied=True)
