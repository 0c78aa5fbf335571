"""What a reader of the audit is told: every event once, also those that were committed out of the order of their numbers."""

import asyncio
from datetime import timedelta

import psycopg
import pytest

from domain.access import Permission, Role
from domain.caller import Caller
from domain.credit import Credit
from domain.item import ItemRenamed
from domain.member import MemberRemoved, MemberSet
from domain.questions import EventsOf, EventsSince, FeedPositionAfter, VisibleEventsSince
from domain.share import ItemShared
from domain.trash import ItemRestored, ItemTrashed
from domain.values import Email
from graphql_api import system
from graphql_api.context import Context, Ports
from graphql_api.schema import build
from live.document_reader import DocumentReader
from live.version_reader import VersionReader
from persistence.restored import reset_restored
from tests.persistence.seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, UNDER_A, A, account, folder, new_id, write
from tests.support.documents.jobs import JOBS
from tests.support.processes.servers import PATIENCE
from tests.support.worlds.tickets import Tickets

LINE = """insert into event (type, drive_id, item_id, user_id, at, details)
values ('itemTrashed', %s, %s, %s, %s, '{}') returning sequence"""
ASKED = "subscription($id: ID!, $after: ID) { driveEvents(driveId: $id, after: $after) { id type details } }"


@pytest.fixture
async def seeded(store):
    await write(store, *PEOPLE, *FOLDERS)
    return store


@pytest.fixture
async def late(seeded):
    """A transaction that has taken its number and is not committed yet, and the number."""
    async with await psycopg.AsyncConnection.connect(seeded.writers.conninfo) as connection:
        (number,) = await (await connection.execute(LINE, [DRIVE, A, ADA.user_id, NOW])).fetchone()
        yield connection, number


async def rename(store, name="New", drive=DRIVE):
    await write(store, ItemRenamed(A, drive, name))


def followed(store, who=BEN, after=None):
    """A subscription to the drive, as its client meets it."""
    ports = Ports(
        store=store,
        documents=DocumentReader(store, runner=JOBS),
        tickets=Tickets(system.now),
        blobs=None,
        clock=system.now,
        ids=system.new_id,
        secrets=system.random_bits,
        origin="http://drive.example",
        versions=VersionReader(store, runner=JOBS),
        mail=None,
        images=None,
    )
    store.feed.subscribe(ports.drive_feed.committed)
    caller = Caller(who.user_id, who.name, Email("who@example.com"))
    return build().subscribe(ASKED, {"id": DRIVE, "after": after}, {"context": Context(ports, caller)})


async def told(stream, count):
    async with asyncio.timeout(PATIENCE):
        return [(await anext(stream)).data["driveEvents"] for _ in range(count)]


async def begun(store, **options):
    """A subscription that has been told of one event, and the event."""
    stream = aiter(await followed(store, **options))
    waiting = asyncio.ensure_future(anext(stream))
    while not waiting.done():
        await rename(store)
        await asyncio.sleep(0)
    return stream, (await waiting).data["driveEvents"]


async def test_a_follower_is_told_of_an_event_that_is_committed_after_one_with_a_higher_number(seeded, late):
    connection, number = late
    stream, first = await begun(seeded)
    assert int(first["id"]) > number
    await connection.commit()
    await rename(seeded, "Last")
    heard = []
    while not heard or heard[-1]["details"].get("name") != "Last":
        heard += await told(stream, 1)
    ids = [each["id"] for each in (first, *heard)]
    assert ids.count(str(number)) == 1
    assert len(ids) == len({*ids})


async def test_whoever_goes_on_after_an_event_is_told_what_was_committed_late(seeded, late):
    connection, number = late
    _, first = await begun(seeded)
    await connection.commit()
    stream = aiter(await followed(seeded, after=first["id"]))
    assert number in [int(each["id"]) for each in await told(stream, 1)]


async def news(store, place, first=2):
    """All that is news since a place, in parts, and the place behind it."""
    events, more = [], True
    while more:
        part = await store.read(EventsSince(DRIVE, place, first))
        assert len(part.events) <= first
        events += part.events
        place, more = part.place, part.more
    return [each.sequence for each in events], place


async def test_every_event_is_news_once_in_parts_of_any_size(seeded):
    everything = [each.sequence for each in await seeded.read(EventsOf(DRIVE, 99))][::-1]
    beginning = await seeded.read(FeedPositionAfter(0))
    for first in (1, 2, 5, 99):
        found, place = await news(seeded, beginning, first)
        assert found == everything
        assert (await news(seeded, place, first))[0] == []
    for number in everything:
        assert (await news(seeded, await seeded.read(FeedPositionAfter(number))))[0] == [
            n for n in everything if n > number
        ]
    assert (await news(seeded, await seeded.read(FeedPositionAfter())))[0] == []
    assert (await news(seeded, await seeded.read(FeedPositionAfter(10**30))))[0] == []
    assert (await news(seeded, await seeded.read(FeedPositionAfter(-(10**30)))))[0] == everything


async def test_what_is_committed_while_news_is_read_in_parts_is_told_next_and_once(seeded, late):
    connection, number = late
    place = await seeded.read(FeedPositionAfter())
    for name in "abc":
        await rename(seeded, name)
    part = await seeded.read(EventsSince(DRIVE, place, 2))
    await connection.commit()
    await rename(seeded, "d")
    rest, place = await news(seeded, part.place)
    assert len(rest) == 1
    following, place = await news(seeded, place)
    assert following[0] == number
    assert len(following) == 2
    assert (await news(seeded, place))[0] == []


async def test_what_is_rolled_back_is_no_news_and_what_happens_elsewhere_is_none(seeded, late):
    connection, _ = late
    place = await seeded.read(FeedPositionAfter())
    await connection.rollback()
    await write(seeded, folder(new_id(70), drive_id=PEOPLE[0].drive_id))
    assert (await news(seeded, place))[0] == []


async def test_an_event_from_before_snapshots_were_kept_is_gone_on_from_by_its_number(seeded):
    everything = [each.sequence for each in await seeded.read(EventsOf(DRIVE, 99))][::-1]
    async with await psycopg.AsyncConnection.connect(seeded.writers.conninfo) as connection:
        await connection.execute(
            "update event set transaction_id = '0', snapshot = null where sequence <= %s", [everything[2]]
        )
    for place, number in enumerate(everything):
        found, _ = await news(seeded, await seeded.read(FeedPositionAfter(number)))
        assert found == everything[place + 1 :]


async def test_what_was_restored_from_a_cluster_with_younger_transactions_is_no_news(seeded):
    everything = [each.sequence for each in await seeded.read(EventsOf(DRIVE, 99))][::-1]
    await reset_restored(seeded)
    async with await psycopg.AsyncConnection.connect(seeded.writers.conninfo) as connection:
        rows = await (await connection.execute("select 1 from event where transaction_id = '0'")).fetchall()
        assert not rows, "nothing was restored"
        younger = "transaction_id = (transaction_id::text::bigint + 1000000)::text::xid8, snapshot = '1:2:'"
        await connection.execute(f"update event set {younger} where sequence > %s", [everything[1]])
    await reset_restored(seeded)
    place = await seeded.read(FeedPositionAfter())
    await rename(seeded)
    assert [len((await news(seeded, each))[0]) for each in (place, await seeded.read(FeedPositionAfter()))] == [1, 0]
    found, _ = await news(seeded, await seeded.read(FeedPositionAfter(everything[2])))
    assert found[:-1] == everything[3:]


CLEO = Credit(new_id(30), "Cleo")


async def test_who_has_a_share_of_what_is_in_the_trash_hears_that_it_went_there_and_of_nothing_before(seeded):
    await write(
        seeded,
        account(CLEO, "cleo@example.com", new_id(31)),
        ItemShared(A, DRIVE, Email("cleo@example.com"), Permission.read_write),
    )
    place = (await seeded.read(VisibleEventsSince(CLEO.user_id, None, 1))).place
    for events in ((ItemRenamed(A, DRIVE, "Plans"), ItemRenamed(UNDER_A, DRIVE, "Notes")), (ItemTrashed(A, DRIVE),)):
        await write(seeded, *events, at=NOW + timedelta(hours=1))
    heard = await seeded.read(VisibleEventsSince(CLEO.user_id, place, 99))
    assert [(each.recorded.type, each.recorded.item_id) for each in heard.events] == [("itemTrashed", A)]
    await write(seeded, ItemRestored(A, DRIVE, None), at=NOW + timedelta(hours=2))
    heard = await seeded.read(VisibleEventsSince(CLEO.user_id, place, 99))
    assert [(each.recorded.type, each.recorded.item_id) for each in heard.events] == [
        ("itemRenamed", A),
        ("itemRenamed", UNDER_A),
        ("itemTrashed", A),
        ("itemRestored", A),
    ]


async def test_a_new_member_hears_of_nothing_that_happened_before_they_were_one(seeded):
    await write(seeded, account(CLEO, "cleo@example.com", new_id(31)))
    place = (await seeded.read(VisibleEventsSince(CLEO.user_id, None, 1))).place
    await write(seeded, ItemRenamed(A, DRIVE, "Before"))
    await write(seeded, MemberSet(DRIVE, CLEO.user_id, Role.contributor, None), at=NOW + timedelta(hours=1))
    await write(seeded, ItemRenamed(A, DRIVE, "After"), at=NOW + timedelta(hours=2))
    heard = await seeded.read(VisibleEventsSince(CLEO.user_id, place, 99))
    assert [each.recorded.type for each in heard.events] == ["memberSet", "itemRenamed"]


async def test_whoever_reads_slowly_is_told_nothing_of_what_happened_after_their_removal(seeded):
    stream, _ = await begun(seeded)
    events = [ItemRenamed(A, DRIVE, f"Name {number}") for number in range(250)]
    await write(seeded, *events)
    heard = await told(stream, 20)
    await write(seeded, MemberRemoved(DRIVE, BEN.user_id, Role.owner))
    await rename(seeded, "Secret")
    last = None
    async with asyncio.timeout(PATIENCE):
        async for result in stream:
            last = result
            heard += [result.data["driveEvents"]] if result.data else []
    assert last.errors[0].extensions["code"] == "NOT_FOUND"
    assert "Secret" not in str(heard)
    assert "memberRemoved" not in {each["type"] for each in heard}
