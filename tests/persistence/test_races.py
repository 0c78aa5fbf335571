"""Requests that race in two servers on one database: each has its own store, and so its own connections."""

import asyncio
from dataclasses import replace

import pytest

from domain import item as items
from domain import member, move, organization, share, trash
from domain.access import Permission, Role
from domain.drive import Drive, DriveCreated, DriveKind
from domain.errors import Code, Rejection
from domain.item import ItemKind, TreeLimits
from domain.questions import (
    AccountOf,
    Both,
    DriveFor,
    ItemFor,
    MembershipFactsOf,
    MembersOf,
    OrganizationFor,
    OrganizationRoleOf,
    PlaceFor,
    SharesOf,
    SubtreeOf,
)
from domain.values import ItemName
from graphql_api.ports import LockScope
from persistence.store import PostgresStore
from tests.persistence.seeds import (
    ACME,
    ADA,
    ADAS,
    BEN,
    DRIVE,
    FOLDERS,
    NOW,
    PEOPLE,
    UNDER_A,
    UNDER_B,
    A,
    B,
    folder,
    new_id,
    write,
)
from tests.support.database.clusters import OTHER_BACKENDS
from tests.support.database.counted import miscounted
from tests.support.processes.servers import PATIENCE
from tests.support.suite.rounds import ROUNDS

TIMES = 10 * ROUNDS  # 100 in full


@pytest.fixture
async def servers(store):
    async with PostgresStore(store.writers.conninfo, readers=2, writers=2) as other:
        yield store, other


@pytest.fixture
async def seeded(store, emptied):
    async def again():
        await emptied()
        await write(store, *PEOPLE, *FOLDERS)

    return again


async def decided(transaction, decision, by):
    if isinstance(decision, Rejection):
        return decision.code
    await transaction.record(decision, by, NOW)
    return len(decision)


def moving(server, item_id, parent_id, by, touches=None):
    async def work(transaction):
        facts = await transaction.read(ItemFor(by.user_id, item_id))
        place = await transaction.read(PlaceFor(by.user_id, DRIVE, parent_id))
        return await decided(transaction, move.move(facts, place, None, TreeLimits()), by)

    return server.transact(touches or LockScope(items=(item_id, parent_id), drives=(DRIVE,), covers_reads=True), work)


def creating(server, item_id, parent_id, meanwhile=None):
    async def work(transaction):
        place = await transaction.read(PlaceFor(ADA.user_id, None, parent_id))
        made = items.create(place, item_id, ItemName("New"), ItemKind.folder, ADA, NOW, TreeLimits())
        if meanwhile:
            await meanwhile()
        return await decided(transaction, made, ADA)

    return server.transact(LockScope(items=(parent_id,), covers_reads=True), work)


def trashing(server, item_id):
    async def work(transaction):
        return await decided(transaction, trash.trash(await transaction.read(ItemFor(ADA.user_id, item_id))), ADA)

    return server.transact(LockScope(items=(item_id,)), work)


def restoring(server, item_id):
    async def work(transaction):
        back = trash.restore_target(await transaction.read(ItemFor(ADA.user_id, item_id)))
        if isinstance(back, Rejection) or not back:
            return await decided(transaction, back, ADA)
        home = await transaction.read(PlaceFor(ADA.user_id, back.drive_id, back.parent_id))
        below = await transaction.read(SubtreeOf(item_id))
        return await decided(transaction, trash.restore(back, home, below, TreeLimits()), ADA)

    return server.transact(LockScope(items=(item_id,)), work)


def deleting(server, item_id):
    async def work(transaction):
        facts = await transaction.read(ItemFor(ADA.user_id, item_id))
        return await decided(transaction, trash.delete_forever(facts), ADA)

    return server.transact(LockScope(items=(item_id,)), work)


def leaving(server, who, touches):
    async def work(transaction):
        facts = await transaction.read(DriveFor(who.user_id, DRIVE))
        standing = await transaction.read(MembershipFactsOf(DRIVE, who.user_id))
        return await decided(transaction, member.remove(facts, who.user_id, who.user_id, standing), who)

    return server.transact(touches, work)


def sharing(server, permission, by, touches):
    async def work(transaction):
        facts = await transaction.read(ItemFor(by.user_id, A))
        shares = await transaction.read(SharesOf(A, "cleo@example.com"))
        account = await transaction.read(AccountOf(by.user_id))
        decision = share.share(facts, "cleo@example.com", permission, account, shares, 200)
        return await decided(transaction, decision, by)

    return server.transact(touches, work)


LOCKED, FORGOTTEN = LockScope(items=(A, B), drives=(DRIVE,)), LockScope()
COVERED = replace(LOCKED, covers_reads=True)


EITHER_WAY = [
    pytest.param(LOCKED, id="locked"),
    pytest.param(FORGOTTEN, id="with the lock forgotten"),
]


@pytest.mark.parametrize("touches", [*EITHER_WAY, pytest.param(COVERED, id="with locks that cover all reads")])
async def test_two_moves_never_make_a_cycle(servers, seeded, touches):
    one, two = servers
    for _ in range(TIMES):
        await seeded()
        done = await asyncio.gather(moving(one, A, UNDER_B, ADA, touches), moving(two, B, UNDER_A, BEN, touches))
        assert sorted(map(str, done)) == sorted(["1", Code.MOVE_CYCLE])


@pytest.mark.parametrize("touches", EITHER_WAY)
async def test_two_owners_who_leave_at_once_leave_one(servers, seeded, touches):
    for _ in range(TIMES):
        await seeded()
        done = await asyncio.gather(leaving(servers[0], ADA, touches), leaving(servers[1], BEN, touches))
        assert sorted(map(str, done)) == sorted(["1", Code.LAST_OWNER])


@pytest.mark.parametrize("touches", EITHER_WAY)
async def test_equal_shares_are_one_and_unequal_ones_meet(servers, seeded, touches):
    first, second = Permission.read_only, Permission.read_write
    for number in range(TIMES):
        await seeded()
        other = second if number % 2 else first
        done = await asyncio.gather(sharing(servers[0], first, ADA, touches), sharing(servers[1], other, BEN, touches))
        assert sorted(map(str, done)) == sorted(["1", Code.SHARE_EXISTS if number % 2 else "0"])


async def test_leaving_the_drive_and_being_removed_from_the_organization_leave_an_owner(servers, seeded):
    async def removing(transaction):
        facts = await transaction.read(OrganizationFor(ADA.user_id, ACME))
        present = await transaction.read(OrganizationRoleOf(ACME, BEN.user_id))
        return await decided(transaction, organization.remove(facts, BEN.user_id, ADA.user_id, present), ADA)

    for _ in range(TIMES):
        await seeded()
        await asyncio.gather(
            leaving(servers[0], ADA, LOCKED), servers[1].transact(LockScope(organizations=(ACME,)), removing)
        )
        assert Role.owner in {each.role for each in await servers[0].read(MembersOf(DRIVE))}


async def test_an_item_that_changes_drives_is_waited_for_where_it_now_is(servers, seeded):
    await seeded()
    one, two = servers
    moved, held = asyncio.Event(), asyncio.Event()

    async def away(transaction):
        held.set()
        await moved.wait()
        await transaction.record((move.ItemMoved(A, DRIVE, new_id(3), None, None, 2),), ADA, NOW)

    async def rename(transaction):
        facts = await transaction.read(ItemFor(ADA.user_id, A))
        return await decided(transaction, items.rename(facts, "New"), ADA)

    first = asyncio.create_task(one.transact(LockScope(drives=(DRIVE, new_id(3))), away))
    await held.wait()
    second = asyncio.create_task(two.transact(LockScope(items=(A,)), rename))
    while not await waiting(one):
        assert not second.done()
    moved.set()
    await first
    assert await second == 1
    facts = await one.read(ItemFor(ADA.user_id, UNDER_A))
    assert facts.drive.id == new_id(3)


async def test_a_folder_counts_its_children_while_others_are_made_moved_and_trashed(servers, seeded):
    """Every item is made, moved, trashed, restored and deleted at once, in two servers, between two folders."""
    for number in range(3 * ROUNDS):
        await seeded()
        mine = [new_id(100 + each) for each in range(4)]
        for each in mine:
            await creating(servers[0], each, A)
        at_once = [creating(servers[n % 2], new_id(200 + n), (A, B)[n // 2 % 2]) for n in range(4)]
        for place, each in enumerate(mine):
            one, two = servers[place % 2], servers[number % 2]
            at_once += [moving(one, each, B, ADA), moving(two, each, A, ADA), trashing(one, each), trashing(two, each)]
            at_once += [restoring(one, each), restoring(two, each), deleting(one, each)]
        await asyncio.gather(*at_once)
        assert await servers[0].autocommit(miscounted) == []


THIRD, IN_THIRD = new_id(8), new_id(14)


@pytest.fixture
async def made_meanwhile(servers, seeded):
    """Makes an item in a drive that nothing else of a test is about, and tells how often that was done."""
    await seeded()
    third = Drive(THIRD, "Third", DriveKind.shared, ACME, NOW, NOW)
    await write(servers[1], DriveCreated(third, ADA.user_id), folder(IN_THIRD, None, THIRD))
    made = []

    async def meanwhile():
        made.append(new_id(300 + len(made)))
        assert await creating(servers[1], made[-1], IN_THIRD) == 1

    return meanwhile, made


async def test_a_move_between_drives_does_not_conflict_with_what_is_made_in_a_third_one(servers, made_meanwhile):
    meanwhile, made = made_meanwhile

    async def work(transaction):
        facts, place = await transaction.read(Both(ItemFor(ADA.user_id, A), PlaceFor(ADA.user_id, ADAS, None)))
        below = await transaction.read(SubtreeOf(A))
        await meanwhile()
        return await decided(transaction, move.move(facts, place, below, TreeLimits()), ADA)

    assert await servers[0].transact(LockScope(items=(A,), drives=(ADAS,), covers_reads=True), work) == 1
    assert len(made) == 1, "the move was tried once"
    assert (await servers[0].read(ItemFor(ADA.user_id, UNDER_A))).drive.id == ADAS
    assert await servers[0].autocommit(miscounted) == []


async def test_what_is_made_in_different_drives_does_not_conflict(servers, made_meanwhile):
    meanwhile, made = made_meanwhile
    assert await creating(servers[0], new_id(400), A, meanwhile) == 1
    assert len(made) == 1, "it was tried once"


async def waiting(store):
    """Whether anybody waits for a lock in Postgres."""
    cursor = await store.autocommit(
        lambda connection: connection.execute(f"select count(*) from {OTHER_BACKENDS} and wait_event = 'advisory'")
    )
    return (await cursor.fetchone())[0]


async def test_what_happens_in_different_drives_does_not_wait(servers, seeded):
    await seeded()
    started = asyncio.Barrier(2)

    async def work(transaction, drive_id, number):
        await asyncio.wait_for(started.wait(), PATIENCE)
        await transaction.record((folder(new_id(number), None, drive_id, ItemKind.docs_workbook),), ADA, NOW)

    await asyncio.gather(
        servers[0].transact(LockScope(drives=(DRIVE,)), lambda t: work(t, DRIVE, 50)),
        servers[1].transact(LockScope(drives=(new_id(3),)), lambda t: work(t, new_id(3), 51)),
    )
    for number in (50, 51):
        assert await servers[0].read(ItemFor(ADA.user_id, new_id(number)))
