"""How the words of documents come into the index of search: those whose log went on are read again, one after the other.

Whether a document is behind is seen by comparing numbers, so it does not matter who missed what, or died when. One
process at a time does it. Those that were just edited are named to it; now and then it looks at all of them. A document
is read whole for its words, so that is put off while somebody types in it.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from psycopg import errors

from documents.scan import Refused
from documents.searched import Searched, stored
from domain.document import DocumentState
from domain.questions import StateOf
from persistence.connections import Connection, lent, reaching
from persistence.reads import answer
from persistence.store import PostgresStore

EVERY: Final = 60.0  # seconds after which all documents are looked at
CALM: Final = 1.0  # seconds without an edit after which a document is indexed
LONGEST_TYPING: Final = 30.0  # seconds after which it is indexed though it is still edited
PAUSE: Final = 0.5  # seconds between two rounds at least
SHARE: Final = 5  # a round is followed by so many times its own length
LONGEST_PAUSE: Final = 60.0
MOST: Final = 200  # documents of one round
_LOCK: Final = "select pg_try_advisory_lock(20001, 1)"
_UNLOCK: Final = "select pg_advisory_unlock(20001, 1)"
_BEHIND: Final = """
select i.id::text, i.sequence from item i left join document_text t on t.item_id = i.id
where i.kind <> 'folder' and (%(ids)s::uuid[] is null or i.id = any(%(ids)s::uuid[]))
    and i.sequence > coalesce(t.sequence, 0) limit %(most)s::int"""
_WRITE: Final = """
insert into document_text (item_id, sequence, passages, folded, words)
select i.id, %(sequence)s, %(passages)s::text[], %(folded)s::text[], array_to_tsvector(%(words)s::text[])
from item i where i.id = %(id)s::uuid
on conflict (item_id) do update set sequence = excluded.sequence, passages = excluded.passages,
    folded = excluded.folded, words = excluded.words
where document_text.sequence < excluded.sequence"""
log: Final = logging.getLogger(__name__)


class SearchIndex:
    """One for each process, `clock` in seconds. `edited` is cheap: it only says which documents to look at soon."""

    def __init__(self, store: PostgresStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._news: set[str] = set()
        self._edited: dict[str, tuple[float, float]] = {}  # since when each was edited, and till when, as seen at turns
        self._woken = asyncio.Event()
        self._up_to_date = False
        self._rest = PAUSE

    def edited(self, document_ids: Iterable[str]) -> None:
        self._news.update(document_ids)
        self._woken.set()

    @property
    def every(self) -> float:
        return self._rest

    async def turn(self) -> None:
        """Wait until something was edited, or everything is to be looked at, and index what is behind and calm."""
        everything = not (self._up_to_date and await self._is_woken())
        self._hear()
        due = list(self._edited) if everything else self._calm()
        for document_id in due:
            del self._edited[document_id]
        if not self._edited:
            self._woken.clear()
        self._rest = PAUSE
        if not due and not everything:
            return
        self._up_to_date = False
        begun = self._clock()
        self._up_to_date = await self.index(None if everything else due)
        self._rest = min(max(PAUSE, SHARE * (self._clock() - begun)), LONGEST_PAUSE)

    def _hear(self) -> None:
        now, news, self._news = self._clock(), self._news, set()
        for document_id in news:
            first, _ = self._edited.get(document_id, (now, now))
            self._edited[document_id] = first, now

    def _calm(self) -> list[str]:
        """Return those in which nobody types just now, or somebody has for long."""
        now = self._clock()
        return [
            document_id
            for document_id, (first, last) in self._edited.items()
            if now - last >= CALM or now - first >= LONGEST_TYPING
        ]

    async def _is_woken(self) -> bool:
        try:
            await asyncio.wait_for(self._woken.wait(), EVERY)
        except TimeoutError:
            return False
        return True

    async def index(self, document_ids: Sequence[str] | None = None) -> bool:
        """Index what is behind of these documents, or of all; false where more is left, or another process is at it."""
        with reaching():
            async with lent(self._store.writers) as connection:
                try:
                    if not (await (await connection.execute(_LOCK)).fetchone() or [False])[0]:
                        return False
                    is_all = await _index(connection, document_ids)
                    await connection.execute(_UNLOCK)
                except BaseException:  # the lock goes with the connection, and a cancellation stays one
                    await connection.close()
                    raise
                return is_all


async def _index(connection: Connection, document_ids: Sequence[str] | None) -> bool:
    behind = await (await connection.execute(_BEHIND, {"ids": document_ids, "most": MOST})).fetchall()
    for document_id, sequence in behind:
        state = await answer(connection, StateOf(document_id, sequence))
        text = await asyncio.to_thread(_read, document_id, state)
        values = {"passages": list(text.passages), "folded": list(text.folded), "words": list(text.words)}
        try:
            await connection.execute(_WRITE, {**values, "id": document_id, "sequence": sequence})
        except errors.ForeignKeyViolation:
            continue  # deleted for ever meanwhile
    return len(behind) < MOST


def _read(document_id: str, state: DocumentState) -> Searched:
    text = stored(state.snapshot, state.updates)
    if isinstance(text, Refused):
        log.error("document %s is not searched: %s", document_id, text.reason)
        return Searched()
    return text
