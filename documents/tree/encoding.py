"""Encodes a document where its encoding has the same content, which the library does not always see to."""

from typing import Any

from pycrdt import Doc

from documents.tree.tree import walk
from documents.yjs.scan import IMPORT, Refused, scan
from documents.yjs.snapshot import encode_state, load, state_vector


def squash(doc: Doc[Any]) -> bytes | Refused:
    """Return the state as one update with provably the same content. Where it is refused, keep the updates themselves.

    The library miscounts once a deletion cuts a surrogate pair in half, which editors can do to an emoji (y-crdt pull
    request 399): the document still reads well, but its encoding shifts everything behind that place.
    """
    state = encode_state(doc)
    if isinstance(scan(state, IMPORT), Refused):
        return Refused("the document's encoding cannot be read again")
    return state if encodes(doc) else Refused("the document's encoding says something else than the document")


def encodes(doc: Doc[Any]) -> bool:
    """Whether the document's encoding has the same content as the document."""
    again = load(encode_state(doc))
    return not isinstance(again, Refused) and state_vector(again) == state_vector(doc) and walk(again) == walk(doc)
