"""The store in memory and Postgres are given the same worlds and asked every question."""

from dataclasses import replace
from datetime import timedelta

import pytest
import worlds
from counted import miscounted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from worlds import Touches, World

from domain import questions as q
from domain.access import Can, authority
from domain.idempotency import IdempotencyKey
from persistence.memory import MemoryStore
from persistence.reads import READS
from persistence.search import MAX_NEAR, search_read

NONSENSE = "nonsense"
MOMENTS = [worlds.START - timedelta(days=1), worlds.START + timedelta(seconds=9), worlds.START + timedelta(days=9)]
CURSORS = [None, NONSENSE, "bnVsbA==", "WyJhIl0", "\0"]
steps = st.lists(
    st.tuples(st.sampled_from(worlds.STEPS), st.integers(0, 500), st.integers(0, 500)), min_size=5, max_size=40
)


async def test_every_question_has_its_statement():
    assert {question for question in vars(q).values() if _is_question(question)} == set(READS)


def _is_question(value):
    return isinstance(value, type) and issubclass(value, q.Question) and value is not q.Question


@given(steps=steps)
@settings(
    max_examples=40,
    report_multiple_bugs=False,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_both_stores_answer_every_question_alike(store, emptied, steps):
    memory = await grown(store, emptied, steps)
    assert await store.reading(miscounted) == []
    for question in asked(memory._state):
        expected = await memory.read(question)
        async for found in answers(store, question):
            assert normal(question, found) == normal(question, expected), (
                f"{question}\n{normal(question, found)}\n{normal(question, expected)}"
            )
    await lists_agree_with_the_policy(memory._state, store)


async def answers(store, question):
    """What the store answers, in each way that it has."""
    for max_near in (0, 2, MAX_NEAR) if isinstance(question, q.SearchFor) else (MAX_NEAR,):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(READS, q.SearchFor, search_read(max_near))
            yield await store.read(question)


async def grown(store, emptied, steps):
    """Take the steps in a new memory and in the emptied store, and return the memory."""
    await emptied()
    memory = MemoryStore()
    world = World(memory._state)
    for step, a, b in [*worlds.BEGINNING, *steps]:
        world.state = memory._state
        event = getattr(world, step)(a, b)
        if event is None:
            continue
        by = world.credit(event, a + b)
        for each in (memory, store):
            await each.transact(Touches(), lambda t, event=event, by=by: t.record((event,), by, world.now))
    return memory


async def lists_agree_with_the_policy(state, store):
    for user in state.accounts:
        met = [await store.read(q.ItemFor(user, item)) for item in state.items]
        readable = {f.item.id for f in met if Can.read in f.authority.can}
        assert {f.facts.item.id for f in await every(store, q.SearchFor(user, " ", None, 4, None))} == readable
        for text in ("plan", "a b", "\u00e4pfel unit"):
            found = {f.facts.item.id for f in await every(store, q.SearchFor(user, text, None, 4, None))}
            assert found <= readable
        seen = {f.item.id for f in met if f.item.trashed_at and Can.read in authority(f.role, f.path).can}
        assert {f.item.id for f in await every(store, q.TrashFor(user, None, 4, None))} == seen
        granted = {f.item.id for f in met if f.path[0].permission}
        assert {s.facts.item.id for s in await every(store, q.SharedItemsFor(user, 2, None))} == granted & readable
        assert {f.item.id for f in await store.read(q.SharedWith(user))} == granted & readable
        for facts in met:
            place = await store.read(q.PlaceFor(user, facts.drive.id, None))
            assert place.drive_seen or facts.item.id not in readable


async def every(store, question):
    rows = []
    while True:
        page = await store.read(question)
        assert len(page.rows) <= question.first
        rows += page.rows
        if page.next_cursor is None:
            return rows
        question = replace(question, after=page.next_cursor)


def normal(question, answer):
    """A drive by itself counts whether it holds anything, and cursors are opaque."""
    if isinstance(answer, q.Page):
        return tuple(normal(question, row) for row in answer.rows), answer.next_cursor is None
    if isinstance(question, q.DriveFor | q.DriveNames) and answer is not None:
        return replace(answer, live_items=bool(answer.live_items))
    if isinstance(question, q.PlaceFor) and question.parent_id == NONSENSE:
        return replace(answer, parent_id=NONSENSE)
    return answer


def asked(state):
    users, drives, items = [*state.accounts, NONSENSE], [*state.drives, NONSENSE], [*state.items, NONSENSE]
    organizations = [*state.organizations, NONSENSE]
    for user in users:
        yield from (
            q.AccountOf(user),
            q.OrganizationMembershipsOf(user),
            q.KeysOf(user),
            q.SharedWith(user),
            q.SessionsOf(user),
        )
        yield from (q.SharedItemsFor(user, 2, after) for after in CURSORS)
        yield from (q.AppsOf(user), q.PlantedIn(user))
        yield from (q.DrivesFor(user, most, 1000, after) for most, after in ((3, None), (5000, None), (3, NONSENSE)))
        yield q.DrivesFor(user, 5000, 1, None)
        yield from (q.DriveNames(user, 2, after) for after in CURSORS)
        yield from (q.TrashFor(user, drive, 3, after) for drive in (None, *drives) for after in CURSORS[:2])
        yield from (
            q.SearchFor(user, text, None, 3, None)
            for text in ("", "PLAN", "ä pfel", "ü s", "_", "%", "\0", "数", "and", "pl b-a", "ÄPF an", "x'y x")
        )
        yield from (q.SearchFor(user, "a", drive, 3, after) for drive in drives for after in CURSORS)
        yield q.RecordedRequestFor(IdempotencyKey(user, "op", "key", "digest"))
        for drive in drives:
            yield from (q.DriveFor(user, drive), q.PlaceFor(user, drive, None), q.RootItemsFor(user, drive, 2, None))
        for item in items:
            yield from (q.ItemFor(user, item), q.OverviewFor(user, item), q.DocumentFor(user, item))
            yield from (q.AncestorsFor(user, item), q.SharesFor(user, item))
            yield from (q.PlaceFor(user, None, item), q.ChildrenFor(user, item, 1, None))
        yield from (q.SuggestionsFor(user, item, o) for item in items[-4:] for o in (None, *organizations))
        yield from (q.OrganizationFor(user, o) for o in organizations)
        yield from (q.OrganizationRoleOf(o, user) for o in organizations)
        yield from (q.MembershipFactsOf(drive, user) for drive in drives)
        yield from (q.ImageFor(user, image) for image in (*state.images, NONSENSE))
    for email in (*worlds.EMAILS, "", NONSENSE):
        yield q.AccountByEmail(email)
        yield from (question(item, email) for item in items for question in (q.AccessOf, q.SharesOf))
    for item in items:
        yield from (
            q.HistoryOf(item),
            q.ImagesOf(item),
            q.LogOf(item, 1),
            q.LogOf(item, 99),
            q.LogOf(item),
            q.LogOf(item, 2, after=1),
            q.AuthorNamesOf(item),
            q.VersionsOf(item, 2),
            q.VersionsOf(item, 9, before=2),
        )
        yield from (ask(item, number) for number in (1, 2) for ask in (q.VersionOf, q.VersionStateOf))
        yield from (q.SubtreeOf(item), q.StateOf(item), q.StateOf(item, 1))
    yield from (q.PublishedAs(slug) for slug in (*(item.slug or "" for item in state.items.values()), NONSENSE, "\0"))
    for drive in drives:
        yield q.MembersOf(drive)
        yield from (q.EventsOf(drive, 5, before=before) for before in (None, 0, 9))
    for organization in organizations:
        yield from (q.OrganizationMembersOf(organization), q.InvitationsOf(organization))
    for digest in [d for _, d in (*state.keys.values(), *state.invitations.values())] + [NONSENSE]:
        yield from (q.WhoHoldsKey(digest), q.InvitationByDigest(digest))
    for digest in [d for _, d in (*state.sessions.values(), *state.links.values())] + [NONSENSE]:
        yield q.LinkByDigest(digest)
        yield from (q.WhoIsSignedIn(digest, seen, begun) for seen in MOMENTS for begun in MOMENTS)
    yield from (q.StillSignedIn(session) for session in (*state.sessions, NONSENSE))
    yield from (q.PasswordOf(email) for email in (*worlds.EMAILS, "", NONSENSE))


async def test_pages_of_all_drives_join_to_the_whole(store, emptied):
    memory = await grown(store, emptied, [("create", n, 7 * n) for n in range(40)])
    for user in memory._state.accounts:
        whole = await store.read(q.DrivesFor(user, 5000, 1000, None))
        assert whole.next_cursor is None
        for most in (1, 4, 7):
            pages, after = [], None
            while True:
                page = await store.read(q.DrivesFor(user, most, 1000, after))
                pages.append(page)
                assert sum(len(drive.items) for drive in page.rows) <= most
                if (after := page.next_cursor) is None:
                    break
            joined = {drive.drive.id: () for drive in whole.rows}
            for drive in (drive for page in pages for drive in page.rows):
                joined[drive.drive.id] += drive.items
            for drive in whole.rows:
                assert sorted(item.id for item in joined[drive.drive.id]) == sorted(item.id for item in drive.items)
                assert set(joined[drive.drive.id]) == set(drive.items)
            assert [drive.drive for drive in pages[0].rows] == [drive.drive for drive in whole.rows]
            assert all(drive.items for page in pages[1:] for drive in page.rows)
