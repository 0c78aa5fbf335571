"""Carries over what Markdown cannot say to where an edit moves text: attributes, marks and nodes.

`documents.editing.markdown_merge` keeps them where a block stays in its place. A block that an edit writes anew elsewhere, as another kind, in parts
or joined with others, is read from Markdown; here it gets them back from the block of the document that said its text.
"""

from collections import defaultdict
from copy import deepcopy
from typing import Final

from documents.editing.text_merge import merged_inline
from documents.history.moves import MIN_LETTERS
from documents.markdown.images import TEXT_BLOCKS
from documents.markdown.markdown_in import TooComplexError, parse
from documents.markdown.markdown_out import markdown
from documents.tree.tree import Json, nodes_of, text_of

MAX_COMPARED: Final = 2**14  # pairs of text blocks that are compared
_PARTS: Final = frozenset({"listItem", "taskItem", "tableRow", "tableCell", "tableHeader"})


def carried_over(before: Json, after: Json) -> Json:
    """Return the tree that an edit wants, with what Markdown cannot say of the text that it moves; its Markdown is the same."""
    stays = set(map(id, before["content"])) & set(map(id, after["content"]))
    old, new = ([node for node in tree["content"] if id(node) not in stays] for tree in (before, after))
    there = {id(node) for block in new for node in nodes_of(block)}
    gone = [node for block in old for node in nodes_of(block) if id(node) not in there and node["type"] != "text"]
    if not gone or not new:
        return after
    carry = _Carry(old, gone)
    made = {id(block): carry.node(block) for block in new}
    if markdown({**after, "content": [*made.values()]}) != markdown({**after, "content": new}):
        return after
    return {**after, "content": [made.get(id(block), block) for block in after["content"]]}


class _Carry:
    def __init__(self, before: list[Json], gone: list[Json]) -> None:
        self._there = {id(node) for block in before for node in nodes_of(block)}
        self._blocks: dict[tuple[str, str], list[Json]] = defaultdict(list)
        self._texts = [node for node in gone if node["type"] in TEXT_BLOCKS]
        self._left = MAX_COMPARED
        self._says: dict[int, str] = {}
        for node in gone:
            self._blocks[node["type"], text_of(node)].append(node)

    def node(self, node: Json) -> Json:
        """Return a node of the wanted tree with what it has to carry, and all below it."""
        if id(node) in self._there or node["type"] == "text":
            return node
        same = self._same(node)
        if same is not None and node["type"] not in _PARTS and _says(same) == _says(node):
            return deepcopy(same)
        if node["type"] in TEXT_BLOCKS:
            return self._text(node)
        content = node.get("content") or []
        below = [self.node(child) for child in content]
        made = (
            node if all(one is other for one, other in zip(below, content, strict=True)) else {**node, "content": below}
        )
        return made if same is None else _with_attributes(made, same)

    def _same(self, node: Json) -> Json | None:
        """Return what of the document says the same as this, and is of its type; each for one node alone."""
        found = self._blocks.get((node["type"], text_of(node)))
        if not found or not (text_of(node) or node["type"] not in TEXT_BLOCKS | _PARTS):
            return None
        same = next((each for each in found if _says(each) == _says(node)), found[0])
        found.remove(same)
        return same

    def _shown(self, source: Json) -> str:
        """Return the text of a block as its Markdown is read, in which a mention is its label."""
        if id(source) not in self._says:
            self._says[id(source)] = text_of(_base(source) or source)
        return self._says[id(source)]

    def _text(self, node: Json) -> Json:
        said = text_of(node)
        for source in self._texts:
            if self._left <= 0 or not said:
                break
            self._left -= 1
            was = self._shown(source)
            if not (was == said or _is_part(said, was) or _is_part(was, said)):
                continue
            made = _with_marks(node, source)
            if _is_part(said, was) or said.startswith(was):
                made = _with_attributes(made, source)
            node = made
        return node


def _is_part(part: str, whole: str) -> bool:
    """Whether a text says another at one of its ends, or one that is long enough anywhere."""
    said = part.strip()
    at_an_end = whole.strip().startswith(said) or whole.strip().endswith(said)
    return bool(said) and (at_an_end or (len(said) >= MIN_LETTERS and said in whole))


def _says(node: Json) -> str:
    return markdown({"type": "doc", "content": [node]})


def _base(node: Json) -> Json | None:
    """Return what is read of the Markdown of a text block; None where that is not one text block."""
    try:
        content = parse(_says(node))["content"]
    except TooComplexError:
        return None
    return content[0] if len(content) == 1 and content[0]["type"] in TEXT_BLOCKS else None


def _with_marks(node: Json, source: Json) -> Json:
    base = _base(source)
    if base is None or base.get("content", []) == source.get("content", []):
        return node
    content = merged_inline(
        source.get("content") or [], base.get("content") or [], node.get("content") or [], verbatim=False
    )
    made = {**node, "content": content}
    return made if content and _says(made) == _says(node) else node


def _with_attributes(node: Json, source: Json) -> Json:
    """Return a node with the attributes of another that Markdown cannot say."""
    base = _base(source) if source["type"] in TEXT_BLOCKS else None
    said = {
        *(base or {}).get("attrs", {}),
        *(("checked", "start", "level", "language") if base is None else ("level",)),
    }
    attrs = {name: value for name, value in source.get("attrs", {}).items() if name not in said} | node.get("attrs", {})
    made = {**node, "attrs": attrs}
    return made if attrs and _says(made) == _says(node) else node
