"""Rings the other nodes on this database where documents have new updates, and hears them ring.

A ring names documents and carries nothing of what is written in them: who has one open reads its log from the number that is known there. A ring
that is lost costs time and no edit, since numbers are compared now and then. Each is a transaction of its own on a connection of its
own, after the commit it is about: those that notify wait for each other until they are committed, and appends must not.
"""

import asyncio
from collections.abc import Awaitable, Callable, Container, Mapping
from functools import partial
from typing import Any, Final, Protocol

import structlog
from psycopg import Error
from psycopg.pq.abc import PGresult

from domain.commit import Commit
from domain.errors import Unavailable
from persistence.access_barrier import ACKNOWLEDGED, ASKED
from persistence.postgres.connections import Connection, translate_errors
from persistence.postgres.wire import WireConnection
from persistence.store import PostgresStore

RING_SECONDS: Final = 0.01  # between two rings
_MOST: Final = 100  # documents of a ring
_MOST_BYTES: Final = 7_900  # of a ring: PostgreSQL takes 8,000
_LEAST_BYTES: Final = 4_000  # in which a topic tells something
_NEWS: Final = "!"  # the audit has new entries
_OPENED: Final = (
    "set synchronous_commit = off",
    "listen codrive",
    "prepare ring (text) as select pg_notify('codrive', $1)",
)
_NUMBERS: Final = "select id::text, sequence from item where id = any(%s::uuid[])"
_log: Final = structlog.get_logger("persistence")


def _ignored(seconds: float) -> None:
    del seconds


class Membership(Protocol):
    has_others: bool

    async def turn(self) -> None: ...


class OpenLogs(Protocol):
    @property
    def open(self) -> Container[str]:
        """The ids of these documents."""
        ...

    @property
    def numbers(self) -> Mapping[str, int]:
        """The number of the last update of each open document that is here."""
        ...

    async def bring_up(self, document_id: str) -> object:
        """Read what others appended to the document."""
        ...


class Topic(Protocol):
    """What is told beside the names of documents, such as who is in one; `on_news` is called when there is something."""

    on_news: Callable[[], None]

    @property
    def has_news(self) -> bool: ...

    def take(self, size: int) -> str:
        """Return what is to be told next, in up to so many bytes."""
        ...

    def heard(self, message: str) -> None: ...

    def begin_again(self) -> None:
        """Tell everything once more: nobody knows what the others heard."""
        ...


class Bell:
    """A worker, which connects, and now and then looks for what no ring told of.

    `news` reads the audit, `asked` does and acknowledges it; `acknowledged` is called where another node has let go of what a change of access ends. `topics` are by
    the letter under which they are told, the more important ones first.
    """

    every: float = 5.0

    def __init__(
        self,
        store: PostgresStore,
        lease: Membership,
        documents: OpenLogs,
        news: Callable[[], Awaitable[None]],
        asked: Callable[[], Awaitable[None]],
        acknowledged: Callable[[], None],
        topics: Mapping[str, Topic],
    ) -> None:
        self._store = store
        self._lease = lease
        self._documents = documents
        self._news = news
        self._asked = asked
        self._acknowledged = acknowledged
        self._topics = topics
        for topic in topics.values():
            topic.on_news = self._ring_unless_ringing
        self._connection: WireConnection | None = None
        self._untold: dict[str, None] = {}
        self._is_ringing = False
        self._again: dict[str, bool] = {}  # what is being read, and whether it was rung for meanwhile
        self._reading: set[asyncio.Task[None]] = set()
        self._heard_at: dict[str, float] = {}  # when the first ring came of what is being read, by the loop's clock
        self.on_read: Callable[[float], None] = (
            _ignored  # called with the seconds from a ring until what it was about was read
        )

    @property
    def lag(self) -> float:
        """The seconds for which a ring waits already until what it is about is read; 0 where none does."""
        if not self._heard_at:
            return 0.0
        return asyncio.get_running_loop().time() - min(self._heard_at.values())

    async def turn(self) -> None:
        connection = self._connection
        if connection is None or connection.lost:
            await self._connect()
        if self._lease.has_others:
            await self._compare()

    async def aclose(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            await connection.close()
        for task in self._reading:
            task.cancel()

    def committed(self, commit: Commit) -> None:
        """Ring for a commit of this process, where others may hear it."""
        if self._lease.has_others and commit.is_local:
            if commit.live:
                self._untold |= dict.fromkeys(commit.documents)
            if not commit.live or commit.live.audited:
                self._untold[_NEWS] = None
            self._ring_unless_ringing()

    async def _connect(self) -> None:
        """Listen, let the others know, and then count them: of two that begin at once, one hears or counts the other."""
        if self._connection:
            await self._connection.close()
        with translate_errors:
            try:
                self._connection = await WireConnection.open(self._store.writers, _OPENED, self._heard)
            except TimeoutError as late:
                raise Unavailable("the database does not answer") from late
        self._untold[_NEWS] = None
        for topic in self._topics.values():
            topic.begin_again()
        self._ring_unless_ringing()
        await self._lease.turn()

    def _ring_unless_ringing(self) -> None:
        if not self._is_ringing:
            self._ring()

    def _ring(self) -> None:
        connection = self._connection
        if connection is None or connection.lost:
            self._untold.clear()  # whoever is not told compares numbers
            return
        named = list(self._untold)[:_MOST]
        for each in named:
            del self._untold[each]
        ring = " ".join(named)
        for name, topic in self._topics.items():
            if topic.has_news and (left := _MOST_BYTES - len(ring.encode())) >= _LEAST_BYTES:
                ring += f"\n{name}{topic.take(left)}"
        self._is_ringing = True
        connection.ask(b"ring", [ring.encode()], self._rung)

    def _rung(self, answer: PGresult | Error) -> None:
        if isinstance(answer, Error):
            _log.warning("other nodes were not told of edits", error=str(answer))
        asyncio.get_running_loop().call_later(RING_SECONDS, self._ring_again)

    def _ring_again(self) -> None:
        self._is_ringing = False
        if self._untold or any(topic.has_news for topic in self._topics.values()):
            self._ring()

    def _heard(self, ring: str) -> None:
        if ring == ACKNOWLEDGED:  # it may be our own, from another connection
            self._acknowledged()
            return
        if ring == ASKED:
            self._read(ring, self._asked)
            return
        self._lease.has_others = True
        names, *told = ring.split("\n")
        for message in told:
            self._hear_of(message[0], message[1:])
        for named in names.split():
            if named == _NEWS:
                self._read(named, self._news)
            elif named in self._documents.open:
                self._read(named, partial(self._documents.bring_up, named))

    def _hear_of(self, name: str, message: str) -> None:
        try:
            self._topics[name].heard(message)
        except Exception as error:  # noqa: BLE001 - no document depends on it
            _log.warning("what another node told was not read", topic=name, error=repr(error))

    async def _compare(self) -> None:
        numbers = self._documents.numbers
        if numbers:
            stored = await self._store.autocommit(partial(_numbers, documents=list(numbers)))
            for document_id, number in stored.items():
                if number > numbers[document_id]:
                    self._read(document_id, partial(self._documents.bring_up, document_id))

    def _read(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        """Read, one after the other for each name; where it is being read, once more afterwards."""
        if name in self._again:
            self._again[name] = True
            return
        self._again[name] = False
        self._heard_at[name] = asyncio.get_running_loop().time()
        task = asyncio.get_running_loop().create_task(self._reads(name, work))
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    async def _reads(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        try:
            while True:
                self._again[name] = False
                await work()
                now = asyncio.get_running_loop().time()
                self.on_read(now - self._heard_at[name])
                if not self._again[name]:
                    return
                self._heard_at[name] = now
        except Exception as error:  # noqa: BLE001 - what is missing is found when numbers are compared
            _log.warning("what another node wrote was not read", name=name, error=str(error))
        finally:
            del self._again[name]
            del self._heard_at[name]


async def _numbers(connection: Connection, documents: list[str]) -> dict[str, int]:
    found: list[Any] = await (await connection.execute(_NUMBERS.encode(), [documents], prepare=True)).fetchall()
    return dict(found)
