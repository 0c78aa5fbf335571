"""Which documents were edited lately, as the audit tells it; at first, all with edits that belong to no version."""

from typing import Final

from persistence.connections import Connection
from persistence.store import PostgresStore

# Numbers are given out before they are committed, so an older one may appear after a newer one has been seen.
_OVERLAP: Final = 200
_UNCUT: Final = """
select i.id::text from item i where i.kind <> 'folder'
    and coalesce((select max(sequence) from document_update where item_id = i.id), 0)
        > coalesce((select max(sequence) from document_version where item_id = i.id), 0)"""
_SINCE: Final = """
select sequence, item_id::text from event
where sequence > %(after)s and type = 'documentEdited' and item_id is not null"""
_LAST: Final = "select coalesce(max(sequence), 0) from event"


class EditedLog:
    """What one process has seen of it. An author's edits of one document have a line about once a minute."""

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self._last: int | None = None
        self._told: frozenset[int] = frozenset()  # the numbers of what may be found again

    async def news(self) -> set[str]:
        """Return the documents edited since this was asked last."""
        return await self._store.reading(self._look)

    async def _look(self, connection: Connection) -> set[str]:
        if self._last is None:
            self._last = await _last(connection)
            return {item_id for (item_id,) in await (await connection.execute(_UNCUT)).fetchall()}
        last = await _last(connection)
        found = await (await connection.execute(_SINCE, {"after": self._last - _OVERLAP})).fetchall()
        told, self._last, self._told = self._told, last, frozenset(sequence for sequence, _ in found)
        return {item_id for sequence, item_id in found if sequence not in told}


async def _last(connection: Connection) -> int:
    row = await (await connection.execute(_LAST)).fetchone()
    return row[0] if row else 0
