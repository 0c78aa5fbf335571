"""Records, to the minute, when keys, sessions and connected applications were last used."""

from typing import Final

from persistence.oauth_store import OAuthStore
from persistence.postgres.connections import Connection
from persistence.store import PostgresStore

_KEYS: Final = """
update api_key set last_used_at = date_trunc('minute', now())
where id = any(%s::uuid[]) and last_used_at is distinct from date_trunc('minute', now())"""
_SESSIONS: Final = """
update web_session set last_seen_at = date_trunc('minute', now())
where id = any(%s::uuid[]) and last_seen_at < date_trunc('minute', now())"""


class LastUses:
    """One for each process. The ids in `keys` and `sessions` are written together, with the uses that `apps` noted."""

    every: float = 5.0  # seconds: somebody who connects an agent waits for its first use

    def __init__(self, store: PostgresStore, apps: OAuthStore) -> None:
        self._store = store
        self._apps = apps
        self.keys: set[str] = set()
        self.sessions: set[str] = set()

    async def turn(self) -> None:
        for statement, ids in ((_KEYS, self.keys), (_SESSIONS, self.sessions)):
            if ids:
                written = sorted(ids)
                ids.clear()
                await self._write(statement, written)
        await self._apps.flush()

    async def _write(self, statement: str, ids: list[str]) -> None:
        async def act(connection: Connection) -> None:
            await connection.execute(statement.encode(), [ids])

        await self._store.autocommit(act)
