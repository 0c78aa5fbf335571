"""What is kept of accounts beside events: passwords, images, and whether there is anybody at all."""

from persistence.connections import Connection
from persistence.store import PostgresStore


async def has_accounts(store: PostgresStore) -> bool:
    return await _value(store, "select exists (select from account)") is True


async def keep_password(store: PostgresStore, user_id: str, password_hash: str) -> None:
    await _run(store, "update account set password_hash = %s where id = %s::uuid", (password_hash, user_id))


async def image_ids(store: PostgresStore) -> list[str]:
    async def ask(connection: Connection) -> list[str]:
        cursor = await connection.execute("select id::text from image order by id")
        return [row[0] for row in await cursor.fetchall()]

    return await store.reading(ask)


async def _value(store: PostgresStore, statement: str) -> object:
    async def ask(connection: Connection) -> object:
        row = await (await connection.execute(statement.encode())).fetchone()
        return row[0] if row else None

    return await store.reading(ask)


async def _run(store: PostgresStore, statement: str, values: tuple[object, ...]) -> None:
    async def ask(connection: Connection) -> None:
        await connection.execute(statement.encode(), values)

    await store.reading(ask)
