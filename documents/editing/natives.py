"""Follows what becomes of the nodes and letters of a document's tree while updates are applied to it, by the library's own types."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pycrdt import Doc

from documents.editing.apply_tree import key
from documents.editing.concurrent_blocks import Held
from documents.editing.conflicts import NODE, Letters, Side, gone, letters_of, unchanged
from documents.tree.tree import Json, elements, walk
from documents.yjs.pycrdt_internals import NativeElement, NativeText, transaction_of

_NO_TEXT = -1  # in the place of the length of what is no text


@dataclass(frozen=True, slots=True)
class Child:
    """A child of an element, and its length in bytes of UTF-8 if it is a text."""

    native: Any
    length: int


class Natives:
    """The elements of a document and the nodes of its tree; none where anything else lies directly in it."""

    def __init__(self, doc: Doc[Any], tree: Json) -> None:
        self.root: Any = None
        self.native: dict[int, Any] = {}  # by the id of the node
        self.node: dict[Any, Json] = {}
        self.path: dict[Any, tuple[int, ...]] = {}
        self.children: dict[Any, list[Child]] = {}
        with doc.transaction() as transaction:
            within = transaction_of(transaction)
            found = elements(doc, within)
            if found:
                self.root = found.root
                self._add(found.elements, tree, within)

    def _add(self, roots: Sequence[Any], tree: Json, within: Any) -> None:
        self.native[id(tree)], self.node[self.root], self.path[self.root] = self.root, tree, ()
        waiting: list[tuple[Any, Json, Sequence[Any]]] = [(self.root, tree, roots)]
        while waiting:
            above, parent, natives = waiting.pop()
            self.children[above] = [Child(each, each.len(within) if _is_text(each) else _NO_TEXT) for each in natives]
            nodes = [(at, node) for at, node in enumerate(parent.get("content", ())) if node["type"] != "text"]
            found = [each for each in natives if type(each) is NativeElement]
            if len(found) != len(nodes):  # something else lies between the elements
                continue
            for native, (at, node) in zip(found, nodes, strict=True):
                self.native[id(node)], self.node[native] = native, node
                self.path[native] = (*self.path[above], at)
                waiting.append((native, node, native.children(within)))


@dataclass(slots=True)
class Heard:
    """What happened in a document: the elements that were `touched`, in which of these text or a node came, and which went.

    `above` are the touched elements with all around them. `deltas` are those of texts, by their types.
    """

    natives: Natives
    touched: set[Any] = field(default_factory=set)
    above: set[Any] = field(default_factory=set)
    wrote: set[Any] = field(default_factory=set)
    deleted: set[Any] = field(default_factory=set)
    deltas: dict[Any, list[Mapping[str, Any]]] = field(default_factory=dict)

    @contextmanager
    def listening(self) -> Iterator[None]:
        watch = self.natives.root.observe_deep(self._hear) if self.natives.root is not None else None
        try:
            yield
        finally:
            if watch:
                watch.drop()

    def _hear(self, events: list[Any]) -> None:
        known = self.natives.node
        for event in events:
            target, delta = event.target, event.delta
            held = [above for above in _upwards(target) if above in known]
            self.touched.update(held[:1])
            self.above.update(held)
            if any("insert" in step for step in delta):
                self.wrote.update(held)
            if _is_text(target):
                self.deltas[target] = delta
            elif target in known:
                self.deleted.update(_deleted(self.natives.children[target], delta))


def read_again(doc: Doc[Any], heard: Sequence[Heard]) -> Json:
    """Return the tree of a document; of the elements in which nothing happened, the nodes that they had before."""
    natives = heard[0].natives
    touched = set[Any]().union(*(each.above for each in heard))
    with doc.transaction() as transaction:
        found = elements(doc, transaction_of(transaction))
        if found and found.root == natives.root:
            known = natives.node
            content = [
                known[each] if each in known and each not in touched else found.node(each) for each in found.elements
            ]
            if all(node["type"] != "text" for node in content):
                return {"type": "doc", "content": content}
    return walk(doc).tree


def _is_text(native: Any) -> bool:
    return type(native) is NativeText


def _upwards(native: Any) -> Iterator[Any]:
    while hasattr(native, "parent"):
        yield native
        native = native.parent()


def _deleted(children: Sequence[Child], delta: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
    """Yield those of the children of an element that went with a change of it."""
    at = 0
    for step in delta:
        stop = at + step.get("retain", 0) + step.get("delete", 0)
        if "delete" in step:
            yield from (child.native for child in children[at:stop])
        at = stop


class Became:
    """What one side made of a document: `after` are its nodes now, by the types that they had before."""

    def __init__(self, heard: Heard, doc: Doc[Any], tree: Json) -> None:
        self._before, self._heard, self.tree = heard.natives, heard, tree
        self._doc = doc

    @cached_property
    def after(self) -> Natives:
        """The nodes as they are when this is asked for first, which is to be before the document changes again."""
        return Natives(self._doc, self.tree)

    def is_apart(self, other: "Became") -> bool:
        """Whether this side deleted no node, and changed none that the other one changed or deleted."""
        mine, gone = self.touched_paths(), other.deleted_paths()
        return (
            not self._heard.deleted
            and mine.isdisjoint(other.touched_paths())
            and not any(path[:end] in gone for path in mine for end in range(len(path) + 1))
        )

    def touched_paths(self) -> set[tuple[int, ...]]:
        """Return the paths in the base of the nodes that the side changed."""
        return {self._before.path[native] for native in self._heard.touched}

    def deleted_paths(self) -> set[tuple[int, ...]]:
        return {path for native in self._heard.deleted if (path := self._before.path.get(native)) is not None}

    def held(self) -> Held:
        """Return the nodes of the base that the side changed or deleted, and those in which it wrote."""
        known = self._before.node
        changed = {id(known[native]) for native in self._heard.above}
        deleted = {id(known[native]) for native in self._heard.deleted if native in known}
        for node in known.values():  # from the top down
            if id(node) in deleted:
                deleted.update(map(id, node.get("content", ())))
        return Held(changed | deleted, {id(known[native]) for native in self._heard.wrote})

    def wrote(self, node: Json) -> bool:
        return self._before.native.get(id(node)) in self._heard.wrote

    def touches(self, node: Json) -> bool:
        """Whether the side changed a node itself, or what lies directly in it, or deleted it."""
        native = self._before.native.get(id(node))
        return native is not None and (native in self._heard.touched or native not in self.after.node)

    def deleted_in(self, node: Json) -> bool:
        """Whether the side deleted a text or something in it."""
        if not self.touches(node):
            return False
        side = self.side(node)
        return side is None or len({*side.kept} - {-1}) < len(letters_of(node.get("content", ())).chars)

    @cached_property
    def written(self) -> frozenset[bytes]:
        """The keys of the nodes that the side wrote; those that it moved or retyped are among them."""
        return frozenset(key(node) for native, node in self.after.node.items() if native not in self._before.node)

    def touched(self) -> list[Json]:
        """Return the nodes of the base that the side changed, in the order of the document."""
        known = self._before
        return [known.node[native] for native in sorted(self._heard.touched, key=known.path.__getitem__)]

    def node(self, node: Json) -> Json | None:
        """Return what a node of the base became, None where it is gone."""
        native = self._before.native.get(id(node))
        return None if native is None else self.after.node.get(native)

    def path(self, node: Json) -> tuple[int, ...] | None:
        native = self._before.native.get(id(node))
        return None if native is None else self.after.path.get(native)

    def was(self, node: Json) -> Json | None:
        """Return the node of the base that became this one, None where it is new."""
        native = self.after.native.get(id(node))
        return None if native is None else self._before.node.get(native)

    def side(self, node: Json) -> Side | None:
        """Return what the side made of the letters of a text; None where they cannot be counted."""
        native = self._before.native[id(node)]
        made = self.after.node.get(native)
        letters = letters_of(node.get("content", ()))
        if made is None:
            return gone()
        if native not in self._heard.touched:
            return unchanged(letters)
        return _aligned(
            (letters, self._before.children.get(native, ())),
            (letters_of(made.get("content", ())), self.after.children.get(native, ())),
            self._heard.deltas,
        )


type _Text = tuple[Letters, Sequence[Child]]


def _aligned(before: _Text, after: _Text, deltas: Mapping[Any, Sequence[Mapping[str, Any]]]) -> Side | None:
    olds, news = _places(*before), _places(*after)
    if olds is None or news is None:
        return None
    kept, gaps = [-1] * len(after[0].chars), [0] * len(after[0].chars)
    end = 0  # of the last text or node of the base that is still there
    for native, span in news.items():
        old = olds.get(native)
        if old is None:
            for place in span:
                gaps[place] = end
        elif not _align(deltas.get(native, ()), (before[0].chars, old), (after[0].chars, span), kept, gaps):
            return None
        else:
            end = old.stop
    return Side(after[0], kept, gaps)


def _places(letters: Letters, children: Sequence[Child]) -> dict[Any, range] | None:
    """Return where each child stands among the letters; None where they are not what the library counts."""
    found: dict[Any, range] = {}
    at = 0
    for child in children:
        stop = at + 1 if child.length == _NO_TEXT else _behind(letters.chars, at, child.length)
        if (
            stop is None
            or stop > len(letters.chars)
            or (child.length == _NO_TEXT) != (letters.chars[at:stop] == NODE and at in letters.nodes)
        ):
            return None
        found[child.native] = range(at, stop)
        at = stop
    return found if at == len(letters.chars) else None


def _behind(chars: str, at: int, size: int) -> int | None:
    """Return the place that many bytes of UTF-8 behind another; None where a character goes over it."""
    while size > 0 and at < len(chars):
        size -= len(chars[at].encode("utf-8", "surrogatepass"))
        at += 1
    return at if size == 0 else None


def _align(
    delta: Sequence[Mapping[str, Any]],
    before: tuple[str, range],
    after: tuple[str, range],
    kept: list[int],
    gaps: list[int],
) -> bool:
    (chars, old), (others, new) = before, after
    at, place = old.start, new.start
    for step in delta:
        if "insert" in step:
            if not isinstance(step["insert"], str):
                return False
            for each in range(place, place + len(step["insert"])):
                gaps[each] = at
            place += len(step["insert"])
            continue
        stop = _behind(chars, at, step.get("retain", 0) + step.get("delete", 0))
        if stop is None:
            return False
        if "retain" in step:
            for each in range(at, stop):
                kept[place], gaps[place] = each, each
                place += 1
        at = stop
    for each in range(at, old.stop):
        if place >= len(kept):
            return False
        kept[place], gaps[place] = each, each
        place += 1
    return place == new.stop and all(others[each] == chars[kept[each]] for each in new if kept[each] >= 0)
