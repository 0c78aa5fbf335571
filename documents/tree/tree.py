"""Projects a document into a ProseMirror tree.

The tree is the stored one: unknown nodes, attributes and marks stay, defaults are not filled in, nulls are dropped.
Equal states give equal trees, so keys are sorted and marks stand in the schema's order. The walk is one transaction,
hence one snapshot, and keeps its own stack: no depth and no content makes it raise.

It calls the library's compiled classes directly, four times faster than its public wrappers; `walk_public` is the same
walk through the wrappers, and the tests compare the two.

Values that are not nodes, such as a map or a number that a hostile client put into a root, are omitted. The library
lists the children of a fragment up to the first such value; read as a text, the same root gives all of its content.
Inside an element there is no such view: siblings behind a value that is not a node are not read.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from pycrdt import Doc, Text, XmlElement, XmlFragment, XmlText

from documents.tree.schema import MARK_RANK
from documents.yjs import pycrdt_internals
from documents.yjs.lib0 import MAX_VALUE_DEPTH
from documents.yjs.pycrdt_internals import NativeElement, NativeFragment, NativeText
from documents.yjs.scan import MAX_TREE_DEPTH

type Json = dict[str, Any]

SPACES: Final = " \t\n"  # what CommonMark strips from the edges of a text

ROOTS: Final = ("default", "prosemirror")
TOO_DEEP: Final = "[nested too deep to show]"

_HASHED = re.compile(r"(.*)--[a-zA-Z0-9+/=]{8}", re.DOTALL)
_NEWLINE = re.compile(r"\r\n?")
_EXACT = 2**53


@dataclass(frozen=True, slots=True)
class Walked:
    tree: Json
    cut: bool  # something lay deeper than MAX_TREE_DEPTH
    root: str | None = None  # whose content it is


@dataclass(frozen=True, slots=True)
class _Access:
    """The accessors of one flavour of the library's classes."""

    element: type
    fragment: type
    text: type
    children: Callable[[Any], Iterable[Any]]
    attributes: Callable[[Any], Iterable[tuple[str, Any]]]
    runs: Callable[[Any], Iterable[Any]]
    tag: Callable[[Any], str | None]
    size: Callable[[Any], int]
    in_root: Callable[[str], Iterable[tuple[Any, Any]]]


def _natively(doc: Doc[Any], txn: Any) -> _Access:
    return _Access(
        NativeElement,
        NativeFragment,
        NativeText,
        lambda node: node.children(txn),
        lambda node: node.attributes(txn),
        lambda node: node.diff(txn),
        lambda node: node.tag(),
        lambda node: node.len(txn),
        lambda name: pycrdt_internals.native(doc.get(name, type=Text)).diff(txn),
    )


def _publicly(doc: Doc[Any]) -> _Access:
    return _Access(
        XmlElement,
        XmlFragment,
        XmlText,
        lambda node: node.children,
        lambda node: node.attributes,
        lambda node: node.diff(),
        lambda node: node.tag,
        lambda node: len(node.children),
        lambda name: doc.get(name, type=Text).diff(),
    )


def _access(doc: Doc[Any], transaction: Any) -> tuple[_Access, list[tuple[str, Any]]]:
    """Return how the types of a document are read within its transaction, and its roots."""
    txn, roots = pycrdt_internals.transaction_of(transaction), _roots(doc)
    if txn is None:
        return _publicly(doc), roots
    return _natively(doc, txn), [(name, pycrdt_internals.native(root)) for name, root in roots]


def walk(doc: Doc[Any]) -> Walked:
    with doc.transaction() as transaction:
        access, roots = _access(doc, transaction)
        return _walk(roots, access)


def walk_public(doc: Doc[Any]) -> Walked:
    with doc.transaction():
        return _walk(_roots(doc), _publicly(doc))


@dataclass(frozen=True, slots=True)
class Elements:
    """A document that is elements one after the other, each of which is one node of the tree; within a transaction."""

    root: NativeFragment
    elements: list[NativeElement]
    _access: _Access

    def node(self, element: NativeElement) -> Json:
        content: list[Json] = []
        _fill(content, (element,), self._access)
        return content[0]


def elements(doc: Doc[Any], txn: Any) -> Elements | None:
    """Return the elements that the tree is made of; none where it is empty or anything else lies directly in it."""
    for _, root in _roots(doc):
        fragment = pycrdt_internals.native(root)
        size = fragment.len(txn)
        if size:
            children = fragment.children(txn)
            only = len(children) == size and set(map(type, children)) == {NativeElement}
            return Elements(fragment, children, _natively(doc, txn)) if only else None
    return None


def hides(doc: Doc[Any], name: str) -> bool:
    """Whether the library, when it lists the children of a root, leaves out nodes that are read here."""
    with doc.transaction():
        root = doc.get(name, type=XmlFragment)
        listed = len(list(root.children))
        return listed < len(root.children) and listed < len(_nodes(name, root, _publicly(doc)))


def tree(doc: Doc[Any]) -> Json:
    return walk(doc).tree


def too_deep(doc: Doc[Any]) -> bool:
    return walk(doc).cut


def depth(doc: Doc[Any]) -> int:
    """Return the greatest nesting depth of types, a root at 1; more than allowed where any lies deeper than that."""
    with doc.transaction() as transaction:
        access, roots = _access(doc, transaction)
        level = [node for name, root in roots for node in _nodes(name, root, access)]
        deepest = 1
        while level and deepest <= MAX_TREE_DEPTH:
            level = [below for node in level for below in _types_in(node, access)]
            deepest += 1
        return deepest


def _types_in(node: Any, access: _Access) -> Iterable[Any]:
    if isinstance(node, access.text):
        return [run for run, _ in access.runs(node) if isinstance(run, (access.element, access.fragment, access.text))]
    return access.children(node)


def touched(doc: Doc[Any], act: Callable[[], None]) -> list[int]:
    """Return how deep in the document each shared type lies that `act` changes and that was there before; a root at 0."""
    depths: list[int] = []
    roots = [root for _, root in _roots(doc)]

    def hear(events: list[Any]) -> None:
        depths.extend([len(event.path) for event in events])

    watches = [root.observe_deep(hear) for root in roots]
    try:
        act()
    finally:
        for root, watch in zip(roots, watches, strict=True):
            root.unobserve(watch)
    return depths


def _roots(doc: Doc[Any]) -> list[tuple[str, XmlFragment]]:
    stored = set(doc.keys())
    return [(name, doc.get(name, type=XmlFragment)) for name in ROOTS if name in stored]


def _nodes(name: str, root: Any, access: _Access) -> list[Any]:
    children = list(access.children(root))
    if len(children) == access.size(root):
        return children
    return [
        each for each, _ in access.in_root(name) if isinstance(each, (access.element, access.fragment, access.text))
    ]


def _walk(roots: Iterable[tuple[str, Any]], access: _Access) -> Walked:
    for name, root in roots:
        content: list[Json] = []
        cut = _fill(content, _nodes(name, root, access), access)
        if content:
            return Walked({"type": "doc", "content": wrapped(content)}, cut, name)
    return Walked({"type": "doc", "content": []}, cut=False)


def _fill(content: list[Json], children: Iterable[Any], access: _Access) -> bool:
    """Append the nodes for these children, with all below them; true when something was cut for its depth."""
    cut = False
    node: Json = {}
    stack: list[tuple[Iterator[Any], list[Json], Json]] = [(iter(children), content, node)]
    while stack:
        items, into, node = stack[-1]
        item = next(items, None)
        if item is None:
            stack.pop()
            if into and into is not content:
                node["content"] = into
        elif type(item) is tuple and type(item[0]) is str:
            append_text(into, item[0], marks_of(item[1]) if item[1] else [])
        elif len(stack) > MAX_TREE_DEPTH:
            cut = True
            append_text(into, TOO_DEEP, [])
        else:
            _open(stack, item[0] if type(item) is tuple else item, access)
    return cut


def _open(stack: list[tuple[Iterator[Any], list[Json], Json]], item: Any, access: _Access) -> None:
    _, into, node = stack[-1]
    if isinstance(item, access.element):
        node = {"type": access.tag(item) or ""}
        attrs = _attrs(access.attributes(item))
        if attrs:
            node["attrs"] = attrs
        into.append(node)
        stack.append((iter(access.children(item)), [], node))
    elif isinstance(item, access.text):
        stack.append((iter(access.runs(item)), into, node))
    elif isinstance(item, access.fragment):
        stack.append((iter(access.children(item)), into, node))
    else:
        value = plain(item)
        into.append({"type": "unknownEmbed"} if value is None else {"type": "unknownEmbed", "attrs": {"value": value}})


def append_text(into: list[Json], text: str, marks: list[Json]) -> None:
    if not text:
        return
    last = into[-1] if into else None
    if last is not None and last["type"] == "text" and "text" in last and last.get("marks", []) == marks:
        last["text"] += text
    else:
        into.append({"type": "text", "marks": marks, "text": text} if marks else {"type": "text", "text": text})


def wrapped(content: list[Json]) -> list[Json]:
    """A document holds blocks: text lying directly in it gets a paragraph around it."""
    blocks: list[Json] = []
    loose: list[Json] | None = None
    for node in content:
        if node["type"] != "text":
            blocks.append(node)
            loose = None
        elif loose is None:
            loose = [node]
            blocks.append({"type": "paragraph", "content": loose})
        else:
            loose.append(node)
    return blocks


def _attrs(pairs: Iterable[tuple[str, Any]]) -> Json:
    return {name: kept for name, value in sorted(pairs) if (kept := plain(value)) is not None} if pairs else {}


def marks_of(attributes: Json) -> list[Json]:
    marks = []
    for key, value in attributes.items():
        hashed = _HASHED.fullmatch(key)
        name = hashed[1] if hashed else key
        if value is None or name == "ychange":
            continue
        mark: Json = {"type": name}
        if isinstance(value, dict):
            attrs: Any = _attrs(value.items())
        else:
            attrs = None if value is True else plain(value)
        if attrs:
            mark["attrs"] = attrs
        marks.append(mark)
    if len(marks) > 1:
        marks.sort(key=mark_order)
    return marks


def mark_order(mark: Json) -> tuple[int, str, str]:
    return MARK_RANK.get(mark["type"], len(MARK_RANK)), mark["type"], json.dumps(mark.get("attrs", {}), sort_keys=True)


def plain(value: Any, left: int = MAX_VALUE_DEPTH) -> Any:
    """The value as JSON can say it: whole numbers are integers, keys are sorted, and what JSON cannot say is null."""
    kind = type(value)
    if kind is str or kind is bool or kind is int:
        return value
    if kind is float:
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() and abs(value) <= _EXACT else value
    if kind is list and left:
        return [plain(item, left - 1) for item in value]
    if kind is dict and left:
        return {str(key): plain(value[key], left - 1) for key in sorted(value)}
    return None


def text_of(node: Json, most: int | None = None) -> str:
    """All the text within, breaks as newlines; at most so many characters from its beginning."""
    found: list[str] = []
    left = math.inf if most is None else most
    waiting: list[Any] = [node]
    while waiting and left > 0:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        if node.get("type") == "hardBreak":
            found.append("\n")
            left -= 1
        elif isinstance(text := node.get("text"), str):
            found.append(text)
            left -= len(text)
        content = node.get("content")
        waiting += content[::-1] if isinstance(content, list) else []
    return _NEWLINE.sub("\n", "".join(found)[:most]).replace("\0", "\ufffd")


def nodes_of(tree: Json) -> Iterator[Json]:
    """Yield a node and all below it, in the order of the document."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.get("content") or ())


def shaped(tree: Json) -> Json:
    """Any ProseMirror tree in the form in which this module reads one."""
    into: list[Json] = []
    stack: list[tuple[Iterator[Json], list[Json], Json]] = [(iter([tree]), into, {})]
    while stack:
        nodes, content, parent = stack[-1]
        node = next(nodes, None)
        if node is None:
            stack.pop()
            if content and stack:
                parent["content"] = content
        elif node["type"] == "text":
            marks = [_shaped_mark(mark) for mark in node.get("marks") or ()]
            append_text(content, node["text"], sorted(marks, key=mark_order))
        else:
            made: Json = {"type": node["type"]}
            if attrs := _attrs((node.get("attrs") or {}).items()):
                made["attrs"] = attrs
            content.append(made)
            stack.append((iter(node.get("content") or ()), [], made))
    into[0].setdefault("content", [])
    return into[0]


def _shaped_mark(mark: Json) -> Json:
    attrs = plain(mark.get("attrs"))
    attrs = _attrs(attrs.items()) if isinstance(attrs, dict) else attrs
    return {"type": mark["type"], "attrs": attrs} if attrs else {"type": mark["type"]}


def root(doc: Doc[Any]) -> XmlFragment:
    """The root that is read, or the one to write to where nothing is there yet."""
    found: XmlFragment = doc.get(root_name(doc), type=XmlFragment)
    return found


def root_name(doc: Doc[Any]) -> str:
    stored = set(doc.keys())
    found = [name for name in ROOTS if name in stored]
    filled = (name for name in found if len(doc.get(name, type=XmlFragment).children))
    return next(filled, found[0] if found else ROOTS[0])
