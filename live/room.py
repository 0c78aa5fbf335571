"""One document in use: one Yjs document, one writer, everybody who has it open.

INVARIANT: what leaves a room was committed before. An edit is brought in first, so that a hostile one is never stored,
and is acknowledged and relayed after its commit; whatever is answered from the document meanwhile waits with it. Where
a commit fails the room is given up with all its sockets, and what was not durable comes back by the clients' own sync.

Keystrokes are brought in together, before the next commit departs: of one at a time most of the work would be the
library's beginning and ending. Those that only go on with somebody's own typing are of a kind that was brought in
before, so they can wait until the document is looked at, gathered to one text meanwhile.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pycrdt import Doc, TransactionEvent

from documents.cost import may_be_costly
from documents.keystroke import Run, keystroke
from documents.repeated import Ranges, Repeated, contradicts_document, covers, deletions, repeated
from documents.scan import DEEPEST_TREE, IMPORT, Limits, Refused, Scanned, scan
from documents.snapshot import Unread, bring_exactly, encode_state, encodes, guarded, load, otherwise, state_vector
from documents.tree import touched, walk
from domain.document import DocumentLog, LoggedUpdate
from live import codec
from live.commits import Author, Commits, Row
from live.presence import Presence
from live.protocol import CloseCode
from live.seat import Ahead, Edit, Seat, Who, share
from live.stored import Opened

MOST_AHEAD: Final = 64  # updates of one seat that came before what they build on
MOST_AHEAD_BYTES: Final = 256 * 1024
MEASURE_EVERY: Final = 2_000  # milliseconds after which a document that seems to be full may be measured anew
SMALL: Final = 4 * 1024  # bytes of an update that touches few types, each of which is looked at by itself
MOST_TYPED: Final = 256  # keystrokes that are not in the document yet
MAX_SEARCHED: Final = 2**22  # keystrokes times bytes of the document: brought in together, at most 30 ms
MAX_REFUSED_SECONDS: Final = 10.0  # in which the log takes nothing of a room, since others write to its document
PRESENCE_SECONDS: Final = 0.05
TOLD_EVERY: Final = 60_000  # milliseconds: an author's edits have a line in the audit once in so long
NOTHING: Final = b"\0\0"  # an update that says nothing


class Room:
    """`failed` is told to the `Commits`, which then forget what the room still had there.

    `sequence` is the number of the last update of the log that is in the document. `behind` is told when edits were
    refused since the log goes on from another number: it is to have what is missing adopted, and the edits appended again.
    `broke` are the users whose updates broke a room: theirs, keystrokes apart, are tried on a copy from then on.
    """

    def __init__(
        self,
        document_id: str,
        commits: Commits,
        given_up: Callable[["Room"], None],
        behind: Callable[["Room"], None],
        broke: set[str],
    ) -> None:
        self.document_id = document_id
        self.failed = False
        self.sequence = 0
        self.seats: set[Seat] = set()
        self._commits = commits
        self._given_up = given_up
        self._behind = behind
        self._broke = broke
        self._doc: Doc[Any] | None = None
        self._typed: list[bytes] = []  # keystrokes that are not in the document yet
        self._runs: dict[Run, None] = {}  # and those that have gathered more, which come after them
        self._gathered = 0
        self._said: list[Edit] = []  # edits for the next commit
        self._flying: list[Edit] = []
        self._told: Sequence[Author] = ()  # of whom there is a line in the audit with what is flying
        self._refused_at: float | None = None  # since when nothing was written
        self._landed = 0  # edits that were committed
        self._then: deque[tuple[int, Callable[[], None]]] = deque()  # what is to be done when so many are
        self._state: dict[int, int] = {}
        self._owners: dict[int, Who] = {}
        self._size = 0  # bytes, at most
        self._measured_at = 0
        self._depth = DEEPEST_TREE  # at most; looked at when that matters
        self._deleted: Ranges | None = None  # what is deleted in the document, where that is known
        self._authors: dict[Who, Author] = {}
        self._presence = Presence()
        self._changed: dict[int, codec.State] = {}
        self._showing: asyncio.TimerHandle | None = None
        self._showed = 0.0

    @property
    def doc(self) -> Doc[Any]:
        return self._brought_in()

    def _brought_in(self) -> Doc[Any]:
        assert self._doc is not None, "nothing is served before the document is loaded"
        self._gather()
        typed, self._typed = self._typed, []
        if typed:
            self._deleted = None
        if typed and bring_exactly(self._doc, typed, self._state):
            self._break()
        return self._doc

    def _break(self) -> None:
        """Give the room up because of keystrokes: those whose clocks are not as far as they said are told why."""
        assert self._doc is not None
        reached = state_vector(self._doc)
        for seat, update, _ in self._said:
            scanned = keystroke(update)
            if scanned and any(reached.get(client, 0) != self._state[client] for client in scanned.ends):
                self._refuse(seat)
        self.fail()

    def _refuse(self, seat: Seat) -> None:
        self._broke.add(seat.credit.user_id)
        seat.outlet.close(CloseCode.REFUSED)

    def _gather(self) -> None:
        for run in self._runs:
            self._typed += run.gathered()
        self._runs.clear()
        self._gathered = 0

    @property
    def pending(self) -> bool:
        """Whether something that was said is still on its way to the log."""
        return bool(self._said or self._flying)

    def loaded(self, stored: Opened) -> None:
        """Go live with what is stored."""
        self._doc = stored.doc
        self.sequence = stored.sequence
        self._owners = stored.owners
        self._state = state_vector(stored.doc)
        self._size = stored.size

    def adopt(self, since: DocumentLog | None, scans: Sequence[Scanned | Refused]) -> None:
        """Take what others committed and is not here yet, and tell everybody; `since` is the log after a number of ours.

        `scans` are those of its updates. Where the number is no more, or was compacted already, the room begins anew.
        """
        if since is None or since.sequence < self.sequence or since.snapshot is not None:
            self.fail()
            return
        known = len(since.log) - (since.sequence - self.sequence)
        missing = since.log[known:]
        unwritten = self._unwritten() if missing else {}
        for each, scanned in zip(missing, scans[known:], strict=True):
            if not self._adopted(each, scanned, unwritten):
                self.fail()
                return
        if missing:
            self.sequence = since.sequence
            self._depth, self._deleted = DEEPEST_TREE, None
            share(self.seats, [(None, each.update, None) for each in missing])

    def _adopted(self, committed: LoggedUpdate, scanned: Scanned | Refused, unwritten: dict[int, int]) -> bool:
        if isinstance(scanned, Refused):
            return False
        # What is told twice of the same clocks, here and in the log, the log decides: the room begins anew from it.
        if any(scanned.ends.get(client, 0) > clock for client, clock in unwritten.items()):
            return False
        if bring_exactly(self.doc, (committed.update,), scanned.after(self._state)):
            return False
        self._own(scanned, (committed.user_id, committed.agent))
        self._grown(committed.update, scanned)
        return True

    def _unwritten(self) -> dict[int, int]:
        """Return from which clock on each client's edits are not in the log yet."""
        found: dict[int, int] = {}
        for _, update, _ in (*self._flying, *self._said):
            scanned = keystroke(update) or scan(update, IMPORT)
            if not isinstance(scanned, Refused):
                for client, clock in scanned.begins.items():
                    found[client] = min(clock, found.get(client, clock))
        return found

    def fail(self) -> None:
        self.close(CloseCode.RESET)

    def close(self, code: CloseCode) -> None:
        self.failed = True
        self._given_up(self)
        for seat in list(self.seats):
            seat.outlet.close(code)

    # Seats

    def sit(self, seat: Seat) -> None:
        self.seats.add(seat)
        seat.author = self._authors.setdefault(seat.who, seat.author)

    def stand(self, seat: Seat) -> None:
        self.seats.discard(seat)
        self._show(self._presence.left(seat))

    def show(self, seat: Seat, states: Sequence[codec.State]) -> None:
        ours = [state for state in states if self._owners.get(state.client, seat.who) == seat.who]
        self._show(self._presence.heard(seat, ours))

    def show_all(self, seat: Seat) -> None:
        if present := self._presence.all():
            seat.say(codec.awareness(present))

    def sync(self, seat: Seat, vector: bytes) -> None:
        """Answer a Step1 with a Step2, and with our own Step1, once the client has read what it was answered before.

        Of several that come meanwhile only the last one is answered.
        """
        waits, seat.asks = seat.asks is not None, vector
        if not waits:
            seat.outlet.in_turn(lambda: self._answer(seat))

    def _answer(self, seat: Seat) -> bool:
        vector, seat.asks = seat.asks, None
        if self.failed or seat not in self.seats:
            return False
        difference = guarded(lambda: self.doc.get_update(vector))
        if isinstance(difference, Refused):
            seat.outlet.close(CloseCode.REFUSED)
            return False
        ours = self.doc.get_state()
        seat.owed = True

        def answer() -> None:
            seat.say(codec.step2(difference), whole=True)
            seat.say(codec.step1(ours))

        self._do_then(answer)
        return True

    # Edits

    def typed(self, seat: Seat, update: bytes, message: bytes) -> bool:
        """As `edit`, soon done where the update goes on with what the seat typed: then all but its text is known.

        The `message` that it came in is then passed on as it is. False where it was brought in as any other update.
        """
        run = seat.run
        if (
            run
            and not seat.ahead
            and self._state.get(run.client) == run.end
            and self._size + len(update) <= IMPORT.size
            and run.goes_on(update)
        ):
            self._state[run.client] = run.end
            self._size += len(update)
            self._runs[run] = None
            self._gathered += 1
            self._log(seat, update, message)
            return True
        self.edit(seat, update, whole=False)
        return False

    def edit(
        self,
        seat: Seat,
        update: bytes,
        *,
        whole: bool,
        looked: Scanned | Refused | None = None,
        compared: Mapping[int, int] | None = None,
        tried: bool = False,
    ) -> Scanned | None:
        """Bring an update in, and acknowledge it when it is durable; a refused one costs the seat its socket.

        `looked` is what the scan said, where it was made already, aside, since it takes long. Likewise `compared` says up to
        which clocks of each client the update is known to say nothing else than the document.

        Returns the scan of an update that may be costly and was not `tried`: nothing is done with that before.
        """
        if whole:
            seat.owed = False
        if not seat.may_edit:
            known = update == NOTHING or (whole and self._holds(update, looked, compared or {}))
            self._do_then(lambda: seat.acknowledge(applied=known))
            return None
        came = self._came(seat, update, whole=whole, looked=looked, compared=compared, tried=tried)
        if isinstance(came, Scanned):
            return came
        if isinstance(came, CloseCode):
            seat.outlet.close(came)
        elif came and seat.ahead:
            self._look_ahead(seat)
        return None

    def encoded(self) -> bytes:
        """Return the document as one update, with what is not committed yet."""
        return encode_state(self.doc)

    def repeated(self, scanned: Scanned) -> Repeated | None:
        """Return what the document has of an update, to be compared aside."""
        return repeated(self.doc, self._state, scanned) if scanned.known(self._state) else None

    def contradicted(self, seat: Seat) -> bool:
        """Refuse an update that says something else than the document of known clocks, if that is known of the document."""
        if not encodes(self.doc):
            return False
        if seat.may_edit:
            seat.outlet.close(CloseCode.FORBIDDEN)
        else:
            self._do_then(lambda: seat.acknowledge(applied=False))
        return True

    def _came(
        self,
        seat: Seat,
        update: bytes,
        *,
        whole: bool,
        looked: Scanned | Refused | None = None,
        compared: Mapping[int, int] | None = None,
        tried: bool = False,
    ) -> bool | CloseCode | Scanned:
        """Bring an update in; false where it builds on what is not here and so has to wait, its scan where it is to be tried."""
        scanned = looked or keystroke(update) or scan(update, IMPORT if whole else Limits())
        if isinstance(scanned, Refused):
            return CloseCode.REFUSED
        if lacks := scanned.lacking(self._state):
            return self._wait(seat, Ahead(update, scanned, lacks))
        if self._contradicts(update, scanned, compared or {}):
            return CloseCode.FORBIDDEN
        new = [client for client, end in scanned.ends.items() if end > self._state.get(client, 0)]
        for client in new:
            if self._owner(client, seat.who) != seat.who:
                return CloseCode.FORBIDDEN
        if not new and not scanned.deletes:
            self._do_then(lambda: seat.acknowledge(applied=True))
            return True
        if scanned.structs and self._is_full(len(update)):
            return CloseCode.FULL
        if not scanned.plain and not tried and may_be_costly(scanned, self._state, self._size + len(update)):
            return scanned
        return self._accept(seat, update, scanned, new, whole=whole)

    def _accept(self, seat: Seat, update: bytes, scanned: Scanned, new: list[int], *, whole: bool) -> bool | CloseCode:
        if scanned.plain and not whole:
            self._gather()  # since it may be about some of that
            self._typed.append(update)
            seat.run = Run.after(update) or seat.run
        else:
            if seat.credit.user_id in self._broke and self._would_break(update, scanned):
                return CloseCode.REFUSED
            news = self._apply(update, scanned, watched=not new)
            if isinstance(news, Refused):
                if not isinstance(news, Unread):  # it may be half in
                    self._refuse(seat)
                    self.fail()
                return CloseCode.REFUSED
            if not news:
                self._do_then(lambda: seat.acknowledge(applied=True))
                return True
        if new:
            self._own(scanned, seat.who)
        self._grown(update, scanned)
        self._log(seat, update)
        if len(self._typed) * self._size > MAX_SEARCHED:
            self._brought_in()
        return True

    def _log(self, seat: Seat, update: bytes, message: bytes | None = None) -> None:
        self._said.append((seat, update, message))
        if len(self._said) == 1:
            self._commits.add(self)

    def _apply(self, update: bytes, scanned: Scanned, *, watched: bool) -> bool | Refused:
        """Bring an update in; return whether it was news, where that is not known anyhow and so `watched`."""
        # Every sync repeats all deletions: whether they are news only the library can say, and it is slow to.
        effects: list[bytes] = []
        doc = self.doc
        self._deleted = None
        watch = doc.observe(lambda event: effects.append(_effect(event))) if watched else None
        deepest = guarded(lambda: self._applied(doc, update, scanned.depth))
        if watch:
            doc.unobserve(watch)
        if isinstance(deepest, Refused):
            return deepest
        if refused := otherwise(doc, scanned.after(self._state)):
            return refused
        if deepest > DEEPEST_TREE:
            return Refused(f"the document would be nested deeper than {DEEPEST_TREE}")
        return not watched or any(effect != NOTHING for effect in effects)

    def _applied(self, doc: Doc[Any], update: bytes, types: int) -> int:
        """Bring an update in; return how deep the document is then, at most. `types` of the update lie inside each other."""
        if self._depth + types <= DEEPEST_TREE:
            doc.apply_update(update)
            self._depth += types
            return self._depth
        if len(update) > SMALL:
            doc.apply_update(update)
            self._depth = _depth(doc)
            return self._depth
        return types + 1 + max(touched(doc, lambda: doc.apply_update(update)), default=0)

    def _would_break(self, update: bytes, scanned: Scanned) -> bool:
        copy = load(encode_state(self.doc))
        if isinstance(copy, Refused) or bring_exactly(copy, (update,), scanned.after(self._state)):
            return True
        return _depth(copy) > DEEPEST_TREE

    def _wait(self, seat: Seat, early: Ahead) -> bool | CloseCode:
        """Keep an update until what it builds on has come; unless that is on its way anyhow, ask for it."""
        seat.ahead.append(early)
        if len(seat.ahead) > MOST_AHEAD or sum([len(each.update) for each in seat.ahead]) > MOST_AHEAD_BYTES:
            return CloseCode.RESET
        if not seat.owed:
            seat.owed = True
            seat.asked()
            ours = self.doc.get_state()
            self._do_then(lambda: seat.say(codec.step1(ours)))
        return False

    def _look_ahead(self, seat: Seat) -> None:
        while fits := next((each for each in seat.ahead if each.fits(self._state)), None):
            seat.ahead.remove(fits)
            came = self._came(seat, fits.update, whole=False, looked=fits.scanned)
            if isinstance(came, Scanned):  # it comes back with all that the client has
                came = CloseCode.RESET
            if isinstance(came, CloseCode):
                seat.outlet.close(came)
                return

    def _owner(self, client: int, otherwise: Who) -> Who:
        return self._owners.get(client) or self._presence.holder(client) or otherwise

    def _own(self, scanned: Scanned, who: Who) -> None:
        """Remember whose the clients are that an update is the first to tell of; nobody else is shown under them."""
        for client, end in scanned.ends.items():
            if end and client not in self._owners:
                self._owners[client] = who
                self._show(self._presence.owned(client, who))

    def _contradicts(self, update: bytes, scanned: Scanned, compared: Mapping[int, int]) -> bool:
        """Whether the update says something else than the document of clocks that are known."""
        known = scanned.known(self._state)
        return bool(known) and contradicts_document(self.doc, self._state, update, scanned, compared)

    def _holds(self, update: bytes, looked: Scanned | Refused | None, compared: Mapping[int, int]) -> bool:
        """Whether the document would be the same with the update as without it."""
        scanned = looked or scan(update, IMPORT)
        if isinstance(scanned, Refused) or not scanned.reached(self._state):
            return False
        if self._contradicts(update, scanned, compared):
            return False
        if not scanned.deletes:
            return True
        doc = self.doc
        if self._deleted is None:  # an update that brings nothing repeats all deletions
            self._deleted = deletions(doc.get_update(doc.get_state()), 1)
        return covers(self._deleted, deletions(update, scanned.deletes_at))

    def _is_full(self, size: int) -> bool:
        """Whether so many bytes would be too many.

        To measure the document is to encode it, so that is done now and then, however often it seems to be full.
        """
        if self._size + size > IMPORT.size and (now := self._commits.clock()) - self._measured_at >= MEASURE_EVERY:
            self._size, self._measured_at = len(encode_state(self.doc)), now
        return self._size + size > IMPORT.size

    def _grown(self, update: bytes, scanned: Scanned) -> None:
        self._size += len(update)
        for client, end in scanned.ends.items():
            if end > self._state.get(client, 0):
                self._state[client] = end

    # Commits

    def _do_then(self, act: Callable[[], None]) -> None:
        """Do it when all that was said by now is durable."""
        if self.pending:
            self._then.append((self._landed + len(self._flying) + len(self._said), act))
        else:
            act()

    @property
    def waiting(self) -> bool:
        return bool(self._said)

    def board(self, at: int, most: int, size: int) -> tuple[list[Row], list[Author]]:
        """Hand over what is to be written next: by then it is in the document, or sure to be."""
        rows: list[Row] = []
        told: list[Author] = []
        if self._typed or self._gathered > MOST_TYPED:
            self._brought_in()
        for seat, update, _ in self._said[:most]:
            if size <= 0:
                break
            author = seat.author
            if at - author.told_at >= TOLD_EVERY:
                author.told_at = at
                told.append(author)
            rows.append((author, update))
            size -= len(update)
        self._flying, self._said = self._said[: len(rows)], self._said[len(rows) :]
        self._told = told
        return ([], []) if self.failed else (rows, told)

    def refused(self) -> None:
        """Take back what was on board, to have it appended again when the room is up to the log."""
        self._said = [*self._flying, *self._said]
        self._flying = []
        for author in self._told:
            author.told_at = 0
        now = asyncio.get_running_loop().time()
        self._refused_at = self._refused_at or now
        if now - self._refused_at < MAX_REFUSED_SECONDS:
            self._behind(self)
        else:
            self.fail()

    def landed(self, sequence: int | None) -> None:
        """Acknowledge and relay what was on board, and do what waited for it, in order."""
        if sequence is not None:
            self.sequence = sequence
            self._refused_at = None
        flying, self._flying = self._flying, []
        before, self._landed = self._landed, self._landed + len(flying)
        shared = 0
        try:
            while self._then and self._then[0][0] <= self._landed:
                upto, act = self._then.popleft()
                share(self.seats, flying[shared : upto - before])
                shared = upto - before
                act()
            share(self.seats, flying[shared:])
        finally:
            if not self.pending and not self.seats:
                self._given_up(self)

    # Presence, told at most so often

    def _show(self, states: Sequence[codec.State]) -> None:
        if not states:
            return
        self._changed.update((state.client, state) for state in states)
        if self._showing is None:
            loop = asyncio.get_running_loop()
            self._showing = loop.call_at(max(loop.time(), self._showed + PRESENCE_SECONDS), self._tell)

    def _tell(self) -> None:
        self._showing, self._showed = None, asyncio.get_running_loop().time()
        changed, self._changed = self._changed, {}
        body = codec.awareness(changed.values())
        for seat in self.seats:
            seat.say(body)


def _effect(event: TransactionEvent) -> bytes:
    return event.update


def _depth(doc: Doc[Any]) -> int:
    """How many types lie inside each other, at most; beyond what is allowed where the tree had to be cut."""
    walked = walk(doc)
    if walked.cut:
        return DEEPEST_TREE + 1
    level, depth = [walked.tree], 0
    while level := [node for parent in level for node in parent.get("content", ())]:
        depth += 1
    return depth + 1
