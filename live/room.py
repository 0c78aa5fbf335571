"""One open document: checks the updates of its connections, applies them, and broadcasts committed ones.

INVARIANT: what leaves a room was committed before. An update is applied first, so that a hostile one is never stored, and
is acknowledged and broadcast after its commit; whatever else is answered from the document meanwhile waits with it. Where
a commit fails, the room is closed with all its connections, and the clients' own sync brings back what was not durable.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from pycrdt import Doc

from computing.loaded_document import LoadedDocument
from documents.admission.deletions import Deletions
from documents.admission.known_clocks import Repeated
from documents.admission.surrogate_pairs import Cutting
from documents.yjs.keystroke import TypingRun, keystroke
from documents.yjs.relative_position import RelativePosition
from documents.yjs.scan import IMPORT, Refused, Scanned, UpdateLimits, scan
from documents.yjs.snapshot import Undecodable, guarded
from domain.credit import AuthorId, Credit
from domain.document import DocumentLog, ShownClientId
from domain.storage import StorageQuotas
from live import codec
from live.awareness import REMOVED, Awareness, AwarenessBroadcast
from live.awareness_elsewhere import AwarenessElsewhere, author_of
from live.client_ids import ClientIds
from live.commit_queue import CommitQueue
from live.document_connection import DocumentConnection, PendingUpdate, broadcast
from live.document_reader import LoggedSlice, LoggedSlices
from live.edit_presence import MAX_AUTHORS, EditPresence
from live.group_commit import EditAuthor, GroupCommit, Row
from live.live_document import MAX_COMPARED_SIZE, LiveDocument
from live.protocol import CloseCode

MAX_PENDING: Final = 64  # updates of one connection that came before what they build on
MAX_PENDING_BYTES: Final = 256 * 1024
MAX_REFUSED_SECONDS: Final = 10.0  # in which the log takes nothing of a room, since others write to its document


@dataclass(frozen=True, slots=True)
class Checked:
    """What threads and processes found out about an update before it is applied.

    `compared` says up to which clocks of each client it was compared with the document; `tried`: on a copy of it. `brought` is
    what says whether it cuts surrogate pairs.
    """

    scanned: Scanned | Refused | None = None
    brought: Cutting | None = None
    compared: Mapping[int, int] = MappingProxyType({})
    tried: bool = False


@dataclass(frozen=True, slots=True)
class Unchecked:
    """An update that is not applied before it was compared with what the document `has` of it or, if None, tried."""

    checked: Checked
    has: Repeated | None = None


@dataclass(frozen=True, slots=True)
class UnreadPairs:
    """A large update that is not applied before it was read for surrogate pairs that it cuts or brings."""

    checked: Checked


@dataclass(frozen=True, slots=True)
class UncheckedDeletions:
    """An update of a reader that says nothing new where all that it deletes, which it says from `at` on, is deleted."""

    update: bytes
    at: int
    deletions: Deletions

    @property
    def size(self) -> int:
        return len(self.update) - self.at + len(self.deletions.encoded)

    def are_known(self) -> bool:
        return self.deletions.hold(self.update, self.at)


type ToCheck = Unchecked | UnreadPairs | UncheckedDeletions

NOT_CHECKED: Final = Checked()


def _ignored(room: "Room", states: Sequence[codec.ClientState]) -> None:
    del room, states


class Room:
    """A `BatchSource` of the group commit, for as long as it has not `failed`.

    `sequence` is the number of the last update of the log that is in the document. `on_behind` is called where edits were
    refused since the log goes on from another number: it has what is missing applied, and the edits appended again.
    `on_shown` is called with a client id that an editor shows, and has `show_recorded` called once that is recorded: nobody
    is told of an id before. `on_lost` is called where something went, and is durable, that no update deletes. `distrusted` are
    users whose updates damaged a document: theirs, keystrokes apart, are tried first from then on. `quotas` bound what is written.
    `on_awareness` is called with what changes in the awareness of the room's own connections.
    """

    def __init__(
        self,
        document_id: str,
        commits: GroupCommit,
        on_closed: Callable[["Room"], None],
        on_behind: Callable[["Room"], None],
        on_shown: Callable[["Room", ShownClientId], None],
        on_lost: Callable[["Room"], None],
        distrusted: set[str],
        quotas: StorageQuotas,
        on_awareness: Callable[["Room", Sequence[codec.ClientState]], None] = _ignored,
    ) -> None:
        self.document_id = document_id
        self.failed = False
        self.sequence = 0
        self.looked_at = 0  # the number up to which unseen text was looked for
        self.connections: set[DocumentConnection] = set()
        self.entering = 0  # connections that are about to join
        self.catching_up = asyncio.Lock()  # held from reading the log to `apply_committed`
        self._commits = commits
        self._on_closed = on_closed
        self._on_behind = on_behind
        self._on_shown = on_shown
        self._on_lost = on_lost
        self._distrusted = distrusted
        self._quotas = quotas
        self._on_awareness = on_awareness
        self._document = LiveDocument(self._blame_keystrokes)
        self._queue = CommitQueue(lambda edits: broadcast(self.connections, edits))
        self._refused_since: float | None = None  # since when the log takes nothing, by the loop's clock
        self._authors: dict[AuthorId, EditAuthor] = {}
        self._awareness = Awareness()
        self._awareness_elsewhere = AwarenessElsewhere()
        self._awareness_broadcast = AwarenessBroadcast(self._send_to_all)
        self._edit_presence = EditPresence(self._awareness_broadcast.add)
        self._places: dict[AuthorId, RelativePosition | None] = {}  # where authors edited last of what others committed
        self._client_ids = ClientIds()
        self._unrecorded: set[int] = set()  # client ids whose awareness states wait until they are recorded

    @property
    def doc(self) -> Doc[Any]:
        return self._document.doc

    @property
    def size(self) -> int:
        """Bytes of the document, at most."""
        return self._document.size

    @property
    def in_use(self) -> bool:
        """Whether somebody has the document open or is about to, or some edit is not known to be durable."""
        return bool(self.connections or self.entering) or not self._queue.is_empty

    @property
    def _is_open(self) -> bool:
        return not self.failed and self._document.is_loaded

    def load(self, stored: LoadedDocument) -> None:
        self._document.load(stored)
        self._client_ids.load(stored.owners, stored.shown)
        self.sequence = self.looked_at = stored.sequence
        self._tell_losses()

    def unload(self) -> None:
        """Let go of the document, which nobody has open: what refers to the room is not collected for minutes."""
        self._document.unload()

    def fail(self) -> None:
        self.close(CloseCode.RESET)

    def close(self, code: CloseCode) -> None:
        self.failed = True
        self._on_closed(self)
        for connection in list(self.connections):
            connection.transport.close(code)

    def _send_to_all(self, body: bytes) -> None:
        for connection in tuple(self.connections):
            connection.send(body)

    def tell(self, author: AuthorId, body: bytes) -> None:
        """Send a message of Hocuspocus to all connections of an author."""
        for connection in tuple(self.connections):
            if connection.acknowledges and connection.author_id == author:
                connection.send(body)

    # Connections

    def join(self, connection: DocumentConnection) -> None:
        self.connections.add(connection)
        connection.author = self._authors.setdefault(connection.author_id, connection.author)

    def leave(self, connection: DocumentConnection) -> None:
        self.connections.discard(connection)
        self._broadcast_awareness(self._awareness.remove(connection))

    def update_awareness(self, connection: DocumentConnection, states: Sequence[codec.ClientState]) -> None:
        own = [
            state
            for state in states
            if self._client_ids.may_use(state.client, connection.author_id)
            and not self._edit_presence.owns(state.client)
        ]
        taken = self._awareness.update(connection, own)
        if connection.may_edit:
            for state in taken:
                self._reserve(connection, state.client)
        self._broadcast_awareness(taken)

    def _reserve(self, connection: DocumentConnection, client: int) -> None:
        """Keep a client id for who shows it; of each connection the first one is recorded."""
        if self._client_ids.show(client, connection.author_id) and not connection.has_shown:
            connection.has_shown = True
            self._unrecorded.add(client)
            self._on_shown(self, ShownClientId(self.document_id, client, connection.author_id))

    def show_recorded(self, client: int) -> None:
        self._unrecorded.discard(client)
        self._broadcast_awareness([state for state in self._awareness.all() if state.client == client])

    @property
    def shown(self) -> list[ShownClientId]:
        """The client ids that editors showed here, and under which nobody has written."""
        return [ShownClientId(self.document_id, client, author) for client, author in self._client_ids.shown.items()]

    def send_awareness(self, connection: DocumentConnection) -> None:
        elsewhere = [state for state in self._awareness_elsewhere.all() if not self._awareness.has(state.client)]
        if states := [*self.own_states(), *elsewhere, *self._edit_presence.all()]:
            connection.send(codec.awareness(states))

    def own_states(self) -> list[codec.ClientState]:
        """Return the states of the room's own connections."""
        return self._told(self._awareness.all())

    def show_elsewhere(self, node: int, states: Sequence[codec.ClientState], *, whole: bool) -> None:
        """Show states that another node tells of, `whole`: in the place of all that it told before."""
        theirs = [state for state in states if state.json == REMOVED or self._may_show(state)]
        changed = self._awareness_elsewhere.update(node, theirs, whole=whole)
        self._awareness_broadcast.add([state for state in changed if not self._awareness.has(state.client)])

    def _may_show(self, state: codec.ClientState) -> bool:
        return self._client_ids.may_use(state.client, author_of(state))

    def _broadcast_awareness(self, states: Sequence[codec.ClientState]) -> None:
        told = self._told(states)
        self._on_awareness(self, told)
        self._awareness_broadcast.add(self._awareness_elsewhere.instead_of(told))

    def _told(self, states: Sequence[codec.ClientState]) -> list[codec.ClientState]:
        return [state for state in states if state.client not in self._unrecorded]

    def show_edits(self, by: Sequence[Credit]) -> None:
        """Show for some seconds that these edited the document without a connection, each in the place of the last edit."""
        for each in by:
            author = (each.user_id, each.agent)
            if self.connections and author in self._places:
                self._edit_presence.show(each, self._places.pop(author))

    def _note_places(self, edits: Sequence[LoggedSlices]) -> None:
        for each in edits:
            self._places.pop(each.author, None)
            self._places[each.author] = each.place
        while len(self._places) > MAX_AUTHORS:
            del self._places[next(iter(self._places))]

    def sync(self, connection: DocumentConnection, vector: bytes) -> None:
        """Answer a Step1 with a Step1 of ours and with a Step2, once the client has read the answer to the one before.

        Of several that come meanwhile only the last one is answered.
        """
        is_waiting, connection.requested_vector = connection.requested_vector is not None, vector
        if not is_waiting:
            connection.transport.when_read(lambda: self._answer_sync(connection))

    def _answer_sync(self, connection: DocumentConnection) -> bool:
        vector, connection.requested_vector = connection.requested_vector, None
        if self.failed or connection not in self.connections:
            return False
        difference = guarded(lambda: self.doc.get_update(vector))
        if isinstance(difference, Refused):
            connection.transport.close(CloseCode.REFUSED)
            return False
        ours = self.doc.get_state()
        connection.awaiting_sync, connection.sent_vector = True, ours

        # INVARIANT: our question goes first. A client that has brought in deletions collects what it wrote in what they delete.
        def answer() -> None:
            connection.send(codec.step1(ours))
            connection.send(codec.step2(difference), whole=True)

        self._queue.after_commit(answer)
        return True

    # Updates of connections

    def edit(
        self,
        connection: DocumentConnection,
        update: bytes,
        *,
        whole: bool,
        message: bytes | None = None,
        checked: Checked = NOT_CHECKED,
    ) -> ToCheck | None:
        """Apply an update, and acknowledge it when it is durable; a refused one closes its connection.

        `whole`: it answers a Step1 of ours. `message` is what it came in, where a keystroke can be broadcast as it came.

        Returns an update that is to be checked first.
        """
        run = connection.run  # an update that extends it is not scanned: all but its text is known
        goes_on = run and not whole and not connection.pending and self._has_room(connection, update)
        if run and goes_on and self._document.type_on(run, update):
            self._enqueue(connection, update, message)
            return None
        if not self._is_open:  # it was closed while the update was scanned or checked: the client comes back with it
            connection.transport.close(CloseCode.RESET)
            return None
        if whole:
            connection.awaiting_sync = False
        if not connection.may_edit:
            return self._of_reader(connection, update, whole=whole)
        scanned = checked.scanned or keystroke(update) or scan(update, IMPORT if whole else UpdateLimits())
        if isinstance(scanned, Refused):
            connection.transport.close(CloseCode.REFUSED)
            return None
        outcome = self._receive(connection, update, scanned, checked, whole=whole)
        if isinstance(outcome, Unchecked | UnreadPairs):
            return outcome
        if isinstance(outcome, CloseCode):
            connection.transport.close(outcome)
        elif outcome and connection.pending:
            self._apply_pending(connection)
        return None

    def encode(self) -> bytes:
        """Return the document as one update, including edits that are not durable yet."""
        return self._document.encode()

    def _of_reader(self, connection: DocumentConnection, update: bytes, *, whole: bool) -> UncheckedDeletions | None:
        """Acknowledge the answer to a Step1 where it is what is stored, which is compared as bytes; apply nothing."""
        end = self._document.end_of_own_structs(update, connection.sent_vector) if whole else None
        if end is None:
            self.acknowledge(connection, applied=False)
            return None
        said = UncheckedDeletions(update, end, self._document.deletions)
        if said.size > MAX_COMPARED_SIZE:
            return said
        self.acknowledge(connection, applied=said.are_known())
        return None

    def _receive(
        self, connection: DocumentConnection, update: bytes, scanned: Scanned, checked: Checked, *, whole: bool
    ) -> bool | CloseCode | Unchecked | UnreadPairs:
        """Apply an update, unless it is to be checked first; false where it waits for what it builds on."""
        document = self._document
        if lacks := scanned.lacking(document.state):
            return self._wait(connection, PendingUpdate(update, scanned, lacks))
        brought = self._examined(connection, update, scanned, checked)
        if not isinstance(brought, Cutting):
            return brought
        new = document.new_clients(scanned)
        if not new and not scanned.deletes:
            self.acknowledge(connection, applied=True)
            return True
        if scanned.structs and document.is_full(len(update), self._commits.clock()):
            return CloseCode.FULL
        if new and not self._has_room(connection, update):
            return CloseCode.STORAGE_FULL
        if scanned.plain and not whole:
            document.type(update, scanned, brought)
            connection.run = document.follow(TypingRun.after(update)) or connection.run
        elif not checked.tried and (self._is_distrusted(connection) or document.may_be_costly(update, scanned)):
            return Unchecked(replace(checked, scanned=scanned))
        else:
            applied = self._apply(connection, update, scanned, brought, whole=whole)
            if applied is not True:
                return applied or True
        if new:
            self._claim(scanned, connection.author_id)
        self._enqueue(connection, update)
        document.apply_searched()
        return True

    def _examined(
        self, connection: DocumentConnection, update: bytes, scanned: Scanned, checked: Checked
    ) -> Cutting | CloseCode | Unchecked | UnreadPairs:
        """Return what an update says of surrogate pairs, unless it is refused or to be checked first."""
        document = self._document
        if not checked.brought and len(update) > MAX_COMPARED_SIZE and document.pairs.may_be_cut_by(update):
            return UnreadPairs(replace(checked, scanned=scanned))
        brought = checked.brought or document.pairs.cutting(update)
        if document.pairs.are_cut_by(brought, document.state):
            return CloseCode.REFUSED
        if has := document.uncompared(update, scanned, checked.compared):
            return Unchecked(replace(checked, scanned=scanned), has)
        if not self._client_ids.may_write(document.new_clients(scanned), connection.author_id):
            return CloseCode.FORBIDDEN
        return brought

    def _apply(
        self, connection: DocumentConnection, update: bytes, scanned: Scanned, brought: Cutting, *, whole: bool
    ) -> bool | CloseCode:
        """Apply an update to the document; false where it said nothing new, and so is acknowledged."""
        applied = self._document.apply(update, scanned, brought, whole=whole)
        if isinstance(applied, Refused):
            if not isinstance(applied, Undecodable):  # it may be half applied
                self._distrust(connection)
                self.fail()
            return CloseCode.REFUSED
        if not applied:
            self.acknowledge(connection, applied=True)
        return applied

    def _wait(self, connection: DocumentConnection, update: PendingUpdate) -> bool | CloseCode:
        """Keep an update until what it builds on has come; unless that is on its way anyhow, ask for it."""
        pending = connection.pending
        pending.append(update)
        if len(pending) > MAX_PENDING or sum([len(each.update) for each in pending]) > MAX_PENDING_BYTES:
            return CloseCode.RESET
        if not connection.awaiting_sync:
            connection.awaiting_sync = True
            connection.requested_sync()
            ours = connection.sent_vector = self.doc.get_state()
            self._queue.after_commit(lambda: connection.send(codec.step1(ours)))
        return False

    def _apply_pending(self, connection: DocumentConnection) -> None:
        while fits := next((each for each in connection.pending if each.fits(self._document.state)), None):
            connection.pending.remove(fits)
            outcome = self._receive(connection, fits.update, fits.scanned, NOT_CHECKED, whole=False)
            if isinstance(outcome, Unchecked | UnreadPairs):  # the client comes back, and sends it with all that it has
                outcome = CloseCode.RESET
            if isinstance(outcome, CloseCode):
                connection.transport.close(outcome)
                return

    def _claim(self, scanned: Scanned, author: AuthorId) -> None:
        """Make the author the owner of the update's new clients; nobody else is shown under them."""
        for client in self._client_ids.claim(scanned, author):
            self._broadcast_awareness(self._awareness.claim(client, author))

    def acknowledge(self, connection: DocumentConnection, *, applied: bool) -> None:
        """Tell the sender whether an update is in the document, once all before it is durable."""
        self._queue.after_commit(lambda: connection.acknowledge(applied=applied))

    def _has_room(self, connection: DocumentConnection, update: bytes) -> bool:
        return len(update) <= self._quotas.left(connection.drive_id)

    def _enqueue(self, connection: DocumentConnection, update: bytes, message: bytes | None = None) -> None:
        self._quotas.wrote(connection.drive_id, len(update))
        if self._queue.add((connection, update, message)):
            self._commits.add(self)

    def _blame_keystrokes(self) -> None:
        """Fail because of keystrokes, and refuse the connections whose clocks are not as far as they said."""
        for connection, update, _ in self._queue:
            scanned = keystroke(update)
            if scanned and self._document.is_behind(scanned.ends):
                self._distrust(connection)
        self.fail()

    def _is_distrusted(self, connection: DocumentConnection) -> bool:
        return connection.credit.user_id in self._distrusted

    def _distrust(self, connection: DocumentConnection) -> None:
        self._distrusted.add(connection.credit.user_id)
        connection.transport.close(CloseCode.REFUSED)

    def left_behind(self) -> int:
        """Return how many edits are committed once those are whose connections have left; 0 where there are none."""
        return self._queue.count_with_last_of(lambda sender: sender not in self.connections)

    def has_committed(self, count: int) -> bool:
        return self._queue.committed_count >= count

    # Updates that others committed

    async def apply_committed(self, since: DocumentLog | None, slices: Sequence[LoggedSlices]) -> None:
        """Apply what others committed and is not here, and broadcast it; `since` is the log after a number of ours.

        `slices` are those of its updates; others have their turn between two of them. Where the number is
        no more, or was compacted already, the room fails.
        """
        if not self._is_open:
            return
        if since is None or since.sequence < self.sequence or since.snapshot is not None:
            self.fail()
            return
        known = len(since.log) - (since.sequence - self.sequence)
        missing = since.log[known:]
        uncommitted = self._uncommitted_clocks() if missing else {}
        for logged in slices[known:]:
            for part in logged.slices:
                if not self._apply_slice(part, logged.author, uncommitted):
                    self.fail()
                    return
                if part is not logged.slices[-1]:
                    await asyncio.sleep(0)
                    if not self._is_open:
                        return
        if missing:
            self.sequence = since.sequence
            broadcast(self.connections, [(None, each.update, None) for each in missing])
        self._tell_losses()
        self._note_places(slices[known:])

    def _apply_slice(self, part: LoggedSlice, author: AuthorId, uncommitted: Mapping[int, int]) -> bool:
        scanned = part.scanned
        if isinstance(scanned, Refused):
            return False
        # Where the same clocks are written here and in the log, the log decides: the room begins anew from it.
        if any(scanned.ends.get(client, 0) > clock for client, clock in uncommitted.items()):
            return False
        if not self._document.apply_committed(part.update, scanned):
            return False
        self._claim(scanned, author)
        return True

    @property
    def uncommitted(self) -> Sequence[bytes]:
        """The updates that are not known to be durable."""
        return [update for _, update, _ in self._queue]

    def _uncommitted_clocks(self) -> dict[int, int]:
        """Return from which clock on each client's edits are not in the log."""
        found: dict[int, int] = {}
        for update in self.uncommitted:
            scanned = keystroke(update) or scan(update, IMPORT)
            if not isinstance(scanned, Refused):
                for client, clock in scanned.begins.items():
                    found[client] = min(clock, found.get(client, clock))
        return found

    # The group commit

    @property
    def waiting(self) -> bool:
        return self._queue.is_waiting

    def take(self, at: int, most: int, size: int) -> tuple[Sequence[Row], Sequence[EditAuthor]]:
        """Return the next edits to write: they are applied to the document, or sure to be."""
        self._document.apply_typed()
        taken = self._queue.take(at, most, size)
        return ((), ()) if self.failed else taken

    def refused(self) -> None:
        """Take the edits in flight back, and append them again when the room has caught up with the log."""
        self._queue.refused()
        now = asyncio.get_running_loop().time()
        self._refused_since = self._refused_since or now
        if now - self._refused_since < MAX_REFUSED_SECONDS:
            self._on_behind(self)
        else:
            self.fail()

    def committed(self, sequence: int | None) -> None:
        """Acknowledge and broadcast the edits in flight; `sequence` is the number of the last one, if any."""
        if sequence is not None:
            self.sequence = sequence
            self._refused_since = None
        try:
            self._queue.committed()
        except Exception:  # some were told of the edits and some not: all come back, and are told by their sync
            self.fail()
            raise
        self._tell_losses()
        if not self.in_use:
            self._on_closed(self)

    def _tell_losses(self) -> None:
        """Have it looked for what went, once all is in the log that it may have gone with."""
        if self._document.has_lost:
            self._document.has_lost = False
            self._queue.after_commit(lambda: self._on_lost(self))
