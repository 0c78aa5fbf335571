"""Which leases there are."""


async def leases(store):
    async def ask(connection):
        return [row[0] for row in await (await connection.execute("select id from node order by id")).fetchall()]

    return await store.autocommit(ask)
