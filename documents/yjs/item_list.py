"""Lays out the items of a document as Yjs does, with those that were deleted, so that each can be named by client and clock.

The library exposes the content of a document, but neither its ids nor what was deleted. This module puts the structs of the
encoding in the order of the lists by the algorithm of Yjs (YATA); tests compare the visible ones with the library.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from documents.yjs.lib0 import Decoder, any_value, uint
from documents.yjs.scan import DELETED, GC, SKIP, TEXT, TYPE, Id
from documents.yjs.structs import ANYS, Struct, Update

XML_ELEMENT = 3
XML_TEXT = 6


@dataclass(slots=True, eq=False)
class Branch:
    """A shared type: its list of items, and of each key the last item that was set under it.

    `name` is that of a root, or the tag of an element; a root has no `item`, and its `kind` is unknown.
    """

    name: str
    kind: int = 4
    item: "YjsItem | None" = None
    first: "YjsItem | None" = None
    keys: dict[str, "YjsItem"] = field(default_factory=dict)

    def __iter__(self) -> "Iterator[YjsItem]":
        item = self.first
        while item is not None:
            following = item.right  # the caller may split this item
            yield item
            item = following


@dataclass(slots=True, eq=False)
class YjsItem:
    """A struct in its place; `parent` is None for what was collected, or was written beside or into that: it is in no list.

    `data` is the content as it is encoded, but text as UTF-16-LE; it is empty where the content is gone. `branch` is the
    shared type that the item holds, if any.
    """

    client: int
    clock: int
    length: int
    kind: int
    origin: Id | None
    beside: Id | None
    data: bytes
    deleted: bool = False
    parent: Branch | None = None
    key: str | None = None
    branch: Branch | None = None
    left: "YjsItem | None" = None
    right: "YjsItem | None" = None

    @property
    def id(self) -> Id:
        return self.client, self.clock

    @property
    def last(self) -> Id:
        return self.client, self.clock + self.length - 1


@dataclass(slots=True)
class _Client:
    """The items of a client in the order of their clocks, without gaps, and the first clock of each."""

    clocks: list[int] = field(default_factory=list)
    items: list[YjsItem] = field(default_factory=list)

    @property
    def end(self) -> int:
        return self.clocks[-1] + self.items[-1].length if self.items else 0


class Incoherent(Exception):  # noqa: N818 - the name says what is wrong with the structs
    """Structs build on others that are not there."""


class Items:
    """All items of a document. Updates are added in an order in which each builds on nothing that comes later."""

    def __init__(self) -> None:
        self.roots: dict[str, Branch] = {}
        self._clients: dict[int, _Client] = {}

    def add(self, update: Update) -> None:
        left = {client: runs[::-1] for client, runs in update.runs.items()}
        for first in left:
            path = [first]
            while path:
                runs = left[path[-1]]
                if not runs:
                    path.pop()
                elif (other := self._lacking(path[-1], runs[-1])) is None:
                    self._put(path[-1], runs.pop())
                elif left.get(other):
                    path.append(other)
                else:
                    raise Incoherent
        for client, clock, length in update.deleted:
            self._delete(client, clock, clock + length)

    def of(self, client: int) -> list[YjsItem]:
        known = self._clients.get(client)
        return known.items if known else []

    def clients(self) -> Iterable[int]:
        return self._clients

    def find(self, name: Id) -> YjsItem:
        """Return the item that holds this clock."""
        known = self._clients.get(name[0])
        if known is None or name[1] >= known.end:
            raise Incoherent
        return known.items[bisect_right(known.clocks, name[1]) - 1]

    def split(self, item: YjsItem, length: int) -> YjsItem:
        """Cut an item after `length` clocks, and return what is behind."""
        rest = YjsItem(
            item.client,
            item.clock + length,
            item.length - length,
            item.kind,
            (item.client, item.clock + length - 1),
            item.beside,
            item.data[2 * length :] if item.kind == TEXT else b"",
            item.deleted,
            item.parent,
            item.key,
            None,
            item,
            item.right,
        )
        item.data = item.data[: 2 * length] if item.kind == TEXT else b""
        item.length = length
        if item.parent is None:
            rest.left = None
        else:
            if item.right is not None:
                item.right.left = rest
            elif item.key is not None:
                item.parent.keys[item.key] = rest
            item.right = rest
        known = self._clients[item.client]
        place = bisect_right(known.clocks, rest.clock)
        known.clocks.insert(place, rest.clock)
        known.items.insert(place, rest)
        return rest

    def starting(self, name: Id) -> YjsItem:
        """Return the item that begins at this clock, cut off what is before if need be."""
        item = self.find(name)
        return item if item.clock == name[1] else self.split(item, name[1] - item.clock)

    def ending(self, name: Id) -> YjsItem:
        item = self.find(name)
        if item.clock + item.length - 1 != name[1]:
            self.split(item, name[1] - item.clock + 1)
        return item

    def _delete(self, client: int, start: int, stop: int) -> None:
        while start < stop:
            item = self.starting((client, start))
            if start + item.length > stop:
                self.split(item, stop - start)
            item.deleted = True
            start += item.length

    def _lacking(self, client: int, struct: Struct) -> int | None:
        """Return a client of which something must be there before this can be."""
        names = [struct.origin, struct.right]
        if len(struct.parent) == 3:
            names.append((struct.parent[0], struct.parent[1]))  # type: ignore[arg-type]
        for name in names:
            if name is not None and name[0] != client:
                known = self._clients.get(name[0])
                if known is None or known.end <= name[1]:
                    return name[0]
        return None

    def _put(self, client: int, struct: Struct) -> None:
        known = self._clients.setdefault(client, _Client())
        if struct.kind == SKIP or struct.clock + struct.length <= known.end:
            return
        if struct.clock > known.end:
            raise Incoherent
        item = _item(client, struct)
        if struct.clock < known.end:  # some of it is there already
            cut = known.end - struct.clock
            item.clock, item.length, item.origin = known.end, item.length - cut, (client, known.end - 1)
            item.data = item.data[2 * cut :] if item.kind == TEXT else b""
        if item.kind != GC:
            self._integrate(item, struct)
        known.clocks.append(item.clock)
        known.items.append(item)
        if item.key is not None and item.length > 1:
            self._part(item)

    def _part(self, item: YjsItem) -> None:
        """Cut what the library joined: values that a key had one after the other."""
        decoder = Decoder(item.data)
        values: list[bytes] = []
        for _ in range(decoder.uint() if item.kind == ANYS else 0):
            start = decoder.at
            any_value(decoder)
            values.append(uint(1) + item.data[start : decoder.at])
        for value in values[:-1]:
            rest = self.split(item, 1)
            item.data, item = value, rest
        if values:
            item.data = values[-1]

    def _integrate(self, item: YjsItem, struct: Struct) -> None:
        left = self.ending(item.origin) if item.origin else None
        right = self.starting(item.beside) if item.beside else None
        if (left and left.parent is None) or (right and right.parent is None):
            return
        beside = left or right
        if beside:
            item.parent, item.key = beside.parent, beside.key
        else:
            item.parent, item.key = self._parent(struct)
        if item.parent is not None:
            self._insert(item, item.parent, left, right)

    def _parent(self, struct: Struct) -> tuple[Branch | None, str | None]:
        match struct.parent:
            case (str(name), (str() | None) as key):
                return self.roots.setdefault(name, Branch(name)), key
            case (int(client), int(clock), (str() | None) as key):
                node = self.find((client, clock))
                return (node.branch if node.parent else None), key
        raise Incoherent

    def _insert(self, item: YjsItem, parent: Branch, left: YjsItem | None, right: YjsItem | None) -> None:
        following = left.right if left else _first(parent, item.key)
        if following is not right:
            left = self._place(item, left, right, following)
        item.left = left
        if left:
            item.right, left.right = left.right, item
        else:
            item.right = _first(parent, item.key)
            if item.key is None:
                parent.first = item
        if item.right:
            item.right.left = item
        elif item.key is not None:
            parent.keys[item.key] = item

    def _place(
        self, item: YjsItem, left: YjsItem | None, right: YjsItem | None, other: YjsItem | None
    ) -> YjsItem | None:
        """Return what the item comes to stand behind, among those that were put there at the same time."""
        conflicting: set[YjsItem] = set()
        before: set[YjsItem] = set()
        while other is not None and other is not right:
            before.add(other)
            conflicting.add(other)
            if item.origin == other.origin:
                if other.client < item.client:
                    left = other
                    conflicting.clear()
                elif item.beside == other.beside:
                    break
            elif other.origin is not None and (origin := self.find(other.origin)) in before:
                if origin not in conflicting:
                    left = other
                    conflicting.clear()
            else:
                break
            other = other.right
        return left


def _first(parent: Branch, key: str | None) -> YjsItem | None:
    if key is None:
        return parent.first
    item = parent.keys.get(key)
    while item is not None and item.left is not None:
        item = item.left
    return item


def _item(client: int, struct: Struct) -> YjsItem:
    data = struct.data[struct.start : struct.stop]
    if struct.kind == TEXT:
        data = Decoder(data).text().encode("utf-16-le")
    elif struct.kind == DELETED:
        data = b""
    item = YjsItem(
        client,
        struct.clock,
        struct.length,
        struct.kind,
        struct.origin,
        struct.right,
        data,
        struct.kind in (GC, DELETED),
    )
    if struct.kind == TYPE:
        decoder = Decoder(data)
        kind = decoder.uint()
        item.branch = Branch(decoder.text() if kind == XML_ELEMENT else "", kind, item)
    return item


def text_of_item(item: YjsItem) -> str:
    """Return the characters of a text; a half of a pair whose other half is elsewhere is replaced."""
    return item.data.decode("utf-16-le", "replace") if item.kind == TEXT else ""
