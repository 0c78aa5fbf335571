"""Writes a tree as HTML with an allow-list of elements and attributes; everything else becomes text.

It uses the same tree as the Markdown and renders more of it: alignment, header cells, spans, image sizes. Its text is
the tree's text in the tree's order, with the captions of images, except that the mark of a callout becomes a title.
The writer keeps its own stack, so no depth and no content makes it raise. It writes no script, style or handler, and
only addresses with the schemes of `documents.markdown.addresses`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from documents.markdown.html_inline import Pictures, clean, escaped_html, inline, mentioned, own_image
from documents.markdown.inline_out import attributes
from documents.markdown.markdown_out import LISTS, MAX_LIST_NUMBER, flat
from documents.tree.tree import Json, text_of

CHART: Final = "vega-lite"
_DIRECTED: Final = ' dir="auto"'  # the signs of items and the line of a quote stand where the text begins
_ALIGNED: Final = {name: f' class="align-{name}"' for name in ("left", "center", "right", "justify")}
_NUMBERED: Final = frozenset({"1", "a", "A", "i", "I"})
_MAX_COLUMN_SPAN: Final = 1000  # columns; browsers read no more
_LANGUAGE = re.compile(r"[a-zA-Z0-9_+#.-]{1,32}")
_NOT_IN_NAME = re.compile(r"[^\w\- ]")
_MAX_NAME_LENGTH: Final = 80
_MAX_DESCRIPTION_LENGTH: Final = 200
_CALLOUT = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?=\s|$)")


@dataclass(frozen=True, slots=True)
class Html:
    """A document's body; `titled` says that it begins with a heading of the first level, `charts` that it has some."""

    body: str
    titled: bool
    charts: bool
    description: str


type _Piece = str | Iterator[_Piece]
"""The next part of the page: HTML, or an iterator of further parts."""


type Frame = Callable[[str], str]
"""Returns the address of the page that draws a chart, by its specification."""


def html(tree: Json, pictures: Pictures, frame: Frame | None = None) -> Html:
    """Return the document as HTML; of our own images, only `pictures` are shown.

    With `frame`, a chart is a frame that shows the page at its address, and without, its specification for a script.
    """
    writer = _Writer(pictures, frame)
    out: list[str] = []
    stack: list[Iterator[_Piece]] = [writer.blocks(_children(tree))]
    while stack:
        piece = next(stack[-1], None)
        if piece is None:
            stack.pop()
        elif isinstance(piece, str):
            out.append(piece)
        else:
            stack.append(piece)
    body = "".join(out)
    return Html(body, body.startswith("<h1"), writer.charts, _description(writer.opening))


def chart_specifications(tree: Json) -> Iterator[str]:
    """Yield the specification of each chart of the document, in its order."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if _kind(node) == "codeBlock" and _language(node) == CHART:
            yield text_of(node)
        elif isinstance(node, dict):
            waiting += _children(node)[::-1]


def _description(texts: list[str]) -> str:
    text = " ".join(" ".join(texts).split())
    if len(text) <= _MAX_DESCRIPTION_LENGTH:
        return text
    return text[:_MAX_DESCRIPTION_LENGTH].rsplit(" ", 1)[0].rstrip(" ,;:.") + "\u2026"


def _children(node: Json) -> list[Any]:
    content = node.get("content")
    return content if isinstance(content, list) else []


def _kind(node: Any) -> str | None:
    return node.get("type") if isinstance(node, dict) else None


def _language(node: Json) -> str:
    """Return the language that the code block names; empty where that is no name."""
    language = attributes(node).get("language")
    words = language.split() if isinstance(language, str) else []
    return words[0] if words and _LANGUAGE.fullmatch(words[0]) else ""


@dataclass(slots=True)
class _Writer:
    pictures: Pictures
    frame: Frame | None = None
    charts: bool = False
    opening: list[str] = field(default_factory=list)  # the first paragraphs
    names: dict[str, int] = field(default_factory=dict)  # of headings, with how many more wanted each

    def blocks(self, nodes: list[Any]) -> Iterator[_Piece]:
        for node in flat(nodes):
            yield self.block(node)

    def block(self, node: Json) -> Iterator[_Piece]:
        kind: str = node["type"]
        if kind == "paragraph":
            yield self.paragraph(node)
        elif kind == "heading":
            yield self.heading(node)
        elif kind == "codeBlock":
            yield self.code(node)
        elif kind == "horizontalRule":
            yield "<hr>\n"
        elif kind in LISTS:
            yield self.items(node)
        elif kind == "table":
            yield self.table(node)
        elif kind == "details":
            yield self.details(node)
        else:
            yield self.quote(node)

    def inline(self, nodes: list[Any]) -> str:
        return inline(nodes, self.pictures)

    def paragraph(self, node: Json) -> str:
        if figure := self.figure(_children(node)):
            return figure
        if sum(map(len, self.opening)) < _MAX_DESCRIPTION_LENGTH:
            self.opening.append(clean(_words(node)))
        return f"<p{_alignment(attributes(node).get('textAlign'))}>{self.inline(_children(node))}</p>\n"

    def figure(self, content: list[Any]) -> str:
        """The document's own image that is alone in its block, with its caption; empty for anything else."""
        if len(content) != 1 or _kind(content[0]) != "image" or content[0].get("marks"):
            return ""
        attrs = attributes(content[0])
        caption = attrs.get("title")
        image = own_image({**attrs, "title": None}, self.pictures)
        words = (
            f'<figcaption dir="auto">{escaped_html(caption)}</figcaption>'
            if isinstance(caption, str) and caption
            else ""
        )
        return image and f"<figure{_alignment(attrs.get('align'))}>{image}{words}</figure>\n"

    def heading(self, node: Json) -> str:
        attrs = attributes(node)
        level = attrs.get("level")
        tag = f"h{min(max(level, 1), 6) if type(level) is int else 1}"
        name = escaped_html(self.name(clean(_words(node))))
        # for the pointer only: those who listen to the page hear the heading's text and nothing else
        link = f'<a class="anchor" href="#{name}" tabindex="-1" aria-hidden="true"></a>'
        aligned = _alignment(attrs.get("textAlign"))
        return f'<{tag} id="{name}"{aligned}>{link}{self.inline(_children(node))}</{tag}>\n'

    def name(self, text: str) -> str:
        """A heading's name in addresses, as on GitHub: lower case, hyphens, a number where it was there before."""
        base = _NOT_IN_NAME.sub("", text.strip().lower())[:_MAX_NAME_LENGTH].replace(" ", "-") or "section"
        name = base
        while name in self.names:
            self.names[base] += 1
            name = f"{base}-{self.names[base]}"
        self.names[name] = 0
        return name

    def code(self, node: Json) -> str:
        named = _language(node)
        label = f' class="language-{escaped_html(named)}"' if named else ""
        block = f'<pre tabindex="0"><code{label}>{escaped_html(text_of(node))}</code></pre>'
        if named != CHART:
            return f"{block}\n"
        self.charts = True
        if self.frame:
            address = escaped_html(self.frame(text_of(node)))
            return f'<iframe class="chart" src="{address}" title="Chart" loading="lazy"></iframe>\n'
        return f'<figure class="chart" data-chart="{CHART}">{block}</figure>\n'

    def quote(self, node: Json) -> Iterator[_Piece]:
        inside = list(flat(_children(node)))
        marked = _callout(inside)
        if marked is None:
            yield f"<blockquote{_DIRECTED}>\n"
        else:
            first, *others = _children(inside[0])
            kind, rest = marked[1].lower(), {**first, "text": first["text"][marked.end() :].lstrip()}
            yield f'<blockquote{_DIRECTED} class="callout callout-{kind}">\n<p class="callout-title">{marked[1].title()}</p>\n'
            inside[0] = {**inside[0], "content": [rest, *others]}
            if not rest["text"] and not others:
                del inside[0]
        yield self.blocks(inside)
        yield "</blockquote>\n"

    def details(self, node: Json) -> Iterator[_Piece]:
        inside = _children(node)
        at = next((place for place, child in enumerate(inside) if _kind(child) == "detailsSummary"), len(inside))
        summary = self.inline(inside[at : at + 1])
        yield "<details>\n"
        yield self.blocks(inside[:at])
        yield f"<summary>{summary}</summary>\n" if summary else '<summary aria-label="Details"></summary>\n'
        yield self.blocks(inside[at + 1 :])
        yield "</details>\n"

    def items(self, node: Json) -> Iterator[_Piece]:
        kind: str = node["type"]
        tag = "ol" if kind == "orderedList" else "ul"
        yield f"<{tag}{_DIRECTED}{_numbering(attributes(node)) if tag == 'ol' else ''}"
        yield ' class="tasks">\n' if kind == "taskList" else ">\n"
        for item in _children(node):
            within = _children(item) if _kind(item) in ("listItem", "taskItem") else [item]
            if kind == "taskList":
                done = attributes(item).get("checked") is True if isinstance(item, dict) else False
                yield _task(done=done)
                yield self.blocks(within)
                yield "</div></li>\n"
            else:
                yield "<li>"
                yield self.blocks(within)
                yield "</li>\n"
        yield f"</{tag}>\n"

    def table(self, node: Json) -> Iterator[_Piece]:
        rows = [_children(row) if _kind(row) == "tableRow" else [row] for row in _children(node)]
        headed = bool(rows) and bool(rows[0]) and all(_kind(cell) == "tableHeader" for cell in rows[0])
        yield '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n'
        for number, row in enumerate(rows):
            if number == (1 if headed else 0):
                yield "<tbody>\n"
            yield "<thead>\n<tr>" if headed and not number else "<tr>"
            for cell in row:
                yield self.cell(cell, "col" if headed and not number else "row")
            yield "</tr>\n</thead>\n" if headed and not number else "</tr>\n"
        yield "</tbody>\n</table></div>\n" if len(rows) > headed else "</table></div>\n"

    def cell(self, cell: Any, scope: str) -> Iterator[_Piece]:
        known = _kind(cell) in ("tableCell", "tableHeader")
        attrs = attributes(cell) if known else {}
        tag, scoped = ("th", f' scope="{scope}"') if _kind(cell) == "tableHeader" else ("td", "")
        spans = "".join(
            f' {name}="{span}"'
            for name in ("colspan", "rowspan")
            if type(span := attrs.get(name)) is int and 1 < span <= _MAX_COLUMN_SPAN
        )
        yield f"<{tag}{scoped}{spans}{_alignment(attrs.get('align'))}>"
        yield self.blocks(_children(cell) if known else [cell])
        yield f"</{tag}>"


def _words(node: Json) -> str:
    """Return the text of a block for a screen reader: with mentions, and with spaces for breaks."""
    found: list[str] = []
    waiting: list[Any] = [node]
    while waiting:
        within = waiting.pop()
        kind = _kind(within)
        if kind == "hardBreak":
            found.append(" ")
        elif kind == "mention":
            found.append(mentioned(within))
        elif kind is not None:
            text = within.get("text")
            found += [text] if isinstance(text, str) else []
            waiting += _children(within)[::-1]
    return "".join(found)


def _alignment(value: Any) -> str:
    return _ALIGNED.get(value, "") if isinstance(value, str) else ""


def _numbering(attrs: Json) -> str:
    start, kind = attrs.get("start"), attrs.get("type")
    numbered = f' start="{start}"' if type(start) is int and start != 1 and 0 <= start <= MAX_LIST_NUMBER else ""
    return f'{numbered} type="{kind}"' if isinstance(kind, str) and kind in _NUMBERED else numbered


def _task(*, done: bool) -> str:
    """A checkbox with a label for screen readers, which cannot be ticked."""
    state, label = ("done", "Done") if done else ("open", "Not done")
    return f'<li class="{state}"><span class="box" role="img" aria-label="{label}"></span><div>'


def _callout(blocks: list[Json]) -> re.Match[str] | None:
    """The mark that makes a quote a callout, as GitHub writes it, at the start of its first paragraph."""
    first = _children(blocks[0])[:1] if blocks and blocks[0]["type"] == "paragraph" else []
    if not first or _kind(first[0]) != "text" or first[0].get("marks") or not isinstance(first[0].get("text"), str):
        return None
    return _CALLOUT.match(first[0]["text"])
