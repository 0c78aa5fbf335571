"""What one process learns of the rights that another changed."""

import pytest
from seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, A, write

from domain.access import Role
from domain.item import ItemRenamed
from domain.key import KeyRevoked
from domain.member import MemberRemoved
from domain.trash import ItemTrashed
from persistence.rights_log import RightsLog


@pytest.fixture
async def log(store):
    await write(store, *PEOPLE, *FOLDERS)
    await write(store, ItemTrashed(A, DRIVE))
    made = RightsLog(store, (ItemTrashed, KeyRevoked, MemberRemoved))
    assert await made.news() == (set(), set())
    return made


async def test_what_happened_before_is_no_news(log):
    assert await log.news() == (set(), set())


async def test_each_change_of_rights_is_told_once(store, log):
    await write(store, MemberRemoved(DRIVE, BEN.user_id, Role.owner))
    assert await log.news() == ({DRIVE}, {BEN.user_id})
    assert await log.news() == (set(), set())


async def test_what_changes_no_rights_is_not_told(store, log):
    await write(store, ItemRenamed(A, DRIVE, "Other"))
    assert await log.news() == (set(), set())


async def test_a_change_that_was_committed_late_is_told_though_its_number_is_older(store, log):
    async with store.writers.connection() as late, late.transaction():
        await late.execute(
            "insert into event (type, drive_id, item_id, user_id, at, details)"
            " values ('itemTrashed', %s, %s, %s, %s, '{}')",
            [DRIVE, A, ADA.user_id, NOW],
        )
        await write(store, KeyRevoked(BEN.user_id, ADA.user_id))
        assert await log.news() == (set(), {ADA.user_id})
    assert await log.news() == ({DRIVE}, set())
