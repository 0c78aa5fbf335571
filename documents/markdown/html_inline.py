"""Writes the text of one block as HTML: characters, marks, links, images, breaks.

Elements and attributes are constants, and every piece of a document passes through `escaped`. Values of a document
only select entries of tables of allowed things.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from documents.markdown.addresses import OWN_IMAGE, quoted, safe_image, safe_link
from documents.markdown.inline_out import attributes
from documents.tree.tree import Json

# rel="ugc": what people wrote, which search engines are not to take for ours
REL: Final = 'rel="nofollow noopener ugc"'
_TAGS: Final = {
    "bold": "strong",
    "italic": "em",
    "strike": "s",
    "code": "code",
    "underline": "u",
    "highlight": "mark",
    "subscript": "sub",
    "superscript": "sup",
}
_NEWLINE = re.compile(r"\r\n?")
# what no HTML document may hold, however it is written
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
_MAX_SIDE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that a page may show: where it is served to readers, and its size in pixels."""

    address: str
    width: int
    height: int


type Pictures = Mapping[str, Picture]
"""The document's own images by their ids; no other image of ours is shown."""


@dataclass(frozen=True, slots=True)
class _Mark:
    opening: str
    closing: str


def clean(text: str) -> str:
    """The text with what HTML cannot hold replaced."""
    return _FORBIDDEN.sub("\ufffd", _NEWLINE.sub("\n", text))


def escaped_html(text: str) -> str:
    return escape(clean(text))


def inline(nodes: Iterable[Any], pictures: Pictures) -> str:
    """Return inline nodes as HTML; other nodes become their text."""
    out: list[str] = []
    opened: list[_Mark] = []
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        marks = _marks(node)
        written = _written(node, pictures, linked=bool(marks) and marks[0].closing == "</a>")
        if written is None:
            content = node.get("content")
            waiting += content[::-1] if isinstance(content, list) else []
        elif written:
            _turn(out, opened, marks)
            out.append(written)
    _turn(out, opened, [])
    return "".join(out)


def _turn(out: list[str], opened: list[_Mark], marks: list[_Mark]) -> None:
    """Close what ends here and open what begins, innermost first and outermost first."""
    same = 0
    while same < min(len(opened), len(marks)) and opened[same] == marks[same]:
        same += 1
    out += [mark.closing for mark in opened[same:][::-1]]
    out += [mark.opening for mark in marks[same:]]
    opened[same:] = marks[same:]


def _written(node: Json, pictures: Pictures, *, linked: bool) -> str | None:
    """None where the node has nothing of its own to show, and its content may have."""
    kind = node.get("type")
    if kind == "text" and isinstance(text := node.get("text"), str):
        return escaped_html(text)
    if kind == "hardBreak":
        return "<br>"
    if kind == "image":
        return _image(attributes(node), pictures, linked=linked)
    if kind == "mention":
        return f'<span class="mention">{escaped_html(mentioned(node))}</span>'
    return None


def mentioned(node: Json) -> str:
    attrs = attributes(node)
    return f"@{attrs.get('label') or attrs.get('id') or ''}"


def _marks(node: Json) -> list[_Mark]:
    """A node's marks, the link outermost: links cannot lie in each other."""
    found: list[_Mark] = []
    marks = node.get("marks")
    for mark in marks if isinstance(marks, list) else ():
        name = mark.get("type")
        if tag := _TAGS.get(name):
            found.append(_Mark(f"<{tag}>", f"</{tag}>"))
        elif name == "link" and (link := _link(attributes(mark))):
            found = [link, *found] if not found or found[0].closing != "</a>" else found
    return list(dict.fromkeys(found))


def _link(attrs: Json) -> _Mark | None:
    href = attrs.get("href")
    if not isinstance(href, str) or not safe_link(href):
        return None
    return _Mark(f'<a href="{address(href)}" {REL}{_title(attrs)}>', "</a>")


def address(url: str) -> str:
    return escaped_html(quoted(url))


def _title(attrs: Json) -> str:
    title = _text(attrs, "title")
    return f' title="{escaped_html(title)}"' if title else ""


def _image(attrs: Json, pictures: Pictures, *, linked: bool) -> str:
    """The document's own image; one from elsewhere would tell others who reads the page, so it is only linked to."""
    if shown := own_image(attrs, pictures):
        return shown
    source, alt = _text(attrs, "src"), _text(attrs, "alt")
    if OWN_IMAGE.fullmatch(source) or linked or not source or not safe_image(source) or source.startswith("data:"):
        return escaped_html(alt)
    return f'<a class="image" href="{address(source)}" {REL}{_title(attrs)}>{escaped_html(alt) or escaped_html(source)}</a>'


def own_image(attrs: Json, pictures: Pictures) -> str:
    """The document's own image; empty for any other."""
    own = OWN_IMAGE.fullmatch(_text(attrs, "src"))
    picture = pictures.get(own[1]) if own else None
    if picture is None:
        return ""
    width, height = _sides(attrs, picture)
    return (
        f'<img src="{escaped_html(picture.address)}" alt="{escaped_html(_text(attrs, "alt"))}"{_title(attrs)}'
        f' width="{width}" height="{height}" loading="lazy" decoding="async">'
    )


def _text(attrs: Json, name: str) -> str:
    value = attrs.get(name)
    return value if isinstance(value, str) else ""


def _sides(attrs: Json, picture: Picture) -> tuple[int, int]:
    """The size to show: what the document asks for, at the picture's own proportions."""
    width = _side(attrs.get("width"))
    if width is None or not picture.width:
        return picture.width, picture.height
    return width, max(1, round(width * picture.height / picture.width))


def _side(value: Any) -> int | None:
    if isinstance(value, str) and len(value) < 6 and value.isascii() and value.isdigit():
        value = int(value)
    return value if type(value) is int and 0 < value <= _MAX_SIDE else None
