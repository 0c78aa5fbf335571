"""Gives the images in a document the addresses of their copies."""

from computing.loaded_document import bytes_of, load_document
from documents.editing.apply_tree import apply_tree
from documents.markdown.images import with_copies
from documents.tree.tree import tree
from documents.yjs.scan import Refused
from domain.document import Computed, DocumentState


def point_to_copies(stored: DocumentState, copies: dict[str, str]) -> Computed:
    """Return the edit by which images become their copies, by the ids of both; empty where none of these is in the document."""
    doc = load_document(stored)
    now = tree(doc)
    wanted = with_copies(now, copies)
    made = b"" if wanted is now else apply_tree(doc, wanted)
    update = b"" if isinstance(made, Refused) else made
    return Computed(update, stored.sequence, bytes_of(stored) + len(update))
