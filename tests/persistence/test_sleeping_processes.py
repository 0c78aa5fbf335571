"""A process that is stopped in the midst of a change: what others wait for meanwhile."""

import signal
import subprocess
import sys
from contextlib import contextmanager

from domain.errors import Unavailable
from graphql_api.ports import LockScope
from persistence.postgres.connections import IDLE_SECONDS
from persistence.store import PostgresStore
from tests.persistence.seeds import DRIVE, FOLDERS, PEOPLE, write

LOCK_SECONDS = 2.5
IS_STOPPED = """
select count(*) = 1 from pg_stat_activity
where datname = current_database() and state = 'idle in transaction'"""
STOPS = """
import asyncio, os, signal, sys
from graphql_api.ports import LockScope
from persistence.store import PostgresStore

async def stop(_):
    os.kill(os.getpid(), signal.SIGSTOP)
async def main():
    async with PostgresStore(sys.argv[1], readers=1, writers=1) as store:
        await store.transact(LockScope(drives=(sys.argv[2],)), stop)
asyncio.run(main())"""


async def nothing(_): ...


async def changed(store):
    try:
        await store.transact(LockScope(drives=(DRIVE,)), nothing)
    except Unavailable:
        return False
    return True


async def is_asleep(connection):
    return await (await connection.execute(IS_STOPPED)).fetchone()


@contextmanager
def sleeping(store):
    """Run a process that stops itself while it changes a drive."""
    process = subprocess.Popen([sys.executable, "-c", STOPS, store.url, DRIVE])
    try:
        yield
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


async def test_the_lock_of_a_process_that_sleeps_is_free_before_a_caller_has_given_up(store):
    await write(store, *PEOPLE, *FOLDERS)
    with sleeping(store):
        async with PostgresStore(store.url, readers=1, writers=1, patience=LOCK_SECONDS) as other:
            while not (await other.autocommit(is_asleep))[0]:
                pass
            tries = 1
            while not await changed(other):
                tries += 1
            assert 1 < tries <= IDLE_SECONDS / LOCK_SECONDS + 2
