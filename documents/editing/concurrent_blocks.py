"""Keeps, in what an edit wants a document to be, the blocks that others changed since the edit's base.

A block in which others wrote is never deleted, retyped or moved: it stays in its place as what it is, and takes over the text
that the edit has for it; where the edit has none, it stays as it is. A block of
which others only deleted or formatted something, or that they deleted, may be deleted, but is not retyped or moved either,
since what they deleted would be written again.

To wrap a block, as in a list, or to unwrap it is to move its texts. Each text that others changed and that the edit does not
leave in its place claims the text most like it among those that the edit writes anew, wherever that is; it takes it over,
and what then holds nothing is not made.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from documents.editing.sequence_alignment import Pair
from documents.editing.text_diff import MAX_LIKENED, counted, likeness
from documents.tree.tree import Json, text_of

ALIKE: Final = 0.5  # how alike the texts of two blocks are, for one to be the other retyped or moved
MAX_COMPARED: Final = 2**14  # pairs of blocks that are compared

TEXTS: Final = frozenset({"paragraph", "heading", "codeBlock", "detailsSummary"})
_PLAIN: Final = frozenset({"codeBlock", "detailsSummary"})  # texts without marks and nodes
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


@dataclass(frozen=True, slots=True)
class LeftBlock:
    """Node of the document to which something was not done; `wanted` is what it was to become, None where it was to go."""

    node: Json
    not_done: NotDone
    wanted: Json | None


@dataclass(slots=True)
class Hold:
    """`forced` says which node of the result is which node of the document, and `kept` what was not done to it."""

    held: Held
    alignment: Callable[[Sequence[Json], Sequence[Json]], list[Pair]]
    forced: dict[int, int] = field(default_factory=dict)
    kept: dict[int, LeftBlock] = field(default_factory=dict)
    _new: dict[int, Json] = field(default_factory=dict)  # texts that the edit writes anew, by their ids
    _claims: dict[int, Json] = field(default_factory=dict)  # by the ids of texts that stay: what each was to become
    _claimed: set[int] = field(default_factory=set)
    _left: int = MAX_COMPARED

    def content(self, before: list[Json], after: list[Json]) -> list[Json]:
        """Return what the content of the document, `before`, is to become, where the edit wants it to be `after`."""
        if not self._holds(before):
            return after
        self._new = {id(text): text for text in self._written_anew(before, after)}
        made = self._children(before, after)
        return [left for node in made if (left := self._without_claimed(node))] if self._claimed else made

    def _holds(self, nodes: Iterable[Json]) -> bool:
        return any(id(node) in self.held.changed for node in nodes)

    def _written_anew(self, before: list[Json], after: list[Json]) -> Iterator[Json]:
        """Yield the texts of `after` that are none of `before`, or hardly any."""
        pairs = {place: before[at] for at, place in self.alignment(before, after)}
        for place, wanted in enumerate(after):
            node = pairs.get(place)
            if node is None or (node is not wanted and _are_unlike(node, wanted)):
                yield from texts_of(wanted)
            elif node is not wanted and node["type"] not in TEXTS:
                yield from self._written_anew(node.get("content", []), wanted.get("content", []))

    def _children(self, before: list[Json], after: list[Json]) -> list[Json]:
        """Return what the children `before` are to become, where the edit wants them to be `after`."""
        if not self._holds(before):
            return after
        pairs = {
            at: place
            for at, place in self.alignment(before, after)
            if before[at] is after[place] or self._stay_paired(before[at], after[place])
        }
        taken = set(pairs.values())
        results: dict[int, list[Json]] = {at: [node] for at, node in enumerate(after)}
        behind = -1  # the place of `after` behind which what is held is put
        head: list[Json] = []
        for at, node in enumerate(before):
            place = pairs.get(at)
            if place is not None and id(after[place]) not in self._claimed:
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
                elif self._claim(node) or id(node) in self.held.wrote:
                    made = self._alone(node)
                else:
                    continue
                (results[behind] if behind >= 0 else head).append(made)
        return [*head, *(node for place in range(len(after)) for node in results[place])]

    def _keep(self, node: Json, not_done: NotDone, wanted: Json | None = None) -> None:
        self.kept[id(node)] = LeftBlock(node, not_done, wanted)

    def _force(self, made: Json, node: Json) -> Json:
        self.forced[id(made)] = id(node)
        return made

    def _same(self, node: Json, wanted: Json) -> Json:
        if id(node) not in self.held.changed:
            return wanted
        self._new.pop(id(wanted), None)
        attrs, content = wanted.get("attrs", {}), wanted.get("content", [])
        if node["type"] in TEXTS and id(node) in self.held.wrote and attrs != node.get("attrs", {}):
            self._keep(node, NotDone.retyped, wanted)
            attrs = node.get("attrs", {})
        return self._force(_node(node["type"], attrs, self._content(node, content)), node)

    def _content(self, node: Json, content: list[Json]) -> list[Json]:
        return content if node["type"] in TEXTS else self._children(node.get("content", []), content)

    def _alike(self, node: Json, after: list[Json], taken: set[int]) -> int | None:
        """Return the place of the node that this one was to become, or to be moved to."""
        own = _bag(node)
        best, found = ALIKE, None
        for place, other in enumerate(after):
            if place in taken or id(other) in self._claimed or not _is_of_a_kind(node, other) or self._left <= 0:
                continue
            self._left -= 1
            alike = likeness(own, _bag(other))
            if alike >= best and (alike > best or found is None):
                best, found = alike, place
        return found

    def _retyped(self, node: Json, wanted: Json, *, moved: bool) -> Json:
        self._new.pop(id(wanted), None)
        same = wanted["type"] == node["type"] and wanted.get("attrs", {}) == node.get("attrs", {})
        self._keep(node, NotDone.moved if same or moved else NotDone.retyped, wanted)
        content = wanted.get("content", [])
        if node["type"] in TEXTS:
            content = _text_for(node, wanted)
        elif node["type"] in _LISTS and wanted["type"] != node["type"]:
            content = self._as_items_of(node, content)
        return self._force(_node(node["type"], node.get("attrs", {}), self._content(node, content)), node)

    def _as_items_of(self, node: Json, items: list[Json]) -> list[Json]:
        """Return the items of a list of another kind as items of this one; those that it has stay checked or not."""
        kind, own = _LISTS[node["type"]], node.get("content", [])
        made = [_node(kind, {}, item.get("content", [])) for item in items]
        attrs = {place: own[at].get("attrs", {}) for at, place in self.alignment(own, made)}
        unchecked = {"checked": False} if node["type"] == "taskList" else {}
        return [_node(kind, attrs.get(at, unchecked), item.get("content", [])) for at, item in enumerate(made)]

    def _stay_paired(self, node: Json, wanted: Json) -> bool:
        """Whether two nodes are alike; or others changed the one, and the edit writes it nowhere else anew."""
        if not _are_unlike(node, wanted):
            return True
        inside = {id(text) for text in texts_of(wanted)}
        found = [self._written_as(text) for text in texts_of(node) if id(text) in self.held.changed]
        return id(node) in self.held.changed and all(new is None or id(new) in inside for new in found)

    def _written_as(self, text: Json) -> Json | None:
        """Return the text that the edit writes anew which is most like this one."""
        if self._left <= 0:
            return None
        place = self._alike(text, found := [*self._new.values()], set())
        return None if place is None else found[place]

    def _claim(self, node: Json) -> bool:
        """Claim what the edit writes anew of the texts of a node that others changed: say whether there is any."""
        for text in texts_of(node):
            new = self._written_as(text) if id(text) in self.held.changed else None
            if new is not None:
                del self._new[id(new)]
                self._claims[id(text)] = new
                self._claimed.add(id(new))
                self._keep(text, NotDone.moved if new["type"] == text["type"] else NotDone.retyped, new)
        return self._is_claimed(node)

    def _is_claimed(self, node: Json) -> bool:
        return any(id(text) in self._claims for text in texts_of(node))

    def _alone(self, node: Json) -> Json:
        """Return the block with the texts it has claimed, and without the others and what in it can go."""
        left_over = [text for text in texts_of(node) if id(text) in self.held.wrote and id(text) not in self._claims]
        for each in left_over if self._is_claimed(node) else [node]:
            self._keep(each, NotDone.deleted)
        return self._emptied(node)

    def _emptied(self, node: Json) -> Json:
        if node["type"] in TEXTS:
            claimed = self._claims.get(id(node))
            own = node.get("content", []) if id(node) in self.held.wrote else []
            text = _text_for(node, claimed) if claimed else own
            return self._force(_node(node["type"], node.get("attrs", {}), text), node)
        content: list[Json] = []
        for at, child in enumerate(node.get("content", [])):
            stays = id(child) in self.held.wrote or self._is_claimed(child)
            if child["type"] != "text" and (stays or _is_needed(node, at)):
                content.append(self._emptied(child))
        return self._force(_node(node["type"], node.get("attrs", {}), content), node)

    def _without_claimed(self, node: Json) -> Json | None:
        """Return a node without the texts that are claimed; None where it is new and holds nothing but these."""
        if id(node) in self._claimed:
            return None
        if not any(id(text) in self._claimed for text in texts_of(node)):
            return node
        children = node["content"]
        left = [self._without_claimed(child) for child in children]
        if id(node) not in self.forced and all(child is None or _is_blank(child) for child in left):
            return None
        content = [child or _blank(children[at]) for at, child in enumerate(left) if child or _is_needed(node, at)]
        made = {**node, "content": content or [_blank(children[0])]}
        if id(node) in self.forced:
            self.forced[id(made)] = self.forced.pop(id(node))
        return made


def _node(kind: str, attrs: Json, content: list[Json]) -> Json:
    made: Json = {"type": kind}
    if attrs:
        made["attrs"] = attrs
    if content:
        made["content"] = content
    return made


def texts_of(node: Json) -> Iterator[Json]:
    """Yield the blocks of text in a node, or the node if it is one."""
    if node["type"] in TEXTS:
        yield node
        return
    for child in node.get("content", ()):
        yield from texts_of(child)


def _text_for(node: Json, wanted: Json) -> list[Json]:
    """Return the text of one block as another may hold it."""
    if node["type"] in _PLAIN:
        text = text_of(wanted)
        return [{"type": "text", "text": text}] if text else []
    content: list[Json] = wanted.get("content", [])
    return content


def _are_unlike(one: Json, other: Json) -> bool:
    return likeness(_bag(one), _bag(other)) < ALIKE


def _is_needed(node: Json, at: int) -> bool:
    """Whether a node of this type must have a child in this place."""
    return at == 0 if node["type"] in _BEGINS_WITH_TEXT else node["type"] not in _LOOSE


def _is_blank(node: Json) -> bool:
    """Whether a node has text blocks, and nothing in any."""
    content = node.get("content", [])
    return not content if node["type"] in TEXTS else bool(content) and all(map(_is_blank, content))


def _blank(node: Json) -> Json:
    """Return a node without the texts in it."""
    content = [] if node["type"] in TEXTS else [_blank(child) for child in node.get("content", [])]
    return _node(node["type"], node.get("attrs", {}), content)


def _is_of_a_kind(one: Json, other: Json) -> bool:
    kinds = {one["type"], other["type"]}
    return len(kinds) == 1 or any(kinds <= family for family in (TEXTS, {*_LISTS}, _ITEMS))


def _bag(node: Json) -> Counter[str]:
    text = text_of(node, MAX_LIKENED)
    return counted(text) or Counter(text)
