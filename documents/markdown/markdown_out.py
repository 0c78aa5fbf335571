"""Writes a tree as Markdown: CommonMark 0.31 with GFM tables, strikethrough and task items.

It uses the projected tree and never Yjs, so the two always agree. Markdown expresses less than the tree: empty
paragraphs, colours, comments and the alignment of text are lost, unknown containers are transparent, a table's first row is
its header, and what a cell covers beside itself is empty cells. `tests/documents/normal_form.py` states what survives; the tests parse everything back. An empty document
is empty, every other one ends in one newline.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from documents.markdown.inline_out import INLINE, attributes, escaped_markdown, line, lines
from documents.tree.table_grid import grid
from documents.tree.tree import TOO_DEEP, Json, text_of
from documents.yjs.scan import MAX_TREE_DEPTH

LISTS: Final = frozenset({"bulletList", "orderedList", "taskList"})
BLOCKS: Final = LISTS | {"paragraph", "heading", "blockquote", "codeBlock", "horizontalRule", "table", "details"}
MAX_LIST_NUMBER: Final = 999_999_999
# Every container repeats its prefix on every line within, so hostile nesting multiplies: beyond this it is left out.
MAX_INDENTED_BYTES: Final = 16 * 2**20


@dataclass(frozen=True, slots=True)
class _Block:
    text: str
    kind: str
    marker: str = ""  # of a list, what its items begin with: lists side by side must differ
    snug: bool = False  # may follow a paragraph without a blank line


def markdown(tree: Json) -> str:
    return joined_blocks(_encodable(block.text) for block in _blocks(_children(tree), 0, ""))


class MarkdownWriter:
    """Writes trees in which most blocks are equal, each of these blocks once: an edit's document before it and after it."""

    def __init__(self) -> None:
        self._written: dict[tuple[bytes, str], _Block] = {}  # by the block and the marker of the list before it

    def markdown(self, tree: Json) -> str:
        return joined_blocks(map(_encodable, self.texts(flat(_children(tree)))))

    def texts(self, blocks: Iterable[Json]) -> list[str]:
        """As the function `texts`."""
        found: list[str] = []
        marker = ""
        for node in blocks:
            known = msgspec.json.encode(node), marker
            if known not in self._written:
                self._written[known] = next(_written((node,), 0, marker))
            block = self._written[known]
            found.append(block.text)
            marker = block.marker if block.text else marker
        return found


def joined_blocks(texts: Iterable[str]) -> str:
    """The document of which these are the blocks, or all that `part` wrote; empty ones are not there."""
    text = "\n\n".join(filter(None, texts))
    return text + "\n" if text else ""


def part(node: Json, marker: str) -> tuple[str, str]:
    """Return the Markdown of one node of a document, and the marker of the list that it ends in, if any.

    `marker` is that of the node before: of its neighbours a node needs to know no more, unless it is inline.
    """
    texts = []
    for block in _written(flat([node]), 0, marker):
        if block.text:
            texts.append(_encodable(block.text))
            marker = block.marker
    return "\n\n".join(texts), marker


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _children(node: Json) -> list[Any]:
    content = node.get("content")
    return content if isinstance(content, list) else []


def flat(nodes: Iterable[Any]) -> Iterator[Json]:
    """The blocks among the nodes: unknown containers opened, loose text gathered into paragraphs."""
    return (block for block, _ in located(nodes))


def located(nodes: Iterable[Any]) -> Iterator[tuple[Json, list[Json]]]:
    """The blocks as `flat` has them, each with the nodes it is made of."""
    loose: list[Any] = []
    stack = [iter(nodes)]
    while stack:
        node = next(stack[-1], None)
        kind = node.get("type") if isinstance(node, dict) else None
        if kind in INLINE and kind != "image":
            loose.append(node)
            continue
        if node is not None and kind not in BLOCKS and kind != "image" and not _children(node if kind else {}):
            continue  # a leaf nobody knows
        if loose:
            yield {"type": "paragraph", "content": loose}, loose
            loose = []
        if node is None:
            stack.pop()
        elif kind in BLOCKS:
            yield node, [node]
        elif kind == "image":
            yield {"type": "paragraph", "content": [node]}, [node]
        elif any(isinstance(child, dict) and child.get("type") in INLINE for child in _children(node)):
            yield {"type": "paragraph", "content": _children(node)}, [node]
        else:
            stack.append(iter(_children(node)))


def texts(blocks: Iterable[Json]) -> list[str]:
    """Return the Markdown of each of these blocks; empty for a block without any."""
    return [block.text for block in _written(blocks, 0, "")]


def _blocks(nodes: Iterable[Any], depth: int, outer_marker: str) -> list[_Block]:
    if depth > MAX_TREE_DEPTH:
        return [_Block(escaped_markdown(TOO_DEEP), "paragraph")]
    return [block for block in _written(flat(nodes), depth, outer_marker) if block.text]


def _written(blocks: Iterable[Json], depth: int, marker: str) -> Iterator[_Block]:
    for node in blocks:
        block = _list(node, depth, marker) if node["type"] in LISTS else _plain(node, depth)
        marker = block.marker if block.text else marker
        yield block


def _plain(node: Json, depth: int) -> _Block:
    kind: str = node["type"]
    if kind == "paragraph":
        text = lines(_children(node))
    elif kind == "heading":
        text = _heading(node)
    elif kind == "codeBlock":
        text = _code(node)
    elif kind == "horizontalRule":
        text = "***"  # dashes could be front matter, the line under a heading, or a list
    elif kind == "table":
        text = _table(node)
    else:
        inner = "\n\n".join(block.text for block in _blocks(_inner(node), depth + 1, ""))
        text = _details(node, inner) if kind == "details" else _quote(inner)
    return _Block(text, kind)


def _heading(node: Json) -> str:
    text = line(_children(node))
    if text.endswith("#"):
        text = text[:-1] + "\\#"
    return f"{'#' * heading_level(node)} {text}".rstrip(" \t")


def heading_level(node: Json) -> int:
    return _between(attributes(node).get("level"), 1, 6)


def _between(value: Any, low: int, high: int) -> int:
    try:
        return min(max(int(value), low), high)
    except (TypeError, ValueError, OverflowError):
        return low


def _quote(inner: str) -> str:
    if _multiplied(inner, 2):
        return inner
    return "\n".join(f"> {text}" if text else ">" for text in inner.split("\n"))


def _multiplied(text: str, prefix: int) -> bool:
    return len(text) + text.count("\n") * prefix > MAX_INDENTED_BYTES


def _inner(node: Json) -> Iterator[Any]:
    """A container's children; of details, those within its content and none of its summary."""
    for child in _children(node):
        kind = child.get("type") if isinstance(child, dict) else None
        if node["type"] != "details" or kind not in ("detailsSummary", "detailsContent"):
            yield child
        elif kind == "detailsContent":
            yield from _children(child)


def _details(node: Json, inner: str) -> str:
    summaries = [
        text_of(child) for child in _children(node) if isinstance(child, dict) and child.get("type") == "detailsSummary"
    ]
    summary = " ".join(" ".join(summaries).split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "\n\n".join(part for part in (f"<details>\n<summary>{summary}</summary>", inner, "</details>") if part)


def _code(node: Json) -> str:
    text = text_of(node)
    language = attributes(node).get("language")
    words = language.split() if isinstance(language, str) else []
    word = re.sub(r"[\\&]", r"\\\g<0>", words[0].replace("\0", "\ufffd")) if words else ""
    char = "~" if "`" in word else "`"
    fence = char * max(3, 1 + max(map(len, re.findall(f"{char}+", text)), default=0))
    # a language that begins like the fence would lengthen it
    return (
        f"{fence}{' ' if word.startswith(char) else ''}{word}\n{text}\n{fence}" if text else f"{fence}{word}\n{fence}"
    )


def _list(node: Json, depth: int, beside: str) -> _Block:
    ordered, tasks = node["type"] == "orderedList", node["type"] == "taskList"
    marker = (")" if beside == "." else ".") if ordered else ("+" if beside == "-" else "-")
    start = _start(attributes(node).get("start")) if ordered else 1
    items: list[str] = []
    tight = snug = True
    for item in _children(node):
        if not isinstance(item, dict):
            continue
        bullet = f"{min(start + len(items), MAX_LIST_NUMBER)}{marker}" if ordered else marker
        within = _children(item) if item.get("type") in ("listItem", "taskItem") else [item]
        blocks = _blocks(within, depth + 1, "" if ordered else marker)
        if tasks:
            blocks = _ticked(blocks, attributes(item).get("checked") is True)
        tight = tight and _tight(blocks)
        snug = snug and (bool(blocks) or bool(items))
        items.append(_item(bullet, blocks))
    joined = "\n".join(items)
    if not tight:
        joined = "\n\n".join(items)
    return _Block(joined, node["type"], marker, tight and snug and start == 1)


def _start(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_LIST_NUMBER else 1


def _ticked(blocks: list[_Block], checked: bool) -> list[_Block]:
    box = "[x]" if checked else "[ ]"
    if blocks and blocks[0].kind == "paragraph":
        return [_Block(f"{box} {blocks[0].text}", "paragraph"), *blocks[1:]]
    return [_Block(box, "paragraph"), *blocks]


def _tight(blocks: list[_Block]) -> bool:
    if len(blocks) < 2:
        return not blocks or blocks[0].kind != "details"
    return blocks[0].kind == "paragraph" and all(block.snug for block in blocks[1:])


def _item(bullet: str, blocks: list[_Block]) -> str:
    text = ("\n" if _tight(blocks) else "\n\n").join(block.text for block in blocks)
    indent = " " * (len(bullet) + 1)
    if "\n" in text and not _multiplied(text, len(indent)):
        text = re.sub(r"\n(?=[^\n])", "\n" + indent, text)
    return f"{bullet} {text}" if text else bullet


def _table(node: Json) -> str:
    cells = [_children(row) for row in _children(node) if isinstance(row, dict) and row.get("type") == "tableRow"]
    cells = grid(cells)
    rows = [[line(_cell(cell)).replace("|", "\\|") for cell in row] for row in cells]
    width = max(map(len, rows), default=0)
    if not width:
        return ""
    rows[0] += [""] * (width - len(rows[0]))  # readers fill the other rows up themselves
    written = [f"| {' | '.join(row)} |" if row else "|  |" for row in rows]
    aligned = [
        _ALIGNED[_common({_align(row[at]) for row in cells if at < len(row) and row[at]})] for at in range(width)
    ]
    return "\n".join([written[0], f"| {' | '.join(aligned)} |", *written[1:]])


_ALIGNED: Final = {None: "---", "left": ":---", "center": ":---:", "right": "---:"}


def _align(cell: Any) -> str | None:
    align = attributes(cell).get("align") if isinstance(cell, dict) else None
    return align if isinstance(align, str) and align in _ALIGNED else None


def _common(aligns: set[str | None]) -> str | None:
    """Return how all cells of a column are aligned, if they agree."""
    return aligns.pop() if len(aligns) == 1 else None


def _code_lines(node: Json) -> Iterator[Any]:
    """Yield the lines of a code block from last to first, with None between them."""
    for at, text in enumerate(reversed(text_of(node).split("\n"))):
        yield from [None] if at else []
        yield {"type": "text", "text": text}


def _cell(cell: Any) -> list[Json]:
    """Everything in the cell as one line of inline nodes: its blocks' texts with breaks between them, and between lines of code."""
    groups: list[list[Json]] = [[]]
    waiting: list[Any] = [cell]
    while waiting:
        node = waiting.pop()
        kind = node.get("type") if isinstance(node, dict) else None
        if node is None:
            groups.append([])
        elif kind in INLINE:
            groups[-1].append(node)
        elif kind == "codeBlock":
            waiting += [None, *_code_lines(node), None]
        elif kind and (content := _children(node)):
            waiting += [None, *content[::-1], None]
    joined: list[Json] = []
    for group in groups:
        if line(group):
            joined += [{"type": "hardBreak"}, *group] if joined else group
    return joined
