"""Context of one execution: the caller, the ports, reads that are asked once, and the one way to change something.

A change locks what it touches, but of that only what the caller sees, so that nobody locks what is hidden from them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from secrets import token_bytes
from typing import Any, Final, cast, overload

import strawberry
from cachetools import LRUCache
from strawberry.types.nodes import SelectedField

from contract.errors import RejectionError, unwrap
from domain.access import Permission
from domain.account import Account
from domain.caller import Caller, require_session
from domain.document import WRITTEN_MEANWHILE, editable
from domain.drive import DriveFacts, member_of
from domain.errors import NOT_FOUND, UNAUTHORIZED, Rejection
from domain.events import Decision
from domain.idempotency import IdempotencyKey, replay
from domain.item import Item, ItemFacts, ItemKind, TreeLimits
from domain.mail import Mail
from domain.member import MAX_MEMBERS, Member
from domain.organization import MAX_OPEN_INVITATIONS, OrganizationFacts, require_member
from domain.questions import (
    AccountOf,
    Both,
    ChildrenOfEach,
    CredentialIsValid,
    DriveFor,
    Each,
    ItemFor,
    MembersOfEach,
    OrganizationFor,
    Page,
    Question,
    RecordedRequestFor,
    SharesOfEach,
    StarredOfEach,
    StorageOfEach,
)
from domain.share import MAX_GRANTS
from domain.storage import StorageQuotas, Unlimited, added_bytes, no_room
from graphql_api.batches import BatchLoader
from graphql_api.drive_feed import DriveFeed
from graphql_api.listing_cache import ListingCache
from graphql_api.ports import (
    Blobs,
    Clock,
    Ids,
    ImageEncoder,
    LiveDocuments,
    LockScope,
    MailRules,
    Secrets,
    StateReader,
    Store,
    Tickets,
    Transaction,
    Versions,
)
from graphql_api.read_limits import (
    FREE_QUESTIONS,
    MAX_AT_ONCE,
    MAX_DRIVE_READS,
    MAX_QUESTIONS,
    MAX_REQUESTS,
    MAX_SEARCHES,
    ContentBudget,
    ListingBudget,
    Slots,
    too_many_questions,
)
from graphql_api.shared_reads import SharedReads

MAX_SEEN: Final = 10_000  # pairs of a user and an id
MAX_TRIES: Final = 5  # of computing an update while others write in what it deletes


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """Limits of the service that are settings; those of a drive's tree are in `tree`. Rates are None where there are none."""

    tree: TreeLimits = field(default_factory=TreeLimits)
    members: int = MAX_MEMBERS
    grants: int = MAX_GRANTS
    open_invitations: int = MAX_OPEN_INVITATIONS
    listed_items: int = 5_000
    listed_drives: int = 1_000
    update_bytes: int = 16 * 1024 * 1024
    image_bytes: int = 10 * 1024 * 1024
    request_bytes: int = 1024 * 1024
    drive_bytes: int = 10 * 1024**3
    reads_per_minute: int | None = None
    writes_per_minute: int | None = None


class VisibilityCache:
    """Ids that users saw lately, so that a further change of the same thing costs no look-up."""

    def __init__(self, most: int = MAX_SEEN) -> None:
        self._pairs: LRUCache[tuple[str, str], bool] = LRUCache(most)

    async def visible_part(self, reader: StateReader, user_id: str, touches: LockScope) -> LockScope:
        """Return the part of `touches` that the user sees."""
        seen: dict[str, list[str]] = {}
        for name, (question, is_seen) in _VISIBLE.items():
            seen[name] = []
            for each in getattr(touches, name):
                if (user_id, each) in self._pairs or is_seen(await reader.read(question(user_id, each))):
                    self._pairs[user_id, each] = True
                    seen[name].append(each)
        return replace(
            touches,
            items=tuple(seen["items"]),
            drives=tuple(seen["drives"]),
            organizations=tuple(seen["organizations"]),
            documents=tuple([each for each in touches.documents if each in seen["items"]]),
        )

    def forget(self, user_id: str, touches: LockScope) -> None:
        for each in (*touches.items, *touches.drives, *touches.organizations):
            self._pairs.pop((user_id, each), None)


def _is_reached(facts: ItemFacts | None) -> bool:
    """Whether the user has a role or a share that reaches the item, be it in the trash."""
    if facts is None:
        return False
    return facts.role is not None or any(step.permission is not None for step in facts.path)


def _is_member(facts: DriveFacts | None) -> bool:
    return not isinstance(member_of(facts), Rejection)


def _belongs(facts: OrganizationFacts | None) -> bool:
    return not isinstance(require_member(facts), Rejection)


# By the field of `LockScope`: the question that looks one of its ids up for a user, and whether the user sees the answer.
_VISIBLE: Final[Mapping[str, tuple[Callable[[str, str], Question[Any]], Callable[[Any], bool]]]] = {
    "items": (ItemFor, _is_reached),
    "drives": (DriveFor, _is_member),
    "organizations": (OrganizationFor, _belongs),
}


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything outside that resolvers use, wired by `service`; `origin` has no slash at its end."""

    store: Store
    documents: LiveDocuments
    tickets: Tickets
    blobs: Blobs
    clock: Clock
    ids: Ids
    secrets: Secrets
    origin: str
    versions: Versions
    mail: MailRules
    images: ImageEncoder
    limit: ServiceLimits = field(default_factory=ServiceLimits)
    listings: ListingCache[Any] = field(default_factory=ListingCache)
    drive_reads: Slots = field(default_factory=lambda: Slots(MAX_DRIVE_READS))
    reads: Slots = field(default_factory=lambda: Slots(MAX_AT_ONCE))
    searches: Slots = field(default_factory=lambda: Slots(MAX_SEARCHES))
    requests: Slots = field(default_factory=lambda: Slots(MAX_REQUESTS))
    shared_reads: SharedReads = field(default_factory=SharedReads)
    visibility: VisibilityCache = field(default_factory=VisibilityCache)
    drive_feed: DriveFeed = field(default_factory=DriveFeed)
    cursor_key: bytes = field(default_factory=lambda: token_bytes(32))
    quotas: StorageQuotas = field(default_factory=Unlimited)


_UNASKED: Final = object()


type ChildrenAsked = tuple[int, frozenset[ItemKind] | None]
"""How many children at most, and of which kinds."""
type ChildrenFound = tuple[ItemFacts, Page[tuple[Item, Permission | None]], int | None]


class _LocksMissingError(Exception):
    """A decision has events to record, and not all locks of its scope are held."""


class Context:
    """Context of one execution. Equal questions are asked once, until a change; their number is bounded."""

    def __init__(self, ports: Ports, caller: Caller, once: IdempotencyKey | None = None) -> None:
        self.ports = ports
        self.caller = caller
        self.user_id = caller.user_id
        self.once = once
        self._answers: dict[object, object] = {}  # or the event that ends a question under way
        self._asked = 0
        self._read = 0

    @cached_property
    def content_budget(self) -> ContentBudget:
        return ContentBudget()

    @cached_property
    def children(self) -> "BatchLoader[ChildrenAsked, str, ChildrenFound]":
        """Look-ups of the first children of items."""

        async def ask(key: ChildrenAsked, ids: tuple[str, ...]) -> dict[str, ChildrenFound]:
            return await self.read(ChildrenOfEach(self.user_id, ids, *key))

        return BatchLoader(ask)

    @cached_property
    def storage(self) -> "BatchLoader[None, str, int]":
        """Look-ups of how many bytes drives store."""
        return self._look_ups(StorageOfEach)

    @cached_property
    def members(self) -> "BatchLoader[int, str, tuple[Page[Member], int]]":
        """Look-ups of the first members of drives, so many of each, and of how many it has."""

        async def ask(first: int, ids: tuple[str, ...]) -> dict[str, tuple[Page[Member], int]]:
            return await self.read(MembersOfEach(ids, first))

        return BatchLoader(ask)

    @cached_property
    def shares(self) -> "BatchLoader[None, str, int]":
        """Look-ups of with how many items are shared."""
        return self._look_ups(SharesOfEach)

    @cached_property
    def stars(self) -> "BatchLoader[None, str, bool]":
        """Look-ups of whether the caller starred items."""
        return self._look_ups(partial(StarredOfEach, self.user_id))

    def _look_ups[Value](
        self, question: Callable[[tuple[str, ...]], Question[dict[str, Value]]]
    ) -> "BatchLoader[None, str, Value]":
        """Return what asks a question of many ids at once."""

        async def ask(_: None, ids: tuple[str, ...]) -> dict[str, Value]:
            return await self.read(question(ids))

        return BatchLoader(ask)

    @cached_property
    def listing_budget(self) -> ListingBudget:
        return ListingBudget()

    async def read[Answer](self, question: Question[Answer]) -> Answer:
        # INVARIANT: a question asked before counts, too, since its answer is completed once more.
        self._read += 1
        if self._read > MAX_QUESTIONS:
            raise too_many_questions()
        answers = self._answers
        while isinstance(found := answers.get(question, _UNASKED), asyncio.Event):
            await found.wait()  # another field of this operation asks it just now
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
        if self._asked <= FREE_QUESTIONS:
            return await self.ports.store.read(question)
        async with self.ports.reads.slot(self.caller.user_id):
            return await self.ports.store.read(question)

    async def first_result(self) -> str | None:
        """Return what the first request with this idempotency key remembered, so that nothing need be done again."""
        return None if self.once is None else await first_result(self.ports.store, self.once)

    async def change(
        self,
        touches: LockScope,
        decide: "Decide",
        result_id: str | Callable[[], str] = "",
        mail: Mail | None = None,
    ) -> str | None:
        """Load, decide and record in one transaction; raises RejectionError where the decision is a Rejection, or a drive is full.

        Where there is something to record, `mail` is posted with it.

        `touches` is locked; what the caller does not see of it only once there is something to record. `result_id` is
        remembered with the idempotency key, taken after the decision where it is a function. Return None, or what the
        first request remembered where this one repeats it.
        """
        quotas = self.ports.quotas
        added: Mapping[str, int] = {}

        async def work(transaction: Transaction) -> str | None:
            nonlocal added
            added = {}
            if self.once and (known := await first_result(transaction, self.once)) is not None:
                return known
            events = unwrap(await decide(transaction))
            if events and not all_locked:
                raise _LocksMissingError
            added = added_bytes(events)
            unwrap(no_room(quotas, added))
            now = self.ports.clock()
            if events:
                await transaction.record(events, self.caller.credit, now)
                if mail:
                    transaction.post(mail)
            if self.once:
                await transaction.remember(self.once, result_id if isinstance(result_id, str) else result_id(), now)
            return None

        self._answers.clear()
        visibility, store = self.ports.visibility, self.ports.store
        locked = await visibility.visible_part(store, self.user_id, touches)
        all_locked = locked == touches
        try:
            try:
                known = await store.transact(locked, work)
            except _LocksMissingError:  # what else is touched leads to it
                all_locked = True
                known = await store.transact(touches, work)
        except RejectionError:
            visibility.forget(self.user_id, touches)
            raise
        for drive_id, size in added.items():
            quotas.wrote(drive_id, size)
        return known


@dataclass(frozen=True, slots=True)
class RecordedRevisions:
    """What is remembered of an edit with its idempotency key: the revision it was computed from, and the one it made."""

    computed_from: int
    made: int

    def __str__(self) -> str:
        return f"{self.computed_from}-{self.made}"

    @staticmethod
    def of(remembered: str) -> "RecordedRevisions":
        """Read what `str` wrote; one number alone, which earlier releases remembered of an edit, is both."""
        computed_from, _, made = remembered.partition("-")
        return RecordedRevisions(int(computed_from), int(made or computed_from))


async def first_result(ask: StateReader, once: IdempotencyKey) -> str | None:
    """Return what the first request with this idempotency key remembered, where there was one before."""
    remembered = await ask.read(RecordedRequestFor(once))
    return unwrap(replay(once, remembered)) if remembered else None


async def account_of_caller(ask: StateReader, user_id: str) -> Account:
    """Return the caller's account as this transaction sees it; raises RejectionError (NOT_FOUND)."""
    return require_account(await ask.read(AccountOf(user_id)))


def require_account(account: Account | None) -> Account:
    """Return the account; raises RejectionError (NOT_FOUND) where there is none."""
    return unwrap(NOT_FOUND if account is None else account)


type Decide = Callable[[StateReader], Awaitable[Decision]]


@overload
def decide_with[Facts](question: Question[Facts], rule: Callable[[Facts], Decision], /) -> Decide: ...


@overload
def decide_with[One, Other](
    one: Question[One], other: Question[Other], rule: Callable[[One, Other], Decision], /
) -> Decide: ...


def decide_with(*given: Any) -> Decide:
    """Return a decision that reads the answers to one or two questions from one snapshot and applies a rule to them."""
    *questions, rule = given

    async def decide(ask: StateReader) -> Decision:
        if len(questions) == 1:
            return cast("Decision", rule(await ask.read(questions[0])))
        return cast("Decision", rule(*await ask.read(Both(*questions))))

    return decide


type Info = strawberry.Info[Mapping[str, Context], None]


def context_of(info: Info) -> Context:
    return info.context["context"]


@dataclass(frozen=True, slots=True)
class ChangedItem:
    """A changed object of which only the id is selected."""

    id: str


def fields_below(info: Info) -> int:
    """Return how many fields a selection asks for, but for those of `children` in it."""
    count = 0
    waiting = [each for field in info.selected_fields for each in field.selections]
    while waiting:
        each = waiting.pop()
        if isinstance(each, SelectedField):
            count += 1
            if each.name == "children":
                continue
        waiting += each.selections
    return count


def only_id_asked(info: Info) -> bool:
    """Whether a field selects nothing but `id`, so that its object need not be loaded."""
    below = [each for field in info.selected_fields for each in field.selections]
    return not [each for each in below if not isinstance(each, SelectedField) or each.name != "id"]


NOTHING: Final[Question[tuple[None, ...]]] = Each(())  # a question that no statement is needed for


async def item_for_caller(context: Context, item_id: str, ask: StateReader) -> ItemFacts | None:
    """Read the item of a change that takes long to compute.

    Raises RejectionError where the caller's credential ended since the request began.
    """
    item, _ = await item_with_answer(context, item_id, NOTHING, ask)
    return item


async def item_with_answer[Answer](
    context: Context, item_id: str, question: Question[Answer], ask: StateReader
) -> tuple[ItemFacts | None, Answer]:
    """Read the item as `item_for_caller` does, and the answer to a question with it."""
    of_caller = Both(ItemFor(context.user_id, item_id), CredentialIsValid(context.caller.credential))
    (item, is_valid), answer = await ask.read(Both(of_caller, question))
    return unwrap((item, answer) if is_valid else UNAUTHORIZED)


async def check_editable(context: Context, document_id: str) -> ItemFacts:
    """Return the document, which the caller may edit as it is now, by a credential that is valid; raises RejectionError."""
    return unwrap(editable(await item_for_caller(context, document_id, context.ports.store)))


async def manage_account(context: Context, what: str, decide: Decide) -> None:
    """Change the caller's own account by a web session that is valid when the change is made; raises RejectionError."""
    credential = context.caller.credential
    unwrap(require_session(credential, what))

    async def by_valid_session(ask: StateReader) -> Decision:
        return await decide(ask) if await ask.read(CredentialIsValid(credential)) else UNAUTHORIZED

    await context.change(LockScope(may_end_access=True), by_valid_session)


async def unless_written_meanwhile[T](attempt: Callable[[], Awaitable[T]]) -> T:
    """Compute and record an update, again while others write in what it deletes; REVISION_CHANGED where that goes on."""
    for tries_left in reversed(range(MAX_TRIES)):
        try:
            return await attempt()
        except RejectionError as refused:
            if refused.rejection is not WRITTEN_MEANWHILE or not tries_left:
                raise
    raise AssertionError
