"""Parses Markdown into a tree of the default schema.

It restores the trees that `markdown_out` writes, within what Markdown can express and the schema allows: an image in a
text becomes a block of its own. HTML is read by the rules of `html_in`: tags within a text here, one by one, and blocks there.
Links with forbidden addresses lose the link.

The parser's work is bounded, since some inputs cost quadratic time: its steps and tokens are counted. Inline nesting
ends where CommonMark's own implementations end it; deeper markup is literal text. Blocks may nest a little deeper
than a document's tree, so that a deeper one is refused instead of cut off.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from documents.markdown import html_in
from documents.markdown.addresses import safe_image, safe_link
from documents.markdown.html_in import HTML, TooDeepError
from documents.markdown.images import TEXT_BLOCKS, apart
from documents.markdown.markdown_it_internals import InlineParser, read_references, strip_spaces_and_tabs_alone
from documents.markdown.unsupported_markup import Unsayable, UnsupportedMarkup
from documents.tree.schema import MARK_RANK
from documents.tree.tree import SPACES, Json

MAX_INLINE_NESTING: Final = 20
MAX_BLOCK_NESTING: Final = 150
MAX_TOKENS: Final = 200_000  # of one text
MAX_COLUMNS: Final = 1_000  # of a table
# What a text may cost: a block that is looked at counts for some places in a text, as it takes as long.
STEPS: Final = 20_000
STEPS_PER_CHARACTER: Final = 4
MAX_STEPS: Final = 2**22  # of one text, however long
TOKENS: Final = 5_000
TOKENS_PER_CHARACTER: Final = 8
_BLOCK_STEPS: Final = 2
_TOO_MUCH_WORK: Final = "it has too many unmatched brackets or markers for its length"
_TOO_MANY: Final = f"it has too many blocks, marks and pieces of text for its length, or more than {MAX_TOKENS:,}"
_TOO_WIDE: Final = f"a table has more than {MAX_COLUMNS:,} columns"


class TooComplexError(ValueError):
    """The Markdown takes too much work to read for its length, or is too much; the message says of what."""


@dataclass(slots=True)
class _Work:
    """The remaining work for one text."""

    steps: int
    tokens: int

    def step(self, steps: int = 1) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise TooComplexError(_TOO_MUCH_WORK)

    def made(self, tokens: int) -> None:
        self.tokens -= tokens
        if self.tokens < 0:
            raise TooComplexError(_TOO_MANY)


class _CountedInline(InlineParser):
    """Counts every place that is looked at, also those that were looked at before."""

    def skipToken(self, state: StateInline) -> None:  # noqa: N802  the parser's own name
        state.env["work"].step()
        super().skipToken(state)


def _count_place(state: StateInline, silent: bool) -> bool:
    """A rule that never applies."""
    if not silent:  # else it was counted
        work: _Work = state.env["work"]
        work.step()
        if len(state.tokens) > work.tokens:
            raise TooComplexError(_TOO_MANY)
    return False


def _count_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A rule that never applies, and refuses a table too wide before it is read."""
    work: _Work = state.env["work"]
    work.step(_BLOCK_STEPS)
    if len(state.tokens) > work.tokens:
        raise TooComplexError(_TOO_MANY)
    if not silent and start_line + 1 < end_line:
        start, stop = state.bMarks[start_line + 1] + state.tShift[start_line + 1], state.eMarks[start_line + 1]
        ruler = state.src[start:stop].strip()
        if ruler.startswith(("|", ":", "-")) and ruler.removeprefix("|").removesuffix("|").count("|") >= MAX_COLUMNS:
            raise TooComplexError(_TOO_WIDE)
    return False


def _parser(nesting: int) -> MarkdownIt:
    options = {"maxNesting": nesting, "strikethrough_single_tilde": True}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    # Addresses are kept as written: the parser would re-encode them.
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: safe_link(url) or safe_image(url)  # type: ignore[method-assign]
    return parser


def _block_parser() -> MarkdownIt:
    parser = _parser(MAX_BLOCK_NESTING)
    strip_spaces_and_tabs_alone()
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.at("reference", read_references)
    parser.block.ruler.before("table", "count", _count_block, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    return parser


def _inline_parser() -> MarkdownIt:
    parser = _parser(MAX_INLINE_NESTING)
    enabled = parser.inline.ruler.get_active_rules()
    counted = _CountedInline()
    counted.ruler.enableOnly(enabled)
    counted.ruler2.enableOnly(parser.inline.ruler2.get_active_rules())
    counted.ruler.before("text", "count", _count_place)
    parser.inline = counted
    return parser


_BLOCKS: Final = _block_parser()
_INLINE: Final = _inline_parser()
_RENDERER: Final = RendererHTML()

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
_MARK_OF: Final = html_in.MARKS | {"a": "link"}
_TAG = re.compile(r"<(/?)([a-z][a-z0-9-]*)", re.IGNORECASE)
_TASK = re.compile(r"\[([ xX])\](?:[ \t]+|$)")
_INDENT = re.compile(r"\n[ \t]+")  # of a line that goes on: no part of the text, which the parser forgets in code


def parse(markdown: str, unsupported: UnsupportedMarkup | None = None) -> Json:
    """Return the tree that the Markdown says; what the schema has no place for is `unsupported`. Raises TooComplexError."""
    unsupported = UnsupportedMarkup() if unsupported is None else unsupported
    document: Json = {"type": "doc", "content": []}
    stack = [document]
    most = min(MAX_TOKENS, TOKENS + TOKENS_PER_CHARACTER * len(markdown))
    work = _Work(min(MAX_STEPS, STEPS + STEPS_PER_CHARACTER * len(markdown)), most)
    env: dict[str, Any] = {"work": work}
    tokens = _BLOCKS.parse(markdown.encode("utf-8", "replace").decode(), env)
    work.made(len(tokens))
    for token in tokens:
        if token.type == "inline":
            # Read one by one, so that not all tokens are in memory at once.
            children = _INLINE.inline.parse(_INDENT.sub("\n", token.content), _INLINE, env, [])
            work.made(len(children))
            _fill(stack, token.content, children, unsupported)
        elif token.type in _NODES:
            _open(stack, token)
        elif token.nesting < 0 and _NODES.get(token.type.replace("_close", "_open")):
            _close(stack, unsupported)
        elif token.type in _LEAVES:
            stack[-1]["content"].append(_LEAVES[token.type](token))
            if len(token.info.split()) > 1:
                unsupported.add(Unsayable.attribute, "info")
        elif token.type == "html_block":
            work.made(token.content.count("<"))
            stack[-1]["content"].append({"type": HTML, "raw": token.content})
    _read_html(document, unsupported)
    return document


def _open(stack: list[Json], token: Token) -> None:
    node: Json = {"type": _NODES[token.type], "content": []}
    if token.type == "heading_open":
        node["attrs"] = {"level": int(token.tag[1])}
    elif token.type == "ordered_list_open":
        node["attrs"] = {"start": int(token.attrs.get("start", 1))}
    elif align := str(token.attrs.get("style", "")).removeprefix("text-align:"):  # of a table's column
        node["attrs"] = {"align": align}
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


def _read_html(container: Json, unsupported: UnsupportedMarkup) -> None:
    """Read the HTML among the blocks of a container."""
    content = container["content"]
    if any(map(html_in.is_html, content)):
        try:
            container["content"] = html_in.read_html(content, unsupported)
        except TooDeepError as error:
            raise TooComplexError("its HTML nests too deep") from error


def _fill(stack: list[Json], text: str, tokens: list[Token], unsupported: UnsupportedMarkup) -> None:
    block = stack[-1]
    is_cell = block["type"] in ("tableHeader", "tableCell")
    item = stack[-2] if len(stack) > 1 else block
    ticked = _TASK.match(text)
    if ticked and item["type"] == "listItem" and item["content"][0] is block and block["type"] == "paragraph":
        item["ticked"] = ticked
    if any(token.type == "html_inline" and _name(token.content) in html_in.BLOCKS for token in tokens):
        _fill_with_blocks(block, tokens, unsupported, is_cell=is_cell)
        return
    nodes = _inline(tokens, unsupported)
    if is_cell:
        block["content"] = apart({"type": "paragraph", "content": nodes}) if nodes else [{"type": "paragraph"}]
        return
    block["content"] = nodes


def _name(raw: str) -> str:
    """Return the name of a tag; empty of a comment, and of anything else that is no tag."""
    found = _TAG.match(raw)
    return found[2].lower() if found else ""


def _fill_with_blocks(block: Json, tokens: list[Token], unsupported: UnsupportedMarkup, *, is_cell: bool) -> None:
    """Fill a text, or the cell of a table, in which tags of blocks stand."""
    raw = _RENDERER.renderInline(tokens, _INLINE.options, {})
    if is_cell:
        block["content"] = [{"type": HTML, "raw": raw}]
        _read_html(block, unsupported)
        block["content"] = block["content"] or [{"type": "paragraph"}]
        return
    tag = f"h{block['attrs']['level']}" if block["type"] == "heading" else "p"
    block.clear()
    block.update(type=HTML, raw=f"<{tag}>{raw}</{tag}>")


def _close(stack: list[Json], unsupported: UnsupportedMarkup) -> None:
    """Make the innermost open node fit the schema."""
    node = stack.pop()
    kind = node["type"]
    if kind in ("listItem", "blockquote"):
        _read_html(node, unsupported)
    content = node.get("content", [])
    if kind in TEXT_BLOCKS and content:
        stack[-1]["content"][-1:] = apart(node)
    elif kind == "paragraph":  # of nothing but what is left out
        stack[-1]["content"].pop()
    elif kind in TEXT_BLOCKS:
        del node["content"]
    elif kind in ("listItem", "blockquote") and (
        not content or (kind == "listItem" and content[0]["type"] != "paragraph")
    ):
        content.insert(0, {"type": "paragraph"})
    elif kind in ("bulletList", "orderedList"):
        stack[-1]["content"][-1:] = _lists(node)


def _lists(node: Json) -> list[Json]:
    """Return the lists that a list is: in one of bullets, items that begin with a box are a task list, and the others one of bullets."""
    boxes = [item.pop("ticked", None) for item in node["content"]]
    if node["type"] != "bulletList":
        return [node]
    lists: list[Json] = []
    for is_task, run in groupby(zip(node["content"], boxes, strict=True), lambda each: each[1] is not None):
        items, found = map(list, zip(*run, strict=True))
        if is_task:
            _tick(items, found)
        lists.append({**node, "type": "taskList" if is_task else "bulletList", "content": items})
    return lists


def _tick(items: list[Json], boxes: list[re.Match[str]]) -> None:
    """Make items of their boxes tasks."""
    for item, box in zip(items, boxes, strict=True):
        paragraph = item["content"][0]
        first = paragraph["content"][0]
        first["text"] = first["text"].removeprefix(box[0].rstrip(SPACES)).lstrip(SPACES)
        if not first["text"]:
            del paragraph["content"][0]
            if not paragraph["content"]:
                del paragraph["content"]
        item.update(type="taskItem", attrs={"checked": box[1] != " "})


@dataclass(slots=True)
class _Inline:
    unsupported: UnsupportedMarkup
    nodes: list[Json] = field(default_factory=list)
    open_marks: dict[str, list[Json | None]] = field(
        default_factory=dict
    )  # by their types, innermost last; None says nothing
    parts: list[str] = field(default_factory=list)  # of the last text, while it may go on
    silent: list[str] = field(default_factory=list)  # the open tags whose content is left out
    after_nothing: bool = False  # right after what is left out, where two spaces are one

    @property
    def marks(self) -> list[Json]:
        return [mark for marks in self.open_marks.values() if marks and (mark := marks[-1])]

    def text(self, text: str, *more: Json) -> None:
        if self.after_nothing and not more:
            self.after_nothing = False
            last = self.parts[-1] if self.parts else ""
            text = text.removeprefix(" ") if last.endswith(" ") or not self.nodes else text
        if not text or self.silent:
            return
        marks = sorted((*self.marks, *more), key=lambda mark: MARK_RANK[mark["type"]])
        if not self.parts or self.nodes[-1].get("marks", []) != marks:
            self.add({"type": "text", **({"marks": marks} if marks else {}), "text": ""})
        self.parts.append(text)

    def add(self, node: Json) -> None:
        if not self.silent:
            self.end()
            self.nodes.append(node)

    def end(self) -> None:
        """Put together the text that goes on no further."""
        if self.parts:
            self.nodes[-1]["text"] = "".join(self.parts)
            self.parts = []

    def literal(self, token: Token) -> None:
        self.text(token.content)

    def image(self, image: Json) -> None:
        if any(mark["type"] == "link" for mark in self.marks) and not self.silent:
            self.unsupported.link_around_image()
        self.add(image)

    def hard_break(self) -> None:
        self.add({"type": "hardBreak"})

    def open(self, mark: Json) -> None:
        self.open_marks.setdefault(mark["type"], []).append(mark)

    def close(self, name: str) -> None:
        if marks := self.open_marks.get(name):
            marks.pop()

    def tag(self, raw: str) -> None:
        found = _TAG.match(raw)
        name, closes = (found[2].lower(), bool(found[1])) if found else ("", False)
        if not closes:
            self._tell(name, raw)
        if name in html_in.SILENT:
            self._silence(name, closes=closes)
        elif name == "br":
            self.hard_break()
        elif name == "img" and (image := html_in.image_node(html_in.attributes_of_tag(raw))):
            self.image(image)
        elif closes and (mark := _MARK_OF.get(name)):
            self.close(mark)
        elif name == "a":
            self.open_marks.setdefault("link", []).append(html_in.link(html_in.attributes_of_tag(raw)))
        elif mark := html_in.MARKS.get(name):
            self.open({"type": mark})
        else:
            self.after_nothing = True

    def _tell(self, name: str, raw: str) -> None:
        """Tell what of a tag, or of anything else in its place, is not taken."""
        if not name:
            self.unsupported.node("comment" if raw.startswith("<!--") else "declaration")
            return
        self.unsupported.written(name, raw)
        if not html_in.is_taken(name, html_in.attributes_of_tag(raw) if name in ("a", "img") else {}):
            self.unsupported.node(name)

    def _silence(self, name: str, *, closes: bool) -> None:
        self.after_nothing = True
        if not closes:
            self.silent.append(name)
        elif name in self.silent:
            self.silent.remove(name)


def _inline(tokens: list[Token], unsupported: UnsupportedMarkup) -> list[Json]:
    inline = _Inline(unsupported)
    for token in tokens:
        if mark := _MARKS.get(token.tag):
            if token.nesting > 0:
                inline.open({"type": mark})
            else:
                inline.close(mark)
        else:
            _READ.get(token.type, _Inline.literal)(inline, token)
    inline.end()
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
    "image": lambda inline, token: inline.image(_image(token, inline.marks)),
    "html_inline": lambda inline, token: inline.tag(token.content),
}
