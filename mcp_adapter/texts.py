"""Text blocks made for models: of a document its Markdown, of drives an outline, of other answers a few short lines.

Names and texts that users wrote stand in JSON's escapes, with every character that does not print escaped, so that none
of them can begin a line.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from graphql_api.contract import tool_name
from mcp_adapter.tools import Tool

MAX_TEXT: Final = 400  # characters of one value; all of it is in the structured content
# What only says again, at length, what the caller has written or can read.
_LEFT_OUT: Final = frozenset({"prosemirrorDoc", "markdown", "nextCursor"})
_CONTENT: Final = frozenset({"documents.read", "documents.readVersion"})
_plain: Final = re.compile(r"[\w.:@+/-]{1,64}", re.ASCII)
_LEGEND: Final = 'One line for each item: its id ("/" marks a folder), then its name, indented under what it is in.'


def brief_text(tool: Tool, given: Mapping[str, object], answer: Any) -> str:
    """Return the text block of a call with the inputs `given` and its answer, which is None for one without any."""
    name = tool.shape.operation.name
    if answer is None:
        return " ".join([f"done: {tool.name}", *_pairs(given)])
    if name in _CONTENT:
        facts = document_facts(answer) if "item" in answer else _without(answer)
        return f"{escaped(facts)}\n{answer['markdown']}"
    if name == "drives.list":
        return "\n".join(_outline(answer["drives"], answer["nextCursor"]))
    return "\n".join(_lines(tool.name, given, answer))


def document_facts(answer: Mapping[str, Any]) -> dict[str, object]:
    """Return what a model has to know of a document beside its content."""
    item, authors = answer["item"], answer["authors"]
    last = {name: authors[0][name] for name in ("name", "agent", "editedAt")} if authors else None
    named = {name: item[name] for name in ("name", "id", "revision")}
    return named | {"lastEditedBy": last, "youMay": item["capabilities"]}


def escaped(value: object) -> str:
    """Return JSON on one line, in which whatever does not print is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(each if each.isprintable() else _escape(each) for each in text)


def _escape(character: str) -> str:
    return json.dumps(character)[1:-1]


def _outline(drives: Sequence[Mapping[str, Any]], cursor: str | None) -> Iterator[str]:
    yield _LEGEND
    for drive in drives:
        about = f"{drive['kind']}, you are {drive['role']}, members: {len(drive['members'])}"
        yield f"drive {drive['id']} {escaped(drive['name'])} ({about})"
        yield from _tree(drive["items"])
    yield f"There is more: call drives_list with cursor {escaped(cursor)}" if cursor else "That is everything."


def _tree(items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Return items under their parents; those of a parent that an earlier page has stand under its id."""
    inside: dict[str | None, list[Mapping[str, Any]]] = {}
    for item in items:
        inside.setdefault(item["parentId"], []).append(item)
    here = {item["id"] for item in items}
    for parent, first in inside.items():
        if parent is not None and parent in here:
            continue
        if parent:
            yield f" {parent}/ (named before)"
        left = [(2 if parent else 1, item) for item in reversed(first)]
        while left:
            depth, item = left.pop()
            folder = "/" if item["driveItemType"] == "folder" else ""
            yield f"{' ' * depth}{item['id']}{folder} {escaped(item['name'])[1:-1]}"
            left += ((depth + 1, each) for each in reversed(inside.get(item["id"], [])))


def _lines(tool: str, given: Mapping[str, object], answer: Mapping[str, Any]) -> Iterator[str]:
    if given.get("dryRun") is True:
        yield "dry run: nothing was written"
    for name, value in answer.items():
        if name in _LEFT_OUT:
            continue
        if isinstance(value, list) and any(isinstance(each, dict) for each in value):
            yield f"{name}: {len(value)}"
            yield from (f" {_said(each)}" for each in value)
        else:
            yield f"{name}: {_said(value)}"
    if "markdown" in answer:
        yield f"The whole text is in structuredContent; {tool_name('documents.read')} reads it again."
    if "nextCursor" in answer:
        cursor = answer["nextCursor"]
        yield f"There is more: call {tool} with cursor {escaped(cursor)}" if cursor else "That is everything."


def _said(value: Any) -> str:
    """Return a value on one line."""
    match value:
        case str():
            return value if _plain.fullmatch(value) else escaped(_cut(value))
        case {"driveItemType": kind, "id": id_, "name": name, "revision": revision}:
            about = "folder" if kind == "folder" else f"document, revision {revision}"
            return f"{id_} {escaped(name)} ({about})"
        case dict():
            return " ".join(_pairs(value))
        case [{"hit": _, "text": _}, *_]:
            return escaped(_cut("".join(part["text"] for part in value)))
        case list():
            return f"[{', '.join(map(_said, value))}]"
        case _:
            return escaped(value)


def _pairs(of: Mapping[str, Any]) -> Iterable[str]:
    for name, value in of.items():
        if value is None or name in _LEFT_OUT:
            continue
        inner = isinstance(value, dict)
        yield f"{name}={'(' if inner else ''}{_said(value)}{')' if inner else ''}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… and {len(text) - MAX_TEXT} more characters"


def _without(answer: Mapping[str, Any]) -> dict[str, object]:
    return {name: value for name, value in answer.items() if name not in _LEFT_OUT}
