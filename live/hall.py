"""What all connections share: rooms, tickets, and the watch over who may still be where."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol

import structlog

from documents.loading import Loading, unnoted
from domain.access import Can
from domain.account import Identity
from domain.credit import Credit
from domain.errors import Rejection
from domain.item import document
from domain.key import digest, still_held
from domain.questions import ItemFor, KeysOf, Question, StillSignedIn, WhoHoldsKey
from live.commits import Append
from live.rooms import Rooms
from live.stored import Reader
from live.tickets import Tickets
from live.unidentified import Unidentified

LOOK_EVERY: Final = 30.0  # seconds after which rights are looked at though nobody said that they changed
SWEEP_EVERY: Final = 5.0
ASK_EVERY: Final = 0.5  # seconds after which somebody's rights may have changed unheard
_log: Final = structlog.get_logger("live")


type News = Callable[[], Awaitable[tuple[set[str], set[str]]]]
"""Return the drives and the users whose rights changed since it was asked last."""


@dataclass(frozen=True, slots=True)
class Session:
    """Who is at the other end, and by which key (its digest) or web session (its identity's), if they showed us one."""

    identity: Identity
    key_digest: str | None = None

    @property
    def credit(self) -> Credit:
        return Credit(self.identity.user_id, self.identity.name, self.identity.agent)

    @staticmethod
    def by_key(identity: Identity, secret: str) -> "Session":
        return Session(identity, digest(secret))


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody may be at a document."""

    may_edit: bool
    drive_id: str


class Visitor(Protocol):
    """A connection, as it is watched."""

    def touches(self, drives: set[str], users: set[str]) -> bool: ...

    async def look_again(self, reader: Reader) -> None:
        """Look whether everybody is still where they may be, and act on it."""
        ...

    def sweep(self, now: float) -> None:
        """End what has been silent too long, and break the silence of what has not."""
        ...


async def standing(reader: Reader, session: Session, document_id: str) -> Standing | None:
    seen = document(await reader.read(ItemFor(session.identity.user_id, document_id)))
    if isinstance(seen, Rejection):
        return None
    return Standing(Can.edit in seen.authority.can, seen.item.drive_id)


async def signed_in(reader: Reader, session: Session) -> bool:
    if session.identity.session_id:
        return await reader.read(StillSignedIn(session.identity.session_id))
    if session.key_digest:
        return await reader.read(WhoHoldsKey(session.key_digest)) is not None
    keys = await reader.read(KeysOf(session.identity.user_id))
    return still_held(session.identity.key_id, keys) is None


class _Once:
    """What one look at everybody asks: many sit at the same documents, or came with the same key."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._answers: dict[Question[Any], Any] = {}

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        if question not in self._answers:
            self._answers[question] = await self._reader.read(question)
        answer: Answer = self._answers[question]
        return answer


@dataclass(slots=True)
class Hall:
    """`most_visits` of one user; `changes` counts how often rights changed, for whoever looked just before."""

    reader: Reader
    rooms: Rooms
    tickets: Tickets
    most_visits: int | None = None
    visitors: set[Visitor] = field(default_factory=set)
    changes: int = 0
    unidentified: Unidentified = field(default_factory=Unidentified)
    _visits: dict[str, set[Visitor]] = field(default_factory=dict)

    @staticmethod
    def over(
        reader: Reader,
        append: Append,
        now: Callable[[], datetime],
        clock: Callable[[], int],
        most_visits: int | None = None,
        loading: Loading = unnoted,
    ) -> "Hall":
        return Hall(reader, Rooms(reader, append, clock, loading), Tickets(now), most_visits)

    def has_room_for(self, visitor: Visitor, user_id: str) -> bool:
        """Count the visitor among the user's, unless these are too many already."""
        visits = self._visits.setdefault(user_id, set())
        if visitor not in visits and self.most_visits is not None and len(visits) >= self.most_visits:
            return False
        visits.add(visitor)
        return True

    def gone(self, visitor: Visitor, users: Iterable[str]) -> None:
        self.visitors.discard(visitor)
        self.unidentified.discard(visitor)
        for user_id in users:
            self._visits[user_id].discard(visitor)
            if not self._visits[user_id]:
                del self._visits[user_id]

    async def rights_changed(self, drives: Iterable[str], users: Iterable[str]) -> None:
        """Look again at everybody in the drives, and at the users wherever they are."""
        self.changes += 1
        of, by = set(drives), set(users)
        await self._look_at([visitor for visitor in self.visitors if visitor.touches(of, by)])

    async def watch(self, news: News) -> None:
        """Ask for news, and now and then look at everybody, until cancelled: the net for what nobody told us of."""
        loop = asyncio.get_running_loop()
        looked = swept = loop.time()
        while True:
            try:
                drives, users = await news()
                if drives or users:
                    await self.rights_changed(drives, users)
            except Exception as error:  # noqa: BLE001 - it is asked again in a moment
                _log.warning("changes of rights could not be read", error=str(error))
            now = loop.time()
            if now - swept >= SWEEP_EVERY:
                swept = now
                for visitor in list(self.visitors):
                    visitor.sweep(now)
            if now - looked >= LOOK_EVERY:
                looked = now
                await self._look_at(list(self.visitors))
            await asyncio.sleep(ASK_EVERY)

    async def _look_at(self, visitors: list[Visitor]) -> None:
        changes, reader = self.changes, _Once(self.reader)
        for visitor in visitors:
            if changes != self.changes:
                changes, reader = self.changes, _Once(self.reader)
            try:
                await visitor.look_again(reader)
            except Exception as error:  # noqa: BLE001 - the others are still to be looked at
                _log.warning("rights could not be looked at", error=str(error))
