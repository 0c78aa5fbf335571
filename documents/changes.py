"""Lists the changes of a document: who inserted, deleted or formatted what in which block, and when.

A change is a run of edits by one author in one block that lies directly in the document, without a gap of 60 seconds. In the
compacted part of a log it is what one author did to one block in one version.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import blake2s
from itertools import pairwise
from typing import Final

from documents.copies import Copied
from documents.items import XML_ELEMENT, XML_TEXT, Branch, Items, YjsItem
from documents.pieces import Piece, Pieces
from documents.replay import BEFORE_NUMBER, Act, LogSince, Replayed, replayed
from documents.scan import TEXT, TYPE, Id, Refused
from documents.tree import ROOTS
from documents.undo import Chosen, SkipReason, undo_in

GAP: Final = timedelta(seconds=60)
_ID_PARTS: Final = 5


class Kind(StrEnum):
    """Kind of a change, by what it did to the text of its block; `formatted` is all that is neither."""

    inserted = "inserted"
    deleted = "deleted"
    replaced = "replaced"
    formatted = "formatted"


@dataclass(frozen=True, slots=True)
class Change:
    """Edits of one author in one block, in the revisions from `first` to `last`; none of them was later than `latest`.

    `user_id` is empty where deletions were not credited yet. `path` leads to the block in the present document; it is None where the block is gone. Letters that the change itself
    took back are in neither text; texts of different nodes are on lines of their own.
    """

    id: str
    user_id: str
    agent: str | None
    at: datetime
    latest: datetime
    first: int
    last: int
    kind: Kind
    path: tuple[int, ...] | None
    inserted: str
    deleted: str


def changes(made: Replayed) -> list[Change]:
    """Return the changes since the revision from which the log was replayed, in their order."""
    found = list(_touches(made))
    runs = _runs(made.acts, found)
    paths = _paths(made.items)
    for touch in found:
        come, went = (runs.get((number, touch.block)) for number in (touch.inserted, touch.deleted))
        if come is went:  # what one change inserted and deleted again
            continue
        if come is not None:
            come.add(come.inserted, touch)
        if went is not None:
            went.add(went.deleted, touch)
    unique = {id(run): run for run in runs.values()}
    listed = [run.change(paths.get(run.block)) for run in unique.values()]
    listed = [
        each for each in listed if each.user_id or each.kind is not Kind.formatted
    ]  # whoever overwrote that is told
    return sorted(listed, key=lambda each: (each.last, each.first, each.id))


def chosen(made: Replayed, ids: Iterable[str]) -> list[Chosen] | Refused:
    """Return what changes with these ids are, so that they can be taken back; a Refused names one that is not there."""
    authors: dict[tuple[int, str], Act] = {(act.first, _digest(act)): act for act in made.acts[1:]}
    found: list[Chosen] = []
    for name in ids:
        parts = name.split("-")
        numbers = [int(part) for part in parts[:-1] if part.isascii() and part.isdigit() and len(part) < _MAX_DIGITS]
        act = authors.get((numbers[0], parts[-1])) if len(parts) == _ID_PARTS == len(numbers) + 1 else None
        if act is None:
            return Refused(f"there is no change `{name[:64]}`")
        first, last, client, clock = numbers
        found.append(Chosen(act.user_id, act.agent or "", first, last, block=(client, clock)))
    return found


_MAX_DIGITS: Final = 17
NO_SUCH_CHANGE: Final = Refused("`ids` names a change that this document does not have")


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """Request to take back changes since `revision`: those with these `ids`, or all that one author did.

    `agent` and `since` as in `Chosen`. The log is read up to the revision `until`, or all of it.
    """

    revision: int
    ids: tuple[str, ...] = ()
    user_id: str = ""
    agent: str | None = None
    since: datetime | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class SkippedPart:
    """Something that was not taken back; `path` leads to its block in the document as it was before, None if none does."""

    reason: SkipReason
    path: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class UndoResult:
    """The update that takes `changes` back, empty where nothing is left of them, with what it copied and skipped.

    `deletes_nodes` as in `Undone`.
    """

    update: bytes
    copied: tuple[Copied, ...]
    changes: tuple[Change, ...]
    skipped: tuple[SkippedPart, ...]
    deletes_nodes: bool


def undo_changes(log: LogSince, request: UndoRequest, client: int) -> UndoResult | Refused:
    """Take back what is asked for; `client` is a Yjs client id under which nobody has written."""
    made = replayed(log)
    if isinstance(made, Refused):
        return made
    listed = changes(made)
    wanted = _chosen_of(made, listed, request)
    if isinstance(wanted, Refused):
        return wanted
    undone = undo_in(made, wanted, client)
    taken = tuple(each for each in listed if any(_is_of(each, one) for one in wanted))
    paths = _paths(made.items)
    skipped = [SkippedPart(each.reason, paths.get(each.block) if each.block else None) for each in undone.skipped]
    return UndoResult(undone.update, undone.copied, taken, tuple(dict.fromkeys(skipped)), undone.deletes_nodes)


def revision_before(ids: Iterable[str]) -> int | Refused:
    """Return the last revision before all changes with these ids; NO_SUCH_CHANGE where one is not an id."""
    found: list[int] = []
    for name in ids:
        parts = name.split("-")
        is_id = len(parts) == _ID_PARTS and all(_is_number(part) for part in parts[:-1])
        if not (is_id and 0 < int(parts[0]) <= int(parts[1])):
            return NO_SUCH_CHANGE
        found.append(int(parts[0]) - 1)
    return min(found, default=0)


def place_of(name: str) -> tuple[int, int, str]:
    """Return by what changes are ordered, from the id of one."""
    first, last, _ = name.split("-", 2)
    return int(last), int(first), name


def _is_number(part: str) -> bool:
    return part.isascii() and part.isdigit() and len(part) < _MAX_DIGITS


def _chosen_of(made: Replayed, listed: Sequence[Change], request: UndoRequest) -> list[Chosen] | Refused:
    if not request.ids:
        last = max((act.last for act in made.acts), default=0)
        return [Chosen(request.user_id, request.agent, request.revision + 1, last, request.since)]
    wanted = chosen(made, request.ids)
    if isinstance(wanted, Refused):
        return NO_SUCH_CHANGE
    known: dict[Id, list[Change]] = {}
    for each in listed:
        known.setdefault(_block(each), []).append(each)
    for one in wanted:
        of = known.get(one.block, ()) if one.block else ()
        if not any(each.first <= one.first and one.last <= each.last and _is_of(each, one) for each in of):
            return NO_SUCH_CHANGE
    return wanted


def _block(change: Change) -> Id:
    _, _, client, clock, _ = change.id.split("-")
    return int(client), int(clock)


def _is_of(change: Change, one: Chosen) -> bool:
    """Whether something of a change is chosen."""
    return (
        change.user_id == one.user_id
        and (one.agent is None or (change.agent or "") == one.agent)
        and one.first <= change.last
        and change.first <= one.last
        and (one.since is None or change.latest >= one.since)
        and (one.block is None or one.block == _block(change))
    )


def _digest(act: Act) -> str:
    return blake2s(f"{act.user_id}\0{act.agent or ''}".encode(), digest_size=4).hexdigest()


@dataclass(slots=True, eq=False)
class _Touch:
    """A piece that was inserted, deleted or both since: its block, the type in which it lies, and its text.

    The acts have the number 0 where they are from before.
    """

    inserted: int
    deleted: int
    block: Id
    branch: Branch
    text: str
    is_content: bool


@dataclass(slots=True, eq=False)
class _Side:
    """The text that a change inserted, or that it deleted."""

    parts: list[str] = field(default_factory=list)
    branch: Branch | None = None
    has_content: bool = False


@dataclass(slots=True, eq=False)
class _Run:
    """The acts of one change."""

    acts: list[Act]
    block: Id
    inserted: _Side = field(default_factory=_Side)
    deleted: _Side = field(default_factory=_Side)

    def add(self, side: _Side, touch: _Touch) -> None:
        side.has_content = side.has_content or touch.is_content
        if touch.text:
            if side.branch not in (None, touch.branch):
                side.parts.append("\n")
            side.parts.append(touch.text)
            side.branch = touch.branch

    def change(self, path: tuple[int, ...] | None) -> Change:
        begin, end = self.acts[0], self.acts[-1]
        first, last = min(act.first for act in self.acts), max(act.last for act in self.acts)
        name = f"{first}-{last}-{self.block[0]}-{self.block[1]}-{_digest(begin)}"
        inserted, deleted = "".join(self.inserted.parts), "".join(self.deleted.parts)
        return Change(
            name, end.user_id, end.agent, end.at, end.latest, first, last, self._kind(), path, inserted, deleted
        )

    def _kind(self) -> Kind:
        match bool(self.inserted.parts), bool(self.deleted.parts):
            case True, True:
                return Kind.replaced
            case True, False:
                return Kind.inserted
            case False, True:
                return Kind.deleted
        if self.inserted.has_content != self.deleted.has_content:
            return Kind.inserted if self.inserted.has_content else Kind.deleted
        return Kind.formatted


def _touches(made: Replayed) -> Iterator[_Touch]:
    """Yield what was touched since, in the order of the document."""
    cut = Pieces(made)
    for root in made.items.roots.values():
        stack: list[tuple[Iterator[Piece], Branch, Id | None]] = [(iter(cut.of(root, None)), root, None)]
        while stack:
            pieces, branch, block = stack[-1]
            piece = next(pieces, None)
            if piece is None:
                stack.pop()
                continue
            within = block or piece.id
            if touch := _touch(piece, within, branch):
                yield touch
            below = piece.item.branch
            if below:
                for item in below.keys.values():
                    yield from _attribute(cut, item, within, below)
                stack.append((iter(cut.of(below, piece.deleted)), below, within))


def _touch(piece: Piece, block: Id, branch: Branch) -> _Touch | None:
    inserted, deleted = piece.inserted, piece.deleted or BEFORE_NUMBER
    if inserted == deleted == BEFORE_NUMBER:
        return None
    is_type = piece.item.kind == TYPE and piece.item.branch is not None and piece.item.branch.kind == XML_ELEMENT
    return _Touch(inserted, deleted, block, branch, piece.text, piece.item.kind == TEXT or is_type)


def _attribute(cut: Pieces, last: YjsItem, block: Id, branch: Branch) -> Iterator[_Touch]:
    item: YjsItem | None = last
    while item is not None:
        for piece in cut.cut(item, None):
            touch = _Touch(piece.inserted, piece.deleted or BEFORE_NUMBER, block, branch, "", is_content=False)
            if touch.inserted or touch.deleted:
                yield touch
        item = item.left


def _runs(acts: Sequence[Act], touches: Iterable[_Touch]) -> dict[tuple[int, Id], _Run]:
    """Return of each act and block the change that it belongs to."""
    of: dict[tuple[str, str | None, Id], set[int]] = {}
    for touch in touches:
        for number in {touch.inserted, touch.deleted} - {BEFORE_NUMBER}:
            act = acts[number]
            of.setdefault((act.user_id, act.agent, touch.block), set()).add(number)
    found: dict[tuple[int, Id], _Run] = {}
    for (_, _, block), numbers in of.items():
        ordered = sorted(numbers)
        run = _Run([acts[ordered[0]]], block)
        found[ordered[0], block] = run
        for one, other in pairwise(ordered):
            if _goes_on(acts[one], acts[other]):
                run.acts.append(acts[other])
            else:
                run = _Run([acts[other]], block)
            found[other, block] = run
    return found


def _goes_on(one: Act, other: Act) -> bool:
    if one.is_compacted or other.is_compacted:
        return one.is_compacted and other.is_compacted and (one.first, one.last) == (other.first, other.last)
    return other.at - one.at < GAP


def _paths(items: Items) -> dict[Id, tuple[int, ...]]:
    """Return where in the tree the blocks are that lie directly in the document; texts side by side are one."""
    for name in ROOTS:
        found: dict[Id, tuple[int, ...]] = {}
        place, is_loose = -1, False
        for item in items.roots.get(name, ()):
            if item.deleted or (item.branch and item.branch.kind == XML_TEXT and not _is_seen(item.branch)):
                continue
            was_loose, is_loose = is_loose, not (item.branch and item.branch.kind == XML_ELEMENT)
            place += not (was_loose and is_loose)
            found[item.id] = (place,)
        if found:
            return found
    return {}


def _is_seen(branch: Branch) -> bool:
    return any(not item.deleted and item.kind in (TEXT, TYPE) for item in branch)
