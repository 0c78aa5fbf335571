"""Text blocks made for models: of a document its Markdown, of drives an outline, of other answers a few short lines.

Names and texts that users wrote stand in JSON's escapes, with every character that does not print escaped, so that none
of them can begin a line.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from mcp_adapter.structured_content import StructuredContent, cut_text
from mcp_adapter.tools import Tool

_CONTENT: Final = frozenset({"documents.read", "documents.readVersion", "documents.readPart"})
_LINE: Final = frozenset({"id", "name", "folder", "updatedAt"})  # of an item in a list
_plain: Final = re.compile(r"[\w.:@+/-]{1,64}|https?://[\w.:/-]+", re.ASCII)
_LEGEND: Final = 'One line for each item: its id ("/" marks a folder), then its name, indented under what it is in.'


def brief_text(tool: Tool, given: Mapping[str, object], answer: StructuredContent | None) -> str:
    """Return the text block of a call with the inputs `given` and its answer for models, None for one without any."""
    name = tool.shape.operation.name
    if answer is None:
        return " ".join([f"done: {tool.name}", *_pairs(given)])
    if name in _CONTENT:
        facts = document_facts(answer) if "item" in answer else answer
        return f"{escaped({key: value for key, value in facts.items() if key != 'markdown'})}\n{answer['markdown']}"
    if name == "drives.list":
        return "\n".join(_outline(answer["drives"], answer["nextCursor"]))
    return "\n".join(_lines(tool.name, given, answer))


def document_facts(answer: StructuredContent) -> dict[str, object]:
    """Return what a model has to know of a document beside its content."""
    item, authors = answer["item"], answer["authors"]
    named = {name: value for name, value in item.items() if name != "capabilities"}
    tree = {"prosemirrorDoc": answer["prosemirrorDoc"]} if "prosemirrorDoc" in answer else {}
    return named | {"lastEditedBy": authors[0] if authors else None, "youMay": item["capabilities"]} | tree


def escaped(value: object) -> str:
    """Return JSON on one line, in which whatever does not print is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(each if each.isprintable() else _escape(each) for each in text)


def _escape(character: str) -> str:
    return json.dumps(character)[1:-1]


def _outline(drives: Sequence[StructuredContent], cursor: str | None) -> Iterator[str]:
    yield _LEGEND
    for drive in drives:
        about = f"{drive['kind']}, you are {drive['role']}, members: {drive['members']}"
        yield f"drive {drive['id']} {escaped(drive['name'])} ({about})"
        yield from _tree(drive["items"])
    yield f"There is more: call drives_list with cursor {escaped(cursor)}" if cursor else "That is everything."


def _tree(items: Sequence[StructuredContent]) -> Iterator[str]:
    """Yield items under their folders; a folder without a name was named before."""
    left = [(1, item) for item in reversed(items)]
    while left:
        depth, item = left.pop()
        if "name" in item:
            folder = "/" if item.get("folder") else ""
            yield f"{' ' * depth}{item['id']}{folder} {escaped(item['name'])[1:-1]}"
        else:
            yield f"{' ' * depth}{item['id']}/ (named before)"
        left += ((depth + 1, each) for each in reversed(item.get("items", [])))


def _lines(tool: str, given: Mapping[str, object], answer: StructuredContent) -> Iterator[str]:
    if given.get("dryRun") is True:
        yield "dry run: nothing was written"
    for name, value in answer.items():
        if name == "nextCursor":
            continue
        if isinstance(value, list) and any(isinstance(each, dict) for each in value):
            yield f"{name}: {len(value)}"
            yield from (f" {_said(each)}" for each in value)
        else:
            yield f"{name}: {_said(value)}"
    if "nextCursor" in answer:
        cursor = answer["nextCursor"]
        yield f"There is more: call {tool} with cursor {escaped(cursor)}" if cursor else "That is everything."


def _said(value: Any) -> str:
    """Return a value on one line."""
    match value:
        case str():
            return value if _plain.fullmatch(value) else escaped(cut_text(value))
        case {"id": id_, "name": name} if value.keys() <= _LINE:
            folder = "/" if value.get("folder") else ""
            return " ".join([f"{id_}{folder}", escaped(name), *filter(None, [value.get("updatedAt")])])
        case dict():
            return " ".join(_pairs(value))
        case list():
            return f"[{', '.join(map(_said, value))}]"
        case _:
            return escaped(value)


def _pairs(of: Mapping[str, Any]) -> Iterable[str]:
    for name, value in of.items():
        if value is not None:
            inner = isinstance(value, dict)
            yield f"{name}={'(' if inner else ''}{_said(value)}{')' if inner else ''}"
