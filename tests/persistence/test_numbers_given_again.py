"""PostgreSQL gives numbers of transactions out again that it had not stored when it crashed: what has one of those is heard all the same."""

import os
import signal
from contextlib import aclosing, contextmanager, suppress
from math import inf

import psycopg
import pytest

from domain.trash import ItemTrashed
from persistence.access_barrier import AccessBarrier
from persistence.audit_feed import AuditFeed
from persistence.node_lease import NodeLease
from persistence.postgres.embedded import start
from persistence.postgres.migrations import migrate
from persistence.store import PostgresStore
from tests.persistence.seeds import DRIVE, FOLDERS, PEOPLE, A, write
from tests.support.database.replicated import replicated
from tests.support.processes.servers import PATIENCE, eventually

pytestmark = pytest.mark.slow
STORED_LATE = "alter system set wal_writer_delay = '10s'"
"""Has what is committed without waiting for the disk, as rings are, be stored late."""
UNSTORED = 50
TRASHED = ItemTrashed(A, DRIVE)


def kill_a_process(running):
    """Have PostgreSQL begin anew by itself: it forgets what one of its processes may have broken."""
    with suppress(psycopg.OperationalError), psycopg.connect(running.url, autocommit=True) as victim:
        os.kill(victim.info.backend_pid, signal.SIGKILL)
        victim.execute("select pg_sleep(%s)", [PATIENCE])


def kill_it(running):
    os.kill(running.pid, signal.SIGKILL)
    eventually(running.exited)
    running.restart()


@contextmanager
def single(folder, fill):
    with start(folder / "postgres") as running:
        fill(running.url)
        yield running


CRASHES = {
    "a process of it": (single, kill_a_process),
    "all of it": (single, kill_it),
    "for a standby": (replicated, lambda both: both.fail_over()),
}


class Database:
    def __init__(self, running, crash):
        self.url, self._running, self._crash = running.url, running, crash

    def ask(self, *statements):
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)
            return cursor.fetchone()

    def use_numbers(self):
        """Give out numbers that are not stored; return the next one."""
        self.ask("set synchronous_commit = off", *["select pg_current_xact_id()"] * UNSTORED)
        return self.next_number()

    def next_number(self):
        return self.ask("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint")[0]

    def crash(self):
        self._crash(self._running)
        eventually(self._answers)

    def _answers(self):
        with suppress(psycopg.OperationalError):
            return self.ask("select true")


@pytest.fixture(params=CRASHES)
def database(request, tmp_path):
    tmp_path.chmod(0o711)
    kind, crash = CRASHES[request.param]
    with kind(tmp_path, migrate) as running:
        made = Database(running, crash)
        made.ask(STORED_LATE, "select pg_reload_conf()")
        yield made


class Process:
    """A process that hears of what others commit, and whose row says how far it has let go of what that ends."""

    def __init__(self, store, lease):
        self.barrier, self.heard = AccessBarrier(store, lease), []
        self.audit = AuditFeed(store, acknowledge=self.acknowledge, since=lease.taken_at)
        self.before_acknowledging = lambda: None
        store.feed.subscribe(lambda commit: self.heard.extend(each.type for each in commit.entries))

    async def acknowledge(self, read):
        first, self.before_acknowledging = self.before_acknowledging, lambda: None
        first()
        return await self.barrier.acknowledge(read)


@pytest.fixture
async def other(database):
    """Another process than the one that is to hear of what it commits."""
    async with PostgresStore(database.url, readers=2, writers=1) as store:
        await write(store, *PEOPLE, *FOLDERS)
        yield store


@pytest.fixture
async def process(other):
    async with (
        PostgresStore(other.url, readers=2, writers=1) as store,
        aclosing(NodeLease(store, inf)) as lease,
    ):
        await lease.begin()
        yield Process(store, lease)


@pytest.mark.rotate(3, "one of three crashes")
async def test_what_has_a_number_that_was_seen_before_the_crash_is_heard(database, process, other):
    seen = database.use_numbers()
    await process.audit.turn()
    database.crash()
    await write(other, TRASHED)
    assert database.next_number() <= seen, "the crash has to forget numbers"
    await process.audit.turn()
    assert process.heard == ["itemTrashed"]
    await process.audit.turn()
    assert process.heard == ["itemTrashed"], "once"


@pytest.mark.rotate(3, "one of three crashes")
async def test_what_was_read_before_the_crash_is_not_acknowledged_after_it(database, process, other):
    seen = database.use_numbers()
    process.before_acknowledging = database.crash
    await process.audit.answer()
    assert database.next_number() < seen, "the crash has to forget numbers"
    assert database.ask("select pg_snapshot_xmax(heard)::text::bigint from node")[0] < seen
    let_go = "select pg_visible_in_snapshot((select max(transaction_id) from event), heard) from node"
    await write(other, TRASHED)
    assert database.ask(let_go) == (False,)
    await process.audit.turn()
    assert process.heard == ["itemTrashed"]
    assert database.ask(let_go) == (True,)
