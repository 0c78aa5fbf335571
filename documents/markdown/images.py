"""Takes images out of text: in Markdown an image stands in a text, in the schema it is a block."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from documents.markdown.addresses import OWN_IMAGE, safe_image
from documents.tree.tree import SPACES, Json

TEXT_BLOCKS: Final = frozenset({"paragraph", "heading"})


def apart(block: Json) -> list[Json]:
    """Return a paragraph or heading as blocks that hold no image that Markdown shows, with these images between them.

    White space and line breaks beside an image go, and so does a block of nothing else. Without images it is the block itself.
    """
    content = block.get("content") or []
    return [*_parts(block, content)] if any(map(_is_shown, content)) else [block]


def with_copies(node: Json, copies: Mapping[str, str]) -> Json:
    """Return a node with the images in it that have copies, by their ids, as these."""
    attrs = node.get("attrs", {})
    source = attrs.get("src")
    if node["type"] == "image" and isinstance(source, str) and (own := OWN_IMAGE.fullmatch(source)):
        copy = copies.get(own[1])
        return node if copy is None else {**node, "attrs": {**attrs, "src": source.replace(own[1], copy)}}
    content = node.get("content", [])
    made = [with_copies(child, copies) for child in content]
    return node if all(one is other for one, other in zip(made, content, strict=True)) else {**node, "content": made}


def _parts(block: Json, content: list[Json]) -> Iterator[Json]:
    for is_image, run in groupby(content, key=_is_shown):
        if is_image:
            # a mark, such as a link, lies on text alone
            yield from ({name: value for name, value in image.items() if name != "marks"} for image in run)
        elif text := _trimmed([*run]):
            yield {**block, "content": text}


def _is_shown(node: Json) -> bool:
    if node["type"] != "image":
        return False
    source = (node.get("attrs") or {}).get("src")
    return safe_image(source if isinstance(source, str) else "")


def _trimmed(content: list[Json]) -> list[Json]:
    for at, strip in ((0, str.lstrip), (-1, str.rstrip)):
        while content and _is_blank(content[at]):
            content.pop(at)
        if content and content[at]["type"] == "text" and not _is_code(content[at]):
            content[at] = {**content[at], "text": strip(content[at]["text"], SPACES)}
    return content


def _is_blank(node: Json) -> bool:
    return node["type"] == "hardBreak" or (
        node["type"] == "text" and not _is_code(node) and not node["text"].strip(SPACES)
    )


def _is_code(text: Json) -> bool:
    return any(mark["type"] == "code" for mark in text.get("marks") or ())
