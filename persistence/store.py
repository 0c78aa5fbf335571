"""The store: reads state, and changes it in one serial order.

A change takes the locks of what it touches, then a connection, then the same locks in Postgres, and only then its
snapshot: under locks taken later the snapshot would already be too old. SERIALIZABLE is the net below, for what
has no lock. A change whose locks cover all that it reads goes without: predicate locks are of index pages, which items of
different drives share, so that changes that have nothing to do with each other would conflict.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Protocol, Self

import psycopg
from cachetools import LRUCache
from psycopg import errors
from psycopg.pq import TransactionStatus

from domain.commit import AuditEntry, Commit
from domain.credit import Credit
from domain.document import DocumentEdited
from domain.errors import Unavailable
from domain.events import Event
from domain.idempotency import IdempotencyKey
from domain.mail import Mail
from domain.questions import Question
from domain.values import is_id
from persistence import ledger
from persistence.commit_feed import CommitFeed, CommitHold
from persistence.idempotency import REMEMBER
from persistence.postgres.connections import Connection, acquire, is_lost, pool, replace_broken, translate_errors
from persistence.postgres.locks import UNLOCK, LockQueues, keys, lock
from persistence.reads import READS
from persistence.waiting_mails import posting

_MAX_ATTEMPTS = 5
_MAX_SEEN = 10_000  # items whose drives are remembered
_CONFLICTS = (errors.SerializationFailure, errors.DeadlockDetected, errors.UniqueViolation)

# In one message: the locks outlive the transaction, but are not held longer than what they guard.
_END = f"select pg_current_xact_id_if_assigned()::text; commit; {UNLOCK}"


class Touches(Protocol):
    """The objects of a change, by id: items stand for the drives they are in, documents for themselves."""

    @property
    def items(self) -> Sequence[str]: ...

    @property
    def drives(self) -> Sequence[str]: ...

    @property
    def organizations(self) -> Sequence[str]: ...

    @property
    def documents(self) -> Sequence[str]: ...

    @property
    def covers_reads(self) -> bool:
        """Whether the locks keep all that the change reads as it was read."""
        ...

    @property
    def may_end_access(self) -> bool:
        """Whether what it finds done already may have ended somebody's access."""
        ...


@dataclass(slots=True)
class Transaction:
    """One transaction, as `work` sees it. Its writes are sent before the next read, or the commit."""

    connection: Connection
    _hold: CommitHold
    id: int | None = field(default=None, init=False)  # once it is committed, and if it wrote anything
    entries: list[AuditEntry] = field(default_factory=list, init=False)
    posts: bool = field(default=False, init=False)  # an e-mail
    _writes: list[ledger.Write] = field(default_factory=list, init=False)

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        await self.write()
        found: Answer = await READS[type(question)].run(self.connection, question)
        return found

    async def record(self, events: Sequence[Event], by: Credit, at: datetime) -> None:
        for event in events:
            if isinstance(event, DocumentEdited):
                await self._hold.add(event.item_id)
        writes, entries = ledger.writes(events, by, at)
        self._writes += writes
        self.entries += entries

    async def remember(self, once: IdempotencyKey, result_id: str, at: datetime) -> None:
        values = {"user_id": once.user_id, "operation": once.operation, "key": once.key, "digest": once.digest}
        self._writes.append((REMEMBER, {**values, "result_id": result_id, "at": at}))

    def post(self, mail: Mail) -> None:
        self._writes.append(posting(mail))
        self.posts = True

    async def write(self) -> None:
        writes, self._writes = self._writes, []
        async with self.connection.pipeline() if len(writes) > 1 else nullcontext():
            for statement, arguments in writes:
                await self.connection.execute(statement, arguments, prepare=True)
                self.connection.carried(arguments.values())


@dataclass(frozen=True, slots=True)
class _Change[T]:
    """A change that is tried until it is committed: what it touches, its work, and the open documents that it holds."""

    touches: Touches
    work: Callable[[Transaction], Awaitable[T]]
    hold: CommitHold


class _MovedError(Exception):
    """The touched items are in other drives than those whose locks are held."""


class PostgresStore:
    """State in one Postgres. `patience` in seconds is how long a request waits for a connection or a lock.

    `sessions` names its connections, for whoever is to end them.
    """

    def __init__(
        self, url: str, *, readers: int = 8, writers: int = 8, patience: float = 5.0, sessions: str = ""
    ) -> None:
        self.url = url
        self.sessions = sessions
        self.readers = pool(url, size=readers, patience=patience, writing=False, sessions=sessions)
        self.writers = pool(url, size=writers, patience=patience, writing=True, sessions=sessions)
        self._patience = patience
        self._queues = LockQueues(patience)
        self.feed = CommitFeed()
        self.posted = asyncio.Event()  # whenever an e-mail was committed
        self._seen_in: LRUCache[str, str] = LRUCache(_MAX_SEEN)  # the drives of items, checked again under the locks

    async def open(self) -> None:
        """Reach the database; raises Unavailable where that takes longer than `patience`."""
        with translate_errors:
            await self.readers.open(wait=True, timeout=self._patience)
            await self.writers.open(wait=True, timeout=self._patience)

    async def close(self) -> None:
        await self.readers.close()
        await self.writers.close()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def ready(self) -> bool:
        try:
            async with asyncio.timeout(self._patience):
                await self.autocommit(lambda connection: connection.execute("select 1"))
        except (Unavailable, TimeoutError):
            return False
        return True

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        found: Answer = await self.autocommit(partial(READS[type(question)].run, question=question))
        return found

    async def autocommit[T](self, ask: Callable[[Connection], Awaitable[T]]) -> T:
        """Run statements that are each a transaction of its own; all of them again, once, where the connection is lost."""
        with translate_errors:
            try:
                async with acquire(self.readers) as connection:
                    return await ask(connection)
            except Exception as error:
                if not is_lost(error):
                    raise
            await replace_broken(self.readers)
            async with acquire(self.readers) as connection:
                return await ask(connection)

    async def transact[T](self, touches: Touches, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Commit `work`, and return when it was published to `feed`, and no process goes by access that it ended."""
        found: Mapping[str, str] = {
            item_id: self._seen_in[item_id] for item_id in touches.items if item_id in self._seen_in
        }
        if len(found) < len(set(touches.items)):
            found = await self.autocommit(lambda connection: _drives_of(connection, touches.items))
        change = _Change(touches, work, CommitHold(self.feed.open_documents))
        try:
            while True:
                try:
                    result, transaction = await self._under_locks(change, found)
                    break
                except _MovedError as moved:
                    (found,) = moved.args
            commit = Commit(transaction.entries)
            if transaction.posts:
                self.posted.set()
            if transaction.entries:
                await self.feed.publish(commit, transaction.id)
        except Unavailable:
            raise
        except Exception:
            await self._settle_earlier(touches)
            raise
        finally:
            change.hold.release()
        if not transaction.entries:
            await self._settle_earlier(touches)
        await self.feed.settle(commit, transaction.id)
        return result

    async def _settle_earlier(self, touches: Touches) -> None:
        if touches.may_end_access:
            await self.feed.settle_earlier()

    async def _under_locks[T](self, change: _Change[T], found: Mapping[str, str]) -> tuple[T, Transaction]:
        touches = change.touches
        ordered = keys([*found.values(), *touches.drives, *touches.organizations])
        # Last, since typing waits for them; and once, since a caller may name a document where a drive is asked for.
        ordered += [document for document in keys(touches.documents) if document not in ordered]
        with translate_errors:
            async with self._queues.held(ordered):
                try:
                    return await self._attempt(change, found, ordered)
                except Exception as error:
                    if not is_lost(error):
                        raise
                await replace_broken(self.writers)  # nothing was committed, so the change may be repeated
                return await self._attempt(change, found, ordered)

    async def _attempt[T](
        self, change: _Change[T], found: Mapping[str, str], ordered: list[int]
    ) -> tuple[T, Transaction]:
        async with acquire(self.writers) as connection:
            begin = _begin(ordered, change.touches)
            try:
                for _ in range(_MAX_ATTEMPTS - 1):
                    try:
                        return await self._once(connection, begin, change, found)
                    except _CONFLICTS:
                        await _roll_back(connection)
                        await asyncio.sleep(random.uniform(0.001, 0.02))  # noqa: S311 - so that rivals part
                return await self._once(connection, begin, change, found)
            except BaseException as error:
                await _end_and_unlock(connection, keep=isinstance(error, Exception))
                raise

    async def _once[T](
        self, connection: Connection, begin: bytes, change: _Change[T], found: Mapping[str, str]
    ) -> tuple[T, Transaction]:
        cursor = await connection.execute(begin, prepare=False)
        await cursor.set_result(-1)
        now = dict(await cursor.fetchall()) if cursor.description else {}
        if now != found:
            raise _MovedError(now)
        self._seen_in.update(now)
        for document_id in change.touches.documents:
            await change.hold.add(document_id)
        transaction = Transaction(connection, change.hold)
        result = await change.work(transaction)
        await transaction.write()
        try:
            transaction.id = await _commit(connection)
        except Unavailable:
            self.feed.unknown(Commit(transaction.entries))
            raise
        return result, transaction


async def _drives_of(connection: Connection, items: Sequence[str]) -> dict[str, str]:
    """Return the drive of each item that exists."""
    cursor = await connection.execute(_select_drives(items))
    return dict(await cursor.fetchall())


def _select_drives(items: Sequence[str]) -> bytes:
    # an id holds nothing but hexadecimal digits and hyphens, so it may be part of the statement
    ids = ", ".join([f"'{item_id}'::uuid" for item_id in items if is_id(item_id)]) or "null"
    return f"select id::text, drive_id::text from item where id in ({ids})".encode()


def _begin(ordered: Sequence[int], touches: Touches) -> bytes:
    """Return one message that locks, begins and selects the drives of the items, since each message costs a round trip.

    INVARIANT: the locks are taken in a transaction of their own, so that the snapshot is newer than they are.
    """
    locks = f"begin; {lock(ordered)}; commit; " if ordered else ""
    isolation = "repeatable read" if touches.covers_reads else "serializable"
    where = b"; " + _select_drives(touches.items) if touches.items else b""
    return f"{locks}begin isolation level {isolation}".encode() + where


async def _commit(connection: Connection) -> int | None:
    """Commit and unlock; return the number of the transaction if it wrote anything."""
    try:
        row = await (await connection.execute(_END, prepare=False)).fetchone()
    except Exception as error:
        if is_lost(error):  # whether it was committed is unknown, so it must not be repeated
            raise Unavailable("the database was lost while the change was being committed") from error
        raise
    return int(row[0]) if row and row[0] else None


async def _roll_back(connection: Connection) -> None:
    if connection.info.transaction_status != TransactionStatus.IDLE:
        await connection.execute("rollback")


async def _end_and_unlock(connection: Connection, *, keep: bool) -> None:
    """End the transaction and release the locks after a failure; closing the connection does both."""
    try:
        if keep:
            await _roll_back(connection)
            await connection.execute(UNLOCK)
            return
    except psycopg.Error:
        pass
    await connection.close()
