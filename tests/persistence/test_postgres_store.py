"""What the store does when something goes wrong: nothing is half done, and nothing stays locked."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.access import Permission
from domain.document import DocumentEdited, Image, ImageUploaded
from domain.errors import Unavailable
from domain.idempotency import IdempotencyKey, RecordedRequest
from domain.item import ItemRenamed
from domain.move import ItemMoved
from domain.questions import DocumentFor, EventsOf, ItemFor, RecordedRequestFor, StateOf
from domain.share import ItemShared
from domain.sort_key import sort_key
from domain.trash import ItemTrashed
from graphql_api.drive_feed import DriveFeed
from graphql_api.ports import LockScope
from persistence.cursor_key import cursor_key
from persistence.housekeeping import Housekeeping
from persistence.postgres.connections import acquire, replace_broken, translate_errors
from persistence.statements import only_row
from persistence.store import PostgresStore
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, UNDER_A, A, B, new_id, write
from tests.support.database.clusters import OTHER_BACKENDS
from tests.support.processes.servers import PATIENCE, async_eventually
from tests.support.suite.rounds import examples

HELD = LockScope(drives=(DRIVE,))
RENAMED = ItemRenamed(A, DRIVE, "New")


@pytest.fixture
async def seeded(store):
    await write(store, *PEOPLE, *FOLDERS)
    return store


@pytest.fixture
async def superuser(store):
    connection = await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True)
    async with connection:
        yield connection


async def locks(superuser):
    query = "select count(*) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())"
    return (await (await superuser.execute(query)).fetchone())[0]


def recording(*events):
    return lambda transaction: transaction.record(events, ADA, NOW)


async def name_of(store, item_id=A):
    return (await store.read(ItemFor(ADA.user_id, item_id))).item.name


class RefusedError(Exception):
    pass


async def test_an_error_in_the_work_undoes_it_and_frees_the_locks(seeded, superuser):
    async def work(transaction):
        await transaction.record((RENAMED,), ADA, NOW)
        assert (await transaction.read(ItemFor(ADA.user_id, A))).item.name == "New"
        assert await locks(superuser) == 1
        raise RefusedError

    with pytest.raises(RefusedError):
        await seeded.transact(HELD, work)
    assert await name_of(seeded) == "Folder"
    assert await locks(superuser) == 0


async def test_a_statement_that_fails_undoes_all_and_frees_the_locks(seeded, superuser):
    nobody = new_id(999)
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        await seeded.transact(
            HELD, recording(RENAMED, ItemShared(nobody, DRIVE, "x@example.com", Permission.read_only))
        )
    assert (await name_of(seeded), await locks(superuser)) == ("Folder", 0)


async def test_work_that_is_cancelled_frees_the_locks(seeded, superuser):
    begun = asyncio.Event()

    async def work(transaction):
        await transaction.record((RENAMED,), ADA, NOW)
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(seeded.transact(HELD, work))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await seeded.transact(HELD, recording(ItemRenamed(A, DRIVE, "Newer")))
    assert (await name_of(seeded), await locks(superuser)) == ("Newer", 0)


async def test_conflicts_are_tried_again_and_then_given_up(seeded, superuser):
    tries = []

    async def work(transaction):
        tries.append(1)
        await transaction.read(ItemFor(ADA.user_id, A))
        if len(tries) <= stubborn:
            await superuser.execute("update item set name = name || '!' where id = %s", [A])
        await transaction.record((RENAMED,), ADA, NOW)

    stubborn = 2
    await seeded.transact(HELD, work)
    assert (len(tries), await name_of(seeded)) == (3, "New")
    tries.clear()
    stubborn = 99
    with pytest.raises(Unavailable):
        await seeded.transact(HELD, work)
    assert (len(tries), await locks(superuser)) == (5, 0)


async def kill_others(superuser):
    await superuser.execute(f"select pg_terminate_backend(pid, 5000) from {OTHER_BACKENDS}")


async def test_killed_connections_are_replaced_before_anybody_notices(seeded, superuser):
    await kill_others(superuser)
    assert await name_of(seeded) == "Folder"
    await kill_others(superuser)
    await seeded.transact(HELD, recording(RENAMED))
    assert await name_of(seeded) == "New"


async def test_a_connection_lost_in_the_middle_of_the_work_starts_it_again(seeded, superuser):
    killed = []

    async def work(transaction):
        if not killed:
            killed.append(await kill_others(superuser))
        await transaction.record((RENAMED,), ADA, NOW)

    await seeded.transact(HELD, work)
    assert (await name_of(seeded), await locks(superuser)) == ("New", 0)


async def test_a_commit_whose_answer_is_lost_is_not_done_again(seeded, superuser):
    tries = []

    async def work(transaction):
        tries.append(1)
        await transaction.record((RENAMED,), ADA, NOW)
        await transaction.write()  # so that nothing but the commit is left
        await kill_others(superuser)

    with pytest.raises(Unavailable):
        await seeded.transact(HELD, work)
    assert (tries, await locks(superuser)) == ([1], 0)


@asynccontextmanager
async def impatient(url, patience=0.2):
    """Yield a store that waits so many seconds; on a slow host it takes more than one try until it is open."""
    async with asyncio.timeout(PATIENCE), AsyncExitStack() as stack:
        opened = None
        while opened is None:
            with suppress(Unavailable):
                opened = await stack.enter_async_context(PostgresStore(url, readers=1, writers=1, patience=patience))
        yield opened


async def begun_in(store, work, begun):
    """Return the task of a change that has begun; on a slow host it takes more than one try."""
    while True:
        task = asyncio.create_task(store.transact(HELD, work))
        hearing = asyncio.create_task(begun.wait())
        await asyncio.wait((task, hearing), timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if begun.is_set():
            return task
        hearing.cancel()
        with suppress(Unavailable):
            await task


async def test_who_waits_too_long_for_a_lock_or_a_connection_is_told(seeded, superuser):
    async with impatient(seeded.writers.conninfo) as hasty:
        begun, end = asyncio.Event(), asyncio.Event()

        async def work(_):
            begun.set()
            await end.wait()

        slow = await begun_in(hasty, work, begun)
        for other in (HELD, LockScope()):  # the same drive; another, but there is only this one connection
            with pytest.raises(Unavailable):
                await hasty.transact(other, recording(RENAMED))
        async with impatient(seeded.writers.conninfo) as elsewhere:
            with pytest.raises(Unavailable):
                await elsewhere.transact(HELD, recording(RENAMED))
        end.set()
        await slow
    assert await locks(superuser) == 0


async def test_without_its_database_everything_is_unavailable(fresh_database, cluster_url):
    url = fresh_database()
    async with impatient(url, 0.5) as lone:
        await async_eventually(lone.ready)
        name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        async with await psycopg.AsyncConnection.connect(cluster_url, autocommit=True) as superuser:
            await superuser.execute(f"alter database {name} with allow_connections false")
            await superuser.execute(
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = %s", [name]
            )
            assert not await lone.ready()
            with pytest.raises(Unavailable):
                await lone.read(ItemFor(ADA.user_id, A))
            with pytest.raises(Unavailable):
                await lone.transact(LockScope(items=(A,)), recording(RENAMED))
            await superuser.execute(f"alter database {name} with allow_connections true")
        await async_eventually(lone.ready)
        assert await lone.read(ItemFor(ADA.user_id, A)) is None


async def test_changes_are_told_after_the_commit_to_those_who_watch_that_drive(seeded):
    feed = DriveFeed()
    seeded.feed.subscribe(feed.committed)
    watching = feed.changes(DRIVE)
    await anext(watching)
    other = feed.changes(new_id(3))
    await anext(other)
    told, silent = asyncio.ensure_future(anext(watching)), asyncio.ensure_future(anext(other))
    with pytest.raises(RefusedError):
        await seeded.transact(HELD, failing)
    assert not told.done()
    await seeded.transact(HELD, recording(RENAMED))
    await told
    assert not silent.done()
    silent.cancel()
    await asyncio.gather(silent, return_exceptions=True)
    await watching.aclose()
    await other.aclose()
    assert not feed._followers


async def failing(transaction):
    await transaction.record((RENAMED,), ADA, NOW)
    raise RefusedError


async def test_the_audit_tells_who_did_what_without_secrets(seeded):
    await write(seeded, DocumentEdited(UNDER_A, DRIVE, b"secret"), by=BEN)
    (line,) = await seeded.read(EventsOf(DRIVE, 1))
    assert (line.type, line.item_id, line.user_id, line.agent) == ("documentEdited", UNDER_A, BEN.user_id, "claude")
    assert line.details == {"itemId": UNDER_A, "driveId": DRIVE}


async def test_moments_in_the_audit_have_whole_milliseconds(seeded):
    moment = datetime(2026, 1, 2, 3, 4, 5, 678_000, UTC)
    await write(seeded, ImageUploaded(Image(new_id(9), UNDER_A, "image/png", 1, 1, 1, moment, new_id(9)), DRIVE))
    (line,) = await seeded.read(EventsOf(DRIVE, 1))
    assert line.details["image"]["createdAt"] == "2026-01-02T03:04:05.678Z"
    assert "blob" not in line.details["image"]


async def test_neither_drive_is_told_the_ids_of_the_other(seeded):
    await write(seeded, ItemMoved(UNDER_A, DRIVE, new_id(3), A, None, 1))
    (left,), (came,) = [await seeded.read(EventsOf(drive, 1)) for drive in (DRIVE, new_id(3))]
    assert left.details == {"itemId": UNDER_A, "fromDriveId": DRIVE, "fromParentId": A}
    assert came.details == {"itemId": UNDER_A, "driveId": new_id(3), "parentId": None}


async def compact(store, item, sequence, state):
    async def act(connection):
        values = {"item": item, "sequence": sequence, "state": state}
        await connection.execute("delete from document_update where sequence <= %(sequence)s", values)
        snapshot = "insert into document_snapshot (item_id, sequence, state) values (%(item)s, %(sequence)s, %(state)s)"
        await connection.execute(snapshot, values)

    await store.autocommit(act)


async def test_updates_are_numbered_and_read_up_to_a_number(seeded):
    for content in (b"one", b"two", b"three"):
        await write(seeded, DocumentEdited(UNDER_A, DRIVE, content))
    assert (await seeded.read(DocumentFor(ADA.user_id, UNDER_A))).sequence == 3
    assert (await seeded.read(StateOf(UNDER_A, 2))).updates == (b"one", b"two")
    await compact(seeded, UNDER_A, 2, b"both")
    whole = await seeded.read(StateOf(UNDER_A))
    assert (whole.snapshot, whole.updates, whole.sequence) == (b"both", (b"three",), 3)
    less = await seeded.read(StateOf(UNDER_A, 1))
    assert (less.snapshot, less.updates, less.sequence) == (b"both", (), 2), (
        "what is gone is answered with what there is"
    )
    assert await seeded.read(StateOf(UNDER_A, after=1)) == whole, "the snapshot may be all that is left of the second"
    since = await seeded.read(StateOf(UNDER_A, after=2))
    assert (since.snapshot, since.updates, since.sequence) == (None, (b"three",), 3)


async def test_a_request_is_remembered_under_its_key(seeded):
    once = IdempotencyKey(ADA.user_id, "drives.create", "key", "digest")
    await seeded.transact(LockScope(), lambda t: t.remember(once, "made", NOW))
    assert await seeded.read(RecordedRequestFor(once)) == RecordedRequest("digest", "made")
    assert await seeded.read(RecordedRequestFor(IdempotencyKey(BEN.user_id, "drives.create", "key", "digest"))) is None


async def test_old_trash_goes_with_what_lies_below_it_in_the_name_of_whoever_put_it_there(seeded):
    await write(seeded, ItemTrashed(A, DRIVE), by=BEN)
    await Housekeeping(seeded, trash_days=10**5).turn()
    assert await seeded.read(ItemFor(ADA.user_id, UNDER_A))
    await Housekeeping(seeded, trash_days=-(10**5)).turn()
    assert await seeded.read(ItemFor(ADA.user_id, UNDER_A)) is None
    assert await seeded.read(ItemFor(ADA.user_id, B))
    (line,) = await seeded.read(EventsOf(DRIVE, 1))
    assert (line.type, line.user_id, line.agent) == ("itemDeleted", BEN.user_id, "claude")


async def test_the_key_of_cursors_is_made_once_whichever_process_starts_first(store):
    first, *others = await asyncio.gather(*[cursor_key(store) for _ in range(3)])
    assert len(first) == 32
    assert others == [first, first]


async def test_a_cancellation_is_none_of_the_reasons_for_which_a_connection_is_replaced(store):
    for steps in range(12):
        looking = asyncio.create_task(replace_broken(store.readers))
        for _ in range(steps):
            await asyncio.sleep(0)
        if looking.cancel():
            with pytest.raises(asyncio.CancelledError):
                await looking
        assert await store.ready()


@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20), max_size=50))
async def test_postgres_orders_sort_keys_as_the_domain_does(store, texts):
    keys = sorted({sort_key(text) for text in texts})

    async def ordered(connection):
        statement = 'select key from unnest(%s::text[]) key order by key collate "C"'
        return [key for (key,) in await (await connection.execute(statement, [keys[::-1]])).fetchall()]

    assert await store.autocommit(ordered) == keys


async def test_a_full_disk_is_told_as_such(store):
    with pytest.raises(Unavailable, match="the disk of the database is full"), translate_errors:
        async with acquire(store.writers) as connection:
            await connection.execute("do $$ begin raise exception using errcode = 'disk_full'; end $$")


async def backends(pool, work=None):
    """The processes that serve each connection of a pool, in turn, after `work` on each."""
    async with AsyncExitStack() as stack:
        taken = [await stack.enter_async_context(acquire(pool)) for _ in range(pool.max_size)]
        for connection in taken:
            if work:
                await work(connection)
        return {connection.info.backend_pid for connection in taken}


@pytest.mark.parametrize(
    ("statement", "is_kept"), [("repeat('x', 1000)::bytea", True), ("repeat('x', 1000000)::bytea", False)]
)
async def test_a_connection_that_has_carried_a_large_message_is_not_used_again(store, statement, is_kept):
    before = await backends(store.readers, lambda connection: only_row(connection, f"select array[{statement}]", {}))
    assert (await backends(store.readers) == before) is is_kept


async def test_a_connection_that_has_written_a_large_update_is_not_used_again(seeded):
    before = await backends(seeded.writers)
    await write(seeded, DocumentEdited(A, DRIVE, b"x" * 1_000_000))
    assert len(before - await backends(seeded.writers)) == 1
