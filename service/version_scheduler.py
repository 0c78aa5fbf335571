"""Worker that cuts the history of edited documents into versions."""

from collections.abc import Awaitable, Callable, Collection
from datetime import datetime
from typing import Final

import structlog

from domain.credit import Credit
from domain.errors import Quarantined, Unavailable
from domain.history import IDLE, due_cuts, next_cut_at
from domain.questions import HistoryOf
from domain.version import cut
from graphql_api.ports import Clock, LockScope, Store, Transaction
from live.version_reader import VersionReader

_log: Final = structlog.get_logger("service")

type Edited = Callable[[], Awaitable[set[str]]]
"""Return the documents that were edited since this was asked last; at first, all that may have something to cut."""

type Finished = Callable[[Collection[str]], Awaitable[None]]
"""Record that all reported documents are cut, except these, which are reported again after a restart."""


async def _nothing(_: Collection[str]) -> None:
    pass


class VersionScheduler:
    """Cuts versions; the cuts follow from the log alone, and are decided again under the lock of the document's drive.

    So a document may be looked at twice, or by two processes; and after a crash the documents that have more to cut are
    looked at again. A document is looked at when it was edited, and when its present version ends by time.
    """

    every: float = 20.0

    def __init__(
        self,
        store: Store,
        versions: VersionReader,
        edited: Edited,
        clock: Clock,
        finished: Finished = _nothing,
    ) -> None:
        self._store = store
        self._versions = versions
        self._edited = edited
        self._clock = clock
        self._finished = finished
        self._next: dict[str, datetime] = {}  # when each document is looked at
        self._done: set[str] = set()  # documents with nothing more to cut

    async def turn(self) -> None:
        now = self._clock()
        edited = await self._edited()
        self._next |= dict.fromkeys(edited, now)
        self._done -= edited
        for document_id in [document_id for document_id, at in self._next.items() if at <= now]:
            try:
                again = await self.look(document_id)
            except Quarantined:
                continue
            except Unavailable:
                raise
            except Exception:  # noqa: BLE001 - one document's fault must not stop the others
                _log.exception("the versions of a document could not be cut", document_id=document_id)
                continue
            if again:
                self._next[document_id] = again
            elif document_id in self._done:
                self._done.discard(document_id)
                del self._next[document_id]
            else:  # an edit just after another one may have no entry in the audit
                self._done.add(document_id)
                self._next[document_id] = now + IDLE
        await self._finished(self._next.keys())

    async def look(self, document_id: str) -> datetime | None:
        return await cut_ended(self._store, self._versions, self._clock, document_id)


async def cut_ended(store: Store, versions: VersionReader, clock: Clock, document_id: str) -> datetime | None:
    """Cut the versions of a document that have ended; return when the next one may end without further edits."""

    async def work(transaction: Transaction) -> None:
        history = await transaction.read(HistoryOf(document_id))
        if history is None:
            return
        now = clock()
        ended = due_cuts(history, now)
        sizes = await versions.sizes(document_id, [each.sequence for each in ended], transaction)
        for event in cut(document_id, history, ended, sizes):
            last = max(event.authors, key=lambda author: author.edited_at)
            await transaction.record((event,), Credit(last.user_id, "", last.agent), now)

    history = await store.read(HistoryOf(document_id))
    if history is None:
        return None
    now = clock()
    if not due_cuts(history, now):
        return next_cut_at(history)
    await store.transact(LockScope(items=(document_id,)), work)
    return now
