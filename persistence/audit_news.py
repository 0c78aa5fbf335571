"""What happened lately, as the audit tells it: for whoever did not hear of it, such as another process."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.document import DocumentEdited
from domain.events import Event
from persistence.connections import Connection
from persistence.store import PostgresStore

# Numbers are given out before they are committed, so an older one may appear after a newer one has been seen.
_OVERLAP: Final = 200
# One question, since it is asked all the time. Without a number to begin after, that is the newest but so many.
_NEWS: Final = f"""
select l.last, e.sequence, e.drive_id::text, e.item_id::text, e.details ->> 'userId'
from (select coalesce(max(sequence), 0) as last from event) l
left join event e on e.sequence > coalesce(%s, l.last) - {_OVERLAP} and e.type in ({{types}})"""
_UNCUT: Final = """
select i.id::text from item i where i.kind <> 'folder'
    and coalesce((select max(sequence) from document_update where item_id = i.id), 0)
        > coalesce((select max(sequence) from document_version where item_id = i.id), 0)"""


@dataclass(frozen=True, slots=True)
class Line:
    """Where something happened, and to whom, if to anybody."""

    drive_id: str | None
    item_id: str | None
    user_id: str | None


class AuditNews:
    """What one process has seen of the audit. `kinds` are the events of which it wants to know."""

    def __init__(self, store: PostgresStore, kinds: Sequence[type[Event]]) -> None:
        self._store = store
        types = (f"'{kind.__name__[0].lower()}{kind.__name__[1:]}'" for kind in kinds)
        self._question = _NEWS.format(types=", ".join(types))
        self._last: int | None = None
        self._seen: set[int] = set()

    async def lines(self) -> list[Line] | None:
        """Return what happened since this was asked last, each line once; at first, None."""
        first = self._last is None
        found = await self._store.reading(self._look)
        rows = {sequence: line for _, sequence, *line in found if sequence is not None}
        fresh = [Line(*line) for sequence, line in rows.items() if sequence not in self._seen]
        self._last, self._seen = found[0][0], {*rows}
        return None if first else fresh

    async def _look(self, connection: Connection) -> list[tuple[int, int | None, str | None, str | None, str | None]]:
        return await (await connection.execute(self._question, (self._last,), prepare=True)).fetchall()


class RightsLog:
    """Whose rights changed."""

    def __init__(self, store: PostgresStore, kinds: Sequence[type[Event]]) -> None:
        self._audit = AuditNews(store, kinds)

    async def news(self) -> tuple[set[str], set[str]]:
        """Return the drives and the users whose rights changed since this was asked last; at first, none."""
        lines = await self._audit.lines() or ()
        return {line.drive_id for line in lines if line.drive_id}, {line.user_id for line in lines if line.user_id}


class EditedLog:
    """Which documents were edited. An author's edits of one document have a line about once a minute."""

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self._audit = AuditNews(store, (DocumentEdited,))

    async def news(self) -> set[str]:
        """Return the documents edited since this was asked last; at first, all with edits that belong to no version."""
        lines = await self._audit.lines()
        if lines is None:
            return await self._store.reading(_uncut)
        return {line.item_id for line in lines if line.item_id}


async def _uncut(connection: Connection) -> set[str]:
    return {item_id for (item_id,) in await (await connection.execute(_UNCUT)).fetchall()}
