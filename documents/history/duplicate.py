"""Makes a document of the text of another one: who wrote the letters is kept, what was deleted and how it came about is not."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from pycrdt import Doc

from documents.history.attribution import AttributedText
from documents.history.credits import Credits, Source
from documents.markdown.images import with_copies
from documents.tree.build import from_tree
from documents.tree.tree import Json
from documents.yjs.scan import accepted, text_spans

_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Duplication:
    """Who copies a document, and the ids of copies, by those of the originals.

    Images that have a copy become it, and links to items at `origin` lead to theirs.
    """

    by: Source
    ids: Mapping[str, str]
    origin: str


@dataclass(frozen=True, slots=True)
class Duplicated:
    """The update that makes the document, and who wrote which of its letters, as `Credits` are stored, and in short."""

    update: bytes
    credits: bytes
    authors: tuple[Source, ...]


def duplicated(content: Json, whose: Sequence[AttributedText], asked: Duplication) -> Duplicated:
    """Return a document with this content, whose letters are those of `whose`, or else of who copies it."""
    client = Doc[Any]().client_id
    update = from_tree(_with_links(with_copies(content, asked.ids), asked), client)
    spans = accepted(text_spans(update))
    written = Credits()
    stretches = {path: [*run] for path, run in groupby(whose, key=lambda each: each.path)}
    for path, text in zip(_texts(content), spans.texts, strict=True):
        for stretch in stretches.get(path, ()):
            written.add({client: text.clock + stretch.start}, asked.by)
            written.add({client: text.clock + stretch.stop}, stretch.source)
    written.add(spans.ends, asked.by)
    return Duplicated(update, written.encode(), tuple(written.sources))


def _texts(content: Json) -> Iterator[tuple[int, ...]]:
    """Yield the paths of the texts, in their order."""
    stack: list[tuple[Json, tuple[int, ...]]] = [(content, ())]
    while stack:
        node, path = stack.pop()
        if node["type"] == "text":
            yield path
        children = node.get("content", ())
        stack += [(child, (*path, place)) for place, child in enumerate(children)][::-1]


def _with_links(node: Json, asked: Duplication) -> Json:
    made = dict(node)
    if marks := node.get("marks"):
        made["marks"] = [_with_address(mark, asked) for mark in marks]
    if content := node.get("content"):
        made["content"] = [_with_links(child, asked) for child in content]
    return made


def _with_address(mark: Json, asked: Duplication) -> Json:
    attrs = mark.get("attrs", {})
    address = attrs.get("href")
    if not isinstance(address, str) or not address.startswith((f"{asked.origin}/", "/")) or address.startswith("//"):
        return mark
    led = _ID.sub(lambda found: asked.ids.get(found[0], found[0]), address)
    return {**mark, "attrs": {**attrs, "href": led}}
