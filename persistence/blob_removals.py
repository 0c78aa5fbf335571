"""Lists the blobs to be deleted: those whose rows are gone, and those that never had one."""

from collections.abc import Sequence
from typing import Final

from domain.values import is_id
from persistence.postgres.connections import Connection
from persistence.store import PostgresStore

AT_ONCE: Final = 1_000
_DUE: Final = f"""
select key from blob_removal where key > %s and not exists (select from image where image.blob = key::uuid)
order by key limit {AT_ONCE}"""
_DONE: Final = "delete from blob_removal where key = any(%s)"
_UNNAMED: Final = (
    "select key from unnest(%s::text[]) key where not exists (select from image where image.blob = key::uuid)"
)


class BlobRemovals:
    def __init__(self, store: PostgresStore) -> None:
        self._store = store

    async def due(self, after: str = "") -> list[str]:
        """Return, in their order, some of the keys behind `after` of which all rows were deleted."""
        return await self._keys(_DUE, after)

    async def done(self, keys: Sequence[str]) -> None:
        async def act(connection: Connection) -> None:
            await connection.execute(_DONE, [list(keys)])

        await self._store.autocommit(act)

    async def unnamed(self, keys: Sequence[str]) -> list[str]:
        """Return those of the keys that images can have, and no image has."""
        return await self._keys(_UNNAMED, [key for key in keys if is_id(key)])

    async def _keys(self, statement: str, value: object) -> list[str]:
        async def ask(connection: Connection) -> list[str]:
            rows = await (await connection.execute(statement.encode(), [value])).fetchall()
            return [key for (key,) in rows]

        return await self._store.autocommit(ask)
