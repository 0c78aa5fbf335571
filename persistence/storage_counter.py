"""Worker that counts the bytes that drives store, and tells what each has left of its quota.

No transaction that writes content counts: it would wait for all others of its drive. The worker counts the documents that
commits name, adds up their drives, and reads which drives are nearly full, whichever process counted them. What this process
writes meanwhile is noted as it is written. At the start and once a day it looks at all documents: at those of before there
were quotas, and what no commit named.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from psycopg import errors

from domain.commit import DOCUMENT_EDITED, Commit, event_type
from domain.document import ImageUploaded
from domain.drive import DriveDeleted
from domain.move import ItemMoved
from domain.trash import ItemDeleted
from persistence.postgres.connections import Connection
from persistence.statements import NIL_UUID, ResultRow
from persistence.store import PostgresStore

PAUSE: Final = 5.0  # seconds between two turns
SHARE: Final = 5  # the pause after a turn, as a multiple of its length, while all documents are looked at
AT_ONCE: Final = 500  # documents of a statement
DAY: Final = 86_400.0  # seconds
NEARLY_FULL: Final = 256 * 1024 * 1024  # bytes left of a quota: more than anybody writes in a turn
WRITTEN: Final = frozenset({DOCUMENT_EDITED, event_type(ImageUploaded)})
LEFT: Final = frozenset(map(event_type, (DriveDeleted, ItemDeleted, ItemMoved)))
COUNTED: Final = WRITTEN | LEFT

# Only what has another number than before is written: all other rows stay as they are.
_COUNT: Final = """
with counted as (
    select i.id, i.drive_id,
        coalesce((
            select sum(octet_length(update) + coalesce(octet_length(copied), 0)) from document_update u where u.item_id = i.id), 0)
        + coalesce((
            select octet_length(state) + coalesce(octet_length(credits), 0) from document_snapshot s where s.item_id = i.id), 0)
        + coalesce((select sum(octet_length(state)) from document_version v where v.item_id = i.id), 0)
        + coalesce((select sum(byte_size) from image g where g.item_id = i.id), 0) as bytes
    from item i where i.id = any(%s::uuid[])),
written as (
    insert into document_storage (item_id, bytes)
    select id, c.bytes from counted c left join document_storage s on s.item_id = id where c.bytes is distinct from s.bytes
    on conflict (item_id) do update set bytes = excluded.bytes
    returning item_id)
select distinct drive_id::text from counted join written on item_id = id"""
_ALL: Final = f"select id::text from item where id > %s::uuid and kind <> 'folder' order by id limit {AT_ONCE}"
_ADD_UP: Final = """
with counted as (
    select d.id, coalesce(sum(s.bytes), 0) as bytes
    from drive d left join item i on i.drive_id = d.id left join document_storage s on s.item_id = i.id {which} group by d.id)
insert into drive_storage (drive_id, bytes)
select id, c.bytes from counted c left join drive_storage s on s.drive_id = id where c.bytes is distinct from s.bytes
on conflict (drive_id) do update set bytes = excluded.bytes"""
_ADD_UP_SOME: Final = _ADD_UP.format(which="where d.id = any(%s::uuid[])")
_ADD_UP_ALL: Final = _ADD_UP.format(which="")
_NEARLY_FULL: Final = "select drive_id::text, bytes from drive_storage where bytes > %s"
_SUM: Final = "select coalesce(sum(bytes), 0)::bigint from drive_storage"


class StorageCounter:
    """A worker, a listener of commits, and the quotas. `quota` is in bytes; `clock` in seconds.

    `leads` says whether this process also counts what others commit, and looks at all documents.
    """

    def __init__(
        self,
        store: PostgresStore,
        quota: int,
        clock: Callable[[], float] = time.monotonic,
        leads: Callable[[], bool] = lambda: True,
    ) -> None:
        self.every = PAUSE
        self.stored = 0  # bytes in all drives, as they were counted last
        self._store = store
        self._quota = quota
        self._clock = clock
        self._leads = leads
        self._nearly_full: Mapping[str, int] = {}
        self._written, self._counting = Counter[str](), Counter[str]()
        self._documents: set[str] = set()
        self._drives: set[str] = set()
        self._looked_at: str | None = NIL_UUID  # the last of all documents; None until a day is over
        self._looked_last = 0.0

    def left(self, drive_id: str) -> int:
        counted, written, counting = self._nearly_full, self._written, self._counting
        return self._quota - counted.get(drive_id, 0) - written.get(drive_id, 0) - counting.get(drive_id, 0)

    def wrote(self, drive_id: str, size: int) -> None:
        self._written[drive_id] = self._written.get(drive_id, 0) + size

    @property
    def full(self) -> int:
        """How many drives are full."""
        return sum(1 for used in self._nearly_full.values() if used >= self._quota)

    def committed(self, commit: Commit) -> None:
        if not (commit.is_local or self._leads()):
            return
        if commit.live:
            self._documents.update(commit.documents)
            return
        for entry in commit.entries:
            if entry.type in WRITTEN and entry.item_id:
                self._documents.add(entry.item_id)
            elif entry.type in LEFT and entry.drive_id:
                self._drives.add(entry.drive_id)

    def compacted(self, document_id: str) -> None:
        """Have a document counted again whose log was compacted, which no commit tells."""
        self._documents.add(document_id)

    async def begin(self) -> None:
        """Read which drives are nearly full; before that, none is."""
        rows = await self._ask(_NEARLY_FULL, self._quota - NEARLY_FULL)
        self._nearly_full = dict(rows)

    async def turn(self) -> None:
        began = self._clock()
        documents, self._documents = self._documents, set()
        drives, self._drives = self._drives, set()
        self._counting, self._written = self._written, Counter()
        try:
            drives |= await self._count(sorted(documents))
            looks_at_all = self._is_to_look()
            some = await self._some_of_all() if looks_at_all else []
            drives |= await self._count(some)
            if drives:
                await self._ask(_ADD_UP_SOME, sorted(drives))
            if looks_at_all and len(some) < AT_ONCE:
                await self._ask(_ADD_UP_ALL)
                self._looked_at, self._looked_last, looks_at_all = None, began, False
            await self.begin()
            ((self.stored,),) = await self._ask(_SUM)
        except BaseException:
            self._documents |= documents
            self._drives |= drives
            self._written += self._counting
            raise
        finally:
            self._counting = Counter()
        self.every = SHARE * (self._clock() - began) if looks_at_all else PAUSE

    def _is_to_look(self) -> bool:
        """Whether it is time to look at some of all documents."""
        if self._looked_at is None and self._clock() - self._looked_last > DAY:
            self._looked_at = NIL_UUID
        return self._looked_at is not None and self._leads()

    async def _some_of_all(self) -> list[str]:
        """Return the next of all documents."""
        found = [item_id for (item_id,) in await self._ask(_ALL, self._looked_at)]
        self._looked_at = found[-1] if found else self._looked_at
        return found

    async def _count(self, documents: Sequence[str]) -> set[str]:
        """Count documents; return the drives of those that have another number of bytes than before."""
        drives = set[str]()
        for at in range(0, len(documents), AT_ONCE):
            drives |= {drive_id for (drive_id,) in await self._ask(_COUNT, [*documents[at : at + AT_ONCE]])}
        return drives

    async def _ask(self, statement: str, *values: object) -> Sequence[ResultRow]:
        async def act(connection: Connection) -> Sequence[ResultRow]:
            cursor = await connection.execute(statement.encode(), values)
            return await cursor.fetchall() if cursor.description else ()

        try:
            return await self._store.autocommit(act)
        except errors.ForeignKeyViolation:  # something was deleted meanwhile
            return await self._store.autocommit(act)
