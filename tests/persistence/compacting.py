"""A server in small: compacts what there is to compact, once.

compacting.py URL NOW
"""

import asyncio
import sys
from datetime import datetime

from computing.runner import JobRunner
from persistence.compaction import CompactionLog
from persistence.store import PostgresStore
from service.compactor import Compactor


async def work(url, now):
    async with PostgresStore(url, readers=1, writers=1) as store:
        log = CompactionLog(store, rows=10, from_bytes=10**9)
        await Compactor(log, JobRunner(), lambda: now).turn()


asyncio.run(work(sys.argv[1], datetime.fromisoformat(sys.argv[2])))
