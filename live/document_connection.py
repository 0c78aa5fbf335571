"""One connection's membership of one document, and the broadcast of edits to all members."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from documents.yjs.keystroke import TypingRun
from documents.yjs.scan import Scanned
from domain.credit import AuthorId, Credit
from live import codec
from live.group_commit import EditAuthor
from live.protocol import CloseCode


class Transport(Protocol):
    """The WebSocket under a document connection."""

    def frame(self, message: bytes) -> bytes:
        """Return the message as `write` takes it, the same for all WebSockets of the process, so that a broadcast is framed once."""
        ...

    def write(self, frames: Iterable[bytes]) -> None:
        """Send soon."""
        ...

    def send(self, message: bytes, *, whole: bool = False) -> None:
        """Send soon. `whole`: a whole document, which may be larger than what a slow reader may leave unread."""
        ...

    def when_read(self, answer: Callable[[], bool]) -> None:
        """Call `answer` once the client has read the previous whole answer, at once if it has.

        It is to send one message whole, or to see to it that this happens later; false where it will not.
        """
        ...

    def close(self, code: CloseCode) -> None: ...


@dataclass(eq=False, slots=True)
class PendingUpdate:
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
class DocumentConnection:
    """`prefix` goes before every message; `requested_sync` is called with a Step1 of ours.

    `awaiting_sync`: a Step1 of ours is not answered. `run` is the typing that the next keystroke may go on with. `has_shown`: a
    client id that is recorded, or will be. `drive_id` is the drive whose quota bounds what it writes.
    """

    credit: Credit
    transport: Transport
    prefix: bytes
    acknowledges: bool
    may_edit: bool
    requested_sync: Callable[[], None]
    drive_id: str = ""
    pending: list[PendingUpdate] = field(default_factory=list)
    requested_vector: bytes | None = None  # the state vector of a Step1 that is not answered yet
    awaiting_sync: bool = True
    sent_vector: bytes = b"\0"  # of the last Step1 of ours
    run: TypingRun | None = None
    has_shown: bool = False
    author_id: AuthorId = field(init=False)
    author: EditAuthor = field(init=False)  # the room's, once it has joined
    acknowledgement: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.author_id = self.credit.user_id, self.credit.agent
        self.author = EditAuthor(self.credit)
        self.acknowledgement = self.transport.frame(self.prefix + codec.sync_status(applied=True))

    def send(self, body: bytes, *, whole: bool = False) -> None:
        self.transport.send(self.prefix + body, whole=whole)

    def deliver(self, relays: Sequence[bytes], own: Sequence[int]) -> None:
        """Send the frames `relays`; those at the places `own` were sent from here, and are acknowledged instead."""
        if self.acknowledges:
            frames = [*relays]
            for at in own:
                frames[at] = self.acknowledgement
        else:
            frames = [relay for at, relay in enumerate(relays) if at not in own]
        if frames:
            self.transport.write(frames)

    def acknowledge(self, *, applied: bool) -> None:
        if self.acknowledges:
            self.send(codec.sync_status(applied=applied))


type SentEdit = tuple[DocumentConnection, bytes, bytes | None]
"""The sender, the update, and the message that it came in where that can be broadcast as it is."""

type RemoteEdit = tuple[None, bytes, None]
"""An update that none of these connections sent."""


def broadcast(connections: Collection[DocumentConnection], edits: Sequence[SentEdit | RemoteEdit]) -> None:
    """Acknowledge each edit to its sender and send it to all the others, with one write for each connection."""
    if not edits:
        return
    sent: dict[DocumentConnection, list[int]] = {}
    for at, (sender, _, _) in enumerate(edits):
        if sender:
            sent.setdefault(sender, []).append(at)
    framed: dict[bytes, list[bytes]] = {}
    for connection in tuple(connections):  # a write to a slow reader may close it, which takes it out of the room
        relays = framed.get(connection.prefix)
        if relays is None:
            frame, prefix = connection.transport.frame, connection.prefix
            relays = framed[prefix] = [
                frame(message if message and sender and sender.prefix == prefix else prefix + codec.update(update))
                for sender, update, message in edits
            ]
        if own := sent.pop(connection, None):
            connection.deliver(relays, own)
        else:
            connection.transport.write(relays)
    for gone, own in sent.items():
        for _ in own:
            gone.acknowledge(applied=True)
