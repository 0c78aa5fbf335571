"""Worker that indexes the text of edited documents for search.

A document is behind where its log has updates after those that are indexed; only the numbers are compared, so no edit is
lost to a crash. One process at a time indexes. Commits name the documents that were just edited, and the audit names all
others since the work was done last: the process that leads reads it, and hears of what others commit. A document is read whole for its words, so it waits while somebody types in it.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from math import inf
from typing import Final

import msgspec
from psycopg import errors

from computing.jobs import READ_SEARCH_TEXT
from computing.runner import Crashed, JobRunner, TooCostly
from documents.projection.search_text import SearchText
from documents.yjs.scan import Refused
from domain.commit import Commit
from domain.document import DocumentState
from domain.errors import Quarantined
from domain.questions import StateOf
from persistence.audit_feed import INDEXING, EditedLog
from persistence.postgres.connections import Connection, acquire, translate_errors
from persistence.quarantine import indexed, released
from persistence.reads import READS
from persistence.store import PostgresStore

AUDIT_SECONDS: Final = 60.0  # between two reads of the audit
LEADING_SECONDS: Final = 10.0  # between two looks whether this process leads by now
REINDEX_SECONDS: Final = 120.0  # after which documents in the audit are indexed again: not every edit has an entry
QUIET_SECONDS: Final = 1.0  # without an edit, after which a document is indexed
MAX_TYPING_SECONDS: Final = 30.0  # seconds after which it is indexed though it is still edited
PAUSE: Final = 0.5  # seconds between two rounds at least
SHARE: Final = 5  # the pause after a round, as a multiple of its length
MAX_PAUSE: Final = 60.0
MAX_DOCUMENTS: Final = 200  # documents of one round
_LOCK: Final = "select pg_try_advisory_lock(20001, 1)"
_UNLOCK: Final = "select pg_advisory_unlock(20001, 1)"
_BEHIND: Final = """
select i.id::text, i.sequence from item i left join document_text t on t.item_id = i.id
where i.id = any(%(ids)s::uuid[]) and i.sequence > coalesce(t.sequence, 0) limit %(most)s::int"""
# Lists come as JSON, since the driver takes a tenth of a second for the elements of long arrays.
# An item that is deleted for ever meanwhile is not linked.
_WRITE: Final = """
with given as (
    select array(select json_array_elements_text(%(linked)s::json))::uuid[] as linked
), written as (
    insert into document_text (item_id, sequence, passages, folded, words)
    select i.id, %(sequence)s, array(select json_array_elements_text(%(passages)s::json)),
        array(select json_array_elements_text(%(folded)s::json)),
        array_to_tsvector(array(select json_array_elements_text(%(words)s::json)))
    from item i where i.id = %(id)s::uuid
    on conflict (item_id) do update set sequence = excluded.sequence, passages = excluded.passages,
        folded = excluded.folded, words = excluded.words
    where document_text.sequence < excluded.sequence
    returning item_id
), unlinked as (
    delete from document_link l using written, given
    where l.item_id = written.item_id and l.linked_id <> all(given.linked)
), linked as (
    select i.id from item i, given where i.id = any(given.linked) order by i.id for key share of i
)
insert into document_link (item_id, linked_id)
select written.item_id, linked.id from written cross join linked on conflict do nothing"""
log: Final = logging.getLogger(__name__)


class SearchIndex:
    """A worker, and a listener of commits: those only say which documents to look at soon. `clock` is in seconds.

    `leads` says whether this process looks at what others commit, too.
    """

    def __init__(
        self,
        store: PostgresStore,
        clock: Callable[[], float] = time.monotonic,
        *,
        runner: JobRunner,
        leads: Callable[[], bool] = lambda: True,
    ) -> None:
        self._store = store
        self._runner = runner
        self._clock = clock
        self._leads = leads
        self._log = EditedLog(store, INDEXING)
        self._committed: set[str] = set()
        self._edited: dict[str, tuple[float, float]] = {}  # since when each was edited, and till when, as seen at turns
        self._again: dict[str, float] = {}  # when each that the audit named is indexed again
        self._released: set[str] = set()  # those from quarantine that are still to be looked at
        self._quarantined: set[str] = set()  # those of the last round that could not be loaded
        self._woken = asyncio.Event()
        self._ask_at = -inf
        self._rest = PAUSE

    def committed(self, commit: Commit) -> None:
        if (commit.is_local or self._leads()) and (documents := commit.documents):
            self._committed.update(documents)
            self._woken.set()

    @property
    def every(self) -> float:
        return self._rest

    async def turn(self) -> None:
        """Wait until something was edited or the audit is due, and index documents that are behind and not being edited."""
        await self._wait()
        self._rest = PAUSE
        begun = self._clock()
        self._take_committed(begun)
        if begun >= self._ask_at and self._leads():
            await self._ask(begun)
        due = self._due(begun)
        if due:
            due -= await self.index(due)
            await self._forget_released(due - self._quarantined)
            self._rest = min(max(PAUSE, SHARE * (self._clock() - begun)), MAX_PAUSE)
        for document_id in due:
            self._edited.pop(document_id, None)
            if self._again.get(document_id, inf) <= begun:
                del self._again[document_id]
        if not self._edited and not self._committed:
            self._woken.clear()
        if self._leads():
            await self._log.finished({*self._edited, *self._again})

    async def _wait(self) -> None:
        with suppress(TimeoutError):
            left = self._ask_at - self._clock() if self._leads() else LEADING_SECONDS
            await asyncio.wait_for(self._woken.wait(), max(0.0, left))

    def _take_committed(self, now: float) -> None:
        committed, self._committed = self._committed, set()
        for document_id in committed:
            first, _ = self._edited.get(document_id, (now, now))
            self._edited[document_id] = first, now

    async def _ask(self, now: float) -> None:
        named = await self._log.edited_documents()
        self._released = await released(self._store)
        for document_id in named | self._released:
            self._edited.setdefault(document_id, (-inf, -inf))
        self._again |= dict.fromkeys(named, now + REINDEX_SECONDS)
        if self._edited:
            self._woken.set()
        self._ask_at = now + AUDIT_SECONDS

    async def _forget_released(self, looked_at: set[str]) -> None:
        if done := self._released & looked_at:
            await indexed(self._store, done)
            self._released -= done

    def _due(self, now: float) -> set[str]:
        """Return documents in which nobody types now, or somebody has for long, and those to be indexed again."""
        edited = self._edited.items()
        calm = {
            each for each, (first, last) in edited if now - last >= QUIET_SECONDS or now - first >= MAX_TYPING_SECONDS
        }
        return calm | {document_id for document_id, at in self._again.items() if at <= now}

    async def index(self, document_ids: Collection[str]) -> set[str]:
        """Index what is behind of these documents; return what is left, more than one round or all, to another process."""
        with translate_errors:
            async with acquire(self._store.writers) as connection:
                try:
                    if not (await (await connection.execute(_LOCK)).fetchone() or [False])[0]:
                        return {*document_ids}
                    left, self._quarantined = await _index(connection, document_ids, self._runner)
                    await connection.execute(_UNLOCK)
                except BaseException:  # closing the connection releases the lock
                    await connection.close()
                    raise
                return left


async def _index(connection: Connection, document_ids: Collection[str], runner: JobRunner) -> tuple[set[str], set[str]]:
    """Return those that are left, more than one round or those that ended their process, and those that are in quarantine, which are not tried again."""
    quarantined, crashed = set[str](), set[str]()
    behind = await (await connection.execute(_BEHIND, {"ids": [*document_ids], "most": MAX_DOCUMENTS})).fetchall()
    for document_id, sequence in behind:
        state: DocumentState = await READS[StateOf].run(connection, StateOf(document_id, sequence))
        try:
            text = await _read(runner, document_id, state)
        except Quarantined:
            quarantined.add(document_id)
            continue
        except Crashed:
            crashed.add(document_id)
            continue
        try:
            await connection.execute(_WRITE, _values(document_id, sequence, text))
        except errors.ForeignKeyViolation:
            continue  # deleted for ever meanwhile
    left = {*document_ids} - {document_id for document_id, _ in behind} if len(behind) == MAX_DOCUMENTS else set()
    return left | crashed, quarantined


def _values(document_id: str, sequence: int, text: SearchText) -> dict[str, object]:
    lists = {"passages": text.passages, "folded": text.folded, "words": text.words, "linked": text.linked}
    encoded = {name: msgspec.json.encode(each).decode() for name, each in lists.items()}
    return {"id": document_id, "sequence": sequence, **encoded}


async def _read(runner: JobRunner, document_id: str, state: DocumentState) -> SearchText:
    try:
        text = await runner.run(READ_SEARCH_TEXT, "", document_id, state)
    except TooCostly as fault:
        text = Refused(str(fault))
    if isinstance(text, Refused):
        log.error("document %s is not searched: %s", document_id, text.reason)
        return SearchText()
    return text
