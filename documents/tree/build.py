"""Builds a Yjs update from a ProseMirror tree, in the form that the editors store."""

import base64
import hashlib
import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.tree.schema import OVERLAPPING
from documents.tree.tree import ROOTS, Json, plain
from documents.yjs.lib0 import uint
from documents.yjs.scan import TEXT, TYPE, Id
from documents.yjs.snapshot import state_vector
from documents.yjs.structs import ANYS, FORMAT, New, encoded_text, write_update

MAX_BY_INDEX: Final = 64  # nodes that are made through the library, which goes to the place of each from the beginning
_ELEMENT: Final = uint(3)
_TEXT: Final = uint(6)

type Parent = XmlFragment | XmlElement


def from_tree(tree: Json, client_id: int) -> bytes:
    """One update that makes this tree in an empty document. Never apply it to a document that has content."""
    made = _Structs(client_id, 0)
    made.children(_Siblings(ROOTS[0], iter(tree.get("content") or ())))
    return made.update() or b"\0\0"


def place(into: Parent, at: int, content: Iterable[Json]) -> None:
    """Make these nodes, with all below them, the children of `into` from place `at` on; in linear time."""
    nodes = [*content]
    if _are_few(nodes):
        _place_by_index(into, at, nodes)
    else:
        _place_by_neighbours(into, at, nodes)


def _are_few(nodes: Sequence[Json]) -> bool:
    waiting, found = [iter(nodes)], 0
    while waiting and found <= MAX_BY_INDEX:
        node = next(waiting[-1], None)
        if node is None:
            waiting.pop()
        else:
            found += 1
            waiting.append(iter(node.get("content") or ()))
    return found <= MAX_BY_INDEX


def _place_by_index(into: Parent, at: int, content: Sequence[Json]) -> None:
    stack: list[tuple[Parent, int, Iterator[Json], XmlText | None]] = [(into, at, iter(content), None)]
    while stack:
        parent, at, nodes, text_ = stack.pop()
        node = next(nodes, None)
        if node is None:
            continue
        if node.get("type") == "text":
            if text_ is None:
                text_ = parent.children.insert(at, XmlText())
                at += 1
            text_.insert(len(text_), str(node.get("text", "")), dict(map(formatting, node.get("marks") or [])))
            stack.append((parent, at, nodes, text_))
        else:
            element = parent.children.insert(at, XmlElement(str(node.get("type"))))
            for name, value in _attributes(node):
                element.attributes[name] = value
            stack += [(parent, at + 1, nodes, None), (element, 0, iter(node.get("content") or []), None)]


def _place_by_neighbours(into: Parent, at: int, content: Sequence[Json]) -> None:
    """Make the first and the last child through the library, and all between and below them as structs that name these."""
    doc: Doc[Any] = into.doc
    client = doc.client_id
    with doc.transaction():
        clock = state_vector(doc).get(client, 0)
        first, between, last = _ends(content)
        made = _Structs(client, clock + (2 if last else 1))
        into.children.insert(at, _child(first))
        made.inside((client, clock), first)
        if last:
            into.children.insert(at + 1, _child(last))
            made.children(_Siblings(None, iter(between), (client, clock), (client, clock + 1)))
            made.inside((client, clock + 1), last)
        if update := made.update():
            doc.apply_update(update)


def _ends(content: Sequence[Json]) -> tuple[Sequence[Json], Sequence[Json], Sequence[Json]]:
    """Return the nodes of the first child, those of the last one, if there is another, and those between: texts are one child."""
    start, stop = _run(content), len(content) - _run(reversed(content))
    return (content[:start], content[start:stop], content[stop:]) if start <= stop else (content, (), ())


def _run(nodes: Iterable[Json]) -> int:
    """Return how many of the nodes, from the first on, are one child."""
    found = 0
    for node in nodes:
        if node.get("type") != "text":
            return found or 1
        found += 1
    return found


def _child(nodes: Sequence[Json]) -> XmlElement | XmlText:
    kind = nodes[0].get("type")
    return XmlText() if kind == "text" else XmlElement(str(kind))


def _attributes(node: Json) -> Iterator[tuple[str, Any]]:
    for name, value in sorted((node.get("attrs") or {}).items()):
        if (kept := plain(value)) is not None:
            yield name, kept


@dataclass(slots=True)
class _Siblings:
    """The next nodes of a parent: behind `left` and before `right`. `text` is the text that the next text node goes on with."""

    parent: Id | str | None  # None where neighbours tell it
    nodes: Iterator[Json]
    left: Id | None = None
    right: Id | None = None
    text: Id | None = None
    end_of_text: Id | None = None


@dataclass(slots=True)
class _Structs:
    """The structs of nodes, in the order in which they are met; `first` is the clock of the first one."""

    client: int
    first: int
    made: list[New] = field(default_factory=list)
    clock: int = field(init=False)

    def __post_init__(self) -> None:
        self.clock = self.first

    def update(self) -> bytes:
        """Return the structs as an update; empty where there are none."""
        return write_update(self.client, self.made, (), self.first)

    def inside(self, child: Id, nodes: Sequence[Json]) -> None:
        """Make what lies in a child that is there: an element of one node, or a text of text nodes."""
        if nodes[0].get("type") == "text":
            within = _Siblings(None, iter(()), text=child)
            for node in nodes:
                self._text(within, node)
        else:
            self._attributes(child, nodes[0])
            self.children(_Siblings(child, iter(nodes[0].get("content") or ())))

    def children(self, siblings: _Siblings) -> None:
        stack = [siblings]
        while stack:
            level = stack[-1]
            node = next(level.nodes, None)
            if node is None:
                stack.pop()
            elif node.get("type") == "text":
                if level.text is None:
                    level.text, level.end_of_text = self._child(level, _TEXT), None
                self._text(level, node)
            else:
                level.text = None
                element = self._child(level, _ELEMENT + encoded_text(str(node.get("type"))))
                self._attributes(element, node)
                stack.append(_Siblings(element, iter(node.get("content") or ())))

    def _child(self, level: _Siblings, content: bytes) -> Id:
        level.left = self._add(New(TYPE, content, 1, level.left, level.right, level.parent))
        return level.left

    def _attributes(self, element: Id, node: Json) -> None:
        for name, value in _attributes(node):
            self._add(New(ANYS, uint(1) + _encoded(value), 1, parent=element, key=name))

    def _text(self, level: _Siblings, node: Json) -> None:
        """Put a text behind what is in the text already, between the beginnings and ends of its formats."""
        value = str(node.get("text", ""))
        if not value:
            return
        formats = dict(map(formatting, node.get("marks") or ()))
        for name, given in formats.items():
            self._in_text(level, FORMAT, _format(name, given), 1)
        self._in_text(level, TEXT, encoded_text(value), len(value.encode("utf-16-le")) // 2)
        for name in reversed(formats):
            self._in_text(level, FORMAT, _format(name, None), 1)

    def _in_text(self, level: _Siblings, kind: int, content: bytes, length: int) -> None:
        client, clock = self._add(New(kind, content, length, level.end_of_text, parent=level.text))
        level.end_of_text = client, clock + length - 1

    def _add(self, new: New) -> Id:
        made = self.client, self.clock
        self.made.append(new)
        self.clock += new.length
        return made


def _format(name: str, value: Any) -> bytes:
    return encoded_text(name) + encoded_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def formatting(mark: Json) -> tuple[str, Any]:
    """The name and the value under which a mark is stored."""
    name, attrs = mark["type"], mark.get("attrs") or {}
    return f"{name}--{_fingerprint(name, attrs)}" if name in OVERLAPPING else name, attrs


def _fingerprint(name: str, attrs: Json) -> str:
    """The eight characters by which editors tell marks of one type on one text apart."""
    digest = bytearray(hashlib.sha256(_encoded({"type": name, "attrs": attrs} if attrs else {"type": name})).digest())
    for at in range(6, len(digest)):
        digest[at % 6] ^= digest[at]
    return base64.b64encode(digest[:6]).decode()


def _encoded(value: Any) -> bytes:
    """The value as lib0 writes it."""
    if value is None or isinstance(value, bool):
        return bytes([126 if value is None else 120 if value else 121])
    if isinstance(value, int) and abs(value) < 2**31:
        return b"\x7d" + _signed(value)
    if isinstance(value, int | float):
        return b"\x7b" + struct.pack(">d", value)
    if isinstance(value, str):
        return b"\x77" + _sized(value)
    if isinstance(value, dict):
        return b"\x76" + uint(len(value)) + b"".join(_sized(key) + _encoded(item) for key, item in value.items())
    return b"\x75" + uint(len(value)) + b"".join(_encoded(item) for item in value)


def _sized(text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    return uint(len(raw)) + raw


def _signed(value: int) -> bytes:
    size, sign = abs(value), 64 if value < 0 else 0
    if size < 64:
        return bytes([sign | size])
    return bytes([128 | sign | size & 63]) + uint(size >> 6)
