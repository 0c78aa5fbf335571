"""Worker that makes what is searched of the names of items from before that was stored with each name."""

import time
from typing import Final

from documents.projection.search_text import folded_name
from persistence.postgres.connections import acquire, translate_errors
from persistence.store import PostgresStore

BATCH: Final = 500  # names
SHARE: Final = 5  # the pause after a batch, as a multiple of its length
IDLE_SECONDS: Final = 60.0
_UNFOLDED: Final = "select id::text, name from item where folded_name is null order by id limit %s"
# A name that was changed meanwhile was folded with that.
_FOLD: Final = """
update item set folded_name = made.folded
from unnest(%s::uuid[], %s::text[], %s::text[]) made (id, name, folded)
where item.id = made.id and item.name = made.name and item.folded_name is null"""


class NameFolding:
    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self.every = 0.0

    async def turn(self) -> None:
        begun = time.monotonic()
        with translate_errors:
            async with acquire(self._store.writers) as connection:
                rows = await (await connection.execute(_UNFOLDED, [BATCH])).fetchall()
                if rows:
                    ids, names = [row[0] for row in rows], [row[1] for row in rows]
                    await connection.execute(_FOLD, [ids, names, [folded_name(name) for name in names]])
        self.every = SHARE * (time.monotonic() - begun) if len(rows) == BATCH else IDLE_SECONDS
