"""A node that sleeps while one of its connections holds a lock: the others go on when it is taken for gone."""

import os
import signal

from psycopg import AsyncConnection

from tests.support.live.people import World
from tests.support.processes.servers import async_eventually

INDEXING = "select count(*) from pg_locks where locktype = 'advisory' and classid = 20001 and granted"


async def test_what_is_edited_at_one_node_is_indexed_though_another_sleeps_while_it_indexes(nodes):
    with nodes() as (sleeper, other):
        async with (
            World(sleeper) as here,
            World(other) as there,
            await AsyncConnection.connect(other.database, autocommit=True) as operator,
        ):

            async def indexing():
                return (await (await operator.execute(INDEXING)).fetchone())[0]

            async def indexed(document):
                found = await operator.execute("select from document_text where item_id = %s", [document])
                return await found.fetchone() is not None

            first, second = await here.document(), await there.document()
            async with operator.transaction():
                await operator.execute("lock table document_text in share mode")
                await append(here, first)
                await async_eventually(indexing)
                os.kill(sleeper.process.pid, signal.SIGSTOP)
            try:
                await append(there, second)
                await async_eventually(lambda: indexed(second))
            finally:
                os.kill(sleeper.process.pid, signal.SIGCONT)


async def append(world, document):
    query = 'mutation($d: ID!) { editDocument(documentId: $d, edit: { append: "kumquat" }) { id } }'
    await world.ask(query, d=document)
