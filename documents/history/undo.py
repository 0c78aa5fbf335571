"""Takes back what one author did in a range of the log, and nothing else: one update, computed from the ids of Yjs.

What they inserted and is still visible is deleted; what they, and nobody else, deleted of others is written again as a copy
in its place, which stays credited to whoever wrote it first. A block of theirs in which others wrote stays, with what the
others wrote. An attribute, or formatting, that somebody else set later stays. Whatever happens meanwhile is merged with
the update as Yjs merges, since it names what it changes by client and clock.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import groupby

from documents.history.copied_text import Copied
from documents.history.item_runs import BEFORE_NUMBER, Family, Piece, Pieces
from documents.history.replaced_words import torn_words
from documents.history.replay import Act, Replayed
from documents.history.undo_formats import Formats, expected, format_of, is_involved
from documents.yjs.item_list import XML_ELEMENT, XML_TEXT, Branch, Items, YjsItem
from documents.yjs.scan import DELETED, TEXT, DeletedRun, Id
from documents.yjs.structs import FORMAT, New, encoded_text, write_update


@dataclass(frozen=True, slots=True)
class Chosen:
    """Edits to take back: those of an author from the revision `first` up to `last`, and not surely before `since`.

    `agent` None stands for the user and all agents, "" for the user alone. With `block`, only what lies in the block
    directly in the document that has this id; with `acts`, only what these did.
    """

    user_id: str
    agent: str | None
    first: int
    last: int
    since: datetime | None = None
    block: Id | None = None
    acts: frozenset[int] | None = None

    def holds(self, number: int, act: Act) -> bool:
        return (
            (self.acts is None or number in self.acts)
            and act.user_id == self.user_id
            and (self.agent is None or (act.agent or "") == self.agent)
            and self.first <= act.first
            and act.last <= self.last
            and (self.since is None or act.latest >= self.since)
        )


class SkipReason(StrEnum):
    """Why something was not taken back."""

    others_inside = "others_inside"
    content_gone = "content_gone"
    place_gone = "place_gone"
    formatting = "formatting"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was not taken back, in the block with this id (None: directly in the document)."""

    reason: SkipReason
    block: Id | None


@dataclass(frozen=True, slots=True)
class Undone:
    """The update, empty where there is nothing to take back, and what in it is copied from what was there before.

    `deletes_nodes`: it deletes nodes, with all that others write into them meanwhile.
    """

    update: bytes
    copied: tuple[Copied, ...]
    skipped: tuple[Skipped, ...]
    deletes_nodes: bool = False


def undo_in(made: Replayed, chosen: Sequence[Chosen], client: int) -> Undone:
    """Take back what was `chosen` of a log. `client` is a Yjs client id under which nobody has written."""
    plan = _Plan(made, _Selection(made.acts, chosen))
    writer = _Writer(client)
    _Undo(plan, writer).make()
    update = write_update(client, writer.structs, writer.deleted)
    return Undone(update, tuple(writer.copied), tuple(dict.fromkeys(plan.skipped)), writer.deletes_nodes)


class _Selection:
    """Set of acts to take back, in the whole document or in one block."""

    def __init__(self, acts: Sequence[Act], chosen: Sequence[Chosen]) -> None:
        self._everywhere: set[int] = set()
        self._within: dict[Id, set[int]] = {}
        for each in chosen:
            numbers = [number for number, act in enumerate(acts) if number != BEFORE_NUMBER and each.holds(number, act)]
            into = self._everywhere if each.block is None else self._within.setdefault(each.block, set())
            into.update(numbers)

    def of(self, block: Id | None) -> Callable[[int], bool]:
        within = self._within.get(block) if block else None
        return (self._everywhere | within if within else self._everywhere).__contains__


@dataclass(slots=True, eq=False)
class _Node:
    """A shared type, the pieces of its list, and what becomes of it.

    `block` is the id of what holds it directly in the document. `gone` is the act that deleted it, None while it is there.
    What comes `back` stands where it was, or where it is `placed`: before the piece with this id.
    `may_return`: the author alone deleted it and what it lies in. `holds`: it holds something of others that stays or comes back.
    """

    branch: Branch
    piece: Piece | None
    above: "_Node | None"
    block: Id | None
    gone: int | None
    pieces: list[Piece] = field(default_factory=list)
    removed: set[Piece] = field(default_factory=set)
    back: set[Piece] = field(default_factory=set)
    placed: dict[Piece, Id] = field(default_factory=dict)
    below: "dict[Piece, _Node]" = field(default_factory=dict)
    is_mine: bool = False
    may_return: bool = False
    holds: bool = False

    @property
    def stays(self) -> bool:
        return self.gone is None and (not self.is_mine or self.holds)

    @property
    def returns(self) -> bool:
        return self.gone is not None and self.may_return and (not self.is_mine or self.holds)


class _Plan:
    """Plan of an undo: what becomes of each type and each piece."""

    def __init__(self, made: Replayed, selection: _Selection) -> None:
        self.skipped: list[Skipped] = []
        self.left: set[Id] = set()  # the letters that would come back, and for which there is no place
        self.selection = selection
        self.cut = Pieces(made.credits)
        self._credits = made.credits
        self._items = made.items
        self._acts = made.acts
        self._family = Family(made.items, made.credits)
        self.roots = [_Node(root, None, None, None, None) for root in made.items.roots.values()]
        self.nodes = list(self.roots)
        for node in self.nodes:  # it grows while it is gone through, from the top down
            self._look(node)
            self._keep_whole(node)
        if made.credits.copies:
            self._keep_moved()
        for node in reversed(self.nodes):
            node.holds = self._holds(node)
        self._tell_collected(made.items)

    def is_mine(self, piece: Piece, is_chosen: Callable[[int], bool]) -> bool:
        return is_chosen(piece.inserted) or is_chosen(self._family.written(piece))

    def _look(self, node: _Node) -> None:
        is_chosen = self.selection.of(node.block)
        for cut in self.cut.of(node.branch, node.gone):
            if node.above is None:
                block = cut.id
                is_chosen = self.selection.of(block)
            else:
                block = node.block or cut.id
            for piece in self._parts(cut, is_chosen):
                is_mine = self.is_mine(piece, is_chosen)
                node.pieces.append(piece)
                if piece.item.branch:
                    below = _Node(piece.item.branch, piece, node, block, piece.deleted, is_mine=is_mine)
                    below.may_return = (
                        piece.deleted is not None
                        and is_chosen(piece.deleted)
                        and (node.gone is None or node.may_return)
                        and (is_mine or self._is_sole(piece.id, piece.first, is_chosen))
                    )
                    node.below[piece] = below
                    self.nodes.append(below)
                elif piece.deleted is None:
                    if is_mine:
                        node.removed.add(piece)
                elif not is_mine and is_chosen(piece.deleted) and piece.item.kind != FORMAT:
                    self._bring_back(node, piece, block, is_chosen)

    def _keep_whole(self, node: _Node) -> None:
        """Put the letters of a word beside each other, of which others wrote in the replacement; theirs stays where it is the word now."""
        if node.branch.kind != XML_TEXT or not node.back:
            return
        is_chosen = self.selection.of(node.block)
        for pieces, place in torn_words(node.pieces, node.back, node.removed, is_chosen, self._family.written):
            if place is not None:
                node.placed |= dict.fromkeys(pieces, place)
                continue
            node.back.difference_update(pieces)
            self.left.update(letter for piece in pieces for letter in _letters(piece))
            self.skipped.append(Skipped(SkipReason.place_gone, node.block))

    def _keep_moved(self) -> None:
        """Leave moved text where it is, of which what it was moved from cannot come back."""
        nodes = {node.branch: node for node in self.nodes}
        back = {letter for node in self.nodes for piece in node.back for letter in _letters(piece)}
        for node in self.nodes:
            if not any(piece.is_copy for piece in node.removed):
                continue
            pieces: list[Piece] = []
            for piece in node.pieces:
                if piece not in node.removed or not piece.is_copy:
                    pieces.append(piece)
                    continue
                block = node.block or piece.id
                is_chosen = self.selection.of(block)
                reasons = [self._stays_moved(piece.part(at, 1), is_chosen, nodes, back) for at in range(piece.length)]
                node.removed.discard(piece)
                start = 0
                for reason, run in groupby(reasons):
                    length = sum(1 for _ in run)
                    part = piece.part(start, length)
                    pieces.append(part)
                    start += length
                    if reason:
                        self.skipped.append(Skipped(reason, block))
                    else:
                        node.removed.add(part)
            node.pieces = pieces

    def _stays_moved(
        self, piece: Piece, is_chosen: Callable[[int], bool], nodes: "Mapping[Branch, _Node]", back: Container[Id]
    ) -> SkipReason | None:
        """Return why a letter that was moved here, and is not the author's, comes back nowhere."""
        if not is_chosen(piece.inserted) or is_chosen(self._family.inserted(piece.first)):
            return None
        if any(there in back for there in self._family.of(piece.first)):
            return None
        source = self._source(piece, is_chosen)
        if source is None:
            return None
        item = self._items.find(source)
        if item.kind == DELETED or not item.data or item.parent is None:
            return SkipReason.content_gone
        node = nodes[item.parent]
        is_gone = source in self.left or (node.gone is not None and not node.may_return)
        return SkipReason.place_gone if is_gone else None

    def _source(self, piece: Piece, is_chosen: Callable[[int], bool]) -> Id | None:
        """Return the letter that was moved here before the author moved it, over however many moves of theirs."""
        found = [piece.id]
        while is_chosen(inserted := self._family.inserted(found[-1])):
            earlier = self._family.moved_from(found[-1], piece.first, inserted)
            if (
                earlier is None or earlier in found
            ):  # what was compacted does not tell in which order an author moved it
                break
            found.append(earlier)
        return found[-1] if len(found) > 1 else None

    def _tell_collected(self, items: Items) -> None:
        """Tell of what others wrote in blocks that the author wrote and deleted within one version: only its clocks are kept."""
        is_chosen = self.selection.of(None)
        collected = (item for client in items.clients() for item in items.of(client) if item.parent is None)
        for piece in (piece for item in collected for piece in self.cut.cut(item, None)):
            if piece.deleted is None or not is_chosen(piece.deleted) or self.is_mine(piece, is_chosen):
                continue
            if self._is_sole(piece.id, piece.first, is_chosen):
                self.skipped.append(Skipped(SkipReason.content_gone, None))
                return

    def _bring_back(self, node: _Node, piece: Piece, block: Id | None, is_chosen: Callable[[int], bool]) -> None:
        if not self._is_sole(piece.id, piece.first, is_chosen):
            return
        if piece.item.kind == DELETED or not piece.item.data:
            self.skipped.append(Skipped(SkipReason.content_gone, block))
        elif node.gone is not None and not node.may_return:
            self.skipped.append(Skipped(SkipReason.place_gone, block))
        else:
            node.back.add(piece)

    def _parts(self, piece: Piece, is_chosen: Callable[[int], bool]) -> Iterator[Piece]:
        """Cut a piece where what it copies was written by another edit, and where others of its copies begin and end."""
        if not self._credits.copies or piece.length == 1 or (piece.deleted is None and not piece.is_copy):
            yield piece
            return
        client, clock = piece.id
        first, at = piece.first

        def facts(place: int) -> tuple[bool, bool]:
            here, origin = (client, clock + place), (first, at + place)
            is_sole = piece.deleted is not None and self._is_sole(here, origin, is_chosen)
            return is_chosen(self._family.inserted(origin)), is_sole

        start, of_start = 0, facts(0)
        for place in range(1, piece.length):
            if (of_place := facts(place)) != of_start:
                yield piece.part(start, place - start)
                start, of_start = place, of_place
        yield piece.part(start, piece.length - start)

    def _is_sole(self, here: Id, first: Id, is_chosen: Callable[[int], bool]) -> bool:
        """Whether what is deleted here is to be seen nowhere else, and nobody but the chosen author deleted it.

        The deletion of an earlier copy was taken back when this one was written. A copy that its maker took away again counts
        for nothing, since somebody took back an undo, unless it was moved there from here.
        """
        if not self._credits.copies:
            return True
        own = self._family.inserted(here)
        for there in self._family.of(first):
            if there == here:
                continue
            inserted, deleted = self._family.inserted(there), self._family.deleted(there)
            if deleted is None:
                if not is_chosen(inserted):
                    return False
            elif is_chosen(deleted):
                if not is_chosen(inserted) and (inserted, there) > (own, here):
                    return False
            elif (inserted, there) > (own, here):
                is_moved = inserted == self._family.deleted(here)
                if is_moved or self._who(inserted) != self._who(deleted):
                    return False
        return True

    def _who(self, number: int) -> tuple[str, str | None]:
        act = self._acts[number]
        return act.user_id, act.agent

    def _holds(self, node: _Node) -> bool:
        for piece in node.pieces:
            below = node.below.get(piece)
            if below is None:
                if piece in node.back:
                    return True
                if piece.deleted is None and piece.is_countable and piece not in node.removed:
                    return True
            elif (below.stays or below.returns) and (below.holds or below.branch.kind != XML_TEXT):
                return True
        return False


@dataclass(slots=True)
class _Writer:
    """The update that is being written."""

    client: int
    clock: int = 0
    structs: list[New] = field(default_factory=list)
    deleted: list[DeletedRun] = field(default_factory=list)
    copied: list[Copied] = field(default_factory=list)
    deletes_nodes: bool = False

    def add(self, new: New, of: Id | None = None) -> Id:
        """Write a struct, and return the id of its last clock."""
        self.structs.append(new)
        if of:
            self.copied.append(Copied(self.client, self.clock, new.length, of))
        self.clock += new.length
        return self.client, self.clock - 1

    def delete(self, piece: Piece) -> None:
        self.deleted.append(DeletedRun(piece.item.client, piece.clock, piece.length))


@dataclass(slots=True)
class _Undo:
    plan: _Plan
    writer: _Writer

    def make(self) -> None:
        waiting: list[tuple[_Node, Id | None]] = [(node, None) for node in reversed(self.plan.roots)]
        while waiting:
            node, new = waiting.pop()
            is_chosen = self.plan.selection.of(node.block)
            if node.piece:
                self._attributes(node, new, is_chosen)
            below = self._in_new(node, new, is_chosen) if new else self._in_place(node, is_chosen)
            waiting += reversed(list(below))

    def _formats(self, node: _Node, is_chosen: Callable[[int], bool]) -> Formats | None:
        if node.branch.kind != XML_TEXT or not is_involved(node.pieces, node.back, is_chosen):
            return None
        found = expected(node.pieces, node.back, is_chosen)
        if found is None:
            self.plan.skipped.append(Skipped(SkipReason.formatting, node.block))
        return found

    def _in_place(self, node: _Node, is_chosen: Callable[[int], bool]) -> Iterator[tuple[_Node, Id | None]]:
        """Change the list of a type that stays; yield the types in it that stay, and those that are written again."""
        formats = self._formats(node, is_chosen)
        before: Id | None = None
        parent = node.piece.id if node.piece else node.branch.name
        current: dict[str, str] = {}
        for piece in _joined_pieces(node, formats):
            below = node.below.get(piece)
            if below:
                yield from self._type_in_place(below, piece, before)
            elif piece in node.removed and not (formats is None and piece.item.kind == FORMAT):
                self.writer.delete(piece)
            elif piece.deleted is None and piece.item.kind == FORMAT:
                name, value = format_of(piece)
                current = _set(current, name, value)
            else:
                is_back = piece in node.back
                right = node.placed.get(piece, piece.id)
                if formats and (is_back or piece.deleted is None):
                    before = self._format(formats.of(piece), current, before, right, parent)
                    current = formats.of(piece)
                if is_back:
                    last = self.writer.add(_copy(piece, before, right), piece.first)
                    if piece in node.placed:
                        before = last
                        continue
            before = piece.last
        if formats:
            self._format(formats.end, current, before, None, parent)

    def _type_in_place(self, below: _Node, piece: Piece, before: Id | None) -> Iterator[tuple[_Node, Id | None]]:
        if below.stays:
            if below.is_mine and below.branch.kind == XML_ELEMENT:
                self.plan.skipped.append(Skipped(SkipReason.others_inside, below.block))
            yield below, None
        elif below.gone is None:
            self._delete(below)
        elif below.returns:
            yield below, self.writer.add(New(piece.item.kind, piece.item.data, 1, before, piece.id), piece.first)

    def _in_new(self, node: _Node, new: Id, is_chosen: Callable[[int], bool]) -> Iterator[tuple[_Node, Id | None]]:
        """Write what comes back of a type into the new one that takes its place."""
        formats = self._formats(node, is_chosen)
        before: Id | None = None
        current: dict[str, str] = {}
        for piece in _joined_pieces(node, formats):
            below = node.below.get(piece)
            if below and below.returns:
                copy = New(piece.item.kind, piece.item.data, 1, before, None, None if before else new)
                before = self.writer.add(copy, piece.first)
                yield below, before
            elif piece in node.back:
                if formats:
                    before = self._format(formats.of(piece), current, before, None, new)
                    current = formats.of(piece)
                copy = _copy(piece, before, None, None if before else new)
                before = self.writer.add(copy, piece.first)

    def _format(
        self, wanted: dict[str, str], current: dict[str, str], before: Id | None, right: Id | None, parent: Id | str
    ) -> Id | None:
        """Write what has to be set here; return what the next item stands behind."""
        if wanted == current:
            return before
        for name in sorted({*wanted, *current}):
            value = wanted.get(name, "null")
            if value != current.get(name, "null"):
                content = encoded_text(name) + encoded_text(value)
                above = None if before or right else parent
                before = self.writer.add(New(FORMAT, content, 1, before, right, above))
        return before

    def _delete(self, node: _Node) -> None:
        """Delete a type with all that is in it."""
        self.writer.deletes_nodes = True
        nodes = [node]
        for each in nodes:
            if each.piece:
                self.writer.delete(each.piece)
            nodes += [below for below in each.below.values() if below.gone is None]
            for piece in each.pieces:
                if piece.deleted is None and piece not in each.below:
                    self.writer.delete(piece)
            for item in each.branch.keys.values():
                if not item.deleted:
                    self.writer.deleted.append(DeletedRun(item.client, item.clock, item.length))

    def _attributes(self, node: _Node, new: Id | None, is_chosen: Callable[[int], bool]) -> None:
        for key, last in sorted(node.branch.keys.items()):
            wanted = self._wanted(last, node.gone, is_chosen)
            if new:
                if wanted:
                    self.writer.add(New(wanted.kind, wanted.data, 1, None, None, new, key))
            elif wanted is None:
                if not last.deleted:
                    self.writer.deleted.append(DeletedRun(*last.id, 1))
            elif wanted is not last or last.deleted:
                self.writer.add(New(wanted.kind, wanted.data, 1, last.last))

    def _wanted(self, last: YjsItem, gone: int | None, is_chosen: Callable[[int], bool]) -> YjsItem | None:
        """Return the item whose value an attribute is to have: the last of somebody else, if no one else took it away."""
        item: YjsItem | None = last
        while item is not None:
            piece = next(self.plan.cut.cut(item, None))
            is_gone = piece.deleted is not None and (gone is None or piece.deleted < gone)
            if not self.plan.is_mine(piece, is_chosen):
                taken = is_gone and piece.deleted is not None and not is_chosen(piece.deleted)
                return None if taken or not item.data else item
            if item is last and is_gone and piece.deleted is not None and not is_chosen(piece.deleted):
                return None
            item = item.left
        return None


def _letters(piece: Piece) -> Iterator[Id]:
    return ((piece.item.client, piece.clock + at) for at in range(piece.length))


def _joined_pieces(node: _Node, formats: Formats | None) -> Iterator[Piece]:
    """Yield the pieces of a list, neighbours with which the same is to be done as one."""
    last: Piece | None = None
    for piece in _in_order(node):
        if last and last.item is piece.item and _alike(node, formats, last, piece):
            joined = Piece(last.item, last.clock, last.length + piece.length, last.inserted, last.deleted, last.first)
            for pieces in (node.removed, node.back):
                if last in pieces:
                    pieces.add(joined)
            if last in node.placed:
                node.placed[joined] = node.placed[last]
            if formats:
                formats.same(joined, last)
            last = joined
            continue
        if last:
            yield last
        last = piece
    if last:
        yield last


def _in_order(node: _Node) -> Iterator[Piece]:
    """Yield the pieces of a list in the order in which they are to stand."""
    if not node.placed:
        yield from node.pieces
        return
    before: dict[Id, list[Piece]] = {}
    for piece, place in node.placed.items():
        before.setdefault(place, []).append(piece)
    for piece in node.pieces:
        yield from before.get(piece.id, ())
        if piece not in node.placed:
            yield piece


def _alike(node: _Node, formats: Formats | None, one: Piece, other: Piece) -> bool:
    return (
        (one.deleted is None) == (other.deleted is None)
        and (one in node.removed) == (other in node.removed)
        and (one in node.back) == (other in node.back)
        and node.placed.get(one) == node.placed.get(other)
        and (one.first[0], one.first[1] + one.length) == other.first
        and (formats is None or formats.of(one) == formats.of(other))
    )


def _copy(piece: Piece, before: Id | None, right: Id | None, parent: Id | None = None) -> New:
    content = encoded_text(piece.text) if piece.item.kind == TEXT else piece.item.data
    return New(piece.item.kind, content, piece.length, before, right, parent)


def _set(current: dict[str, str], name: str, value: str) -> dict[str, str]:
    if value == "null":
        return {key: each for key, each in current.items() if key != name}
    return current | {name: value}
