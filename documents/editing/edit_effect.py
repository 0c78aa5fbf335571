"""Describes what an edit does to a document: block by block, with what it leaves alone and what it loses."""

from collections.abc import Sequence
from dataclasses import dataclass

from documents.editing.edit_report import Difference, Lost, differences, lost
from documents.editing.rebase import Kept, Merged
from documents.editing.three_way import Conflict


@dataclass(frozen=True, slots=True)
class EditEffect:
    """`markdown` is the document after the edit; all paths lead into that document."""

    markdown: str
    changes: Sequence[Difference]
    kept: Sequence[Kept]
    conflicts: Sequence[Conflict]
    lost: Sequence[Lost]


@dataclass(frozen=True, slots=True)
class NewDocument:
    """The update with which a document that was written in Markdown begins, empty where it says nothing, and what was left out."""

    update: bytes
    lost: Sequence[Lost]


def effect_of(made: Merged) -> EditEffect:
    return EditEffect(
        made.writer.markdown(made.after),
        differences(made.before, made.after),
        made.kept,
        made.conflicts,
        [*left_out(made), *lost(made.before, made.after)],
    )


def left_out(made: Merged) -> list[Lost]:
    """Return what the given Markdown says and documents have no place for."""
    return [Lost((), *each) for each in sorted(made.unsupported.found)]
