"""Cuts the items of a replayed document where the edits change that inserted and deleted them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from documents.history.copied_text import CopiesOf
from documents.history.credits import NOBODY, Credits
from documents.yjs.item_list import Branch, Items, YjsItem, text_of_item
from documents.yjs.scan import DELETED, TEXT, Id
from documents.yjs.structs import FORMAT

BEFORE_NUMBER: Final = 0
"""The number of the act that stands for all that was there before the log begins."""


@dataclass(slots=True, eq=False)
class Piece:
    """A part of an item that one act inserted and, unless it is still there (`deleted` is None), one act deleted.

    `first` is what it is a copy of, or itself. `named` is the act that deleted it by itself; it is not `deleted`, and the piece
    `is_implied`, where what it lies in was deleted before that.
    """

    item: YjsItem
    clock: int
    length: int
    inserted: int
    deleted: int | None
    first: Id
    named: int | None = None
    is_implied: bool = False

    @property
    def id(self) -> Id:
        return self.item.client, self.clock

    @property
    def last(self) -> Id:
        return self.item.client, self.clock + self.length - 1

    @property
    def is_copy(self) -> bool:
        return self.first != self.id

    @property
    def is_countable(self) -> bool:
        """Whether it is something to be seen, and no formatting."""
        return self.item.kind not in (FORMAT, DELETED)

    @property
    def text(self) -> str:
        if self.length == self.item.length:
            return text_of_item(self.item)
        start = 2 * (self.clock - self.item.clock)
        data = self.item.data[start : start + 2 * self.length]
        return data.decode("utf-16-le", "replace") if self.item.kind == TEXT else ""

    def part(self, start: int, length: int) -> "Piece":
        """Return `length` clocks of it from `start` on."""
        first = self.first[0], self.first[1] + start
        return Piece(
            self.item, self.clock + start, length, self.inserted, self.deleted, first, self.named, self.is_implied
        )

    def is_there(self, number: int) -> bool:
        """Whether it is visible right after the act with this number."""
        return self.inserted <= number and (self.deleted is None or self.deleted > number)


class Family:
    """Finds what has the same text as a letter: what was written first, and all its copies, with the acts that made and deleted each."""

    def __init__(self, items: Items, credits_: Credits) -> None:
        self._items = items
        self._credits = credits_
        self._copies_of = CopiesOf(credits_.copies)

    def of(self, first: Id) -> Iterator[Id]:
        """Yield the ids of what was written first and of its copies."""
        yield first
        yield from self._copies_of.of(first)

    def inserted(self, name: Id) -> int:
        _, number = next(self._credits.inserted(*name, 1))
        return max(number, BEFORE_NUMBER)

    def written(self, piece: Piece) -> int:
        """Return the act that wrote first what this is, or is a copy of."""
        return self.inserted(piece.first) if piece.is_copy else piece.inserted

    def deleted(self, name: Id) -> int | None:
        """Return the act that deleted this, or what it lies in: what is written into a deleted block is deleted with it."""
        item: YjsItem | None = self._items.find(name)
        if item is None or not item.deleted:
            return None
        found: list[int] = []
        while item is not None:
            _, number = next(self._credits.deleted(*name, 1))
            if number is not None:
                found.append(max(number, BEFORE_NUMBER))
            item = item.parent.item if item.parent else None
            name = item.id if item else name
        return min(found, default=BEFORE_NUMBER)

    def moved_from(self, name: Id, first: Id, inserted: int) -> Id | None:
        """Return the letter that was moved here by the act that inserted this one, if one was: it deleted that."""
        if first == name:
            return None
        return next((each for each in self.of(first) if each != name and self.deleted(each) == inserted), None)

    def moved_to(self, name: Id, first: Id, deleted: int) -> Id | None:
        """Return the letter that this one was moved to by the act that deleted it, if it was."""
        return next((each for each in self.of(first) if each != name and self.inserted(each) == deleted), None)


class Pieces:
    """Cuts items; what lies in a type that was deleted was deleted with it, if not before."""

    def __init__(self, credits_: Credits) -> None:
        self._credits = credits_

    def of(self, branch: Branch, gone: int | None) -> list[Piece]:
        """Return the pieces of the list of a type, which was deleted by the act `gone` if it was."""
        return [piece for item in branch for piece in self.cut(item, gone)]

    def cut(self, item: YjsItem, gone: int | None) -> Iterator[Piece]:
        client, clock, stop = item.client, item.clock, item.clock + item.length
        inserted = self._credits.inserted(client, clock, item.length)
        deleted = self._deleted(item)
        firsts = self._credits.copies.firsts(client, clock, item.length)
        ends = [clock, clock, clock]
        number, ended, first = NOBODY, None, (client, clock)
        while clock < stop:
            if ends[0] == clock:
                length, number = next(inserted)
                ends[0] += length
            if ends[1] == clock:
                length, ended = next(deleted)
                ends[1] += length
            if ends[2] == clock:
                length, first = next(firsts)
                ends[2] += length
            end = min(ends)
            is_implied = gone is not None and (ended is None or gone < ended)
            last = gone if is_implied else ended
            last = BEFORE_NUMBER if last is None and item.deleted else last
            yield Piece(item, clock, end - clock, max(number, BEFORE_NUMBER), last, first, ended, is_implied)
            first = first[0], first[1] + end - clock
            clock = end

    def _deleted(self, item: YjsItem) -> Iterator[tuple[int, int | None]]:
        if not item.deleted:
            yield item.length, None
            return
        for length, number in self._credits.deleted(item.client, item.clock, item.length):
            yield length, max(number, BEFORE_NUMBER) if number is not None else self._overwritten(item)

    def _overwritten(self, item: YjsItem) -> int | None:
        """Return the act that set another value under the item's key, where no deletion of this one is credited."""
        if item.key is None or item.right is None:
            return None
        _, number = next(self._credits.inserted(*item.right.id, 1))
        return max(number, BEFORE_NUMBER)
