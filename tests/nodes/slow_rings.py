"""The server without polls, to which rings come late, each in its own time; and with one of the faults that histories are to show."""

import asyncio
import os
import random
from contextvars import ContextVar
from math import inf

from live.rooms import Rooms
from persistence import access_barrier, bell, node_lease, update_log
from service import process
from service.command import main
from tests.nodes import without_polls

LATE_SECONDS = 0.1  # at the most
CHANCE = random.Random(os.getpid())
is_entering = ContextVar("is_entering", default=False)


def rings_come_late():
    heard = bell.Bell._heard

    def later(self, ring):
        asyncio.get_running_loop().call_later(CHANCE.uniform(0, LATE_SECONDS), heard, self, ring)

    bell.Bell._heard = later


def without_catch_up_at_join():
    enter, bring_up = Rooms.enter, Rooms.bring_up

    async def enters(self, *about):
        token = is_entering.set(True)
        try:
            return await enter(self, *about)
        finally:
            is_entering.reset(token)

    async def brings_up(self, document_id):
        if not is_entering.get():
            await bring_up(self, document_id)

    Rooms.enter, Rooms.bring_up = enters, brings_up


def without_epoch():
    """Neither an append nor the process itself finds out that the lease was lost, and its connections stay."""
    fence = "select from node where id = $12 for key share"
    assert all(fence in each for each in update_log._PREPARED)
    update_log._PREPARED = tuple(each.replace(fence, "select $12::int8") for each in update_log._PREPARED)
    process.OWN_SECONDS = inf

    async def renew(self):
        self.has_others = True

    async def stay(connection, names):
        del connection, names

    node_lease.NodeLease._renew, node_lease.end_sessions = renew, stay


def without_barrier():
    async def passed(self, transaction):
        del self, transaction

    access_barrier.AccessBarrier.passed = passed


FAULTS = {"catch up at join": without_catch_up_at_join, "epoch": without_epoch, "barrier": without_barrier}

if __name__ == "__main__":
    assert without_polls.main is main
    rings_come_late()
    if fault := os.environ.get("WITHOUT"):
        FAULTS[fault]()
    main(prog_name="codrive-server")
