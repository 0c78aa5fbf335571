"""Which counters of a database do not say what a count does."""

from typing import Any

import psycopg

MISCOUNTED = """
select p.id::text, p.children, counted.children from item p cross join lateral (
    select count(*) as children from item i where i.parent_id = p.id and i.trashed_at is null) counted
where p.children <> counted.children"""


async def miscounted(connection: psycopg.AsyncConnection[Any]) -> list[tuple[Any, ...]]:
    """Return the folders that count other children than they have."""
    return await (await connection.execute(MISCOUNTED)).fetchall()
