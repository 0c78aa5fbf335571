"""How tests write updates into the log of documents, as rooms do."""

from contextlib import aclosing

from live.commits import Author
from persistence.update_log import UpdateLog


def row(document_id, update, by, at, *, told=False):
    return Author(document_id, by, at, told), update


async def append(store, rows):
    async with aclosing(UpdateLog(store.writers)) as log:
        return await log.append(rows)
