"""Checks large updates that editors and readers send."""

from documents.admission.deletions import Deletions
from documents.admission.known_clocks import Repeated, contradicts
from documents.admission.surrogate_pairs import Cutting, cutting
from documents.yjs.scan import Refused, Scanned, UpdateLimits, scan


def scan_update(update: bytes, limits: UpdateLimits) -> Scanned | Refused:
    return scan(update, limits)


def compare_update(update: bytes, has: Repeated) -> bool:
    """Whether an update contradicts what a document has of it."""
    return contradicts(update, has)


def read_pairs(update: bytes) -> Cutting:
    """Read an update that was scanned for the surrogate pairs that it cuts or brings."""
    return cutting(update)


def knows_deletions(deleted: bytes, update: bytes, at: int) -> bool:
    """Whether all that an update deletes, which it says from `at` on, is `deleted`."""
    return Deletions(deleted).hold(update, at)
