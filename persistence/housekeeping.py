"""Deletes old sessions, links, idempotency keys, e-mails that were sent, and trash."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from domain.credit import Credit
from domain.session import Lifetimes
from domain.trash import ItemDeleted
from persistence.oauth_store import OAuthStore
from persistence.postgres.connections import Connection
from persistence.store import PostgresStore, Transaction

MINUTE: Final = 60.0
_FORGET: Final = "delete from idempotency where at < now() - interval '24 hours'"
_OLD: Final = """
select id::text from item where trashed_at < now() - make_interval(days => %s) order by trashed_at limit 1000"""
# The deletion is credited to the user who trashed the item.
_STILL_OLD: Final = """
select i.drive_id::text, i.name, a.id::text, a.name, e.agent, date_trunc('milliseconds', now())
from item i left join lateral (
    select * from event e where e.drive_id = i.drive_id and e.item_id = i.id and e.type = 'itemTrashed'
    order by e.sequence desc limit 1) e on true
join account a on a.id = coalesce(e.user_id, i.updated_by_user)
where i.id = %s::uuid and i.trashed_at < now() - make_interval(days => %s)"""
_MAILS: Final = "delete from outbox where outcome is not null and due_at < now() - interval '1 day'"
_LINKS: Final = "delete from link where expires_at < now()"
_SESSIONS: Final = "delete from web_session where last_seen_at < now() - %s or created_at < now() - %s"


@dataclass(frozen=True, slots=True)
class _Touching:
    items: tuple[str, ...]
    drives: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    covers_reads: bool = False
    may_end_access: bool = False


class Housekeeping:
    every: float = MINUTE

    def __init__(
        self,
        store: PostgresStore,
        *,
        trash_days: int,
        sessions: Lifetimes = Lifetimes(),  # noqa: B008 - a frozen value
        apps: OAuthStore | None = None,
    ) -> None:
        self._apps = apps
        self._store = store
        self._trash_days = trash_days
        self._sessions = sessions

    async def turn(self) -> None:
        for statement in (_FORGET, _MAILS, _LINKS):
            await self._do(statement, [])
        await self._do(_SESSIONS, [self._sessions.idle, self._sessions.longest])
        if self._apps:
            await self._apps.tidy()
        await self.empty_trash()

    async def empty_trash(self) -> None:
        """Delete expired trash for ever, with all items below it, each under the lock of its drive."""

        async def old(connection: Connection) -> list[str]:
            return [item_id for (item_id,) in await (await connection.execute(_OLD, [self._trash_days])).fetchall()]

        for item_id in await self._store.autocommit(old):
            await self._store.transact(_Touching((item_id,)), partial(self._delete, item_id))

    async def _delete(self, item_id: str, transaction: Transaction) -> None:
        row = await (await transaction.connection.execute(_STILL_OLD, [item_id, self._trash_days])).fetchone()
        if row:
            drive_id, name, *credit, now = row
            await transaction.record((ItemDeleted(item_id, drive_id, name),), Credit(*credit), now)

    async def _do(self, statement: str, values: Sequence[object]) -> None:
        async def act(connection: Connection) -> None:
            await connection.execute(statement.encode(), values)

        await self._store.autocommit(act)
