"""Reads HTML as blocks of the schema, by one table of rules: an iterative walk over what libxml2 makes of it.

Only what Markdown can say becomes a node or a mark. Any other tag gives its content; scripts, styles, templates, comments and
declarations give nothing. Blocks that were read already may stand between pieces of HTML, as Markdown does between two tags.

The library that reads HTML takes 4 MB, so it is loaded at the first HTML.
"""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from documents.markdown.addresses import safe_image, safe_link
from documents.markdown.images import apart
from documents.markdown.unsupported_markup import UnsupportedMarkup
from documents.tree.schema import MARK_RANK
from documents.tree.table_grid import MAX_SPAN, grid
from documents.tree.tree import Json, nodes_of

if TYPE_CHECKING:
    from lxml.etree import _Element

HTML: Final = "html"
"""The type of a node that stands for HTML in a list of blocks; its `raw` is the HTML."""

MARKS: Final = {
    **dict.fromkeys(("b", "strong"), "bold"),
    **dict.fromkeys(("i", "em"), "italic"),
    **dict.fromkeys(("u", "ins"), "underline"),
    **dict.fromkeys(("s", "del", "strike"), "strike"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "code"),
    "mark": "highlight",
    "sub": "subscript",
    "sup": "superscript",
}
SILENT: Final = frozenset({"script", "style", "template"})  # whose content is none
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_CONTAINERS: Final = {
    "blockquote": "blockquote",
    "ul": "bulletList",
    "ol": "orderedList",
    "li": "listItem",
    "table": "table",
    "tr": "tableRow",
    "td": "tableCell",
    "th": "tableHeader",
    "details": "details",
    "summary": "detailsSummary",
}
_WITHIN: Final = {  # a tag that is a node only there; elsewhere it only ends a paragraph
    "listItem": ("bulletList", "orderedList"),
    "tableRow": ("table",),
    "tableCell": ("tableRow",),
    "tableHeader": ("tableRow",),
    "detailsSummary": ("details",),
}
BLOCKS: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "body",
        "center",
        "caption",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hgroup",
        "hr",
        "legend",
        "main",
        "nav",
        "p",
        "pre",
        "section",
        "tbody",
        "thead",
        "tfoot",
    ]
) | {*_HEADINGS, *_CONTAINERS}
_IMPLIED: Final = frozenset({"html", "head"})  # tags that HTML has where nobody writes them
_SPACE: Final = re.compile(r"[ \t\n\f\r]+")
_LANGUAGE: Final = re.compile(r"(?:^|\s)(?:language|lang|highlight-source)-(\S+)")


class TooDeepError(ValueError):
    """HTML that nests deeper than libxml2 reads."""


def is_html(block: Json) -> bool:
    return bool(block["type"] == HTML)


def read_html(blocks: Sequence[Json], unsupported: UnsupportedMarkup) -> list[Json]:
    """Return blocks in which those that are HTML are read; raises TooDeepError."""
    found, met = _read(blocks, unsupported)
    if met == sum(not is_html(block) for block in blocks):
        return found
    # An attribute or comment that is never closed took in what follows: such a piece is read by itself.
    whole = [each for block in blocks for each in (_read([block], unsupported)[0] if _is_open(block) else [block])]
    return _read(whole, unsupported)[0]


def _is_open(block: Json) -> bool:
    """Whether a piece of HTML would take in what follows it."""
    return is_html(block) and _read([block, {"type": "paragraph"}], UnsupportedMarkup())[1] == 0


def _read(blocks: Sequence[Json], unsupported: UnsupportedMarkup) -> tuple[list[Json], int]:
    """Return what the blocks say, and how many of those that are no HTML were found in it."""
    place = f"x-{secrets.token_hex(8)}"  # an element that nobody can have written
    text = "".join(
        block["raw"] if is_html(block) else f'<{place} n="{at}"></{place}>' for at, block in enumerate(blocks)
    )
    from lxml import etree  # noqa: PLC0415 - see above

    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    root = etree.fromstring(_page(text), parser)
    if any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in parser.error_log):
        raise TooDeepError
    unsupported.comments(text)
    walk = _Walk(place, blocks, unsupported)
    for event, element in etree.iterwalk(root, events=("start", "end")):
        walk.start(element) if event == "start" else walk.end(element)
    return walk.close(), walk.met


def attributes_of_tag(tag: str) -> Mapping[str, str]:
    """Return the attributes of one tag."""
    from lxml import etree  # noqa: PLC0415 - see above

    found = etree.fromstring(_page(tag), etree.HTMLParser(encoding="utf-8", no_network=True)).find("body/*")
    return {} if found is None else _attributes(found)


def _page(body: str) -> bytes:
    return f"<html><body>{body}</body></html>".replace("\0", "\ufffd").encode("utf-8", "replace")


def _attributes(element: "_Element") -> Mapping[str, str]:
    return {str(name): str(value) for name, value in element.items()}


def link(attrs: Mapping[str, str]) -> Json | None:
    href = attrs.get("href", "").strip()
    return (
        {"type": "link", "attrs": {"href": href, **_given(title=attrs.get("title"))}}
        if href and safe_link(href)
        else None
    )


def image_node(attrs: Mapping[str, str]) -> Json | None:
    source = attrs.get("src", "").strip()
    given = _given(alt=attrs.get("alt"), title=attrs.get("title"))
    return {"type": "image", "attrs": {"src": source, **given}} if source and safe_image(source) else None


def is_taken(tag: str, attrs: Mapping[str, str]) -> bool:
    """Whether the schema has a place for a tag, or it only divides blocks."""
    match tag:
        case "a":
            return link(attrs) is not None
        case "img":
            return image_node(attrs) is not None
        case _:
            return tag == "br" or tag in MARKS or tag in BLOCKS


def _given(**attrs: str | None) -> Json:
    return {name: value for name, value in attrs.items() if value}


@dataclass(slots=True)
class _Open:
    """A node that is open, and the element that opened it."""

    node: Json
    element: object = None


@dataclass(slots=True)
class _Walk:
    place: str
    blocks: Sequence[Json]
    unsupported: UnsupportedMarkup
    met: int = 0
    _stack: list[_Open] = field(default_factory=lambda: [_Open({"type": "doc", "content": []})])
    _marks: list[Json] = field(default_factory=list)
    _text: list[Json] = field(default_factory=list)  # of the paragraph that goes on
    _level: int = 0  # of the heading that goes on
    _code: list[str] | None = None  # of the code block that goes on
    _pre: object = None  # the element that opened it
    _silent: int = 0

    def start(self, element: "_Element") -> None:
        tag = str(element.tag)
        if self._silent or tag in SILENT:
            self._silent += tag in SILENT
            self.unsupported.node(tag)
            return
        self._tell(tag, element)
        if self._code is not None:
            self._said("\n" if tag == "br" else "")
        elif tag == self.place:
            self._flush()
            self._content.append(self.blocks[int(element.get("n", "0"))])
            self.met += 1
        elif tag in BLOCKS:
            self._flush()
            self._open(tag, element)
        elif tag == "br":
            self._text.append({"type": "hardBreak"})
        elif tag == "img" and (found := image_node(_attributes(element))):
            self._text.append(found)
        elif mark := self._mark(tag, element):
            self._marks.append(mark)
        self._said(element.text or "")

    def _tell(self, tag: str, element: "_Element") -> None:
        """Tell what of a tag is not taken."""
        if tag == self.place or tag in _IMPLIED:
            return
        attrs = _attributes(element)
        self.unsupported.attributes(tag, attrs)
        if tag == "img" and image_node(attrs) and any(mark["type"] == "link" for mark in self._marks):
            self.unsupported.link_around_image()
        elif not is_taken(tag, attrs):
            self.unsupported.node(tag)

    def end(self, element: "_Element") -> None:
        tag = str(element.tag)
        if self._silent:
            self._silent -= tag in SILENT
        elif self._code is not None:
            if element is self._pre:
                self._close_code(element)
        elif tag in _HEADINGS:
            self._flush()
            self._level = 0
        elif tag in BLOCKS:
            self._flush()
            if self._stack[-1].element is element:
                self._close()
        elif self._mark(tag, element):
            self._marks.pop()
        self._said(element.tail or "")

    def close(self) -> list[Json]:
        self._flush()
        while len(self._stack) > 1:
            self._close()
        return self._content

    @property
    def _content(self) -> list[Json]:
        found: list[Json] = self._stack[-1].node["content"]
        return found

    def _mark(self, tag: str, element: "_Element") -> Json | None:
        return link(_attributes(element)) if tag == "a" else {"type": MARKS[tag]} if tag in MARKS else None

    def _said(self, text: str) -> None:
        if not text or self._silent:
            return
        if self._code is not None:
            self._code.append(text)
            return
        text = _SPACE.sub(" ", text)
        if not self._text or self._text[-1]["type"] != "text" or self._text[-1]["text"].endswith(" "):
            before = self._text[-1] if self._text else None
            if before is None or before["type"] != "image":
                text = text.lstrip(" ")
        if text:
            marks = sorted(
                {mark["type"]: mark for mark in self._marks}.values(), key=lambda mark: MARK_RANK[mark["type"]]
            )
            self._text.append({"type": "text", **({"marks": marks} if marks else {}), "text": text})

    def _flush(self) -> None:
        """End the paragraph or heading that goes on."""
        text, self._text = _trimmed_text(self._text), []
        if text and self._level:
            self._content.extend(apart({"type": "heading", "attrs": {"level": self._level}, "content": text}))
        elif text:
            self._content.extend(apart({"type": "paragraph", "content": text}))

    def _open(self, tag: str, element: "_Element") -> None:
        kind = _CONTAINERS.get(tag)
        if tag in _HEADINGS:
            self._level = _HEADINGS[tag]
        elif tag == "hr":
            self._content.append({"type": "horizontalRule"})
        elif tag == "pre":
            self._code, self._pre = [], element
        elif kind and self._stack[-1].node["type"] in _WITHIN.get(kind, (self._stack[-1].node["type"],)):
            node: Json = {"type": kind, "content": []}
            if kind == "orderedList":
                node["attrs"] = {"start": _number(element.get("start"), 1, 999_999_999)}
            elif kind in ("tableCell", "tableHeader"):
                node["attrs"] = {name: _number(element.get(name), 1, MAX_SPAN) for name in ("colspan", "rowspan")}
                if (align := (element.get("align") or "").lower()) in ("left", "center", "right"):
                    node["attrs"]["align"] = align
            self._stack.append(_Open(node, element))

    def _close_code(self, element: "_Element") -> None:
        text = "".join(self._code or ()).removeprefix("\n").removesuffix("\n")
        self._code = self._pre = None
        inner = element.find("code")
        named = [each.get("class") or "" for each in (element, inner) if each is not None]
        found = next((match[1] for each in named if (match := _LANGUAGE.search(each))), element.get("lang"))
        node: Json = {"type": "codeBlock"}
        if found and found.split():
            node["attrs"] = {"language": found.split()[0]}
        if text:
            node["content"] = [{"type": "text", "text": text}]
        self._content.append(node)

    def _close(self) -> None:
        node = self._stack.pop().node
        self._content.extend(_FITTED.get(node["type"], lambda each: [each])(node))


def _number(text: str | None, low: int, high: int) -> int:
    digits = (text or "").strip()
    return min(max(int(digits), low), high) if digits.isascii() and digits.isdigit() and len(digits) < 10 else low


def _trimmed_text(nodes: Iterable[Json]) -> list[Json]:
    """Return a text without breaks and spaces at its end, its neighbours with equal marks as one."""
    made: list[Json] = []
    for node in nodes:
        if made and node["type"] == made[-1]["type"] == "text" and node.get("marks") == made[-1].get("marks"):
            made[-1] = {**made[-1], "text": made[-1]["text"] + node["text"]}
        elif node["type"] != "hardBreak" or made:
            made.append(node)
    while made and (
        made[-1]["type"] == "hardBreak" or (made[-1]["type"] == "text" and not made[-1]["text"].rstrip(" "))
    ):
        made.pop()
    if made and made[-1]["type"] == "text":
        made[-1] = {**made[-1], "text": made[-1]["text"].rstrip(" ")}
    return made


def _container(node: Json) -> list[Json]:
    """A list item begins with a paragraph, and what holds blocks holds one."""
    content = node["content"]
    if not content or (node["type"] == "listItem" and content[0]["type"] != "paragraph"):
        content.insert(0, {"type": "paragraph"})
    return [node]


def _list(node: Json) -> list[Json]:
    items = [
        each if each["type"] == "listItem" else {"type": "listItem", "content": [each]} for each in node["content"]
    ]
    node["content"] = [fitted for each in items for fitted in _container(each)]
    return [node] if items else []


def _details(node: Json) -> list[Json]:
    """The first summary is that of the details; text of another one is a paragraph."""
    content: list[Json] = node["content"]
    summary = next((each for each in content if each["type"] == "detailsSummary"), None)
    others = [
        each | {"type": "paragraph"} if each["type"] == "detailsSummary" else each
        for each in content
        if each is not summary and each.get("content") != []
    ]
    inner = {"type": "detailsContent", "content": others or [{"type": "paragraph"}]}
    return [{"type": "details", "content": [summary or {"type": "detailsSummary", "content": []}, inner]}]


def _summary(node: Json) -> list[Json]:
    """A summary is plain text."""
    text = "".join(each.get("text", " ") for block in node["content"] for each in nodes_of(block))
    text = " ".join(text.split())
    return [{"type": "detailsSummary", "content": [{"type": "text", "text": text}] if text else []}]


def _table(node: Json) -> list[Json]:
    """A table of single cells: what a cell covers is empty cells, so that each stays under its column."""
    rows = [each for each in node["content"] if each["type"] == "tableRow"]
    others = [each for each in node["content"] if each["type"] != "tableRow"]
    for row, cells in zip(rows, grid([row["content"] for row in rows]), strict=True):
        row["content"] = [each or {"type": "tableCell", "content": [{"type": "paragraph"}]} for each in cells]
    for cell in [cell for row in rows for cell in row["content"] if "attrs" in cell]:
        if align := cell.pop("attrs").get("align"):
            cell["attrs"] = {"align": align}
    return [*others, node | {"content": rows}] if rows else others


def _row(node: Json) -> list[Json]:
    """Text of a row outside of its cells is a cell, too."""
    cells = ("tableCell", "tableHeader")
    node["content"] = [
        each
        if each["type"] in cells
        else {"type": "tableCell", "attrs": {"colspan": 1, "rowspan": 1}, "content": [each]}
        for each in node["content"]
    ]
    return [node]


_FITTED: Final = {
    "blockquote": _container,
    "listItem": _container,
    "tableCell": _container,
    "tableHeader": _container,
    "bulletList": _list,
    "orderedList": _list,
    "details": _details,
    "detailsSummary": _summary,
    "table": _table,
    "tableRow": _row,
}
