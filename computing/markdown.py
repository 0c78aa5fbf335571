"""Turns Markdown into a tree, and a tree into Markdown, that no document holds."""

from typing import Any, Final

import msgspec

from documents.editing.apply_tree import deeper_than
from documents.editing.edit import FIELDS, Whole, target
from documents.markdown.markdown_out import MarkdownWriter, markdown
from documents.markdown.unsupported_markup import UnsupportedMarkup
from documents.tree.given import given_tree
from documents.tree.tree import Json
from documents.yjs.scan import MAX_TREE_DEPTH, Refused
from domain.errors import Code, Rejection
from domain.values import bad

_NOTHING: Final[Json] = {"type": "doc", "content": []}


def read_markdown(text: str) -> bytes | Rejection:
    """Return the tree of a document that says this, as JSON; BAD_REQUEST where an edit with it would be refused."""
    made = target(_NOTHING, Whole(text), MarkdownWriter(), UnsupportedMarkup())
    if isinstance(made, Refused):
        return Rejection(Code.BAD_REQUEST, made.reason.replace(f"`{FIELDS[Whole]}`", "`markdown`", 1))
    if deeper_than(made, MAX_TREE_DEPTH):
        return bad("markdown", f"nests blocks deeper than {MAX_TREE_DEPTH}")
    return msgspec.json.encode(made)


def write_markdown(tree: dict[str, Any]) -> str | Rejection:
    """Return the Markdown of a tree; BAD_REQUEST where it is none."""
    read = given_tree(tree)
    return bad("prosemirrorDoc", read.reason) if isinstance(read, Refused) else markdown(read)
