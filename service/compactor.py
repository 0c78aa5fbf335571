"""Who compacts the logs of documents: a worker that comes after the one that cuts versions."""

from datetime import datetime, timedelta
from typing import Final

import structlog

from documents.scan import Refused
from domain.errors import Unavailable
from graphql_api.ports import Clock
from live.compaction import Press
from persistence.compaction import CompactionLog

# How old a version is before the log is compacted up to it: whoever has the document open elsewhere has read its updates
# by then, and need not begin anew from the snapshot.
REST: Final = timedelta(minutes=10)
_log: Final = structlog.get_logger("service")


class Compactor:
    """At first it looks at every document with a long log, then at those of which a version was cut."""

    every: float = 30.0

    def __init__(self, log: CompactionLog, press: Press, clock: Clock) -> None:
        self._compaction = log
        self._press = press
        self._clock = clock
        self._waiting: dict[str, datetime] | None = None

    def cut(self, document_id: str) -> None:
        """Look at the document once the version that was cut just now is old enough."""
        if self._waiting is not None:
            self._waiting[document_id] = self._clock() + REST

    async def turn(self) -> None:
        if self._waiting is None:
            self._waiting = dict.fromkeys(await self._compaction.long(), self._clock())
        now = self._clock()
        for document_id in [each for each, at in self._waiting.items() if at <= now]:
            self._waiting.pop(document_id)
            try:
                if await self.compact(document_id):
                    self._waiting.setdefault(document_id, now)  # there may be more than is done at once
            except Unavailable:
                self._waiting[document_id] = now
                raise
            except Exception:  # noqa: BLE001 - what is wrong with one document is no other's concern
                _log.exception("a document could not be compacted", document_id=document_id)

    async def compact(self, document_id: str) -> bool:
        """Compact what there is of the document's log, if it is worth it; whether it was done."""
        past = await self._compaction.past(document_id, self._clock() - REST)
        if past is None:
            return False
        made = await self._press.press(past)
        if isinstance(made, Refused):
            _log.warning("a document stays as it is", document_id=document_id, reason=made.reason)
            return False
        return await self._compaction.keep(document_id, past, made)
