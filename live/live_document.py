"""Applies updates to one Yjs document in memory, and compares what the library did with what the scan said."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from pycrdt import Doc, TransactionEvent

from computing.loaded_document import LoadedDocument
from documents.admission.cost import may_be_costly
from documents.admission.deletions import Deletions
from documents.admission.known_clocks import Repeated, contradicts, repeated
from documents.admission.surrogate_pairs import Cutting, SurrogatePairs
from documents.history.credits import Credits
from documents.history.losses import are_large, note, runs_of, unnamed
from documents.tree.tree import depth, touched
from documents.yjs.keystroke import TypingRun, contents
from documents.yjs.pycrdt_internals import watch
from documents.yjs.scan import IMPORT, MAX_TREE_DEPTH, DeletedRun, Refused, Scanned
from documents.yjs.snapshot import apply_exactly, encode_state, guarded, state_differs, state_vector
from live.typing_buffer import TypingBuffer

MEASURE_INTERVAL: Final = 2_000  # milliseconds after which a document that seems to be full may be measured again
MAX_TOUCHED_SIZE: Final = 4 * 1024  # bytes of an update that touches few types, each of which is walked by itself
MAX_COMPARED_SIZE: Final = 64 * 1024  # bytes of an update and of what the document has of it that are compared here
MAX_SEARCHED: Final = 2**20  # keystrokes times bytes of the document that are applied together: at most 30 ms
EMPTY_UPDATE: Final = b"\0\0"
NO_STRUCTS: Final = b"\0"
NOTHING: Final = b"\0"  # the state vector of an empty document, and the set of no deletions


class LiveDocument:
    """`state` is the state vector, buffered keystrokes included; `on_damaged` is called where these were not applied."""

    def __init__(self, on_damaged: Callable[[], None]) -> None:
        self.state: dict[int, int] = {}
        self.size = 0  # bytes, at most
        self.pairs = SurrogatePairs()
        self._on_damaged = on_damaged
        self._doc: Doc[Any] | None = None
        self._typing = TypingBuffer()
        self._measured_at = 0
        self._depth = MAX_TREE_DEPTH  # at most: what each update may add to it is added, and it is walked where that comes to too much
        self._deleted: Deletions | None = None  # if known
        self.has_lost = False  # something that no update deletes: it lay in what one deleted
        self._unnamed = Credits()  # as far as this is known: what went so, deleted by nobody
        self._went: list[bytes] = []  # what the library deleted, in each transaction that was not looked at
        self._watch: object = None
        self._runs: dict[int, TypingRun] = {}  # that may go on, by their clients

    def load(self, stored: LoadedDocument) -> None:
        self._doc, self._went = stored.doc, []
        self._watch = watch(stored.doc, partial(note, self._went))
        self.state = state_vector(stored.doc)
        self.size = stored.size
        self.pairs = stored.pairs
        self.has_lost = stored.has_lost

    def unload(self) -> None:
        """Let go of the document; nothing is asked of it from then on."""
        self._doc = self._watch = None

    @property
    def is_loaded(self) -> bool:
        return self._doc is not None

    @property
    def doc(self) -> Doc[Any]:
        """The document, with all keystrokes applied."""
        assert self._doc is not None, "nothing is served before the document is loaded"
        typed = self._typing.take()
        if typed:
            self._deleted = None
            if apply_exactly(self._doc, typed, self.state):
                self._on_damaged()
            self._look(typed)
        return self._doc

    def encode(self) -> bytes:
        return encode_state(self.doc)

    # Keystrokes

    def follow(self, run: TypingRun | None) -> TypingRun | None:
        """Let a run of typing go on until its first letter is deleted; return it."""
        if run:
            self._runs[run.client] = run
        return run

    def type_on(self, run: TypingRun, update: bytes) -> bool:
        """Buffer an update that goes on with a run of typing; false, and nothing is done, where it does not."""
        if self.state.get(run.client) != run.end or self.size + len(update) > IMPORT.size or not run.extend(update):
            return False
        self.state[run.client] = run.end
        self.size += len(update)
        self._typing.extend(run)
        return True

    def type(self, update: bytes, scanned: Scanned, brought: Cutting) -> None:
        """Buffer a keystroke; those whose place has to be searched are applied before that could take long."""
        self._typing.add(update)
        self._advance(update, scanned, brought)

    def apply_searched(self) -> None:
        """Apply buffered keystrokes where searching their places may take long, so that their sender waits for that."""
        if len(self._typing) * self.size > MAX_SEARCHED:
            _ = self.doc

    def apply_typed(self) -> None:
        """Apply buffered keystrokes, unless the library is sure to accept them."""
        if self._typing.is_due:
            _ = self.doc

    # Updates

    def apply(self, update: bytes, scanned: Scanned, brought: Cutting, *, whole: bool) -> bool | Refused:
        """Apply an update; return whether it said anything new. After a Refused the document may be damaged.

        It also is new that an update deletes by itself what had gone with what it lay in, unless it repeats all deletions, as
        one does that is `whole`: all that a client has.
        """
        # Every sync repeats all deletions: whether they are new only the library can say, and it is slow to.
        watched = not self.new_clients(scanned)
        effects: list[bytes] = []
        doc = self.doc
        self._deleted = None
        observed = doc.observe(lambda event: effects.append(_effect(event))) if watched else None
        deepest = guarded(lambda: self._applied(doc, update, scanned.depth))
        if observed:
            doc.unobserve(observed)
        self._look((update,))
        if isinstance(deepest, Refused):
            return deepest
        if refused := state_differs(doc, scanned.after(self.state)):
            return refused
        if deepest > MAX_TREE_DEPTH:
            return Refused(f"the document would be nested deeper than {MAX_TREE_DEPTH}")
        is_new = not watched or any(effect != EMPTY_UPDATE for effect in effects)
        is_new = is_new or (not whole and scanned.deletes > 0 and self._is_taken_back(update))
        if is_new:
            self._advance(update, scanned, brought)
        return is_new

    def apply_committed(self, update: bytes, scanned: Scanned) -> bool:
        """Apply what others committed; false where the document is damaged then."""
        if apply_exactly(self.doc, (update,), scanned.after(self.state)):
            return False
        self._look((update,))
        self._depth, self._deleted = min(self._depth + scanned.depth, MAX_TREE_DEPTH), None
        self._advance(update, scanned, self.pairs.cutting(update))
        return True

    def _applied(self, doc: Doc[Any], update: bytes, types: int) -> int:
        """Apply an update; return how deep the document is then, at most. `types` of the update lie inside each other."""
        # Of a document that is smaller than what comes, less is to be walked before than after.
        if self._depth + types > MAX_TREE_DEPTH and self.size < len(update):
            self._depth = depth(doc)
        if self._depth + types <= MAX_TREE_DEPTH:
            doc.apply_update(update)
            self._depth += types
            return self._depth
        if len(update) <= MAX_TOUCHED_SIZE:
            deepest = types + 1 + max(touched(doc, lambda: doc.apply_update(update)), default=0)
            if deepest <= MAX_TREE_DEPTH:
                self._depth = max(self._depth, deepest)
                return self._depth
        else:
            doc.apply_update(update)
        self._depth = depth(doc)
        return self._depth

    def _advance(self, update: bytes, scanned: Scanned, brought: Cutting) -> None:
        self.size += len(update)
        self.pairs.add(brought)
        for client in self.new_clients(scanned):
            self.state[client] = scanned.ends[client]

    # What went with it

    def _look(self, updates: Sequence[bytes]) -> None:
        """Note whether more went with updates than they delete, and end the runs of typing whose first letters went."""
        if not self._went:
            return
        went = [*self._went]
        self._went.clear()
        if are_large(went, updates):
            self.has_lost = True
            self._stop(self._runs)
            return
        runs = runs_of(went)
        self._stop(
            run.client
            for run in runs
            if (typing := self._runs.get(run.client)) and run.clock <= typing.begin < run.clock + run.length
        )
        if lost := unnamed(went, runs, updates):
            self.has_lost = True
            self._unnamed.delete(lost, None)

    def _is_taken_back(self, update: bytes) -> bool:
        """Whether an update deletes by itself anything that went unnamed, and not all that is deleted, as who has learned of that does."""
        read = contents(update)
        if isinstance(read, Refused) or not any(self._may_be_named(run) for run in read.deleted):
            return False
        named, everything = Credits(), contents(self.deletions.encoded)
        named.delete(read.deleted, None)
        return isinstance(everything, Refused) or any(
            named.alive(run.client, run.clock, run.clock + run.length) for run in everything.deleted
        )

    def _may_be_named(self, run: DeletedRun) -> bool:
        stop = run.clock + run.length
        return self._unnamed.alive(run.client, run.clock, stop) != [(run.clock, stop)]

    def _stop(self, clients: Iterable[int]) -> None:
        for client in [*clients]:
            if run := self._runs.pop(client, None):
                run.stop()

    # What is asked of an update before it is applied

    def new_clients(self, scanned: Scanned) -> list[int]:
        """Return the clients of whom the update writes clocks that are not here."""
        return [client for client, end in scanned.ends.items() if end > self.state.get(client, 0)]

    def uncompared(self, update: bytes, scanned: Scanned, compared: Mapping[int, int]) -> Repeated | None:
        """Return what the document has of an update where the two may differ, to be compared in a thread.

        `compared` says up to which clocks of each client they were compared before.
        """
        known = repeated(self.doc, self.state, scanned, compared) if scanned.known(self.state) else None
        if known is None:
            return None
        size = len(update) + sum(map(len, known.stored))
        return known if size > MAX_COMPARED_SIZE or contradicts(update, known) else None

    @property
    def deletions(self) -> Deletions:
        doc = self.doc
        if self._deleted is None:
            self._deleted = Deletions(doc.get_update(doc.get_state()))
        return self._deleted

    def end_of_own_structs(self, update: bytes, vector: bytes) -> int | None:
        """Return where an update, which nobody has scanned, begins to say what it deletes, if all before is the document's.

        Its structs are as the document is encoded itself, whole or behind the state `vector`, or there are none.
        """
        if update.startswith(NO_STRUCTS):
            return len(NO_STRUCTS)
        deletions = len(self.deletions.encoded) - len(NO_STRUCTS)
        for each in {vector, NOTHING}:
            encoded = self.doc.get_update(each)
            end = len(encoded) - deletions
            if update.startswith(encoded[:end]):
                return end
        return None

    def may_be_costly(self, update: bytes, scanned: Scanned) -> bool:
        return may_be_costly(scanned, self.state, self.size + len(update))

    def is_full(self, size: int, now: int) -> bool:
        """Whether so many bytes more would be too many; `now` is in milliseconds.

        To measure the document is to encode it, so that is done now and then, however often it seems to be full.
        """
        if self.size + size > IMPORT.size and now - self._measured_at >= MEASURE_INTERVAL:
            self.size, self._measured_at = len(self.encode()), now
        return self.size + size > IMPORT.size

    def is_behind(self, clients: Iterable[int]) -> bool:
        """Whether the library has not brought one of these clients as far as the scans said."""
        assert self._doc is not None
        reached = state_vector(self._doc)
        return any(reached.get(client, 0) != self.state[client] for client in clients)


def _effect(event: TransactionEvent) -> bytes:
    return event.update
