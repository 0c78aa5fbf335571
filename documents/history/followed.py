"""Moves unseen letters to where the letters beside them were moved, as an edit of the server that is credited to their writer.

Somebody retypes, wraps or moves a block, and somebody else, who has not heard of it, writes in it: what was there stands elsewhere, and
what was written is gone with the block. It is written again beside the copies of its neighbours. The update is a pure function of the
log, and its client is derived from the first of the letters: whoever computes it makes the same, and nobody makes it twice.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2s
from itertools import count
from typing import Final

from documents.history.copied_text import Copied
from documents.history.credits import Credits, Source
from documents.history.item_runs import BEFORE_NUMBER, Family, Piece, Pieces
from documents.history.replay import Replayed
from documents.history.unseen import LostText, Unseen, UnseenLetters, nodes_above
from documents.yjs.item_list import Branch
from documents.yjs.keystroke import Contents, contents
from documents.yjs.lib0 import Decoder, utf16_length
from documents.yjs.scan import TEXT, DeletedRun, Id, accepted, text_spans
from documents.yjs.structs import New, encoded_text, write_update

MIN_PART: Final = 4  # letters of a text that is taken to be moved where a longer one holds it

type _Person = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Followed:
    """An update of one writer's letters, what in it is copied from where they were written, and the Yjs client that it uses.

    `near` are the nodes in which the letters come to lie, and what they come to stand beside.
    """

    user_id: str
    agent: str | None
    update: bytes
    copied: tuple[Copied, ...]
    client: int
    near: frozenset[Id]


def follow_moves(made: Replayed, but: Container[_Person] = ()) -> Followed | None:
    """Return how the unseen letters of the first writer that has some follow what they stood beside; None where none do.

    `but` are writers whose letters stay.
    """
    return _Following(made).first(but) if made.credits.copies else None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where letters come to stand: between two items of a list."""

    left: Id | None
    right: Id | None


@dataclass(slots=True)
class _Writing:
    """The update of one writer; its client is derived from the first letters that are written.

    `placed` are the places and new ids of letters, by their old ids. INVARIANT: letters are written between two items that are
    neighbours then, as Yjs expects.
    """

    known: set[int]
    writer: _Person | None = None
    client: int = 0
    clock: int = 0
    structs: list[New] = field(default_factory=list)
    copied: list[Copied] = field(default_factory=list)
    placed: dict[Id, tuple[_Place, Id]] = field(default_factory=dict)
    _rows: defaultdict[_Place, list[Id]] = field(default_factory=lambda: defaultdict(list))  # new letters, in order

    def may_be_by(self, who: _Person) -> bool:
        return self.writer in (None, who)

    def add(self, who: _Person, name: Id, first: Id, letters: str, place: _Place, at: int | None = None) -> None:
        """Write somebody's letters at a place: behind so many of the new ones that stand there, or behind all."""
        self.writer = who
        self.client = self.client or _client(name, self.known)
        length = utf16_length(letters)
        row = self._rows[place]
        at = len(row) if at is None else at
        left, right = row[at - 1] if at else place.left, row[at] if at < len(row) else place.right
        self.structs.append(New(TEXT, encoded_text(letters), length, left, right))
        self.copied.append(Copied(self.client, self.clock, length, first))
        made = [(self.client, self.clock + each) for each in range(length)]
        for each, new in enumerate(made):
            self.placed[name[0], name[1] + each] = place, new
        row[at:at] = made
        self.clock += length

    def index_of(self, name: Id) -> tuple[_Place, int]:
        """Return the place of a letter, and its index among the new ones there."""
        place, new = self.placed[name]
        return place, self._rows[place].index(new)


class _Following:
    def __init__(self, made: Replayed) -> None:
        self._made = made
        self._unseen = UnseenLetters(made)
        self._family = Family(made.items, made.credits)
        self._cut = Pieces(made.credits)
        self._taken: dict[int, list[str]] = {}  # by the numbers of acts
        self._kept: dict[_Person, list[str]] = {}

    def first(self, but: Container[_Person]) -> Followed | None:
        writing = _Writing(set(self._made.items.clients()))
        self._write_of_nodes(writing, but)
        self._write_collected(writing, but)
        if writing.writer is None:
            return None
        update = write_update(writing.client, writing.structs, ())
        near = frozenset(each for place, _ in writing.placed.values() for each in self._near(place))
        return Followed(*writing.writer, update, tuple(writing.copied), writing.client, near)

    def _write_of_nodes(self, writing: _Writing, but: Container[_Person]) -> None:
        for pieces in self._nodes():
            for at, (piece, unseen) in enumerate(pieces):
                if unseen is None or self._is_retyped(piece.text, piece.inserted):
                    continue
                who = _person(unseen.writer)
                if who is None or who in but or not writing.may_be_by(who) or self._is_kept(pieces, at, who):
                    continue
                if place := self._place(pieces, at, unseen.number):
                    writing.add(who, piece.id, piece.first, piece.text, place)

    def _write_collected(self, writing: _Writing, but: Container[_Person]) -> None:
        """Write letters of which no node is known, each only once those follow beside which it was written."""
        later: set[Id] = set()  # letters that follow another time: of other writers, and what was written beside those
        for lost in self._unseen.collected():
            who = _person(lost.unseen.writer)
            if who is None or who in but or self._is_retyped(lost.text, lost.unseen.number):
                continue
            is_beside = lost.left in later or lost.right in later
            place = None if is_beside else self._place_of_collected(lost, writing)
            if place and writing.may_be_by(who):
                writing.add(who, lost.id, lost.id, lost.text, *place)
            elif place or is_beside:
                later.update((lost.id[0], lost.id[1] + at) for at in range(utf16_length(lost.text)))

    def _near(self, place: _Place) -> Iterator[Id]:
        for beside in filter(None, (place.left, place.right)):
            branch = self._made.items.find(beside).parent
            yield beside
            yield from nodes_above(branch) if branch else ()

    def _place_of_collected(self, lost: LostText, writing: _Writing) -> tuple[_Place, int | None] | None:
        """Return where letters go of which no node is known: beside what those became between which they were written.

        That is a place, and behind how many of the new letters there; None for behind all.
        """
        left, right, number = lost.left, lost.right, lost.unseen.number
        if left and left in writing.placed:
            place, index = writing.index_of(left)
            return place, index + 1
        if right and right in writing.placed:
            return writing.index_of(right)
        if left and (copy := self._copy_of_collected(left, number)):
            return _Place(copy, self._right_of(copy)), 0
        if right and (copy := self._copy_of_collected(right, number)):
            return _Place(self._left_of(copy), copy), None
        return None

    def _is_retyped(self, text: str, number: int) -> bool:
        """Whether an act that wrote text deletes the same text elsewhere: it moved that, and may not have been the only one."""
        if number not in self._taken:
            self._taken[number] = self._texts_taken(number)
        return any(_is_in(text, each) or _has_part(text, each) for each in self._taken[number])

    def _is_kept(self, pieces: Sequence[tuple[Piece, Unseen | None]], at: int, who: _Person) -> bool:
        """Whether a writer took a piece away before, and wrote it again by an undo or a paste, and a copy of the first is there.

        What is taken away of a block that was moved stays in the copy. Of a few letters that is only said where nothing else was
        written beside them: they may be part of any word.
        """
        if who not in self._kept:
            self._kept[who] = self._texts_kept(who)
        start, stop = at, at + 1
        if len(pieces[at][0].text.strip()) < MIN_PART:
            while start and _is_late(pieces[start - 1][0]):
                start -= 1
            while stop < len(pieces) and _is_late(pieces[stop][0]):
                stop += 1
        text = "".join(piece.text for piece, _ in pieces[start:stop])
        return any(_is_in(text, each) for each in self._kept[who])

    def _texts_kept(self, who: _Person) -> list[str]:
        """Return the texts that a writer took away when they were gone already, as far as there are copies of them."""
        acts = (number for number, act in enumerate(self._made.acts) if _person(act) == who)
        return [text for late in map(self._taken_late, acts) if late for text in self._texts(late)]

    def _taken_late(self, number: int) -> list[DeletedRun]:
        """Return the letters that an act deletes by itself, and not the nodes in which they were gone, which stay in a copy."""
        named = self._named(number)
        own = Credits()
        own.delete(named, None)
        return [
            DeletedRun(*name, 1)
            for run in named
            for name in self._gone_before(run, number)
            if (parent := self._made.items.find(name).parent)
            and (parent.item is None or own.alive(*parent.item.id, parent.item.clock + 1))
            and self._is_copied(name, number)
        ]

    def _is_copied(self, name: Id, number: int) -> bool:
        """Whether a copy of a letter is there at an act or comes later, also if somebody deletes it then: they saw it."""
        copies = (each for each in self._family.of(self._origin(name)) if each != name)
        return any((end := self._family.deleted(each)) is None or end > number for each in copies)

    def _gone_before(self, run: DeletedRun, number: int) -> Iterator[Id]:
        """Yield the letters of a run that were deleted before an act."""
        clock = run.clock
        for length, ended in self._made.credits.deleted(run.client, clock, run.length):
            if ended is not None and ended < number:
                yield from ((run.client, each) for each in range(clock, clock + length))
            clock += length

    def _texts_taken(self, number: int) -> list[str]:
        """Return the texts that an act deletes by itself, of each node in one, and of what it wrote in no known node, of each run."""
        logged, named = self._made.logged(number), self._named(number)
        if logged is None or not named:
            return []
        # What lies in a node that was deleted in the compacted part of the log is in no type.
        taken = Credits()
        taken.delete(named, None)
        runs = accepted(text_spans(logged.update)).texts
        texts = (
            _text_taken(each.client, each.clock, Decoder(logged.update, each.start).text(), taken) for each in runs
        )
        return [*self._texts(named), *filter(None, texts)]

    def _texts(self, runs: Iterable[DeletedRun]) -> list[str]:
        """Return the texts under clocks that are deleted, of each node in one."""
        taken = Credits()
        taken.delete(runs, None)
        texts = (
            "".join(
                _text_taken(piece.item.client, piece.clock, piece.text, taken)
                for piece in pieces
                if piece.item.kind == TEXT and piece.item.deleted
            )
            for _, pieces in self._types()
        )
        return [text for text in texts if text]

    def _named(self, number: int) -> Sequence[DeletedRun]:
        """Return what an act deletes by itself; nothing of what was compacted."""
        logged = self._made.logged(number)
        read = contents(logged.update) if logged else None
        return read.deleted if isinstance(read, Contents) else ()

    def _origin(self, name: Id) -> Id:
        _, first = next(self._made.credits.copies.firsts(*name, 1))
        return first

    def _nodes(self) -> Iterator[list[tuple[Piece, Unseen | None]]]:
        """Yield the pieces of each type in which something is unseen."""
        for branch, pieces in self._types():
            parts = [part for piece in pieces for part in self._unseen.parts(piece, branch)]
            if any(unseen for _, unseen in parts):
                yield parts

    def _types(self) -> Iterator[tuple[Branch, list[Piece]]]:
        """Yield each type with its pieces."""
        waiting: list[tuple[Branch, int | None]] = [(root, None) for root in self._made.items.roots.values()]
        while waiting:
            branch, gone = waiting.pop()
            pieces = self._cut.of(branch, gone)
            yield branch, pieces
            waiting += [(piece.item.branch, piece.deleted) for piece in reversed(pieces) if piece.item.branch]

    def _place(self, pieces: Sequence[tuple[Piece, Unseen | None]], at: int, number: int) -> _Place | None:
        """Return the place beside the copy of the letter that stood left of a piece, or else right of it, when its node was deleted."""
        gone = pieces[at][0].deleted
        left = (
            next((each for each, lost in pieces[at - 1 :: -1] if lost is None and _went(each, gone)), None)
            if at
            else None
        )
        if left and (copy := self._copy(left.last, _first(left, left.length - 1), _since(left, number))):
            return _Place(copy, self._right_of(copy))
        right = next((each for each, lost in pieces[at + 1 :] if lost is None and _went(each, gone)), None)
        if right and (copy := self._copy(right.id, right.first, _since(right, number))):
            return _Place(self._left_of(copy), copy)
        return None

    def _copy_of_collected(self, name: Id, number: int) -> Id | None:
        """Return the copy of a letter of which no node is known; any of a letter that was late itself, and has followed."""
        inserted = self._family.inserted(name)
        is_late = inserted != BEFORE_NUMBER and not self._made.acts[inserted].is_compacted
        return self._copy(name, self._origin(name), None if is_late else number)

    def _copy(self, name: Id, first: Id, number: int | None) -> Id | None:
        """Return the copy of a letter that is there, the last one that was made of several.

        None where none was there right after the act with this number, or none some time since (after the first copy, for any
        act): what was restored later was not moved.
        """
        copies = [each for each in self._family.of(first) if each != name]
        since = min(map(self._family.inserted, copies), default=0) if number is None else number
        if not self._was_there_since(copies, since):
            return None
        others = (each for each in copies if self._family.deleted(each) is None)
        return max(others, key=lambda each: (self._family.inserted(each), each))

    def _was_there_since(self, copies: Sequence[Id], number: int) -> bool:
        """Whether from right after an act on one of the copies was always there."""
        while True:
            ends = [self._family.deleted(each) for each in copies if self._was_there(each, number)]
            if not ends or None in ends:
                return bool(ends)
            number = max(end for end in ends if end is not None)

    def _was_there(self, name: Id, number: int) -> bool:
        deleted = self._family.deleted(name)
        return self._family.inserted(name) <= number and (deleted is None or deleted > number)

    def _right_of(self, name: Id) -> Id | None:
        item = self._made.items.find(name)
        if name != item.last:
            return name[0], name[1] + 1
        return item.right.id if item.right else None

    def _left_of(self, name: Id) -> Id | None:
        item = self._made.items.find(name)
        if name != item.id:
            return name[0], name[1] - 1
        return item.left.last if item.left else None


def _is_in(text: str, taken: str) -> bool:
    """Whether a text that was taken away holds another; spaces alone only where they were all of it."""
    words = text.strip()
    return words in taken if words else text == taken


def _has_part(text: str, taken: str) -> bool:
    """Whether text holds all of another that is long enough to be no accident."""
    part = taken.strip()
    return len(part) >= MIN_PART and part in text


def _text_taken(client: int, clock: int, text: str, taken: Credits) -> str:
    """Return the parts that are `taken` of a text which is written under the clocks from `clock` on."""
    units = text.encode("utf-16-le", "surrogatepass")
    stop = clock + len(units) // 2
    left = taken.alive(client, clock, stop)
    ends = [clock, *(each for gap in left for each in gap), stop]
    runs = zip(ends[::2], ends[1::2], strict=True)
    return "".join(units[2 * (start - clock) : 2 * (end - clock)].decode("utf-16-le", "replace") for start, end in runs)


def _went(piece: Piece, gone: int | None) -> bool:
    """Whether a piece is letters that went with an act: they were there when it deleted the node, or follow what it moved."""
    return piece.item.kind == TEXT and piece.deleted == gone


def _is_late(piece: Piece) -> bool:
    """Whether a piece was written when its node was gone, and nobody took it away."""
    return piece.deleted is not None and piece.deleted < piece.inserted and piece.named is None


def _since(piece: Piece, number: int) -> int | None:
    """Return the act after which a copy of a letter has to be there, so that what stands beside it follows; any act for what has followed."""
    return None if piece.is_implied else number


def _first(piece: Piece, at: int) -> Id:
    return piece.first[0], piece.first[1] + at


def _person(source: Source | None) -> _Person | None:
    return (source.user_id, source.agent) if source and source.user_id else None


def _client(name: Id, known: set[int]) -> int:
    """Return a client id for copies of what begins with a letter, always the same unless somebody has taken it."""
    for attempt in count():
        digest = blake2s(f"{name[0]}-{name[1]}-{attempt}".encode(), digest_size=4).digest()
        if (client := int.from_bytes(digest)) not in known:
            return client
    raise AssertionError
