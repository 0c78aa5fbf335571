"""How tests write updates into the log of documents, as rooms do."""

from contextlib import aclosing

from persistence.update_log import UpdateLog


async def append(store, rows):
    async with aclosing(UpdateLog(store.writers)) as log:
        return await log.append(rows)
