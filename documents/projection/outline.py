"""Outlines a document by its headings, each named by its Yjs id, and reads a part of it: a section, or a run of blocks.

A section is a heading that lies directly in the document, with all blocks up to the next one of its level or a higher one.
The id of a heading stays while it is in the document, whatever is written in it or around it, and through compaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final

from pycrdt import Doc, XmlElement

from documents.markdown.markdown_out import heading_level, joined_blocks, part
from documents.tree.tree import Json, root, text_of, walk
from documents.yjs.scan import Id, Refused
from documents.yjs.snapshot import guarded
from documents.yjs.structs import read_update

HEADING: Final = "heading"
MAX_NAMED: Final = 20  # of the sections that there are, in a refusal
MAX_SHOWN: Final = 60  # characters of a heading in a refusal


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, and its section: the blocks from `start` to `stop` (not included), of so many characters of Markdown."""

    id: str
    level: int
    text: str
    start: int
    stop: int
    size: int


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings of a document of so many blocks and characters of Markdown."""

    headings: tuple[Heading, ...]
    blocks: int
    size: int


@dataclass(frozen=True, slots=True)
class PartRequest:
    """A section, or the blocks from `start` to `stop` (not included): of these no more than `most` characters, but one block."""

    section: str | None = None
    start: int | None = None
    stop: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """The Markdown of the blocks from `start` to `stop` (not included); `following` is the next one that was asked for, if any.

    The document has so many blocks, and `size` characters of Markdown.
    """

    markdown: str
    start: int
    stop: int
    following: int | None
    blocks: int
    size: int


@dataclass(frozen=True, slots=True)
class SectionNotFound(Refused):
    """A section whose heading is not in the document."""


def outline(doc: Doc[Any]) -> Outline:
    """Return the headings of a document, which is spent by that: drop it."""
    content = walk(doc).tree["content"]
    texts = _texts(content)
    found = _headings(doc, content)
    sized = (Heading(each.id, each.level, each.text, *each.blocks, _size(texts[slice(*each.blocks)])) for each in found)
    return Outline(tuple(sized), len(content), _size(texts))


def read_part(doc: Doc[Any], asked: PartRequest) -> DocumentPart | SectionNotFound:
    """Return a part of a document, which is spent where that is a section: drop it."""
    content = walk(doc).tree["content"]
    texts = _texts(content)
    count = len(content)
    start, stop = 0, count
    if asked.section is not None:
        found = section(doc, content, asked.section)
        if isinstance(found, SectionNotFound):
            return found
        start, stop = found
    start = min(max(start, asked.start or 0), stop)
    stop = stop if asked.stop is None else min(max(start, asked.stop), stop)
    end = _end(texts, start, stop, asked.most)
    return DocumentPart(joined_blocks(texts[start:end]), start, end, end if end < stop else None, count, _size(texts))


def section(doc: Doc[Any], content: Sequence[Json], name: str) -> tuple[int, int] | SectionNotFound:
    """Return where among the blocks of a document, which is spent by that, the section of a heading begins and ends."""
    found = _headings(doc, content)
    return next((each.blocks for each in found if each.id == name), None) or SectionNotFound(_missing(found))


@dataclass(frozen=True, slots=True)
class _Found:
    id: str
    level: int
    text: str
    blocks: tuple[int, int]


def _headings(doc: Doc[Any], content: Sequence[Json]) -> list[_Found]:
    """Return the headings; none of a document in which values that are no nodes hide some of them from the library."""
    places = [at for at, node in enumerate(content) if node["type"] == HEADING]
    ids = guarded(lambda: _ids(doc))
    if isinstance(ids, Refused) or len(ids) != len(places):
        return []
    levels = [heading_level(content[at]) for at in places]
    stops = _stops(places, levels, len(content))
    return [
        _Found(f"{client}-{clock}", level, " ".join(text_of(content[at]).split()), (at, stop))
        for (client, clock), at, level, stop in zip(ids, places, levels, stops, strict=True)
    ]


def _ids(doc: Doc[Any]) -> list[Id]:
    """Return the Yjs ids of the headings in the root that is read.

    The library tells the id of an element only in updates, as the parent of what is written into it. So each heading gets
    an attribute under a name that it cannot have had: without a predecessor, its struct names its parent.
    """
    headings = [each for each in root(doc).children if isinstance(each, XmlElement) and each.tag == HEADING]
    if not headings:
        return []
    name, made = token_hex(16), list[bytes]()
    subscription = doc.observe(lambda event: made.append(event.update))
    try:
        with doc.transaction():
            for each in headings:
                each.attributes[name] = ""
    finally:
        doc.unobserve(subscription)
    (update,) = made
    return [
        (struct.parent[0], struct.parent[1])  # type: ignore[misc]
        for structs in read_update(update).runs.values()
        for struct in structs
    ]


def _stops(places: Sequence[int], levels: Sequence[int], count: int) -> list[int]:
    """Return where the section of each heading ends: at the next heading of its level or a higher one."""
    stops = [count] * len(places)
    open_: list[int] = []
    for number, (place, level) in enumerate(zip(places, levels, strict=True)):
        while open_ and levels[open_[-1]] >= level:
            stops[open_.pop()] = place
        open_.append(number)
    return stops


def _texts(content: Sequence[Json]) -> list[str]:
    """Return the Markdown of each block, as that of the whole document has it."""
    texts, marker = list[str](), ""
    for node in content:
        text, marker = part(node, marker)
        texts.append(text)
    return texts


def _size(texts: Sequence[str]) -> int:
    return len(joined_blocks(texts))


def _end(texts: Sequence[str], start: int, stop: int, most: int | None) -> int:
    if most is None:
        return stop
    size = 0
    for at in range(start, stop):
        size += len(texts[at]) + 2 * bool(texts[at])
        if size > most and at > start:
            return at
    return stop


def _missing(found: Sequence[_Found]) -> str:
    why = "`section` names no heading of the document"
    if not found:
        return f"{why}; it has none now"
    titles = [f"`{each.id}` for `{_shown(each.text)}`" for each in found[:MAX_NAMED]]
    more = f" and {len(found) - MAX_NAMED} more" if len(found) > MAX_NAMED else ""
    return f"{why}; there are now {', '.join(titles)}{more}"


def _shown(text: str) -> str:
    shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    return "".join(each if each.isprintable() else "\ufffd" for each in shown)
