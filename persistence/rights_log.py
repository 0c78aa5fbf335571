"""Whose rights changed lately, as the audit tells it: for whoever did not hear of it, such as another process."""

from collections.abc import Sequence
from typing import Any, Final

from domain.events import Event
from persistence.connections import Connection
from persistence.store import PostgresStore

# Numbers are given out before they are committed, so an older one may appear after a newer one has been seen.
_OVERLAP: Final = 200
# One question, since it is asked all the time. Without a number to begin after, that is the newest but so many.
_NEWS: Final = f"""
select l.last, e.sequence, e.drive_id::text, e.details ->> 'userId'
from (select coalesce(max(sequence), 0) as last from event) l
left join event e on e.sequence > coalesce(%s, l.last) - {_OVERLAP} and e.type in ({{types}})"""


class RightsLog:
    """What one process has seen of it. `kinds` are the events that change rights."""

    def __init__(self, store: PostgresStore, kinds: Sequence[type[Event]]) -> None:
        self._store = store
        types = (f"'{kind.__name__[0].lower()}{kind.__name__[1:]}'" for kind in kinds)
        self._question = _NEWS.format(types=", ".join(types))
        self._last: int | None = None
        self._seen: set[int] = set()

    async def news(self) -> tuple[set[str], set[str]]:
        """Return the drives and the users whose rights changed since this was asked last; at first, none."""
        begun = self._last is not None
        found = await self._store.reading(self._look)
        self._last, rows = found[0][0], [row[1:] for row in found if row[1] is not None]
        fresh = [row for row in rows if begun and row[0] not in self._seen]
        self._seen = {row[0] for row in rows}
        return {row[1] for row in fresh if row[1]}, {row[2] for row in fresh if row[2]}

    async def _look(self, connection: Connection) -> list[Any]:
        return await (await connection.execute(self._question, (self._last,), prepare=True)).fetchall()
