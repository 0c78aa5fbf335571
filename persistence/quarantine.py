"""Quarantines documents whose loading crashed the last two processes.

A document that a process was loading when it died gets a strike. A document that was not being loaded loses its
strikes, as does one whose log has grown since, because it was loaded. From `MAX_STRIKES` on it is not loaded until
the operator releases it. A document without strikes stays in the table until the search index has read it: edits made
while it could not be loaded are not indexed yet.
"""

import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from domain.errors import Quarantined
from persistence.loading_markers import LoadingMarkers, markers_of_dead_processes
from persistence.postgres.connections import Connection, acquire, translate_errors
from persistence.store import PostgresStore

MAX_STRIKES: Final = 2
EVERY: Final = 2.0  # seconds between two looks at what was released
_STRIKE: Final = """
insert into document_quarantine (item_id, strikes, sequence, since)
select i.id, 1, i.sequence, %(now)s from item i where i.id = any(%(ids)s::uuid[])
on conflict (item_id) do update set
    strikes = case when document_quarantine.sequence = excluded.sequence then document_quarantine.strikes else 0 end + 1,
    sequence = excluded.sequence, since = excluded.since"""
_FORGET: Final = """
update document_quarantine set strikes = 0 where strikes < %(most)s and item_id <> all(%(ids)s::uuid[])"""
_QUARANTINED: Final = "select item_id::text, strikes, since from document_quarantine where strikes >= %s order by since"
_RELEASE: Final = "update document_quarantine set strikes = 0 where item_id::text = %s and strikes >= %s"
_RELEASED: Final = "select item_id::text from document_quarantine where strikes = 0"
_INDEXED: Final = "delete from document_quarantine where strikes = 0 and item_id = any(%s::uuid[])"
log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QuarantinedDocument:
    document_id: str
    strikes: int
    since: datetime


async def quarantined(store: PostgresStore, strikes: int = MAX_STRIKES) -> list[QuarantinedDocument]:
    """Return the documents with as many strikes at least."""

    async def ask(connection: Connection) -> list[QuarantinedDocument]:
        rows = await (await connection.execute(_QUARANTINED, [strikes])).fetchall()
        return [QuarantinedDocument(*row) for row in rows]

    return await store.autocommit(ask)


async def release(store: PostgresStore, document_id: str) -> bool:
    """Let the document be loaded again; return whether it was quarantined."""
    with translate_errors:
        async with acquire(store.writers) as connection:
            return (await connection.execute(_RELEASE, [document_id, MAX_STRIKES])).rowcount > 0


async def released(store: PostgresStore) -> set[str]:
    """Return the documents that can be loaded again, and that the index of search has not looked at since."""

    async def ask(connection: Connection) -> set[str]:
        return {document_id for (document_id,) in await (await connection.execute(_RELEASED)).fetchall()}

    return await store.autocommit(ask)


async def indexed(store: PostgresStore, document_ids: Iterable[str]) -> None:
    """Forget the released documents that the index of search has looked at."""
    with translate_errors:
        async with acquire(store.writers) as connection:
            await connection.execute(_INDEXED, [[*document_ids]])


class Quarantine:
    """The quarantine of one process; `folder` holds the markers of processes, `loading` is the port of loaders."""

    every: float = EVERY

    def __init__(self, store: PostgresStore, folder: Path, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._folder = folder
        self._clock = clock
        self._markers: LoadingMarkers | None = None
        self._suspects: frozenset[str] = frozenset()
        self._quarantined: frozenset[str] = frozenset()

    async def begin(self) -> None:
        """Count the strikes of processes that died; call it before anything is loaded."""
        markers = markers_of_dead_processes(self._folder)
        await self._count({document_id for loading in markers.values() for document_id in loading})
        for path in markers:
            path.unlink(missing_ok=True)
        try:
            self._markers = LoadingMarkers(self._folder)
        except OSError as fault:
            log.warning("documents whose loading ends this process cannot be noted: %s", fault)
        await self.turn()
        for document_id in self._quarantined:
            log.error("document %s is quarantined: loading it ended the last processes", document_id)

    async def turn(self) -> None:
        struck = await quarantined(self._store, 1)
        self._suspects = frozenset([each.document_id for each in struck])
        self._quarantined = frozenset([each.document_id for each in struck if each.strikes >= MAX_STRIKES])

    @property
    def count(self) -> int:
        return len(self._quarantined)

    def is_suspect(self, document_id: str) -> bool:
        """Whether reading the document has ended a process."""
        return document_id in self._suspects

    def loading(self, document_id: str) -> AbstractContextManager[None]:
        if document_id in self._quarantined:
            raise Quarantined(f"document {document_id} is quarantined: loading it ended the last processes")
        return self._markers.loading(document_id) if self._markers else nullcontext()

    async def crashed(self, document_id: str) -> None:
        """Count the strike of a document whose bytes ended a process that was there to read them, and not this one."""
        await self._execute([document_id], _STRIKE)
        await self.turn()
        if document_id in self._quarantined:
            log.error("document %s is quarantined: it ended two processes that read it", document_id)

    async def aclose(self) -> None:
        if self._markers:
            self._markers.close()

    async def _count(self, document_ids: Iterable[str]) -> None:
        await self._execute(document_ids, _FORGET, _STRIKE)

    async def _execute(self, document_ids: Iterable[str], *statements: str) -> None:
        values = {"ids": [*document_ids], "most": MAX_STRIKES, "now": self._clock()}
        with translate_errors:
            async with acquire(self._store.writers) as connection, connection.transaction():
                for statement in statements:
                    await connection.execute(statement, values)
