"""Replays the log of a document from one revision on: every item there was, and which edit inserted and deleted it.

The document is loaded without collecting what was deleted, and its items are read from its encoding. The log says which edit
inserted and deleted each, or, where the log was compacted, the stored credits do.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

from pycrdt import Doc

from documents.history.copied_text import Copied
from documents.history.credits import NOBODY, Credits, Source
from documents.history.item_runs import BEFORE_NUMBER
from documents.history.move_candidates import may_move
from documents.history.moves import moves
from documents.tree.tree import ROOTS, Json, tree
from documents.yjs.item_list import Branch, Incoherent, Items, text_of_item
from documents.yjs.keystroke import Contents, contents
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import DeletedRun, Refused
from documents.yjs.snapshot import apply_updates, encode_deleted, guarded, state_vector
from documents.yjs.structs import read_deletions, read_update

BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BUILDS_ON_NOTHING: Final = Refused("the log builds on changes that are not there")
_MINUTE: Final = timedelta(minutes=1) - timedelta.resolution


@dataclass(frozen=True, slots=True)
class LoggedEdit:
    """One update of the log with its author, and what in it is copied from letters that were written before.

    `copied` is None where that was not recorded: what the update moved is found in the log.
    """

    update: bytes
    user_id: str
    agent: str | None
    at: datetime
    copied: tuple[Copied, ...] | None = None


@dataclass(frozen=True, slots=True)
class CompactedVersion:
    """A version in the compacted part of a log: what it adds to the one before, up to the revision `last`.

    `at` is when it was cut, for deletions of which nothing else is known.
    """

    last: int
    update: bytes
    at: datetime = BEGINNING


@dataclass(frozen=True, slots=True)
class LogSince:
    """A document as it was at `revision` (`state`: the updates that make it), and its log since.

    What belongs to compacted versions comes first; `credits` are those that were kept with the snapshot, and `copied`
    what `state` has copies of that they do not hold. `whose` says whose the last updates of `state` are, as far as the credits do
    not tell.
    """

    revision: int
    state: tuple[bytes, ...]
    log: tuple[LoggedEdit, ...] = ()
    versions: tuple[CompactedVersion, ...] = ()
    credits: bytes | None = None
    copied: tuple[Copied, ...] = ()
    whose: tuple[Source, ...] = ()

    @property
    def updates(self) -> Iterator[bytes]:
        yield from self.state
        for version in self.versions:
            yield version.update
        for each in self.log:
            yield each.update


@dataclass(frozen=True, slots=True)
class Act(Source):
    """An edit, or what one author did in one minute of a compacted version, with its first and last revision.

    `user_id` is empty of what was deleted in a compacted version before deletions were credited.
    """

    first: int
    last: int
    is_compacted: bool = False

    @property
    def latest(self) -> datetime:
        """The last moment at which it can have been: of what was compacted, only the minute is known."""
        return self.at + _MINUTE if self.is_compacted else self.at


# Stands for all that was there before the log begins, and for what was compacted without credits.
BEFORE: Final = Act("", None, BEGINNING, 0, 0)


@dataclass(frozen=True, slots=True)
class Replayed:
    """The items of a document, and the numbers of the acts by which each of their clocks was inserted and deleted.

    `doc` is the document, in which nothing that was deleted is collected. Numbers rise with the log. `copied` is what each
    edit of the log copied, in their order. `known` are the credits that were kept with the snapshot.
    """

    doc: Doc[Any]
    items: Items
    credits: Credits
    copied: Sequence[tuple[Copied, ...]]
    known: Credits
    log: LogSince

    @property
    def acts(self) -> Sequence[Act]:
        return cast("Sequence[Act]", self.credits.sources)

    @property
    def before(self) -> Iterator[tuple[bytes, Source]]:
        """Yield the updates of which the log's state is made whose author is known, with that."""
        return zip(self.log.state[-len(self.log.whose) :] if self.log.whose else (), self.log.whose, strict=True)

    def logged(self, number: int) -> LoggedEdit | None:
        """Return the edit of the log that is the act with this number; None where it was before or compacted."""
        act = self.acts[number]
        begun = self.log.versions[-1].last if self.log.versions else self.log.revision
        return None if act.is_compacted or act.first <= begun else self.log.log[act.first - begun - 1]


def replayed(log: LogSince) -> Replayed | Refused:
    made = guarded(lambda: _replayed(log))
    return made if made is not None else _BUILDS_ON_NOTHING


def _replayed(log: LogSince) -> Replayed | Refused | None:
    doc: Doc[Any] = Doc(skip_gc=True)
    acts = Credits()
    acts.number(BEFORE)
    known = Credits.decode(log.credits)
    moving = _brought(doc, acts, known, log)
    if isinstance(moving, Refused):
        return moving
    try:
        items = items_of(doc, log.updates)
    except Incoherent:
        return None
    moved = moves(items, acts, {*moving.values()}) if moving else {}
    copied = [
        moved.get(moving.get(place, BEFORE_NUMBER), ()) if each.copied is None else each.copied
        for place, each in enumerate(log.log)
    ]
    for each in copied:
        acts.copies.add(each)
    return Replayed(doc, items, acts, copied, known, log)


def moved_in(
    snapshot: bytes | None, updates: Sequence[bytes], read: Sequence[Contents], asked: Iterable[int]
) -> Mapping[int, tuple[Copied, ...]] | Refused:
    """Return the text that updates move, by their places; `asked` are the places of those that may move some, in order.

    Updates between two of those are credited as one, so that the items are cut only where one of those cuts them.
    """
    made = guarded(lambda: _moved_in(snapshot, updates, read, asked))
    return made if made is not None else _BUILDS_ON_NOTHING


def _moved_in(
    snapshot: bytes | None, updates: Sequence[bytes], read: Sequence[Contents], asked: Iterable[int]
) -> Mapping[int, tuple[Copied, ...]] | Refused | None:
    doc: Doc[Any] = Doc(skip_gc=True)
    state = (snapshot,) if snapshot else ()
    acts = Credits()
    acts.number(BEFORE)
    if refused := apply_updates(doc, state):
        return refused
    ends, deleted = _reached(doc)
    acts.add(ends, BEFORE)
    acts.delete(deleted, BEFORE)
    if refused := apply_updates(doc, updates):
        return refused
    places: dict[int, int] = {}
    begin = 0
    for place in asked:
        _credit_together(acts, read[begin:place], begin + 1, place)
        places[_credit_together(acts, read[place : place + 1], place + 1, place + 1)] = place
        begin = place + 1
    _credit_together(acts, read[begin:], begin + 1, len(read))
    try:
        items = items_of(doc, (*state, *updates))
    except Incoherent:
        return None
    return {places[number]: copied for number, copied in moves(items, acts, places.keys()).items()}


def _credit_together(acts: Credits, read: Iterable[Contents], first: int, last: int) -> int:
    """Credit what some updates bring and delete as one act, and return its number."""
    act = Act("", None, BEGINNING, first, last)
    number = acts.number(act)
    ends: dict[int, int] = {}
    for each in read:
        for client, end in each.ends.items():
            ends[client] = max(end, ends.get(client, 0))
    acts.add(ends, act)
    acts.delete((run for each in read for run in each.deleted), act)
    return number


def _brought(doc: Doc[Any], acts: Credits, known: Credits, log: LogSince) -> dict[int, int] | Refused:
    """Load the document step by step, and credit each step; return the acts of the edits that may move text, by their places."""
    refused = apply_updates(doc, log.state)
    if refused:
        return refused
    acts.copies = known.copies
    acts.copies.add(log.copied)
    ends, deleted = _reached(doc)
    acts.add(ends, BEFORE)
    acts.delete(deleted, BEFORE)
    reached = log.revision
    for version in log.versions:
        refused = apply_updates(doc, (version.update,))
        if refused:
            return refused
        nobodys = Act("", None, version.at, reached + 1, version.last, is_compacted=True)
        _credit_version(acts, known, _reached(doc), nobodys)
        reached = version.last
    return apply_updates(doc, [each.update for each in log.log]) or _credit_log(acts, log.log, reached)


type _Reached = tuple[dict[int, int], Iterable[DeletedRun]]


def _reached(doc: Doc[Any]) -> _Reached:
    """Return how far a document goes for each client, and all that is deleted in it."""
    return state_vector(doc), read_deletions(Decoder(encode_deleted(doc)))


def _credit_version(acts: Credits, known: Credits, reached: _Reached, nobodys: Act) -> None:
    """Credit what a version of the compacted part brought, by what is known of its clocks.

    `nobodys` is the act of deletions that were not credited.
    """

    def act(number: int | None, otherwise: Act) -> Act:
        if number is None or number == NOBODY:
            return otherwise
        source = known.sources[number]
        return replace(nobodys, user_id=source.user_id, agent=source.agent, at=source.at)

    inserted: list[tuple[Act, int, int]] = []
    for client, end in reached[0].items():
        clock = acts.end(client)
        for length, number in known.inserted(client, clock, end - clock):
            clock += length
            inserted.append((act(number, BEFORE), client, clock))
    deleted = [
        (act(number, nobodys), run)
        for each in reached[1]
        for start, stop in acts.alive(each.client, each.clock, each.clock + each.length)
        for number, run in _runs(known, each.client, start, stop)
    ]
    every = {of for of, *_ in inserted} | {of for of, _ in deleted}
    for each_act in sorted(every, key=lambda of: (of.at, of.user_id, of.agent or "")):
        acts.number(each_act)
    for of, client, end in inserted:
        acts.add({client: end}, of)
    for of, run in deleted:
        acts.delete((run,), of)


def _runs(known: Credits, client: int, clock: int, stop: int) -> Iterator[tuple[int | None, DeletedRun]]:
    for length, number in known.deleted(client, clock, stop - clock):
        yield number, DeletedRun(client, clock, length)
        clock += length


def _credit_log(acts: Credits, log: Sequence[LoggedEdit], reached: int) -> dict[int, int] | Refused:
    read: list[Contents] = []
    numbers: list[int] = []
    for revision, each in enumerate(log, start=reached + 1):
        made = contents(each.update)
        if isinstance(made, Refused):
            return made
        act = Act(each.user_id, each.agent, each.at, revision, revision)
        read.append(made)
        numbers.append(acts.number(act))
        acts.add(made.ends, act)
        acts.delete(made.deleted, act)
    asked = (place for place, each in enumerate(log) if each.copied is None)
    return {place: numbers[place] for place in may_move([each.update for each in log], read, asked)}


def items_of(doc: Doc[Any], updates: Iterable[bytes]) -> Items:
    """Read the items from the document's encoding; from its updates where the library miscounts in encoding it.

    Raises Incoherent.
    """
    items = Items()
    try:
        items.add(read_update(doc.get_update()))
        if visible_text(items) == "".join(_texts(tree(doc))):
            return items
    except (Incoherent, IndexError, UnicodeDecodeError):
        pass
    items = Items()
    for update in updates:
        items.add(read_update(update))
    return items


def _texts(node: Json) -> Iterator[str]:
    stack = [node]
    while stack:
        node = stack.pop()
        if node["type"] == "text":
            yield node["text"]
        stack += reversed(node.get("content", ()))


def visible_text(items: Items) -> str:
    """Return all the characters in the root that is shown."""
    for name in ROOTS:
        if name in items.roots and (found := "".join(_seen(items.roots[name]))):
            return found
    return ""


def _seen(branch: Branch) -> Iterator[str]:
    stack = [iter(branch)]
    while stack:
        item = next(stack[-1], None)
        if item is None:
            stack.pop()
        elif not item.deleted:
            if item.branch:
                stack.append(iter(item.branch))
            else:
                yield text_of_item(item)
