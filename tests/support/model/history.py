"""The edits that the history of a document keeps, as the database selects them."""

from collections.abc import Iterable
from datetime import UTC, datetime

from domain.history import SAMPLE_INTERVAL, LogEntry

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def downsampled(edits: Iterable[LogEntry]) -> tuple[LogEntry, ...]:
    """Keep the first and the last of each author's edits in each interval."""
    kept: dict[tuple[str, str | None, int], tuple[LogEntry, LogEntry]] = {}
    for edit in edits:
        stretch = edit.user_id, edit.agent, (edit.at - _BEGINNING) // SAMPLE_INTERVAL
        kept[stretch] = kept.get(stretch, (edit, edit))[0], edit
    return tuple(sorted({edit for both in kept.values() for edit in both}, key=lambda edit: edit.sequence))
