"""Keeps, in what an edit wants a document to be, the blocks that others changed since the edit's base.

A block in which others wrote is never deleted, retyped or moved: it stays in its place as what it is, and takes over the text
that the edit has for it; where the edit has none, its own text goes and the text of the others stays alone. A block of
which others only deleted or formatted something, or that they deleted, may be deleted, but is not retyped or moved either,
since what they deleted would be written again.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from documents.align import Pair
from documents.tree import Json, text_of
from documents.words import likeness, words

ALIKE: Final = 0.5  # how alike the texts of two blocks are, for one to be the other retyped or moved
MAX_LIKENED: Final = 2**12  # characters of a block by which it is found to be like another
MAX_COMPARED: Final = 2**14  # pairs of blocks that are compared

_TEXTS: Final = frozenset({"paragraph", "heading", "codeBlock", "detailsSummary"})
_LISTS: Final = {"bulletList": "listItem", "orderedList": "listItem", "taskList": "taskItem"}
_ITEMS: Final = frozenset(_LISTS.values())
# What can do without any one of its children; in all else each child has its part.
_LOOSE: Final = frozenset({*_LISTS, "blockquote", "detailsContent", "table"})
_BEGINS_WITH_TEXT: Final = frozenset({*_ITEMS, "tableCell", "tableHeader"})


class NotDone(StrEnum):
    """Reason why a block was left as it is: the part of an edit that others' changes forbid."""

    deleted = "deleted"
    retyped = "retyped"
    moved = "moved"


@dataclass(frozen=True, slots=True)
class Held:
    """Ids (of Python) of the nodes of a tree that others changed or deleted since, and of those in which they wrote."""

    changed: Collection[int] = ()
    wrote: Collection[int] = ()


@dataclass(slots=True)
class Hold:
    """`forced` says which node of the result is which node of the document, and `kept` what was not done to it.

    `changes_held`: the edit changes a text or an attribute of a node that others changed, too, or deletes it.
    """

    held: Held
    alignment: Callable[[Sequence[Json], Sequence[Json]], list[Pair]]
    forced: dict[int, int] = field(default_factory=dict)
    kept: dict[int, NotDone] = field(default_factory=dict)
    changes_held: bool = False
    _left: int = MAX_COMPARED

    def children(self, before: list[Json], after: list[Json]) -> list[Json]:
        """Return what the children `before` are to become, where the edit wants them to be `after`."""
        if not any(id(node) in self.held.changed for node in before):
            return after
        pairs = dict(self.alignment(before, after))
        taken = set(pairs.values())
        results: dict[int, list[Json]] = {at: [node] for at, node in enumerate(after)}
        behind = -1  # the place of `after` behind which what is held is put
        head: list[Json] = []
        for at, node in enumerate(before):
            place = pairs.get(at)
            if place is not None:
                results[place][0] = self._same(node, after[place])
                behind = place
            elif id(node) in self.held.changed:
                other = self._alike(node, after, taken)
                if other is not None:
                    taken.add(other)
                    moved = any(one < at and two > other for one, two in pairs.items()) or any(
                        one > at and two < other for one, two in pairs.items()
                    )
                    made = self._retyped(node, after[other], moved=moved)
                    results[other] = results[other][1:]
                elif id(node) in self.held.wrote:
                    made = self._emptied(node)
                    self.kept[id(node)] = NotDone.deleted
                else:
                    self.changes_held = True
                    continue
                (results[behind] if behind >= 0 else head).append(made)
        return [*head, *(node for place in range(len(after)) for node in results[place])]

    def _force(self, made: Json, node: Json) -> Json:
        self.forced[id(made)] = id(node)
        return made

    def _same(self, node: Json, wanted: Json) -> Json:
        if id(node) not in self.held.changed:
            return wanted
        attrs, content = wanted.get("attrs", {}), wanted.get("content", [])
        if attrs != node.get("attrs", {}) or (node["type"] in _TEXTS and content != node.get("content", [])):
            self.changes_held = True
        if node["type"] in _TEXTS and id(node) in self.held.wrote and attrs != node.get("attrs", {}):
            self.kept[id(node)] = NotDone.retyped
            attrs = node.get("attrs", {})
        return self._force(_node(node["type"], attrs, self._content(node, content)), node)

    def _content(self, node: Json, content: list[Json]) -> list[Json]:
        return content if node["type"] in _TEXTS else self.children(node.get("content", []), content)

    def _alike(self, node: Json, after: list[Json], taken: set[int]) -> int | None:
        """Return the place of the node that this one was to become, or to be moved to."""
        own = _bag(node)
        best, found = ALIKE, None
        for place, other in enumerate(after):
            if place in taken or not _is_of_a_kind(node, other) or self._left <= 0:
                continue
            self._left -= 1
            alike = likeness(own, _bag(other))
            if alike >= best and (alike > best or found is None):
                best, found = alike, place
        return found

    def _retyped(self, node: Json, wanted: Json, *, moved: bool) -> Json:
        same = wanted["type"] == node["type"] and wanted.get("attrs", {}) == node.get("attrs", {})
        self.kept[id(node)] = NotDone.moved if same or moved else NotDone.retyped
        content = wanted.get("content", [])
        if node["type"] == "codeBlock":
            text = text_of(wanted)
            content = [{"type": "text", "text": text}] if text else []
        elif node["type"] in _LISTS and wanted["type"] != node["type"]:
            content = [
                _node(_LISTS[node["type"]], _item_attrs(node, each), each.get("content", [])) for each in content
            ]
        return self._force(_node(node["type"], node.get("attrs", {}), self._content(node, content)), node)

    def _emptied(self, node: Json) -> Json:
        """Return the block without its text and without what in it can go."""
        if node["type"] in _TEXTS:
            return self._force(_node(node["type"], node.get("attrs", {}), []), node)
        content: list[Json] = []
        for at, child in enumerate(node.get("content", [])):
            needed = at == 0 and node["type"] in _BEGINS_WITH_TEXT
            loose = node["type"] in _LOOSE or node["type"] in _BEGINS_WITH_TEXT
            if child["type"] != "text" and (id(child) in self.held.wrote or needed or not loose):
                content.append(self._emptied(child))
        return self._force(_node(node["type"], node.get("attrs", {}), content), node)


def _node(kind: str, attrs: Json, content: list[Json]) -> Json:
    made: Json = {"type": kind}
    if attrs:
        made["attrs"] = attrs
    if content:
        made["content"] = content
    return made


def _item_attrs(node: Json, item: Json) -> Json:
    attrs: Json = item.get("attrs", {})
    return {"checked": bool(attrs.get("checked"))} if node["type"] == "taskList" else {}


def _is_of_a_kind(one: Json, other: Json) -> bool:
    kinds = {one["type"], other["type"]}
    return len(kinds) == 1 or any(kinds <= family for family in (_TEXTS - {"detailsSummary"}, {*_LISTS}, _ITEMS))


def _bag(node: Json) -> Counter[str]:
    return Counter(words(text_of(node, MAX_LIKENED)))
