"""How tests write updates into the log of documents, as rooms do."""

import asyncio
from contextlib import aclosing
from itertools import groupby

from live.commits import Author, Batch
from persistence.update_log import UpdateLog


def milliseconds(at):
    """The moment as the log takes it."""
    return round(at.timestamp() * 1000)


def row(document_id, update, by, at, *, told=False):
    return document_id, Author(by), update, milliseconds(at), told


def batch(rows):
    """The rows as a batch: they are of one moment."""
    made = {}
    for document_id, author, update, *_ in rows:
        made.setdefault(document_id, []).append((author, update))
    return Batch(made, [author for _, author, _, _, told in rows if told], rows[0][3])


async def appended(append, rows):
    """Return what is told of the rows when they are committed, those of each moment together, or raise it."""
    written = {}
    for _, together in groupby(rows, key=lambda each: each[3]):
        told = asyncio.get_running_loop().create_future()
        append(batch(list(together)), told.set_result)
        numbers = await told
        if isinstance(numbers, Exception):
            raise numbers
        written |= numbers
    return written


async def append(store, rows):
    async with aclosing(UpdateLog(store.writers)) as log:
        return await appended(log.append, rows)
