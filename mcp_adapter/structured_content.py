"""Answers made for models: lists as outlines, edits as what changed, moments to the second, nothing that is null.

The text block of a result says the same (`mcp_adapter.texts`): half of the clients give a model the text, the other half
the structured content.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from edge.responses import encode

type StructuredContent = dict[str, Any]

MAX_TEXT: Final = 400  # characters of one value
MAX_LINE: Final = 120  # characters of an item in an outline, as JSON
MAX_NAME: Final = 60  # characters of a name beside what was found or read
MAX_AUTHOR: Final = 40  # characters of the name of who edited a document last, and of the agent
MAX_FACTS: Final = 560  # characters of what is told with the text of a document, as JSON
MAX_HIT: Final = 300  # characters of what was found, as JSON
MAX_HEADING: Final = 110  # characters of a heading in an outline, as JSON
MAX_CHANGES: Final = 50  # of an edit
MAX_NESTING: Final = 20  # of an outline: what lies deeper stands under the id of its folder
_UNCUT: Final = frozenset({"markdown", "prosemirrorDoc", "url", "publicUrl", "nextCursor"})
_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z")
# What of a document's item is told with its text.
_READ: Final = frozenset({"id", "name", "revision", "url", "publicUrl", "updatedAt", "capabilities"})
_ESCAPE: Final = len("\\u200b")
_UNITS: Final = (1, 2)  # of UTF-16, by whether a character is beyond the first plane
_DAY: Final = len("2026-01-02")
# What the details of an event tell beside the item, its drive and who did it.
_DETAILS: Final = ("name", "email", "permission", "role", "userId", "fromParentId", "parentId", "number")


def structured_content(operation: str, answer: StructuredContent) -> StructuredContent:
    """Return the structured content for an answer of the operation to a model."""
    shape = _SHAPES.get(operation)
    made: StructuredContent = _told(shape(answer) if shape else answer)
    return made | {"nextCursor": None} if answer.get("nextCursor", "") is None else made


def cut_text(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… and {len(text) - MAX_TEXT} more characters"


def _told(value: Any, name: str = "") -> Any:
    if name in _UNCUT:
        return value
    if isinstance(value, dict):
        return {key: _told(each, key) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_told(each) for each in value]
    if isinstance(value, str):
        is_moment = name == "at" or name.endswith("At")
        return _MOMENT.sub(r"\1Z", value) if is_moment else cut_text(value)
    return value


def _line(item: Mapping[str, Any]) -> StructuredContent:
    """Return an item of a list: its id and name, whether it is a folder, and the day on which it was changed."""
    made, changed = _bare(item), item.get("updatedAt")
    day = {"updatedAt": changed[:_DAY]} if changed else {}
    return made | {"name": shortened(item["name"], MAX_LINE - len(encode(made).decode()))} | day


def _bare(item: Mapping[str, Any]) -> StructuredContent:
    """Return an item without its name."""
    folder = {"folder": True} if item["driveItemType"] == "folder" else {}
    return {"id": item["id"], "name": ""} | folder


def _lines(*names: str) -> Callable[[StructuredContent], StructuredContent]:
    return lambda answer: answer | {name: [_line(each) for each in answer[name]] for name in names}


def _drives(answer: StructuredContent) -> StructuredContent:
    drives = [
        drive | {"members": len(drive["members"]), "items": list(_outline(drive["items"]))}
        for drive in answer["drives"]
    ]
    return {"drives": drives, "nextCursor": answer["nextCursor"]}


def _outline(items: Sequence[Mapping[str, Any]]) -> Iterator[StructuredContent]:
    """Yield items with what is in them; what is in a folder of an earlier page, or lies deep, is under that folder's id."""
    inside: dict[str | None, list[Mapping[str, Any]]] = {}
    for item in items:
        inside.setdefault(item["parentId"], []).append(item)
    here = {item["id"] for item in items}
    waiting = [parent for parent in inside if parent is None or parent not in here]
    for parent in waiting:
        top: list[StructuredContent] = []
        left = [(top, 1, item) for item in inside[parent]]
        for into, depth, item in left:
            made = _line(item)
            into.append(made)
            if item["id"] not in inside:
                continue
            if depth == MAX_NESTING:
                waiting.append(item["id"])
                continue
            held = made["items"] = []
            left += [(held, depth + 1, each) for each in inside[item["id"]]]
        if parent is None:
            yield from top
        else:
            yield {"id": parent, "items": top}


def _read(answer: StructuredContent) -> StructuredContent:
    item = {name: value for name, value in answer["item"].items() if name in _READ}
    authors = [
        each | {name: shortened(each[name], MAX_AUTHOR) for name in ("name", "agent") if each.get(name)}
        for each in answer["authors"][:1]
    ]
    facts = {"item": item | {"name": ""}, "authors": authors}
    room = MAX_FACTS - _printed_length(_told(facts))
    return answer | facts | {"item": item | {"name": shortened(item["name"], max(MAX_NAME, room))}}


def _hits(answer: StructuredContent) -> StructuredContent:
    return answer | {"results": [_hit(each) for each in answer["results"]]}


def _hit(found: Mapping[str, Any]) -> StructuredContent:
    """Return what was found with as much of its excerpt, around what was sought, as there is room for."""
    item = found["item"]
    path = "/".join(step["name"] for step in found["folders"])
    made = _bare(item) | {"updatedAt": _MOMENT.sub(r"\1Z", item["updatedAt"])}
    made |= {"updatedBy": shortened(credited_to(item["updatedBy"]), MAX_AUTHOR)} | ({"path": ""} if path else {})
    made |= {"url": item["url"]}
    made["name"] = shortened(item["name"], min(MAX_NAME, _room(made) - len("…")))
    if path:
        made["path"] = shortened(path[::-1], _room(made))[::-1]  # its end, which says most
    excerpt = _excerpt(found["excerpt"], _room(made) - len(encode({"excerpt": ""})))
    return {"item": made} | ({"excerpt": excerpt} if excerpt else {})


def _room(item: StructuredContent) -> int:
    """Return for how many characters there is room beside what is told of something that was found."""
    return MAX_HIT - _printed_length({"item": item})


def _excerpt(parts: Sequence[Mapping[str, Any]], room: int) -> str:
    """Return the text around the first hit that is no longer than there is room for, as JSON."""
    text = "".join(part["text"] for part in parts)
    before = next((at for at, part in enumerate(parts) if part["hit"]), 0)
    hit, length = sum(len(part["text"]) for part in parts[:before]), room
    while length > 0:
        start = max(0, min(hit - length // 4, len(text) - length))
        shown = ("…" if start else "") + text[start : start + length] + ("…" if start + length < len(text) else "")
        over = _printed_length(shown) - len('""') - room
        if over <= 0:
            return shown
        length -= max(1, over // _ESCAPE)
    return ""


def _sections(answer: StructuredContent) -> StructuredContent:
    return answer | {"headings": [_heading(each) for each in answer["headings"]]}


def _heading(of: StructuredContent) -> StructuredContent:
    """Return a heading with as much of its text as there is room for."""
    return {**of, "text": shortened(of["text"], MAX_HEADING - len(encode(of | {"text": ""}).decode()))}


def shortened(text: str, room: int) -> str:
    """Return as much of a text as has room, within the quotes of JSON in which what does not print is escaped."""
    length = min(len(text), room)
    while length > 0 and (over := _escaped_length(text[:length]) + (length < len(text)) - room) > 0:
        length -= max(1, over // _ESCAPE)
    return text if length == len(text) else f"{text[: max(0, length)]}…"


def _escaped_length(text: str) -> int:
    """Return how many characters a text takes within the quotes of JSON, where whatever does not print is escaped."""
    return sum(_ESCAPE if each in '"\\' else _printed_characters(each) for each in text)


def _printed_length(value: object) -> int:
    """Return how many characters a value takes as JSON, in which whatever does not print is escaped."""
    return sum(map(_printed_characters, encode(value).decode()))


def _printed_characters(each: str) -> int:
    return 1 if each.isprintable() else _ESCAPE * _UNITS[each > "\uffff"]


def credited_to(by: Mapping[str, Any]) -> str:
    """Return whom something is credited to, in words: `Ada Lovelace (claude-code)`."""
    return f"{by['name']} ({by['agent']})" if by.get("agent") else by["name"]


def _events(answer: StructuredContent) -> StructuredContent:
    """Return events in one line each; the same that somebody did to an item several times is one, `times` so often."""
    told = []
    for event, alike in groupby(map(_event, answer["events"]), key=lambda each: each | {"at": ""}):
        moments = [each["at"] for each in alike]
        often = {"times": len(moments), "since": _MOMENT.sub(r"\1Z", moments[-1])} if len(moments) > 1 else {}
        told.append(event | {"at": moments[0]} | often)
    return answer | {"events": told}


def _event(event: Mapping[str, Any]) -> StructuredContent:
    about = {"itemId": event["itemId"], "itemName": event["itemName"]}
    details = event["details"] if isinstance(event["details"], dict) else {}
    kept = {name: details[name] for name in _DETAILS if details.get(name) not in (None, *about.values())}
    return {"type": event["type"]} | about | {"by": credited_to(event["by"]), "at": event["at"]} | kept


def _edit(answer: StructuredContent) -> StructuredContent:
    """Return what an edit changed, or (dry run) would change; of very many changes the first."""
    changes = answer["recordedChanges"] or answer["changes"]
    rest = {name: value for name, value in answer.items() if name != "recordedChanges"}
    more = {"moreChanges": len(changes) - MAX_CHANGES} if len(changes) > MAX_CHANGES else {}
    return rest | {"changes": changes[:MAX_CHANGES]} | more


def _attributions(answer: StructuredContent) -> StructuredContent:
    return answer | {"attributions": [_credited(each, "by", "movedBy") for each in answer["attributions"]]}


def _undone(answer: StructuredContent) -> StructuredContent:
    return answer | {"changes": [_credited(each, "by") for each in answer["changes"]]}


def _versions(answer: StructuredContent) -> StructuredContent:
    versions = [each | {"authors": [*map(credited_to, each["authors"])]} for each in answer["versions"]]
    return answer | {"versions": versions}


def _credited(of: Mapping[str, Any], *names: str) -> StructuredContent:
    return {**of, **{name: credited_to(of[name]) for name in names if of.get(name)}}


_SHAPES: Final[Mapping[str, Callable[[StructuredContent], StructuredContent]]] = {
    "documents.read": _read,
    "documents.outline": _sections,
    "driveItems.get": _lines("children"),
    "driveItems.sharedWithMe": _lines("items"),
    "driveItems.search": _hits,
    "drives.list": _drives,
    "drives.events": _events,
    "viewer.events": _events,
    "documents.edit": _edit,
    "documents.attributions": _attributions,
    "documents.undoChanges": _undone,
    "documents.versions": _versions,
}
