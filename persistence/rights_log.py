"""Whose rights changed lately, as the audit tells it: for whoever did not hear of it, such as another process."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.events import Event
from persistence.connections import Connection
from persistence.store import PostgresStore

# Numbers are given out before they are committed, so an older one may appear after a newer one has been seen.
_OVERLAP: Final = 200
_SINCE: Final = """
select sequence, drive_id::text, details ->> 'userId' from event
where sequence > %(after)s and type = any(%(types)s::text[])"""
_LAST: Final = "select coalesce(max(sequence), 0) from event"


class RightsLog:
    """What one process has seen of it. `kinds` are the events that change rights."""

    def __init__(self, store: PostgresStore, kinds: Sequence[type[Event]]) -> None:
        self._store = store
        self._types = [f"{kind.__name__[0].lower()}{kind.__name__[1:]}" for kind in kinds]
        self._last: int | None = None
        self._seen: set[int] = set()

    async def news(self) -> tuple[set[str], set[str]]:
        """Return the drives and the users whose rights changed since this was asked last; at first, none."""
        begun, self._last, rows = self._last is not None, *await self._store.reading(self._look)
        fresh = [row for row in rows if begun and row[0] not in self._seen]
        self._seen = {row[0] for row in rows}
        return {row[1] for row in fresh if row[1]}, {row[2] for row in fresh if row[2]}

    async def _look(self, connection: Connection) -> tuple[int, list[tuple[int, str | None, str | None]]]:
        last = (await _rows(connection, _LAST, {}))[0][0]
        after = (last if self._last is None else self._last) - _OVERLAP
        return last, await _rows(connection, _SINCE, {"after": after, "types": self._types})


async def _rows(connection: Connection, statement: str, values: Mapping[str, object]) -> list[Any]:
    cursor = await connection.execute(statement, values, prepare=True)
    return await cursor.fetchall()
