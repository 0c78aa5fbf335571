"""Reads a ProseMirror tree that a caller gives, whatever it holds, in the form of the trees of documents."""

from typing import Any, Final

import msgspec

from documents.tree.tree import Json, shaped
from documents.yjs.scan import Refused

_MALFORMED: Final = "is no ProseMirror document"


class _Mark(msgspec.Struct, omit_defaults=True):
    type: str
    attrs: dict[str, Any] | None = None


class _Node(msgspec.Struct, omit_defaults=True):
    type: str
    attrs: dict[str, Any] | None = None
    content: "list[_Node] | None" = None
    marks: list[_Mark] | None = None
    text: str | None = None

    def __post_init__(self) -> None:
        if (self.type == "text") != (self.text is not None):
            raise ValueError("a text has a text")


def given_tree(value: object) -> Json | Refused:
    """Return the tree that a value of JSON is; names that no node or mark has are left out."""
    try:
        node = msgspec.convert(value, _Node)
        return shaped(msgspec.to_builtins(node)) if node.type == "doc" else Refused(_MALFORMED)
    except msgspec.ValidationError as error:
        return Refused(f"{_MALFORMED}: {error}")
    except RecursionError:
        return Refused("is nested too deeply")
