"""The ends of logs that other nodes wrote: they are what the store answers, whatever becomes of the connection."""

import asyncio
from contextlib import aclosing
from dataclasses import replace

import psycopg
import pytest

from domain.document import DocumentEdited
from domain.item import ItemKind
from domain.questions import LogOf
from graphql_api.ports import LockScope
from persistence.log_tail import LogTail
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, A, folder, new_id, write
from tests.support.database.clusters import OTHER_BACKENDS
from tests.support.database.updates import append, row
from tests.support.processes.servers import PATIENCE

ONE, OTHER, EMPTY, MISSING = map(new_id, (20, 21, 22, 23))


@pytest.fixture
async def written(store):
    documents = (folder(each, A, kind=ItemKind.docs_workbook) for each in (ONE, OTHER, EMPTY))
    await write(store, *PEOPLE, *FOLDERS, *documents)
    rows = [(ONE, b"a", ADA), (OTHER, b"x", BEN), (ONE, b"\x00\xff", BEN), (ONE, b"c" * 100_000, ADA)]
    await append(store, [row(document, update, by, NOW) for document, update, by in rows])
    event = DocumentEdited(ONE, DRIVE, b"copy", copied=b"of others")
    await store.transact(LockScope(items=(ONE,), documents=(ONE,)), lambda to: to.record((event,), BEN, NOW))
    return store


@pytest.fixture
async def tail(written):
    async with aclosing(LogTail(written)) as made:
        await made.turn()
        yield made


async def stored(store, document_id, after):
    found = await store.read(LogOf(document_id, after=after))
    return found and replace(found, shown={})


async def without_the_store(tail, store, asked, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(store, "read", None)
        return await asyncio.gather(*(tail.read(*each) for each in asked))


async def test_the_ends_of_several_logs_are_read_at_once_and_are_what_the_store_answers(written, tail, monkeypatch):
    asked = [(ONE, 0), (OTHER, 0), (ONE, 2), (EMPTY, 0), (ONE, 4), (ONE, 1)]
    expected = [await stored(written, *each) for each in asked]
    assert [len(each.log) for each in expected] == [4, 1, 2, 0, 0, 3]
    assert await without_the_store(tail, written, asked, monkeypatch) == expected


async def test_a_document_that_is_gone_has_none(tail):
    assert await tail.read(MISSING, 0) is None


async def test_where_rows_are_gone_the_store_answers_with_what_took_their_place(written, tail):
    async def compact(connection):
        await connection.execute("delete from document_update where item_id = %s and sequence < 3", [ONE])

    await written.autocommit(compact)
    assert await tail.read(ONE, 1) == await written.read(LogOf(ONE, after=1))
    assert len((await tail.read(ONE, 2)).log) == 2


async def test_who_asks_when_the_database_is_lost_is_answered_by_the_store_and_the_next_turn_connects(
    written, tail, monkeypatch
):
    async with await psycopg.AsyncConnection.connect(written.writers.conninfo, autocommit=True) as other:
        asking = [asyncio.create_task(tail.read(ONE, after)) for after in range(4)]
        await other.execute(f"select pg_terminate_backend(pid, {PATIENCE * 1000:.0f}) from {OTHER_BACKENDS}")
        found = await asyncio.gather(*asking)
    assert [len(each.log) for each in found] == [4, 3, 2, 1]
    assert len((await tail.read(ONE, 1)).log) == 3
    await tail.turn()
    assert await without_the_store(tail, written, [(ONE, 3)], monkeypatch) == [await stored(written, ONE, 3)]


async def test_who_no_longer_waits_keeps_nobody_from_an_answer(tail):
    asking = [asyncio.create_task(tail.read(ONE, after)) for after in range(4)]
    await asyncio.sleep(0)
    for each in asking[::2]:
        each.cancel()
    assert [len((await each).log) for each in asking[1::2]] == [3, 1]
