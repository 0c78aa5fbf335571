"""Queries of the operator's command and of the first start: accounts, keys, organizations, images, a first password."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final

import msgspec
import psycopg

from domain.questions import KeysOf
from persistence.postgres.connections import Connection
from persistence.store import PostgresStore

FIRST_START: Final = 7_305_808_869_232_002
"""The advisory lock of the server that fills an empty service."""


@asynccontextmanager
async def first_start_lock(store: PostgresStore) -> AsyncIterator[None]:
    """Hold the lock for as long as the block lasts, on a connection of its own; another server that fills is waited for."""
    async with await psycopg.AsyncConnection.connect(store.url, autocommit=True) as connection:
        await connection.execute("select pg_advisory_lock(%s)", [FIRST_START])
        yield


async def has_accounts(store: PostgresStore) -> bool:
    return await _value(store, "select exists (select from account)") is True


async def keep_password(store: PostgresStore, user_id: str, password_hash: str) -> None:
    await _run(store, "update account set password_hash = %s where id = %s::uuid", (password_hash, user_id))


async def image_blobs(store: PostgresStore) -> list[str]:
    async def ask(connection: Connection) -> list[str]:
        cursor = await connection.execute("select distinct blob::text from image order by 1")
        return [row[0] for row in await cursor.fetchall()]

    return await store.autocommit(ask)


class ListedAccount(msgspec.Struct, frozen=True, rename="camel"):
    """An account, and the names of the organizations that it belongs to."""

    id: str
    email: str
    name: str
    email_verified: bool
    disabled: bool
    created_at: datetime
    organizations: tuple[str, ...]


class ListedOrganization(msgspec.Struct, frozen=True, rename="camel"):
    """An organization, how many belong to it, and the addresses of its admins."""

    id: str
    name: str
    members: int
    admins: tuple[str, ...]
    created_at: datetime


class ListedKey(msgspec.Struct, frozen=True, rename="camel"):
    """An API key as its owner sees it; the secret itself is nowhere."""

    id: str
    name: str
    agent: str | None
    prefix: str
    last_four: str
    created_at: datetime
    last_used_at: datetime | None


class ListedNode(msgspec.Struct, frozen=True, rename="camel"):
    """A server that has a lease, the process it is, how many seconds ago the lease was renewed, and whether it leads the others."""

    lease: int
    host: str
    pid: int
    since: datetime
    renewed_ago: float
    leads: bool


async def listed_keys(store: PostgresStore, user_id: str) -> list[ListedKey]:
    """Return the keys of an account that are not revoked, the newest first."""
    return [
        ListedKey(each.id, each.name, each.agent, each.prefix, each.last_four, each.created_at, each.last_used_at)
        for each in await store.read(KeysOf(user_id))
    ]


_ACCOUNTS = """
select coalesce(json_agg(r order by r.email), '[]') from (
    select a.id, a.email, a.name, a.email_verified_at is not null as "emailVerified", a.disabled_at is not null as disabled,
        a.created_at as "createdAt", (
            select coalesce(json_agg(o.name order by o.sort_key, o.id), '[]')
            from organization_member m join organization o on o.id = m.organization_id
            where m.user_id = a.id) as organizations
    from account a) r"""

_ORGANIZATIONS = """
select coalesce(json_agg(to_json(r) order by o.sort_key, o.id), '[]')
from organization o cross join lateral (
    select o.id, o.name, count(*) as members,
        coalesce(json_agg(a.email order by a.email) filter (where m.role = 'admin'), '[]') as admins, o.created_at as "createdAt"
    from organization_member m join account a on a.id = m.user_id where m.organization_id = o.id) r"""


_NODES: Final = """
select coalesce(json_agg(r order by r.lease), '[]') from (
    select id as lease, host, pid, taken_at as since,
        round(extract(epoch from clock_timestamp() - renewed_at)::numeric, 1) as "renewedAgo",
        id = min(id) over () as leads
    from node) r"""


async def listed_nodes(store: PostgresStore) -> tuple[ListedNode, ...]:
    """Return every server that has a lease on the database, by its number."""
    return msgspec.convert(await _value(store, _NODES), type=tuple[ListedNode, ...])


async def listed_accounts(store: PostgresStore) -> tuple[ListedAccount, ...]:
    """Return every account, by address."""
    return msgspec.convert(await _value(store, _ACCOUNTS), type=tuple[ListedAccount, ...])


async def listed_organizations(store: PostgresStore) -> tuple[ListedOrganization, ...]:
    """Return every organization, by name."""
    return msgspec.convert(await _value(store, _ORGANIZATIONS), type=tuple[ListedOrganization, ...])


async def _value(store: PostgresStore, statement: str) -> object:
    async def ask(connection: Connection) -> object:
        row = await (await connection.execute(statement.encode())).fetchone()
        return row[0] if row else None

    return await store.autocommit(ask)


async def _run(store: PostgresStore, statement: str, values: tuple[object, ...]) -> None:
    async def ask(connection: Connection) -> None:
        await connection.execute(statement.encode(), values)

    await store.autocommit(ask)
