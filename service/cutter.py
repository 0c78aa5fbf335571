"""Who cuts the history of documents into versions: a worker that looks at whatever is being edited."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog

from domain.credit import Credit
from domain.errors import Unavailable
from domain.questions import HistoryOf
from domain.version import IDLE, cut, due
from graphql_api.ports import Clock, Store, Touches, Transaction
from live.versions import StoredVersions

# A look reads all edits that belong to no version yet: it is followed by so many times its own length of rest.
SHARE: Final = 500
LONGEST_REST: Final = timedelta(minutes=5)
_log: Final = structlog.get_logger("service")

type Edited = Callable[[], Awaitable[set[str]]]
"""Return the documents that were edited since this was asked last; at first, all that may have something to cut."""


class Cutter:
    """What is to be cut follows from the log alone, and is decided anew under the lock of the document's drive.

    So it does no harm to look at a document twice, or from two processes; and after a crash all of them are looked at.
    """

    every: float = 20.0

    def __init__(
        self,
        store: Store,
        versions: StoredVersions,
        edited: Edited,
        clock: Clock,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`tell` is told of each document of which a version was cut."""
        self._store = store
        self._versions = versions
        self._edited = edited
        self._clock = clock
        self._tell = tell
        self._watched: dict[str, datetime] = {}
        self._resting: dict[str, datetime] = {}

    async def turn(self) -> None:
        now = self._clock()
        self._watched |= dict.fromkeys(await self._edited(), now)
        self._resting = {document_id: until for document_id, until in self._resting.items() if until > now}
        for document_id in self._watched.keys() - self._resting.keys():
            begun = self._clock()
            try:
                if await self.look(document_id):
                    self._watched[document_id] = now
                elif now - self._watched[document_id] >= IDLE:  # an edit just after another one may go untold
                    del self._watched[document_id]
            except Unavailable:
                raise
            except Exception:  # noqa: BLE001 - what is wrong with one document is no other's concern
                _log.exception("the versions of a document could not be cut", document_id=document_id)
            ended = self._clock()
            self._resting[document_id] = ended + min(SHARE * (ended - begun), LONGEST_REST)

    async def look(self, document_id: str) -> bool:
        """Cut what has ended; whether there was anything that belonged to no version yet."""
        history = await self._store.read(HistoryOf(document_id))
        if history is None:
            return False
        if due(history, self._clock()):
            await self._store.transact(Touches(items=(document_id,)), partial(self._cut, document_id))
            self._tell(document_id)
        return bool(history.edits)

    async def _cut(self, document_id: str, transaction: Transaction) -> None:
        history = await transaction.read(HistoryOf(document_id))
        if history is None:
            return
        now = self._clock()
        ended = due(history, now)
        sizes = await self._versions.sizes(document_id, [each.sequence for each in ended], transaction)
        for event in cut(document_id, history, ended, sizes):
            last = max(event.authors, key=lambda author: author.edited_at)
            await transaction.record((event,), Credit(last.user_id, "", last.agent), now)
