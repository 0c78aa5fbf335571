"""Worker that compacts the logs of documents, after the one that cuts versions."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

import structlog

from computing.jobs import COMPACT
from computing.runner import Crashed, JobRunner, TooCostly
from documents.yjs.scan import Refused
from domain.errors import Quarantined, Unavailable
from graphql_api.ports import Clock
from persistence.compaction import CompactionLog
from persistence.versions import REST

PUT_OFF: Final = timedelta(hours=1)  # how long a document waits that could not be compacted
_log: Final = structlog.get_logger("service")


def _untold(_document_id: str) -> None:
    """Tell nobody."""


class Compactor:
    """It looks at a document ten minutes after a version ended, and again when nobody has edited it for a day.

    `compacted` is told of each document that it has looked at.
    """

    every: float = 30.0

    def __init__(
        self, log: CompactionLog, runner: JobRunner, clock: Clock, compacted: Callable[[str], None] = _untold
    ) -> None:
        self._compaction = log
        self._runner = runner
        self._clock = clock
        self._compacted = compacted

    async def turn(self) -> None:
        for document_id, sequence in await self._compaction.due(self._clock()):
            try:
                await self.look(document_id, sequence)
            except Quarantined:
                await self._compaction.put_off(document_id, sequence, self._clock() + PUT_OFF)
            except Unavailable:
                raise
            except Exception:  # noqa: BLE001 - one document's fault must not stop the others
                _log.exception("a document could not be compacted", document_id=document_id)
                await self._compaction.put_off(document_id, sequence, self._clock() + PUT_OFF)

    async def look(self, document_id: str, sequence: int) -> None:
        """Compact the document, whose last version ended at `sequence`, and delete rows that are no longer needed."""
        while await self.compact(document_id):  # there may be more than is done at once
            pass
        now = self._clock()
        while await self._compaction.delete_kept(document_id, now - REST):
            pass
        self._compacted(document_id)
        await self._compaction.looked_at(document_id, sequence, now, now - REST)

    async def compact(self, document_id: str) -> bool:
        """Compact the document's log if it is large enough; return whether that was done."""
        before = self._clock() - REST
        past = await self._compaction.past(document_id, before)
        if past is None:
            return False
        try:
            made = await self._runner.run(COMPACT, "", document_id, past)
        except (TooCostly, Crashed) as fault:
            made = Refused(str(fault))
        if isinstance(made, Refused):
            _log.warning("a document stays as it is", document_id=document_id, reason=made.reason)
            return False
        return await self._compaction.keep(document_id, past, made, before)
