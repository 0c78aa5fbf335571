"""Gives the names of the schema to what an imported update names as prosemirror-schema-basic, -schema-list, -markdown and -tables do."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, Final

from pycrdt import Doc

from documents.admission.update_names import Name, NameKind, names, renamed
from documents.yjs.scan import Id
from documents.yjs.snapshot import encode_state
from documents.yjs.structs import encoded_text

_NODES: Final = {
    "bullet_list": "bulletList",
    "ordered_list": "orderedList",
    "list_item": "listItem",
    "code_block": "codeBlock",
    "horizontal_rule": "horizontalRule",
    "hard_break": "hardBreak",
    "table_row": "tableRow",
    "table_cell": "tableCell",
    "table_header": "tableHeader",
}
_MARKS: Final = {"strong": "bold", "em": "italic"}
_ATTRIBUTES: Final = {"order": ("orderedList", "start"), "params": ("codeBlock", "language")}
_ENCODED: Final = tuple(map(encoded_text, chain(_NODES, _MARKS, _ATTRIBUTES)))
# The names that matter: those that change, and those of elements that have attributes that change.
_LOOKED_AT: Final = frozenset(chain(_NODES, _MARKS, _ATTRIBUTES, [element for element, _ in _ATTRIBUTES.values()]))


def in_schema(update: bytes, doc: Doc[Any]) -> bytes:
    """Return an update for this document in the names of the schema; it was scanned."""
    if not any(name in update for name in _ENCODED):
        return update
    found = [name for name in names(update) if name.value in _LOOKED_AT]
    elements = _elements(found)
    if any(name.kind is NameKind.ATTRIBUTE and name.of not in elements for name in found):
        elements = _elements(names(encode_state(doc))) | elements
    changes = [(name, value) for name in found if (value := _value(name, elements)) != name.value]
    return renamed(update, changes)


def _elements(found: Iterable[Name]) -> dict[Id | None, str]:
    return {name.of: _NODES.get(name.value, name.value) for name in found if name.kind is NameKind.ELEMENT}


def _value(name: Name, elements: Mapping[Id | None, str]) -> str:
    """Return what the schema calls it: an attribute of another name only where its element has one of that name."""
    match name.kind:
        case NameKind.ELEMENT:
            return _NODES.get(name.value, name.value)
        case NameKind.MARK:
            return _MARKS.get(name.value, name.value)
        case NameKind.ATTRIBUTE:
            element, value = _ATTRIBUTES.get(name.value, (None, name.value))
            return value if elements.get(name.of) == element else name.value
        case NameKind.ROOT:
            return name.value
