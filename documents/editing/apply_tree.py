"""Changes a document in use into another tree by the least edit, so that concurrent edits survive.

Equal nodes are not touched. A changed element keeps its identity and gets other attributes and children; a changed
text is edited in place. Children change from the last to the first, so that no index that is still needed moves.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import msgspec
from pycrdt import Doc, Text, XmlElement, XmlFragment, XmlText

from documents.editing.apply_text import apply_text, readable, string_of
from documents.editing.concurrent_blocks import Held, Hold, LeftBlock
from documents.editing.sequence_alignment import Pair, aligned
from documents.editing.text_diff import SAME_TYPE, bag, kept_spans, likeness, words_of_text
from documents.tree.build import Parent, place
from documents.tree.tree import Json, Walked, hides, nodes_of, root, root_name, shaped, tree, walk
from documents.yjs.scan import MAX_TREE_DEPTH, Refused
from documents.yjs.snapshot import encode_state, guarded, load


@dataclass(frozen=True, slots=True)
class Damaged(Refused):
    """The document may be half changed: drop it."""


@dataclass(frozen=True, slots=True)
class Changed:
    """The update of the change, and the tree of the document after it.

    Where it `deletes_nodes`, what others write into these meanwhile goes with them. `kept` are the nodes of the tree that was
    there to which something was not done, in its order.
    """

    update: bytes
    tree: Json
    deletes_nodes: bool
    kept: Sequence[LeftBlock] = ()


def apply_tree(doc: Doc[Any], target: Json) -> bytes | Refused:
    """Make the document this tree, in one transaction, and return the update that did it; empty where none is needed.

    After a plain refusal the document is as it was.
    """
    made = apply_tree_around(doc, walk(doc), target)
    return made if isinstance(made, Refused) else made.update


def apply_tree_around(
    doc: Doc[Any],
    now: Walked,
    target: Json,
    held: Held | None = None,
    *,
    known_sound: bool = False,
    read: Callable[[Doc[Any]], Json] = tree,
) -> Changed | Refused:
    """As `change`, of a document that says `now`, but leave the nodes that are `held` where and what they are.

    `known_sound` is a document in which nobody can have deleted half of a character; `read` reads it after the change.
    """
    wanted = _shaped(target, now.tree)
    hold = Hold(held or Held(), _alignment)
    if now.cut or deeper_than(wanted, MAX_TREE_DEPTH):
        return Refused(f"the document would be nested deeper than {MAX_TREE_DEPTH}")
    try:
        if key(now.tree) == key(wanted):
            return Changed(b"", now.tree, False)
        if held:
            wanted = {**wanted, "content": hold.content(now.tree["content"], wanted["content"])}
    except UnicodeEncodeError:
        return Refused("a text holds half a character")
    made = change_to(doc, now, wanted, hold.forced, known_sound=known_sound, read=read)
    kept = [hold.kept[id(node)] for node in nodes_of(now.tree) if id(node) in hold.kept] if hold.kept else ()
    return made if isinstance(made, Refused) else replace(made, kept=kept)


def change_to(
    doc: Doc[Any],
    now: Walked,
    wanted: Json,
    forced: Mapping[int, int],
    *,
    known_sound: bool = False,
    read: Callable[[Doc[Any]], Json] = tree,
) -> Changed | Damaged:
    """As `apply_tree_around`, to a tree whose nodes were shaped and held before; `forced` as in `Hold`."""
    sound = known_sound or guarded(lambda: _sound(doc, now)) is True
    how = _How(sound, forced, frozenset(forced.values()))
    made: list[bytes] = []

    def act() -> None:
        subscription = doc.observe(lambda event: made.append(event.update))
        try:
            with doc.transaction():
                _whole(doc, now.tree["content"], wanted["content"], how)
        finally:
            doc.unobserve(subscription)

    done = guarded(act)
    if isinstance(done, Refused):
        return Damaged(done.reason)
    if read(doc) != wanted:
        return Damaged("the edit made another document than was asked for")
    return Changed(made[0] if made else b"", wanted, bool(how.deleted))


def _shaped(target: Json, now: Json) -> Json:
    """As `shaped`, but leave the nodes that the document has as they are, since they were read from it."""
    there = set(map(id, now["content"]))
    content: list[Json] = []
    for stays, nodes in groupby(target.get("content") or (), lambda node: id(node) in there):
        run = [*nodes]
        content += run if stays else shaped({"type": "doc", "content": run})["content"]
    return {**shaped({**target, "content": []}), "content": content}


@dataclass(frozen=True, slots=True)
class _How:
    """Whether places in texts can be trusted, and which wanted nodes are which nodes of the document.

    `deleted` counts the nodes of each run that was deleted.
    """

    sound: bool
    forced: Mapping[int, int] = field(default_factory=dict)
    held: frozenset[int] = frozenset()
    deleted: list[int] = field(default_factory=list)

    def key_before(self, node: Json) -> bytes | str:
        return f"held {id(node)}" if id(node) in self.held else key(node)

    def key_after(self, node: Json) -> bytes | str:
        forced = self.forced.get(id(node))
        return key(node) if forced is None else f"held {forced}"

    def delete(self, parent: Parent, low: int, high: int) -> None:
        if low < high:
            del parent.children[low:high]
            self.deleted.append(high - low)


def _sound(doc: Doc[Any], now: Walked) -> bool:
    """Whether places in texts mean here what they mean to others.

    Where an editor deleted half of an emoji the library counts one too few from there on. It shows in how it encodes
    the document. Texts are then replaced and not edited: of those that change, what others type meanwhile is lost.
    """
    again = load(encode_state(doc))
    return not isinstance(again, Refused) and walk(again) == now


def _whole(doc: Doc[Any], before: list[Json], after: list[Json], how: _How) -> None:
    name = root_name(doc)
    if hides(doc, name):
        _clear(doc, name)
        how.deleted.append(len(before))
        place(root(doc), 0, after)
    else:
        _level(root(doc), before, after, how, at_root=True)


def _clear(doc: Doc[Any], name: str) -> None:
    """Delete all that lies in a root where values that are no nodes stand between the nodes.

    No place behind such a value can be named: the library counts the characters of a stray string in two ways, and
    its XML types may then look for a place without end. A text deletes strings well and passes over other values.
    """
    text, fragment = doc.get(name, type=Text), doc.get(name, type=XmlFragment)
    del text[: sum(len(each.encode()) if isinstance(each, str) else 1 for each, _ in text.diff())]
    del fragment.children[: len(fragment.children)]


def deeper_than(tree: Json, most: int) -> bool:
    level = [tree]
    for _ in range(most + 1):
        level = [child for node in level for child in node.get("content", ())]
    return bool(level)


def key(node: Json) -> bytes:
    """Equal for equal nodes; `1` and `true` are not equal."""
    return msgspec.json.encode(node)


@dataclass(slots=True)
class _Item:
    """One word of a text (node None), or one node; an element, or (element None) text lying among blocks."""

    key: bytes | str
    low: int  # of the children it is made of
    high: int
    node: Json | None = None
    element: XmlElement | None = None
    bag: Counter[str] | None = None

    def like(self, other: "_Item") -> float:
        if self.node is None or other.node is None or self.node["type"] != other.node["type"]:
            return 0
        return SAME_TYPE + likeness(self.words(), other.words())

    def words(self) -> Counter[str]:
        if self.bag is None:
            self.bag = bag(self.node or {})
        return self.bag


def _level(parent: Parent, before: list[Json], after: list[Json], how: _How, *, at_root: bool = False) -> None:
    children = list(parent.children)
    old = _blocks(children, before, how) if at_root else _items(children, before, how)
    if old is None:  # embedded values, or text the library miscounts: no place in it can be trusted
        how.delete(parent, 0, len(children))
        place(parent, 0, after)
        return
    new = [item for at, node in enumerate(after) for item in _wanted(at, node, how)]
    keys, others = [item.key for item in old], [item.key for item in new]
    pairs = aligned(keys, others, lambda one, other: old[one].like(new[other]) if old[one].element else 0)
    high, stop = len(children), len(after)
    for item, other in [(old[one], new[two]) for one, two in reversed(pairs) if old[one].node is not None]:
        _between(parent, children[item.high : high], item.high, after[other.high : stop], how, at_root=at_root)
        is_changed = item.key != other.key or isinstance(item.key, str)
        if is_changed and item.element and item.node and other.node:
            _element(item.element, item.node, other.node, how)
        high, stop = item.low, other.low
    _between(parent, children[:high], 0, after[:stop], how, at_root=at_root)


def _alignment(before: Sequence[Json], after: Sequence[Json]) -> list[Pair]:
    """Return which nodes become which, as `_level` finds it; texts are none."""
    olds, news = (
        [item for at, node in enumerate(nodes) for item in _wanted(at, node, _How(sound=True))]
        for nodes in (before, after)
    )
    pairs = aligned(
        [item.key for item in olds], [item.key for item in news], lambda one, other: olds[one].like(news[other])
    )
    return [(olds[one].low, news[two].low) for one, two in pairs if olds[one].node is not None]


def _wanted(at: int, node: Json, how: _How) -> list[_Item]:
    if node["type"] == "text":
        return [_Item(word, at, at + 1) for word in words_of_text(node["text"])]
    return [_Item(how.key_after(node), at, at + 1, node)]


def _items(children: list[Any], before: list[Json], how: _How) -> list[_Item] | None:
    nodes = iter([node for node in before if node["type"] != "text"])
    items: list[_Item] = []
    for at, child in enumerate(children):
        if isinstance(child, XmlElement):
            node = next(nodes)
            items.append(_Item(how.key_before(node), at, at + 1, node, child))
        elif how.sound and isinstance(child, XmlText) and readable(child):
            items += [_Item(word, at, at + 1) for word in words_of_text(string_of(child))]
        else:
            return None
    return items


def _blocks(children: list[Any], before: list[Json], how: _How) -> list[_Item] | None:
    """As `_items`, for the root, where texts are read as paragraphs: they stay while they are equal."""
    nodes = iter(before)
    items: list[_Item] = []
    loose = False
    for at, child in enumerate(children):
        if isinstance(child, XmlElement):
            node = next(nodes)
            items.append(_Item(how.key_before(node), at, at + 1, node, child))
            loose = False
        elif not isinstance(child, XmlText) or not readable(child):
            return None
        elif loose:
            items[-1].high = at + 1
        elif string_of(child):
            node = next(nodes)
            items.append(_Item(key(node), at, at + 1, node))
            loose = True
    return items


def _element(element: XmlElement, before: Json, after: Json, how: _How) -> None:
    old, new = before.get("attrs", {}), after.get("attrs", {})
    for name in sorted({*old, *new}):
        if name not in new:
            del element.attributes[name]
        elif name not in old or key(old[name]) != key(new[name]):
            element.attributes[name] = new[name]
    old, new = before.get("content", []), after.get("content", [])
    if key(old) != key(new):
        _level(element, old, new, how)


def _between(parent: Parent, children: list[Any], low: int, nodes: list[Json], how: _How, *, at_root: bool) -> None:
    """Replace these children, none of which stays as an element, by these nodes. Texts stay, and are edited."""
    texts = [child for child in children if isinstance(child, XmlText)]
    if not nodes and len(texts) == len(children) and not any(map(len, texts)):
        return
    if at_root or not texts:
        how.delete(parent, low, low + len(children))
        place(parent, low, nodes)
        return
    for at in range(len(children) - 1, -1, -1):
        if not isinstance(children[at], XmlText):
            how.delete(parent, low + at, low + at + 1)
    stretches: list[list[Json]] = [[]]
    elements = []
    for node in nodes:
        if node["type"] == "text":
            stretches[-1].append(node)
        else:
            elements.append(node)
            stretches.append([])
    owners = _owners(texts, stretches)
    for number in range(len(stretches) - 1, -1, -1):
        start, stop = bisect_left(owners, number), bisect_right(owners, number)
        if start < stop:
            apply_text(texts[start:stop], stretches[number])
        else:
            place(parent, low + start, stretches[number])
        if number:
            place(parent, low + start, [elements[number - 1]])


def _owners(texts: Sequence[XmlText], stretches: list[list[Json]]) -> list[int]:
    """For each text, which stretch it goes on to hold: the one that keeps the most of it."""
    if len(stretches) == 1:
        return [0] * len(texts)
    old = [at for at, text in enumerate(texts) for _ in string_of(text)]
    new = [at for at, stretch in enumerate(stretches) for node in stretch for _ in node["text"]]
    both = Counter(
        (old[at + step], new[there + step])
        for at, there, length in kept_spans(
            "".join(map(string_of, texts)), "".join(node["text"] for stretch in stretches for node in stretch)
        )
        for step in range(length)
    )
    shared: list[list[tuple[int, int]]] = [[] for _ in texts]
    for (at, number), count in both.items():
        shared[at].append((count, -number))
    owners: list[int] = []
    for each in shared:
        least = owners[-1] if owners else 0
        owners.append(-max((one for one in each if -one[1] >= least), default=(0, -least))[1])
    return owners
