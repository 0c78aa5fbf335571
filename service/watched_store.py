"""How open documents hear of what was changed over the API: the store, with somebody listening to what it commits."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from domain.account import AccountDisabled
from domain.credit import Credit
from domain.document import DocumentEdited
from domain.drive import DriveDeleted
from domain.errors import Unavailable
from domain.events import Event
from domain.idempotency import IdempotencyKey
from domain.key import KeyRevoked
from domain.member import MemberRemoved, MemberSet
from domain.move import ItemMoved
from domain.oauth import AppDisconnected
from domain.organization import OrganizationMemberRemoved
from domain.questions import Question
from domain.session import SessionEnded
from domain.share import ShareChanged, ShareRemoved
from domain.trash import ItemDeleted, ItemTrashed
from graphql_api.ports import LockScope, Store, Transaction
from live.connection_registry import ConnectionRegistry

# What may end or change how somebody is at a document that is open already.
RIGHTS: Final[tuple[type[Event], ...]] = (
    AccountDisabled,
    AppDisconnected,
    DriveDeleted,
    ItemDeleted,
    ItemMoved,
    ItemTrashed,
    KeyRevoked,
    MemberRemoved,
    MemberSet,
    OrganizationMemberRemoved,
    SessionEnded,
    ShareChanged,
    ShareRemoved,
)


@dataclass(slots=True)
class _Heard:
    """One transaction, as somebody listens to it; an attempt that is made again begins anew."""

    hall: ConnectionRegistry
    events: list[Event] = field(default_factory=list)
    held: list[str] = field(default_factory=list)

    async def hold(self, documents: Iterable[str]) -> None:
        """Let the open documents that are written to wait: what they append meanwhile would be refused."""
        for document_id in documents:
            if document_id not in self.held:
                self.held.append(document_id)
                await self.hall.rooms.commits.hold(document_id)

    def release(self) -> None:
        for document_id in self.held:
            self.hall.rooms.commits.release(document_id)

    async def tell(self) -> None:
        rights = [event for event in self.events if isinstance(event, RIGHTS)]
        for document_id in _edited(self.events):
            await self.hall.rooms.catch_up(document_id)
        if rights:
            drives = _named(rights, "drive_id") | _named(rights, "from_drive_id")
            await self.hall.access_changed(drives, _named(rights, "user_id"))


def _edited(events: Sequence[Event]) -> set[str]:
    return {event.item_id for event in events if isinstance(event, DocumentEdited)}


def _named(events: Sequence[Event], name: str) -> set[str]:
    return {value for event in events if isinstance(value := getattr(event, name, None), str)}


@dataclass(frozen=True, slots=True)
class _Watched:
    transaction: Transaction
    heard: _Heard

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        return await self.transaction.read(question)

    async def record(self, events: Sequence[Event], by: Credit, at: datetime) -> None:
        await self.heard.hold(_edited(events))
        await self.transaction.record(events, by, at)
        self.heard.events.extend(events)

    async def remember(self, once: IdempotencyKey, result_id: str, at: datetime) -> None:
        await self.transaction.remember(once, result_id, at)


class WatchedStore:
    """The store as resolvers meet it. What is committed has reached every open document when a change returns.

    `edited` is told which documents were written to.
    """

    def __init__(self, store: Store, hall: ConnectionRegistry, edited: Callable[[Iterable[str]], None]) -> None:
        self._store = store
        self._hall = hall
        self._edited = edited

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        return await self._store.read(question)

    def changes(self, drive_id: str) -> AsyncIterator[None]:
        return self._store.changes(drive_id)

    async def transact[T](self, touches: LockScope, work: Callable[[Transaction], Awaitable[T]]) -> T:
        heard = _Heard(self._hall)

        async def listened(transaction: Any) -> T:
            heard.events.clear()
            await heard.hold(touches.documents)
            return await work(_Watched(transaction, heard))

        try:
            result = await self._store.transact(touches, listened)
            self._edited(_edited(heard.events))
            with suppress(Unavailable):  # the watch looks again by itself
                await heard.tell()
        except Unavailable:
            for document_id in _edited(heard.events):  # whether it was committed is not known: read it again
                self._hall.rooms.forget(document_id)
            raise
        finally:
            heard.release()
        return result
