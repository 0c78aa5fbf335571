"""Names places in a document as Yjs does: by a struct, so that a place stays where it is while others write around it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from documents.scan import TEXT, TYPE
from documents.structs import ANYS, EMBED, FORMAT, Update, read_update

BEFORE: Final = -1  # the place behind the struct
AFTER: Final = 0  # the place before it

_IN_CONTENT: Final = (TEXT, TYPE, EMBED, FORMAT)


@dataclass(frozen=True, slots=True)
class RelativePosition:
    """Yjs's class of this name: a place beside what a client wrote under a clock, on the side that `assoc` says."""

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


def edited_at(slices: Iterable[bytes]) -> RelativePosition | None:
    """Return where the last thing ends that an update wrote; where it wrote nothing, where it set or deleted something.

    The update is given in slices, and was scanned before.
    """
    updates = [read_update(each) for each in slices]
    return next((place for find in _FINDERS for update in reversed(updates) for place in find(update)), None)


def _written(update: Update) -> Iterator[RelativePosition]:
    for client, structs in update.runs.items():
        for struct in reversed(structs):
            if struct.kind in _IN_CONTENT:
                yield RelativePosition(client, struct.clock + struct.length - 1, BEFORE)


def _set(update: Update) -> Iterator[RelativePosition]:
    for client, structs in update.runs.items():
        for struct in reversed(structs):
            if struct.kind == ANYS:
                yield RelativePosition(client, struct.clock, AFTER)


def _deleted(update: Update) -> Iterator[RelativePosition]:
    for run in update.deleted:
        yield RelativePosition(run.client, run.clock, AFTER)


_FINDERS: Final = (_written, _set, _deleted)
