"""Estimates, before an update is applied, whether the CRDT library may take long over it, and judges afterwards whether it did.

Yjs searches the place of a new item among its siblings, from its left neighbour to its right one. An editor's items stand
next to their neighbours, so nothing is searched; an update made by hand can have each item searched through all of a long
text, and 60 KB cost minutes. Only applying an update shows which it is, so an update that may take that long is first
applied to a copy, in a process of its own.
"""

from collections.abc import Mapping
from typing import Final

from documents.yjs.scan import Scanned

MAX_SEARCHED: Final = 2**24  # items times bytes of the document: at most about an eighth of a second
MAX_DELETES: Final = 50_000  # runs, each of which may cut an item in two
MAX_SECONDS: Final = 0.1  # of CPU
MAX_SECONDS_A_MEBIBYTE: Final = 0.15  # an editor's updates take half of that


def may_be_costly(scanned: Scanned, state: Mapping[int, int], size: int) -> bool:
    """Whether applying the update to a document with this state vector may take longer than its length suggests.

    `size` is that of the document and the update together, in bytes.
    """
    # Items of the document may have neighbours that the update does not name.
    searched = scanned.structs if scanned.known(state) else scanned.scattered
    return searched * size > MAX_SEARCHED or scanned.deletes > MAX_DELETES


def is_costly(size: int, seconds: float) -> bool:
    """Whether an update of so many bytes took more CPU than any editor's."""
    return seconds > MAX_SECONDS + MAX_SECONDS_A_MEBIBYTE * size / 2**20
