"""Examples of the documentation: one value for each field, and objects made of them."""

from collections.abc import Mapping
from typing import Final, cast

from contract.scalars import JsonSchema

_FIELDS: Final[Mapping[str, object]] = {
    "id": "0192f3c4-8a10-7b6e-9c41-2f60d1a57e03",
    "itemId": "0192f3c4-8a10-7b6e-9c41-2f60d1a57e03",
    "documentId": "0192f3c4-8a10-7b6e-9c41-2f60d1a57e03",
    "driveId": "0192f3c4-11d2-7a05-8d3b-6a0e4c9b7f10",
    "parentId": None,
    "organizationId": "0192f3c3-5be0-7c1f-a2d4-90b1e6f3c8d2",
    "userId": "0192f3c3-77a9-7e42-b518-3cd09f1e2a64",
    "name": "Launch plan",
    "email": "ben@example.com",
    "agent": None,
    "driveItemType": "docs_workbook",
    "permission": "read_write",
    "role": "contributor",
    "kind": "shared",
    "published": False,
    "publicUrl": None,
    "trashedAt": None,
    "revision": 42,
    "url": "http://127.0.0.1:8000/images/0192f3c5-20b7-7d93-8e06-5f1c4a7b9d21",
    "contentType": "image/png",
    "width": 1200,
    "height": 630,
    "byteSize": 48213,
    "markdown": "# Launch plan\n\nWe ship on Monday.\n",
    "prosemirrorDoc": {
        "type": "doc",
        "content": [
            {"type": "heading", "attrs": {"level": 1}, "content": [{"type": "text", "text": "Launch plan"}]},
            {"type": "paragraph", "content": [{"type": "text", "text": "We ship on Monday."}]},
        ],
    },
    "section": None,
    "fromBlock": 4,
    "toBlock": 9,
    "nextBlock": None,
    "characters": 20_000,
    "level": 2,
    "cursor": "WyJzaGFyZWQiLCJQbGFucyJd",
    "nextCursor": None,
    "text": "launch",
    "first": 50,
    "number": 3,
    "replace": None,
    "append": "- Book the venue",
    "passages": None,
    "base": None,
    "onConflict": "merge",
    "dryRun": False,
    "ids": None,
    "path": [1],
    "folders": [{"id": "0192f3c4-7d52-7c10-a1b4-93f0c6d5e8a7", "name": "Plans"}],
    "inserted": "Monday",
    "deleted": "Friday",
}
# Values of fields whose name other objects have, too, by a field that only one object has.
_OF_OBJECTS: Final[Mapping[str, Mapping[str, object]]] = {
    "userId": {"name": "Ben Carter"},
    "inserted": {"kind": "replaced"},
    "level": {"id": "2847361950-1432", "text": "Launch plan"},
    "what": {"name": "textStyle"},
    "driveItemType": {"url": "http://127.0.0.1:8000/doc/0192f3c4-8a10-7b6e-9c41-2f60d1a57e03"},
}
# Values where null is none.
_PRESENT: Final[Mapping[str, object]] = {"agent": "research-assistant"}
_MOMENT: Final = "2026-11-20T09:30:00.000Z"


def _admits_null(schema: JsonSchema) -> bool:
    kind = schema.get("type", "null")
    return kind == "null" or (isinstance(kind, list) and "null" in kind)


def example(schema: JsonSchema, components: Mapping[str, JsonSchema], name: str = "") -> object:
    """Return a value that the schema accepts: the example of the field's name where there is one."""
    if name in _FIELDS and _FIELDS[name] in cast("list[object]", schema.get("enum", [_FIELDS[name]])):
        shown = _FIELDS[name]
        return shown if shown is not None or _admits_null(schema) else _PRESENT.get(name, "")
    if reference := schema.get("$ref"):
        return example(components[str(reference).rpartition("/")[2]], components)
    if "anyOf" in schema:
        return None
    properties = schema.get("properties")
    if isinstance(properties, dict):
        telling = {
            key: value for by, values in _OF_OBJECTS.items() if by in properties for key, value in values.items()
        }
        return {key: telling.get(key) or example(value, components, key) for key, value in properties.items()}
    if schema.get("type") == "array":
        return [example(cast("JsonSchema", schema["items"]), components)]
    if "enum" in schema:
        return cast("list[object]", schema["enum"])[0]
    if "default" in schema:
        return schema["default"]
    kind = schema.get("type")
    plain = {"boolean": False, "integer": 1, "number": 1.5}.get(str(kind[0] if isinstance(kind, list) else kind), "")
    return _MOMENT if schema.get("format") == "date-time" else plain
