"""Keeps the Yjs client ids that editors showed, under which nobody has written, for who showed them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from domain.document import ShownClientId
from persistence.postgres.connections import Connection
from persistence.store import PostgresStore

HOUR: Final = 3600.0
MAX_SHOWN: Final = 256  # of one user in one document; of more, those are given up that were recorded first
# Those of open documents are recorded again each hour, so each is kept for a day and an hour.
_RECORD: Final = """
insert into shown_client_id (item_id, client, user_id, agent, until)
select i.id, s.client, a.id, s.agent, now() + interval '25 hours'
from unnest(%(items)s::uuid[], %(clients)s::int8[], %(users)s::uuid[], %(agents)s::text[]) as s(item_id, client, user_id, agent)
join item i on i.id = s.item_id join account a on a.id = s.user_id
order by i.id, s.client
on conflict (item_id, client) do update
    set user_id = excluded.user_id, agent = excluded.agent, until = excluded.until
    where shown_client_id.until < now() or (
        shown_client_id.user_id = excluded.user_id and shown_client_id.agent is not distinct from excluded.agent)"""
_GIVE_UP: Final = """
delete from shown_client_id d using (
    select item_id, client, row_number() over (partition by item_id, user_id order by until desc, client) as place
    from shown_client_id where item_id = any(%(items)s::uuid[])) s
where d.item_id = s.item_id and d.client = s.client and s.place > %(most)s"""
_FORGET: Final = "delete from shown_client_id where until < now()"


class ShownClientIdStore:
    """`shown` returns those of the documents that are open."""

    every: float = HOUR

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self.shown: Callable[[], Iterable[ShownClientId]] = tuple

    async def record(self, shown: Sequence[ShownClientId]) -> None:
        values = {
            "items": [each.document_id for each in shown],
            "clients": [each.client for each in shown],
            "users": [each.author[0] for each in shown],
            "agents": [each.author[1] for each in shown],
            "most": MAX_SHOWN,
        }

        async def act(connection: Connection) -> None:
            await connection.execute(_RECORD.encode(), values)
            await connection.execute(_GIVE_UP.encode(), values)

        await self._store.autocommit(act)

    async def turn(self) -> None:
        if shown := [*self.shown()]:
            await self.record(shown)

        async def forget(connection: Connection) -> None:
            await connection.execute(_FORGET.encode())

        await self._store.autocommit(forget)
