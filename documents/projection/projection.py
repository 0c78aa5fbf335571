"""Makes the two projections of a document from one snapshot."""

from dataclasses import dataclass
from typing import Any

import msgspec
from pycrdt import Doc

from documents.markdown.markdown_out import markdown
from documents.tree.tree import tree


@dataclass(frozen=True, slots=True)
class Projection:
    tree_json: bytes
    markdown: str


def project(doc: Doc[Any]) -> Projection:
    """Equal states give equal bytes. The Markdown is made from the tree that is answered beside it."""
    snapshot = tree(doc)
    return Projection(msgspec.json.encode(snapshot), markdown(snapshot))
