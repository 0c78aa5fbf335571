"""Everything that can be asked of a world, and what an answer means apart from how its cursors are spelled."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product

from domain.idempotency import IdempotencyKey
from domain.questions import (
    AccessOf,
    AccountByEmail,
    AccountOf,
    AncestorsFor,
    AppsOf,
    AuthorNamesOf,
    ChildrenFor,
    DocumentFor,
    DriveFor,
    DriveNames,
    DrivesFor,
    EventPlace,
    EventsOf,
    HistoryOf,
    ImageFor,
    ImagesOf,
    InvitationByDigest,
    InvitationsOf,
    ItemFor,
    KeysOf,
    LinkByDigest,
    LogOf,
    MembershipFactsOf,
    MembersOf,
    NewsOf,
    OrganizationFor,
    OrganizationMembershipsOf,
    OrganizationMembersOf,
    OrganizationRoleOf,
    OverviewFor,
    Page,
    PasswordOf,
    PlaceFor,
    PlantedIn,
    PublishedAs,
    RecordedRequestFor,
    RevisionOf,
    RootItemsFor,
    SearchFor,
    SessionsOf,
    SharedItemsFor,
    SharedWith,
    SharesFor,
    SharesOf,
    StateOf,
    StillSignedIn,
    SubtreeOf,
    SuggestionsFor,
    TrashFor,
    VersionOf,
    VersionsOf,
    VersionStateOf,
    WhoHoldsKey,
    WhoIsSignedIn,
)

BEGINNING = "the beginning"
ABOUT_ITEMS = (ItemFor, OverviewFor, DocumentFor, AncestorsFor, SharesFor)
SINCE = [datetime(year, 1, 1, tzinfo=UTC) for year in (2000, 2100)]


def everything(users, emails, organizations, drives, items, digests, images, sessions=(), slugs=()):
    """Every question about every combination of what the world is made of."""
    for user in users:
        yield from of_user(user)
        yield from (ask(user, drive, 2, None) for drive in (None, *drives) for ask in (TrashFor, search))
        yield from (ask(user, item) for item in items for ask in ABOUT_ITEMS)
        yield from (ChildrenFor(user, item, 2, None) for item in items)
        yield from (PlaceFor(user, drive, item) for drive, item in product((None, *drives[-2:]), (None, *items)))
        yield from (SuggestionsFor(user, item, place) for item, place in product(items, (None, *organizations)))
        yield from (DriveFor(user, drive) for drive in drives)
        yield from (RootItemsFor(user, drive, 2, None) for drive in drives)
        yield from (MembershipFactsOf(drive, user) for drive in drives)
        yield from (OrganizationFor(user, organization) for organization in organizations)
        yield from (OrganizationRoleOf(organization, user) for organization in organizations)
        yield from (ImageFor(user, image) for image in images)
    yield from (ask(drive) for drive in drives for ask in (MembersOf, recorded, followed))
    yield EventPlace(0)
    yield from (ask(organization) for organization in organizations for ask in (OrganizationMembersOf, InvitationsOf))
    yield from (ask(item) for item in items for ask in (ImagesOf, lambda item: StateOf(item, after=1)))
    yield from (RevisionOf(item, sequence) for item in items for sequence in (-1, 0, 1, 99))
    yield from (question for item in items for question in (SubtreeOf(item), StateOf(item), StateOf(item, 1)))
    for item in items:
        yield from (
            HistoryOf(item),
            LogOf(item, 1),
            LogOf(item, 99),
            LogOf(item),
            LogOf(item, after=1),
            AuthorNamesOf(item),
            VersionsOf(item, 2),
            VersionsOf(item, 9, before=2),
        )
        yield from (ask(item, number) for number in (0, 1, 2, 2**70) for ask in (VersionOf, VersionStateOf))
    yield from (ask(item, email) for item, email in product(items, emails) for ask in (SharesOf, AccessOf))
    yield from (PublishedAs(slug) for slug in (*slugs, "nonsense"))
    yield from (AccountByEmail(email) for email in emails)
    yield from (ask(digest) for digest in digests for ask in (WhoHoldsKey, InvitationByDigest, LinkByDigest))
    for digest, begun, seen in product(digests, SINCE, SINCE):
        yield WhoIsSignedIn(digest, seen, begun)
    yield from (PasswordOf(email) for email in emails)
    yield from (StillSignedIn(session) for session in (*sessions, "nonsense"))


def of_user(user):
    return (
        AccountOf(user),
        OrganizationMembershipsOf(user),
        KeysOf(user),
        AppsOf(user),
        PlantedIn(user),
        SessionsOf(user),
        SharedItemsFor(user, 2, None),
        SharedWith(user),
        DrivesFor(user, 3, 1000, None),
        DrivesFor(user, 5000, 1, None),
        DriveNames(user, 2, None),
        RecordedRequestFor(IdempotencyKey(user, "operation", "key", "digest")),
    )


def search(user, drive, first, after):
    return SearchFor(user, "A", drive, first, after)


def recorded(drive):
    return EventsOf(drive, 200)


def followed(drive):
    return NewsOf(drive, BEGINNING, 200)


async def answer(store, question):
    """Answer with every page of a list, and number the audit from one; a place in it is the store's own affair."""
    if isinstance(question, EventPlace):
        return isinstance(await store.read(question), str)
    if isinstance(question, NewsOf):
        news = await store.read(replace(question, place=await store.read(EventPlace(0))))
        return numbered(news.events), news.more
    found = await store.read(question)
    if isinstance(found, Page):
        pages = [found.rows]
        while found.next_cursor is not None:
            question = replace(question, after=found.next_cursor)
            found = await store.read(question)
            pages.append(found.rows)
        return pages
    if isinstance(question, EventsOf):
        return numbered(found)
    return found


def numbered(lines):
    ranks = {number: rank for rank, number in enumerate(sorted(line.sequence for line in lines))}
    return [replace(line, sequence=ranks[line.sequence]) for line in lines]
