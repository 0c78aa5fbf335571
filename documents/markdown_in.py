"""How Markdown is read into a tree of the default schema.

What `markdown_out` writes comes back as it was, up to what Markdown cannot say. Of other people's Markdown, HTML that
is not one of our tags stays as literal text, and links that a reader should not follow lose the link.
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token

from documents.addresses import safe_image, safe_link
from documents.schema import MARK_RANK
from documents.tree import Json

_PARSER: Final = MarkdownIt("commonmark", {"maxNesting": 150}).enable(["table", "strikethrough"])
# Addresses are kept as written: the parser would re-encode them.
_PARSER.normalizeLink = lambda url: url  # type: ignore[method-assign]
_PARSER.validateLink = lambda url: safe_link(url) or safe_image(url)  # type: ignore[method-assign]

_NODES: Final = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "blockquote_open": "blockquote",
    "bullet_list_open": "bulletList",
    "ordered_list_open": "orderedList",
    "list_item_open": "listItem",
    "table_open": "table",
    "tr_open": "tableRow",
    "th_open": "tableHeader",
    "td_open": "tableCell",
}
_MARKS: Final = {"strong": "bold", "em": "italic", "s": "strike"}
_TAGS: Final = {
    **dict.fromkeys(("strong", "b"), "bold"),
    **dict.fromkeys(("em", "i"), "italic"),
    **dict.fromkeys(("s", "del", "strike"), "strike"),
    "u": "underline",
    "mark": "highlight",
    "sub": "subscript",
    "sup": "superscript",
}
_TAG = re.compile(r"<(/?)([a-z]+)\s*/?>", re.IGNORECASE)
_TASK = re.compile(r"\[([ xX])\](?:[ \t]+|$)")
_SUMMARY = re.compile(r"<details>\s*<summary>(.*?)</summary>\s*", re.DOTALL)


def parse(markdown: str) -> Json:
    document: Json = {"type": "doc", "content": []}
    stack = [document]
    for token in _PARSER.parse(markdown.encode("utf-8", "replace").decode()):
        if token.type == "inline":
            _fill(stack, token)
        elif token.type in _NODES:
            _open(stack, token)
        elif token.nesting < 0 and _NODES.get(token.type.replace("_close", "_open")):
            while stack[-1]["type"] == "detailsContent":  # opened in here and never closed
                _finish(stack.pop())
            _finish(stack.pop())
        elif token.type in _LEAVES:
            stack[-1]["content"].append(_LEAVES[token.type](token))
        elif token.type == "html_block":
            _html(stack, token.content.strip())
    return document


def _open(stack: list[Json], token: Token) -> None:
    node: Json = {"type": _NODES[token.type], "content": []}
    if token.type == "heading_open":
        node["attrs"] = {"level": int(token.tag[1])}
    elif token.type == "ordered_list_open":
        node["attrs"] = {"start": int(token.attrs.get("start", 1))}
    stack[-1]["content"].append(node)
    stack.append(node)


def _code(token: Token) -> Json:
    node: Json = {"type": "codeBlock"}
    words = unescapeAll(token.info).split()
    if words:
        node["attrs"] = {"language": words[0]}
    if text := token.content.removesuffix("\n"):
        node["content"] = [{"type": "text", "text": text}]
    return node


_LEAVES: Final[dict[str, Callable[[Token], Json]]] = {
    "fence": _code,
    "code_block": _code,
    "hr": lambda _: {"type": "horizontalRule"},
}


def _html(stack: list[Json], raw: str) -> None:
    if opened := _SUMMARY.fullmatch(raw):
        summary, content = _block("detailsSummary", html.unescape(opened[1])), _block("detailsContent")
        stack[-1]["content"].append({"type": "details", "content": [summary, content]})
        stack.append(content)
    elif raw == "</details>" and stack[-1]["type"] == "detailsContent":
        _finish(stack.pop())
    else:
        stack[-1]["content"].append(_block("paragraph", " ".join(raw.split())))


def _block(kind: str, text: str = "") -> Json:
    return {"type": kind, "content": [{"type": "text", "text": text}] if text else []}


def _fill(stack: list[Json], token: Token) -> None:
    nodes = _inline(token.children or [])
    block = stack[-1]
    if block["type"] in ("tableHeader", "tableCell"):
        block["content"] = [{"type": "paragraph", "content": nodes} if nodes else {"type": "paragraph"}]
        return
    block["content"] = nodes
    item = stack[-2] if len(stack) > 1 else block
    ticked = _TASK.match(token.content)
    if ticked and item["type"] == "listItem" and item["content"][0] is block and block["type"] == "paragraph":
        item["ticked"] = ticked


def _finish(node: Json) -> None:
    kind, content = node["type"], node["content"]
    if kind == "paragraph" and len(content) == 1 and content[0]["type"] == "image" and "marks" not in content[0]:
        node.clear()
        node.update(content[0])  # on its own, an image is a block
    elif kind in ("listItem", "blockquote", "detailsContent") and (
        not content or (kind == "listItem" and content[0]["type"] != "paragraph")
    ):
        content.insert(0, {"type": "paragraph"})
    elif kind in ("paragraph", "heading") and not content:
        del node["content"]
    if kind in ("bulletList", "orderedList"):
        _tick(node)


def _tick(node: Json) -> None:
    """A list whose items all begin with a box is a task list."""
    boxes = [item.pop("ticked", None) for item in node["content"]]
    if node["type"] != "bulletList" or not all(boxes):
        return
    node["type"] = "taskList"
    for item, box in zip(node["content"], boxes, strict=True):
        paragraph = item["content"][0]
        first = paragraph["content"][0]
        first["text"] = first["text"][len(box[0]) :]
        if not first["text"]:
            del paragraph["content"][0]
            if not paragraph["content"]:
                del paragraph["content"]
        item.update(type="taskItem", attrs={"checked": box[1] != " "})


@dataclass(slots=True)
class _Inline:
    nodes: list[Json] = field(default_factory=list)
    marks: list[Json] = field(default_factory=list)  # those open now, innermost last

    def text(self, text: str, *more: Json) -> None:
        marks = sorted((*self.marks, *more), key=lambda mark: MARK_RANK[mark["type"]])
        last = self.nodes[-1] if self.nodes else None
        if not text:
            return
        if last and last["type"] == "text" and last.get("marks", []) == marks:
            last["text"] += text
        else:
            self.nodes.append({"type": "text", **({"marks": marks} if marks else {}), "text": text})

    def literal(self, token: Token) -> None:
        self.text(token.content)

    def hard_break(self) -> None:
        self.nodes.append({"type": "hardBreak"})

    def open(self, mark: Json) -> None:
        self.marks.append(mark)

    def close(self, name: str) -> None:
        for at in range(len(self.marks) - 1, -1, -1):
            if self.marks[at]["type"] == name:
                del self.marks[at]
                return

    def tag(self, raw: str) -> None:
        found = _TAG.fullmatch(raw)
        name = found[2].lower() if found else ""
        if name == "br":
            self.hard_break()
        elif found and name in _TAGS:
            if found[1]:
                self.close(_TAGS[name])
            else:
                self.open({"type": _TAGS[name]})
        else:
            self.text(raw)


def _inline(tokens: list[Token]) -> list[Json]:
    inline = _Inline()
    for token in tokens:
        if mark := _MARKS.get(token.tag):
            if token.nesting > 0:
                inline.open({"type": mark})
            else:
                inline.close(mark)
        else:
            _READ.get(token.type, _Inline.literal)(inline, token)
    return inline.nodes


def _given(attrs: dict[str, Any]) -> Json:
    return {name: value for name, value in attrs.items() if value}


def _link(token: Token) -> Json:
    href = str(token.attrs.get("href", ""))
    return {"type": "link", "attrs": {"href": href, **_given({"title": token.attrs.get("title")})}}


def _image(token: Token, marks: list[Json]) -> Json:
    alt = "".join(child.content for child in token.children or [])
    attrs = {"src": str(token.attrs.get("src", "")), **_given({"alt": alt, "title": token.attrs.get("title")})}
    links = [mark for mark in marks if mark["type"] == "link"]
    return {"type": "image", "attrs": attrs, **({"marks": links} if links else {})}


_READ: Final[dict[str, Callable[[_Inline, Token], None]]] = {
    "code_inline": lambda inline, token: inline.text(token.content, {"type": "code"}),
    "softbreak": lambda inline, _: inline.text(" "),
    "hardbreak": lambda inline, _: inline.hard_break(),
    "link_open": lambda inline, token: inline.open(_link(token)),
    "link_close": lambda inline, _: inline.close("link"),
    "image": lambda inline, token: inline.nodes.append(_image(token, inline.marks)),
    "html_inline": lambda inline, token: inline.tag(token.content),
}
