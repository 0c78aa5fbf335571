"""What one process learns of what others did."""

import pytest
from seeds import ADA, BEN, DRIVE, FOLDERS, NOW, PEOPLE, A, folder, write
from updates import append, row
from worlds import new_id

from domain.access import Role
from domain.item import ItemKind, ItemRenamed
from domain.key import KeyRevoked
from domain.member import MemberRemoved
from domain.trash import ItemTrashed
from persistence.audit_news import EditedLog, RightsLog

ONE, TWO, IDLE = (new_id(20 + number) for number in range(3))


@pytest.fixture
async def rights(store):
    await write(store, *PEOPLE, *FOLDERS)
    await write(store, ItemTrashed(A, DRIVE))
    made = RightsLog(store, (ItemTrashed, KeyRevoked, MemberRemoved))
    assert await made.news() == (set(), set())
    return made


async def test_what_happened_before_is_no_news(rights):
    assert await rights.news() == (set(), set())


async def test_each_change_of_rights_is_told_once(store, rights):
    await write(store, MemberRemoved(DRIVE, BEN.user_id, Role.owner))
    assert await rights.news() == ({DRIVE}, {BEN.user_id})
    assert await rights.news() == (set(), set())


async def test_what_changes_no_rights_is_not_told(store, rights):
    await write(store, ItemRenamed(A, DRIVE, "Other"))
    assert await rights.news() == (set(), set())


async def test_a_change_that_was_committed_late_is_told_though_its_number_is_older(store, rights):
    async with store.writers.connection() as late, late.transaction():
        await late.execute(
            "insert into event (type, drive_id, item_id, user_id, at, details)"
            " values ('itemTrashed', %s, %s, %s, %s, '{}')",
            [DRIVE, A, ADA.user_id, NOW],
        )
        await write(store, KeyRevoked(BEN.user_id, ADA.user_id), *[ItemRenamed(A, DRIVE, "Other")] * 300)
        assert await rights.news() == (set(), {ADA.user_id})
    assert await rights.news() == ({DRIVE}, set())


@pytest.fixture
async def edited(store):
    documents = [folder(each, kind=ItemKind.docs_workbook) for each in (ONE, TWO, IDLE)]
    await write(store, *PEOPLE, *FOLDERS, *documents)
    await append(store, [row(ONE, b"first", ADA, NOW, told=True)])
    return EditedLog(store)


async def test_at_first_all_are_told_of_that_have_edits_in_no_version(edited):
    assert await edited.news() == {ONE}


async def test_each_edit_of_which_the_audit_has_a_line_is_told_once(store, edited):
    await edited.news()
    await edited.news()  # what was committed just before the beginning may be told again
    assert await edited.news() == set()
    await append(store, [row(ONE, b"second", ADA, NOW, told=True), row(TWO, b"first", ADA, NOW, told=True)])
    assert await edited.news() == {ONE, TWO}
    assert await edited.news() == set()
    await append(store, [row(TWO, b"second", ADA, NOW, told=True)])
    assert await edited.news() == {TWO}
