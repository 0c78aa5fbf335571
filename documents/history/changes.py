"""Lists the changes of a document: who inserted, deleted, moved or formatted what in which block, and when.

A change is a run of edits by one author in one block that lies directly in the document, without a gap of 60 seconds. In the
compacted part of a log it is what one author did to one block in one version. Text that was moved to another block makes one change
of what was done in both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import blake2s
from itertools import pairwise
from typing import Final

from documents.history.copied_text import Copied
from documents.history.item_runs import BEFORE_NUMBER, Family, Piece, Pieces
from documents.history.replay import Act, LogSince, Replayed, replayed
from documents.history.undo import Chosen, SkipReason, undo_in
from documents.history.unseen import Unseen, UnseenLetters, UnseenText
from documents.tree.tree import ROOTS
from documents.yjs.item_list import XML_ELEMENT, XML_TEXT, Branch, Items, YjsItem
from documents.yjs.scan import TEXT, TYPE, Id, Refused

GAP: Final = timedelta(seconds=60)
_ID: Final = re.compile(r"([0-9]{1,16})-([0-9]{1,16})-([0-9]{1,16})-([0-9]{1,16})-([^-]*)")
_MAX_BETWEEN: Final = 1_000  # nodes between two of which one became the other


class Kind(StrEnum):
    """Kind of a change, by what it did to the text of its block; one that only moved text is `moved`.

    `formatted` is all else, also what made another kind of block of a block and its text.
    """

    inserted = "inserted"
    deleted = "deleted"
    replaced = "replaced"
    moved = "moved"
    formatted = "formatted"


@dataclass(frozen=True, slots=True)
class ChangeId:
    """Revisions of a change, a block that it changed, and a digest of its author, by which it is found again."""

    first: int
    last: int
    block: Id
    author: str

    def __str__(self) -> str:
        return f"{self.first}-{self.last}-{self.block[0]}-{self.block[1]}-{self.author}"

    @classmethod
    def parsed(cls, name: str) -> "ChangeId | None":
        found = _ID.fullmatch(name)
        return cls(int(found[1]), int(found[2]), (int(found[3]), int(found[4])), found[5]) if found else None


type InsertedRange = tuple[int, int, int]
"""Yjs client, first clock and length."""
type DeletedRange = tuple[int, int, int, str]
"""Yjs client, first clock, length and text; what lay in a node that is gone has the clock of the outermost such node."""


@dataclass(frozen=True, slots=True)
class Change:
    """Edits of one author in one block, in the revisions from `first` to `last`; none of them was later than `latest`.

    `user_id` is empty where deletions were not credited yet. `path` leads to the block in the present document; it is None where the block is gone. Letters that the change itself
    took back or moved are in neither text; texts of different nodes are on lines of their own. `unseen` is the text that went
    with a block because of it, though whoever deleted the block had not seen it; it is in no `deleted`. The ranges are the clocks
    under which these texts stand in the Yjs document.
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
    unseen: tuple[UnseenText, ...] = ()
    inserted_ranges: tuple[InsertedRange, ...] = ()
    deleted_ranges: tuple[DeletedRange, ...] = ()


def changes(made: Replayed) -> list[Change]:
    """Return the changes since the revision from which the log was replayed: the oldest first, those of one edit as one reads them."""
    return [change for change, _ in _listed(made)]


def _listed(made: Replayed) -> "list[tuple[Change, _Run]]":
    runs = _runs(made)
    paths, ranks = _paths(made.items), _ranks(made.items)
    listed = [(run.change(paths, made.acts), run) for run in runs]
    listed = [
        each for each in listed if each[0].user_id or each[0].kind is not Kind.formatted
    ]  # whoever overwrote that is told

    def order(of: tuple[Change, _Run]) -> tuple[int, int, int, str]:
        change, run = of
        return change.last, change.first, min(ranks.get(block, len(ranks)) for block in run.blocks), change.id

    return sorted(listed, key=order)


def _ranks(items: Items) -> dict[Id, int]:
    """Return where blocks stand among all that ever lay directly in the document, which no edit changes."""
    return {item.id: rank for rank, item in enumerate(item for root in items.roots.values() for item in root)}


def chosen(made: Replayed, ids: Iterable[str]) -> list[Chosen] | Refused:
    """Return what changes with these ids are, so that they can be taken back; a Refused names one that is not there."""
    return _chosen([run for _, run in _listed(made)], ids)


def _chosen(runs: "Iterable[_Run]", ids: Iterable[str]) -> list[Chosen] | Refused:
    known: dict[tuple[Id, str], list[_Run]] = {}
    for run in runs:
        for block in run.blocks:
            known.setdefault((block, _digest(run.acts[0])), []).append(run)
    found: list[Chosen] = []
    for name in ids:
        of = ChangeId.parsed(name)
        runs_of = known.get((of.block, of.author), ()) if of else ()
        its = next((each for each in runs_of if of and each.first <= of.first <= of.last <= each.last), None)
        if of is None or its is None:
            return Refused(f"there is no change `{name[:64]}`")
        act = its.acts[0]
        found += [
            Chosen(act.user_id, act.agent or "", of.first, of.last, block=block, acts=frozenset(acts))
            for block, acts in its.blocks.items()
        ]
    return found


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
class UndoEffect:
    """The changes that an undo takes back, the oldest first, and what of them it skips."""

    changes: tuple[Change, ...]
    skipped: tuple[SkippedPart, ...]


@dataclass(frozen=True, slots=True)
class UndoResult:
    """The update that takes changes back, empty where nothing is left of them, and what it copied.

    `deletes_nodes` as in `Undone`.
    """

    update: bytes
    copied: tuple[Copied, ...]
    effect: UndoEffect
    deletes_nodes: bool


def undo_changes(log: LogSince, request: UndoRequest, client: int) -> UndoResult | Refused:
    """Take back what is asked for; `client` is a Yjs client id under which nobody has written."""
    made = replayed(log)
    if isinstance(made, Refused):
        return made
    listed = _listed(made)
    wanted = _chosen_of(made, [run for _, run in listed], request)
    if isinstance(wanted, Refused):
        return wanted
    undone = undo_in(made, wanted, client)
    taken = tuple(each for each, run in listed if any(_is_of(each, run, one) for one in wanted))
    paths = _paths(made.items)
    skipped = [SkippedPart(each.reason, paths.get(each.block) if each.block else None) for each in undone.skipped]
    effect = UndoEffect(taken, tuple(dict.fromkeys(skipped)))
    return UndoResult(undone.update, undone.copied, effect, undone.deletes_nodes)


def revision_before(ids: Iterable[str]) -> int | Refused:
    """Return the last revision before all changes with these ids; NO_SUCH_CHANGE where one is not an id."""
    found = [*map(ChangeId.parsed, ids)]
    firsts = [each.first for each in found if each and 0 < each.first <= each.last]
    return NO_SUCH_CHANGE if len(firsts) < len(found) else min(firsts, default=1) - 1


def revisions_of(name: str) -> tuple[int, int]:
    """Return the last and the first revision of a change, by which changes are ordered, from its id."""
    found = ChangeId.parsed(name)
    return (found.last, found.first) if found else (0, 0)


def _chosen_of(made: Replayed, runs: "Sequence[_Run]", request: UndoRequest) -> list[Chosen] | Refused:
    if not request.ids:
        last = max((act.last for act in made.acts), default=0)
        return [Chosen(request.user_id, request.agent, request.revision + 1, last, request.since)]
    wanted = _chosen(runs, request.ids)
    return NO_SUCH_CHANGE if isinstance(wanted, Refused) else wanted


def _is_of(change: Change, run: "_Run", one: Chosen) -> bool:
    """Whether something of a change is chosen."""
    return (
        change.user_id == one.user_id
        and (one.agent is None or (change.agent or "") == one.agent)
        and one.first <= change.last
        and change.first <= one.last
        and (one.since is None or change.latest >= one.since)
        and (one.block is None or not run.blocks.get(one.block, set()).isdisjoint(one.acts or ()))
    )


def _digest(act: Act) -> str:
    return blake2s(f"{act.user_id}\0{act.agent or ''}".encode(), digest_size=4).hexdigest()


@dataclass(slots=True, eq=False)
class _Touch:
    """A piece that was inserted, deleted or both since: its block, the type in which it lies, and its text.

    The acts have the number 0 where they are from before. `source` is the letter from which it was moved here, and `is_gone` tells
    that what deleted it moved it elsewhere; `unseen`, that nobody deleted it.
    """

    inserted: int
    deleted: int
    block: Id
    branch: Branch | None
    text: str
    is_content: bool
    piece: Piece | None = None
    source: Id | None = None
    is_gone: bool = False
    unseen: Unseen | None = None


@dataclass(slots=True, eq=False)
class _Side:
    """The text that a change inserted, or that it deleted."""

    parts: list[str] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    branch: Branch | None = None
    has_content: bool = False

    def add(self, touch: _Touch) -> None:
        self.has_content = self.has_content or touch.is_content
        if touch.text:
            if self.branch not in (None, touch.branch):
                self.parts.append("\n")
            self.parts.append(touch.text)
            self.branch = touch.branch
            if touch.piece is not None:
                self.pieces.append(touch.piece)


@dataclass(slots=True, eq=False)
class _Run:
    """The acts of one change, and in which blocks; `is_moved` text, perhaps with more than the kind of its block changed."""

    acts: list[Act]
    blocks: dict[Id, set[int]]
    inserted: _Side = field(default_factory=_Side)
    deleted: _Side = field(default_factory=_Side)
    unseen: dict[Unseen, _Side] = field(default_factory=dict)
    is_moved: bool = False
    is_moved_away: bool = False

    def lose(self, touch: _Touch, unseen: Unseen) -> None:
        """Add a letter that went with a block; those of one writer that one act took are one text."""
        known = next((each for each in self.unseen if each.is_alike(unseen)), unseen)
        side = self.unseen.pop(known, _Side())
        side.add(touch)
        self.unseen[max(known, unseen, key=lambda each: each.number)] = side

    @property
    def first(self) -> int:
        return min(act.first for act in self.acts)

    @property
    def last(self) -> int:
        return max(act.last for act in self.acts)

    def change(self, paths: Mapping[Id, tuple[int, ...]], acts: Sequence[Act]) -> Change:
        begin, end = self.acts[0], self.acts[-1]
        block = max(self.blocks, key=lambda each: (each in paths, max(self.blocks[each]), each))
        first, last = self.first, self.last
        name = str(ChangeId(first, last, block, _digest(begin)))
        return Change(
            name,
            end.user_id,
            end.agent,
            end.at,
            end.latest,
            first,
            last,
            self._kind(),
            paths.get(block),
            "".join(self.inserted.parts),
            "".join(self.deleted.parts),
            tuple(each.told("".join(side.parts), acts) for each, side in self.unseen.items()),
            _inserted_ranges(self.inserted.pieces),
            _deleted_ranges(self.deleted.pieces),
        )

    def _kind(self) -> Kind:
        spaces = " " if self.is_moved else ""  # of which one comes or goes where text is joined or split
        match tuple(any(part.strip(spaces) for part in side.parts) for side in (self.inserted, self.deleted)):
            case True, True:
                return Kind.replaced
            case True, False:
                return Kind.inserted
            case False, True:
                return Kind.deleted
        if self.is_moved:
            return Kind.moved if self.is_moved_away else Kind.formatted
        if self.inserted.has_content != self.deleted.has_content:
            return Kind.inserted if self.inserted.has_content else Kind.deleted
        return Kind.formatted


def _inserted_ranges(pieces: Iterable[Piece]) -> tuple[InsertedRange, ...]:
    """Return where text stands, adjacent ranges as one; without what lies in a node that is gone."""
    found: list[InsertedRange] = []
    for piece in pieces:
        if _gone_around(piece.item) is not None:
            continue
        client, clock, length = found[-1] if found else (-1, 0, 0)
        if (client, clock + length) == piece.id:
            found[-1] = client, clock, length + piece.length
        else:
            found.append((*piece.id, piece.length))
    return tuple(found)


def _deleted_ranges(pieces: Iterable[Piece]) -> tuple[DeletedRange, ...]:
    found: list[DeletedRange] = []
    branch: Branch | None = None
    for piece in pieces:
        node = _gone_around(piece.item)
        name, size = (piece.id, piece.length) if node is None else (node.id, 1)
        client, clock, length, text = found[-1] if found else (-1, 0, 0, "")
        if node is not None and (client, clock) == name:
            found[-1] = client, clock, length, text + ("" if branch is piece.item.parent else "\n") + piece.text
        elif node is None and (client, clock + length) == name:
            found[-1] = client, clock, length + size, text + piece.text
        else:
            found.append((*name, size, piece.text))
        branch = piece.item.parent
    return tuple(found)


def _gone_around(item: YjsItem) -> YjsItem | None:
    """Return the outermost deleted node around an item; None where all are there."""
    found: YjsItem | None = None
    above = item.parent.item if item.parent else None
    while above is not None:
        if above.deleted:
            found = above
        above = above.parent.item if above.parent else None
    return found


class _Touches:
    """Finds what was touched since, and what of it was moved."""

    def __init__(self, made: Replayed) -> None:
        self._made = made
        self._family = Family(made.items, made.credits) if made.credits.copies else None
        self._unseen = UnseenLetters(made)

    def __iter__(self) -> Iterator[_Touch]:
        """Yield what was touched since, in the order of the document."""
        cut = Pieces(self._made.credits)
        for root in self._made.items.roots.values():
            stack: list[tuple[Iterator[Piece], Branch, Id | None]] = [(iter(cut.of(root, None)), root, None)]
            while stack:
                pieces, branch, block = stack[-1]
                piece = next(pieces, None)
                if piece is None:
                    stack.pop()
                    continue
                within = block or piece.id
                yield from self._touches(piece, within, branch)
                below = piece.item.branch
                if below:
                    for item in below.keys.values():
                        yield from _attribute(cut, item, within, below)
                    stack.append((iter(cut.of(below, piece.deleted)), below, within))
        for each in self._unseen.collected():
            number = each.unseen.number
            yield _Touch(number, number, each.node, None, each.text, is_content=True, unseen=each.unseen)

    def _touches(self, piece: Piece, block: Id, branch: Branch) -> Iterator[_Touch]:
        if piece.inserted == (piece.deleted or BEFORE_NUMBER) == BEFORE_NUMBER:
            return
        is_type = piece.item.kind == TYPE and piece.item.branch is not None and piece.item.branch.kind == XML_ELEMENT
        for whole, source, is_gone in self._parts(piece):
            for part, unseen in self._unseen.parts(whole, branch):
                deleted = part.deleted or BEFORE_NUMBER
                is_content = part.item.kind == TEXT or is_type
                yield _Touch(
                    part.inserted, deleted, block, branch, part.text, is_content, part, source, is_gone, unseen
                )

    def _parts(self, piece: Piece) -> Iterator[tuple[Piece, Id | None, bool]]:
        """Yield a piece cut where what was moved begins and ends, each part with where its first letter was moved from."""
        if self._family is None or piece.item.branch or not piece.is_countable:
            yield piece, None, False
            return
        (client, clock), (first, at) = piece.id, piece.first
        start, last = 0, self._moved((client, clock), piece.first, piece)
        for place in range(1, piece.length):
            here = self._moved((client, clock + place), (first, at + place), piece)
            source, of = last[0], here[0]
            goes_on = (source is None) == (of is None) and (
                source is None or (source[0], source[1] + place - start) == of
            )
            if not goes_on or last[1] != here[1]:
                yield piece.part(start, place - start), *last
                start, last = place, here
        yield piece.part(start, piece.length - start), *last

    def _moved(self, name: Id, first: Id, piece: Piece) -> tuple[Id | None, bool]:
        assert self._family is not None
        source = self._family.moved_from(name, first, piece.inserted) if piece.inserted else None
        is_gone = bool(piece.deleted) and self._family.moved_to(name, first, piece.deleted or 0) is not None
        return source, is_gone


def _attribute(cut: Pieces, last: YjsItem, block: Id, branch: Branch) -> Iterator[_Touch]:
    item: YjsItem | None = last
    while item is not None:
        for piece in cut.cut(item, None):
            touch = _Touch(piece.inserted, piece.deleted or BEFORE_NUMBER, block, branch, "", is_content=False)
            if touch.inserted or touch.deleted:
                yield touch
        item = item.left


type _Key = tuple[int, Id]
"""An act and a block."""


def _runs(made: Replayed) -> list[_Run]:
    """Return the changes: what goes on in one block, and what was moved from one to another, is one."""
    touches = list(_Touches(made))
    moves: dict[int, list[_Touch]] = {}
    for touch in touches:
        if touch.source:
            moves.setdefault(touch.inserted, []).append(touch)
    groups = _joined_acts(made, touches, moves).groups()
    runs = [_run(made.acts, keys) for keys in groups]
    of = {key: run for keys, run in zip(groups, runs, strict=True) for key in keys}
    for touch in touches:
        come, went = (of.get((number, touch.block)) for number in (touch.inserted, touch.deleted))
        if touch.unseen:
            of[touch.unseen.number, touch.block].lose(touch, touch.unseen)
            went = None
        if come is went:  # what one change inserted and deleted again
            continue
        if come is not None and touch.source is None:
            come.inserted.add(touch)
        if went is not None and not touch.is_gone:
            went.deleted.add(touch)
    for number, moved in moves.items():
        away = _is_moved_away(made, number, moved)
        for touch in moved:
            run = of[number, touch.block]
            run.is_moved = True
            run.is_moved_away = run.is_moved_away or away
    return runs


def _joined_acts(made: Replayed, touches: Iterable[_Touch], moves: Mapping[int, Sequence[_Touch]]) -> "_Joined":
    numbers: dict[tuple[str, str | None, Id], set[int]] = {}
    for touch in touches:
        for number in {touch.inserted, touch.deleted} - {BEFORE_NUMBER}:
            act = made.acts[number]
            numbers.setdefault((act.user_id, act.agent, touch.block), set()).add(number)
    joined = _Joined()
    for (_, _, block), found in numbers.items():
        ordered = sorted(found)
        for number in ordered:
            joined.add((number, block))
        for one, other in pairwise(ordered):
            if _goes_on(made.acts[one], made.acts[other]):
                joined.join((one, block), (other, block))
    for number, moved in moves.items():
        for touch in moved:
            source = _block_of(made.items, touch.source) if touch.source else None
            if source and (number, source) in joined:
                joined.join((number, source), (number, touch.block))
    return joined


class _Joined:
    """Sets of keys, two of which can be joined."""

    def __init__(self) -> None:
        self._above: dict[_Key, _Key] = {}

    def __contains__(self, key: _Key) -> bool:
        return key in self._above

    def add(self, key: _Key) -> None:
        self._above.setdefault(key, key)

    def join(self, one: _Key, other: _Key) -> None:
        self._above[self._root(one)] = self._root(other)

    def groups(self) -> list[list[_Key]]:
        found: dict[_Key, list[_Key]] = {}
        for key in self._above:
            found.setdefault(self._root(key), []).append(key)
        return [*found.values()]

    def _root(self, key: _Key) -> _Key:
        while (above := self._above[key]) != key:
            self._above[key] = self._above[above]
            key = above
        return key


def _run(acts: Sequence[Act], keys: Iterable[_Key]) -> _Run:
    blocks: dict[Id, set[int]] = {}
    for number, block in keys:
        blocks.setdefault(block, set()).add(number)
    numbers = sorted({number for found in blocks.values() for number in found})
    return _Run([acts[number] for number in numbers], blocks)


def _block_of(items: Items, name: Id) -> Id | None:
    """Return what holds a letter directly in the document; None where only its clocks are known."""
    item = items.find(name)
    while item.parent is not None and item.parent.item is not None:
        item = item.parent.item
    return item.id if item.parent is not None else None


def _is_moved_away(made: Replayed, number: int, moved: Sequence[_Touch]) -> bool:
    """Whether an act moved text past anything else, and did not only write another kind of block in the place of one."""
    reached: dict[tuple[YjsItem, YjsItem], None] = {}
    for touch in moved:
        if touch.piece is None or touch.source is None:
            return True
        here = _outermost(made, touch.piece.item, number, is_new=True)
        there = _outermost(made, made.items.find(touch.source), number, is_new=False)
        if here is None or there is None or here.parent is not there.parent:
            return True
        reached[there, here] = None
    pairs = list(reached)
    if any(_stands_between(made, one, other, number) for one, other in pairs):
        return True
    lists: dict[Branch | None, list[tuple[YjsItem, YjsItem]]] = {}
    for pair in pairs:
        lists.setdefault(pair[0].parent, []).append(pair)
    return any(len({there for there, _ in own}) > 1 and _are_crossed(own) for own in lists.values())


def _outermost(made: Replayed, item: YjsItem, number: int, *, is_new: bool) -> YjsItem | None:
    """Return the outermost node around a letter that an act wrote, or deleted; None where it did so with none."""
    found: YjsItem | None = None
    above = item.parent.item if item.parent else None
    while above is not None:
        _, of = next((made.credits.inserted if is_new else made.credits.deleted)(above.client, above.clock, 1))
        if of != number:
            break
        found = above
        above = above.parent.item if above.parent else None
    return found if found is not None and found.branch and found.branch.kind == XML_ELEMENT else None


def _stands_between(made: Replayed, one: YjsItem, other: YjsItem, number: int) -> bool:
    """Whether something stands between two nodes that was there before an act and is there after it."""
    for start, stop in ((one, other), (other, one)):
        item, between = start.right, False
        for _ in range(_MAX_BETWEEN):
            if item is None:
                break
            if item is stop:
                return between
            _, inserted = next(made.credits.inserted(*item.id, 1))
            _, deleted = next(made.credits.deleted(*item.id, 1))
            between = between or (inserted < number and (deleted > number if deleted is not None else not item.deleted))
            item = item.right
    return True


def _are_crossed(pairs: Sequence[tuple[YjsItem, YjsItem]]) -> bool:
    """Whether nodes of one list that are written anew, in the order of the document, come from others in another order."""
    places: dict[YjsItem, int] = {}
    item: YjsItem | None = pairs[0][0]
    while item is not None and item.left is not None:
        item = item.left
    place = 0
    while item is not None:
        places[item] = place
        place, item = place + 1, item.right
    order = [places[there] for there, _ in pairs]
    return order != sorted(order)


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
