"""What a resolver works with: who asks, the ports, and the one way in which something is changed."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from strawberry.types import Info
from strawberry.types.nodes import SelectedField

from domain.account import Account
from domain.errors import NOT_FOUND, Rejection
from domain.events import Event
from domain.idempotency import IdempotencyKey, replay
from domain.item import TreeLimits
from domain.member import MAX_MEMBERS
from domain.organization import MAX_OPEN_INVITATIONS
from domain.questions import AccountOf, Both, Question, RecordedRequestFor
from domain.share import MAX_GRANTS
from graphql_api.asking import MAX_QUESTIONS, Turns, too_many_questions
from graphql_api.caller import Caller
from graphql_api.contents import Contents
from graphql_api.ports import (
    Blobs,
    Clock,
    Ids,
    Invitations,
    LiveDocuments,
    Reader,
    Secrets,
    Store,
    Tickets,
    Touches,
    Transaction,
    Versions,
)
from graphql_api.refused import Refused, accepted
from graphql_api.seen import Seen


@dataclass(frozen=True, slots=True)
class Limit:
    """How much there may be of what is not a tree: see also `domain.item.TreeLimits`."""

    tree: TreeLimits = field(default_factory=TreeLimits)
    members: int = MAX_MEMBERS
    grants: int = MAX_GRANTS
    open_invitations: int = MAX_OPEN_INVITATIONS
    listed_items: int = 5_000
    listed_drives: int = 1_000
    update_bytes: int = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything outside that resolvers reach, wired by `service`; `origin` has no slash at its end."""

    store: Store
    documents: LiveDocuments
    tickets: Tickets
    blobs: Blobs
    clock: Clock
    ids: Ids
    secrets: Secrets
    origin: str
    versions: Versions
    invitations: Invitations
    limit: Limit = field(default_factory=Limit)
    turns: Turns = field(default_factory=Turns)
    seen: Seen = field(default_factory=Seen)


type Decision = Sequence[Event] | Rejection


_UNASKED: Final = object()


class _SeenMeanwhileError(Exception):
    """Something is to be recorded without all of its locks."""


class Context:
    """One execution. Equal questions are asked once, until something is changed; how many are asked is bounded."""

    __slots__ = ("_answers", "_asked", "_read", "caller", "contents", "once", "ports")

    def __init__(self, ports: Ports, caller: Caller, once: IdempotencyKey | None = None) -> None:
        self.ports = ports
        self.caller = caller
        self.once = once
        self.contents = Contents()
        self._answers: dict[object, object] = {}  # or who is asking just now
        self._asked = 0
        self._read = 0

    @property
    def user_id(self) -> str:
        return self.caller.user_id

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        # INVARIANT: a question that was asked before counts as well, since what it answers is completed once more.
        self._read += 1
        if self._read > MAX_QUESTIONS:
            raise too_many_questions()
        answers = self._answers
        while isinstance(found := answers.get(question, _UNASKED), asyncio.Event):
            await found.wait()  # somebody else in this operation asks it just now
        if found is _UNASKED:
            ended = answers[question] = asyncio.Event()
            try:
                found = answers[question] = await self._ask(question)
            finally:
                if answers.get(question) is ended:
                    del answers[question]
                ended.set()
        return cast("Answer", found)

    async def _ask[Answer](self, question: Question[Answer]) -> Answer:
        self._asked += 1
        async with self.ports.turns.of(self.caller.user_id, self._asked):
            return await self.ports.store.read(question)

    async def answered(self) -> bool:
        """Whether this is a request that was answered before: one for which nothing need be computed."""
        return await self._known(self.ports.store) is not None

    async def _known(self, reader: Reader) -> str | None:
        """Return what was made the first time, where this is not the first."""
        remembered = await reader.read(RecordedRequestFor(self.once)) if self.once else None
        return accepted(replay(self.once, remembered)) if self.once and remembered else None

    async def change(self, touches: Touches, decide: "Decide", result_id: str = "") -> str | None:
        """Load, decide and record in one transaction.

        Until there is something to record, no lock is held of what the caller does not see.
        Return None where `decide` was asked, and the id of what was made the first time where this is a request that
        has been answered before.
        """

        async def work(transaction: Transaction) -> str | None:
            known = await self._known(transaction)
            if known is not None:
                return known
            events = accepted(await decide(transaction))
            if events and not all_locked:
                raise _SeenMeanwhileError
            now = self.ports.clock()
            if events:
                await transaction.record(events, self.caller.credit, now)
            if self.once:
                await transaction.remember(self.once, result_id, now)
            return None

        self._answers.clear()
        seen, store = self.ports.seen, self.ports.store
        locked = await seen.part(store, self.user_id, touches)
        all_locked = locked == touches
        try:
            try:
                return await store.transact(locked, work)
            except _SeenMeanwhileError:  # or what is touched beside it leads there
                all_locked = True
                return await store.transact(touches, work)
        except Refused:
            seen.forget(self.user_id, touches)
            raise


async def acting(ask: Reader, user_id: str) -> Account:
    """Return the account of whoever asks, as this transaction sees it."""
    account = await ask.read(AccountOf(user_id))
    return accepted(NOT_FOUND if account is None else account)


type Decide = Callable[[Reader], Awaitable[Decision]]


def upon[Facts](question: Question[Facts], rule: Callable[[Facts], Decision]) -> Decide:
    """Return a decision that asks one question and goes by `rule`."""

    async def decide(ask: Reader) -> Decision:
        return rule(await ask.read(question))

    return decide


def upon_both[One, Other](one: Question[One], other: Question[Other], rule: Callable[[One, Other], Decision]) -> Decide:
    """Return a decision that asks two questions and goes by `rule`."""

    async def decide(ask: Reader) -> Decision:
        return rule(*await ask.read(Both(one, other)))

    return decide


type Asked = Info[Mapping[str, Context], None]


def context_of(info: Asked) -> Context:
    return info.context["context"]


@dataclass(frozen=True, slots=True)
class Changed:
    """What was changed, where nothing of it but its id is asked for."""

    id: str


def only_id_asked(info: Asked) -> bool:
    """Whether what a field answers need not be loaded, as where the contract answers nothing."""
    below = [each for field in info.selected_fields for each in field.selections]
    return all(isinstance(each, SelectedField) and each.name == "id" for each in below)
