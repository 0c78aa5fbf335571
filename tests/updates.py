"""How tests write updates into the log of documents, as rooms do."""

import asyncio
from contextlib import aclosing

from live.commits import Author
from persistence.update_log import UpdateLog


def milliseconds(at):
    """The moment as the log takes it."""
    return round(at.timestamp() * 1000)


def row(document_id, update, by, at, *, told=False):
    return document_id, (Author(by, milliseconds(at), told), update)


def batch(rows):
    """The rows as a batch, document by document."""
    made = {}
    for document_id, each in rows:
        made.setdefault(document_id, []).append(each)
    return made


async def appended(append, rows):
    """Return what is told of the rows when they are committed, or raise it."""
    told = asyncio.get_running_loop().create_future()
    append(batch(rows), told.set_result)
    written = await told
    if isinstance(written, Exception):
        raise written
    return written


async def append(store, rows):
    async with aclosing(UpdateLog(store.writers)) as log:
        return await appended(log.append, rows)
