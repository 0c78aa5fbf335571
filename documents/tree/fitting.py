"""Checks blocks against the ProseMirror schema, since editors delete the nodes that do not fit theirs.

The library that knows schemas takes 18 MB and an eighth of a second to load, so it is loaded at the first edit in Markdown.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from documents.tree.schema import SCHEMA
from documents.tree.tree import Json

if TYPE_CHECKING:
    from prosemirror.model import Node, Schema
    from prosemirror.model.schema import SchemaSpec


def misfit(blocks: Sequence[Json]) -> str | None:
    """Return why editors would delete one of these blocks, or a part of it; None where all of them fit the schema.

    As in y-prosemirror, which looks at each node's type, content and attributes, and not at which marks exclude each other.
    """
    if not blocks:
        return None
    try:
        waiting = [_document({"type": "doc", "content": [*blocks]})]
        while waiting:
            node = waiting.pop()
            node.type.check_content(node.content)
            waiting += node.content.content
    except (ValueError, KeyError, TypeError) as error:
        return str(error)
    return None


def _document(tree: Json) -> "Node":
    from prosemirror.model import Node  # noqa: PLC0415 - see above

    return Node.from_json(_schema(), tree)


@cache
def _schema() -> "Schema[Any, Any]":
    from prosemirror.model import Schema  # noqa: PLC0415 - see above

    return Schema(cast("SchemaSpec[Any, Any]", SCHEMA))
