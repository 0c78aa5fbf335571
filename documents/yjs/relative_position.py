"""Names places in a document as Yjs does: by a struct, so that a place stays where it is while others write around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from documents.yjs.scan import TEXT, TYPE
from documents.yjs.structs import ANYS, EMBED, FORMAT, Update, read_update

BEFORE: Final = -1  # the place behind the struct
AFTER: Final = 0  # the place before it

_IN_CONTENT: Final = (TEXT, TYPE, EMBED, FORMAT)


@dataclass(frozen=True, slots=True)
class RelativePosition:
    """Yjs's class of this name: a place beside what a client wrote under a clock, on the side of `assoc`."""

    client: int
    clock: int
    assoc: int

    @property
    def json(self) -> dict[str, object]:
        """The position as editors put it into their awareness states."""
        return {
            "type": None,
            "tname": None,
            "item": {"client": self.client, "clock": self.clock},
            "assoc": self.assoc,
        }


def edited_at(slices: Sequence[bytes]) -> RelativePosition | None:
    """Return where the last thing ends that an update wrote; where it wrote nothing, where it set or deleted something.

    The update is given in slices, and was scanned before.
    """
    found: dict[int, RelativePosition] = {}
    for each in reversed(slices):
        update = read_update(each)
        for rank, find in enumerate(_FINDERS):
            if rank not in found and (place := find(update)):
                found[rank] = place
        if 0 in found:
            break
    return found[min(found)] if found else None


def _written(update: Update) -> RelativePosition | None:
    written = (
        RelativePosition(client, struct.clock + struct.length - 1, BEFORE)
        for client, structs in update.runs.items()
        for struct in reversed(structs)
        if struct.kind in _IN_CONTENT
    )
    return next(written, None)


def _set(update: Update) -> RelativePosition | None:
    attributes = (
        RelativePosition(client, struct.clock, AFTER)
        for client, structs in update.runs.items()
        for struct in reversed(structs)
        if struct.kind == ANYS
    )
    return next(attributes, None)


def _deleted(update: Update) -> RelativePosition | None:
    return next((RelativePosition(run.client, run.clock, AFTER) for run in update.deleted), None)


_FINDERS: Final = (_written, _set, _deleted)
