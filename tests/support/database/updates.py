"""How tests write updates into the log of documents, as rooms do."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from itertools import groupby

from domain.credit import Credit
from domain.questions import LogOf
from graphql_api.ports import StateReader
from live.group_commit import AppendBatch, EditAuthor, EditBatch
from persistence.commit_feed import CommitFeed
from persistence.node_lease import NodeLease
from persistence.store import PostgresStore
from persistence.update_log import UpdateLog

type UpdateRow = tuple[str, EditAuthor, bytes, int, bool]
"""A document, whose the update is, the update, the moment in milliseconds since 1970, and whether it is told."""


def milliseconds(at: datetime) -> int:
    """The moment as the log takes it."""
    return round(at.timestamp() * 1000)


def row(document_id: str, update: bytes, by: Credit, at: datetime, *, told: bool = False) -> UpdateRow:
    return document_id, EditAuthor(by), update, milliseconds(at), told


def batch(rows: Sequence[UpdateRow], after: Mapping[str, int] | None = None) -> EditBatch:
    """The rows as a batch: they are of one moment. `after` are the numbers that are known; of all others, 0."""
    made: dict[str, list[tuple[EditAuthor, bytes]]] = {}
    for document_id, author, update, *_ in rows:
        made.setdefault(document_id, []).append((author, update))
    return EditBatch(
        made, dict.fromkeys(made, 0) | dict(after or {}), [author for _, author, _, _, told in rows if told], rows[0][3]
    )


async def appended(
    append: AppendBatch, rows: Sequence[UpdateRow], after: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return what is told of the rows of one moment when they are committed, or raise it."""
    told = asyncio.get_running_loop().create_future()
    append(batch(rows, after), told.set_result)
    numbers = await told
    if isinstance(numbers, Exception):
        raise numbers
    return numbers


class Writer:
    """Somebody who has documents open: what is refused is appended again after what the log has by then."""

    def __init__(self, append: AppendBatch, reader: StateReader) -> None:
        self.append = append
        self.reader = reader
        self.numbers: dict[str, int] = {}

    async def __call__(self, rows: Sequence[UpdateRow]) -> dict[str, int]:
        """Write the rows, those of each moment together; return the last numbers of those documents that are there."""
        written: dict[str, int] = {}
        for _, together in groupby(rows, key=lambda each: each[3]):
            left = list(together)
            while left:
                done = await appended(self.append, left, self.numbers)
                self.numbers |= done
                written |= done
                left = [each for each in left if each[0] not in done and await self._is_there(each[0])]
        return written

    async def _is_there(self, document_id: str) -> bool:
        log = await self.reader.read(LogOf(document_id, after=self.numbers.get(document_id, 0)))
        if log:
            self.numbers[document_id] = log.sequence
        return log is not None


@asynccontextmanager
async def update_log(store: PostgresStore, feed: CommitFeed | None = None) -> AsyncIterator[UpdateLog]:
    """The log as one process writes it, under a lease of its own."""
    async with aclosing(NodeLease(store)) as lease:
        await lease.begin()
        async with aclosing(UpdateLog(store.writers, lease, feed)) as log:
            yield log


async def append(store: PostgresStore, rows: Sequence[UpdateRow]) -> dict[str, int]:
    async with update_log(store) as log:
        return await Writer(log.append, store)(rows)
