"""Storage quotas: how many bytes a drive may store, and what is refused where it would store more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from domain.document import DocumentCopied, DocumentEdited, ImageUploaded
from domain.errors import Code, Rejection

UNBOUNDED: Final = 2**63
_DELETES_ALONE: Final = b"\0"  # how an update of Yjs begins that writes nothing
STORAGE_FULL: Final = Rejection(
    Code.STORAGE_FULL,
    "the drive has not enough storage left for this: delete what it does not need for ever, or ask the operator for more",
)


@dataclass(frozen=True, slots=True)
class DriveStorage:
    """How many bytes a drive stores, as they were counted last, and how many it may."""

    used: int
    limit: int


class StorageQuotas(Protocol):
    """What each drive has left of its quota, as far as it is counted."""

    def left(self, drive_id: str) -> int:
        """Return how many bytes more the drive may store; less than 0 where it stores too many."""
        ...

    def wrote(self, drive_id: str, size: int) -> None:
        """Note bytes that the drive stores from now on, until they are counted."""
        ...


class Unlimited:
    """Quotas where nothing is counted."""

    def left(self, _drive_id: str) -> int:
        return UNBOUNDED

    def wrote(self, _drive_id: str, _size: int) -> None:
        return None


def added_bytes(events: Sequence[object]) -> Mapping[str, int]:
    """Return how many bytes of content events (`domain.events`) add to each drive.

    An update that only deletes adds none: it is taken by a full drive, too.
    """
    added: dict[str, int] = {}
    for event in events:
        if isinstance(event, DocumentEdited) and not event.update.startswith(_DELETES_ALONE):
            added[event.drive_id] = added.get(event.drive_id, 0) + len(event.update)
        elif isinstance(event, DocumentCopied):
            added[event.drive_id] = added.get(event.drive_id, 0) + len(event.update) + len(event.credits)
        elif isinstance(event, ImageUploaded):
            added[event.drive_id] = added.get(event.drive_id, 0) + event.image.byte_size
    return added


def no_room(quotas: StorageQuotas, added: Mapping[str, int]) -> Rejection | None:
    """Return a Rejection where a drive has less left than is added to it."""
    for drive_id, size in added.items():
        if size > quotas.left(drive_id):
            return STORAGE_FULL
    return None
