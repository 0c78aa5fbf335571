"""Which documents those who look after them are told of."""

import pytest
from seeds import ADA, DRIVE, FOLDERS, NOW, PEOPLE, folder, write
from updates import append, row
from worlds import new_id

from domain.item import ItemKind
from persistence.edited_log import EditedLog

ONE, TWO, IDLE = (new_id(20 + number) for number in range(3))


@pytest.fixture
async def log(store):
    documents = [folder(each, kind=ItemKind.docs_workbook) for each in (ONE, TWO, IDLE)]
    await write(store, *PEOPLE, *FOLDERS, *documents)
    await append(store, [row(ONE, b"first", ADA, NOW, told=True)])
    return EditedLog(store)


async def test_at_first_all_are_told_of_that_have_edits_in_no_version(log):
    assert await log.news() == {ONE}


async def test_each_edit_of_which_the_audit_has_a_line_is_told_once(store, log):
    await log.news()
    await log.news()  # what was committed just before the beginning may be told again
    assert await log.news() == set()
    await append(store, [row(ONE, b"second", ADA, NOW, told=True), row(TWO, b"first", ADA, NOW, told=True)])
    assert await log.news() == {ONE, TWO}
    assert await log.news() == set()
    await append(store, [row(TWO, b"second", ADA, NOW, told=True)])
    assert await log.news() == {TWO}


async def test_what_was_numbered_first_and_committed_last_is_told_too(store, log):
    await log.news()
    await log.news()
    async with store.writers.connection() as connection, connection.transaction():
        await connection.execute(
            """insert into event (type, drive_id, item_id, user_id, at, details)
            values ('documentEdited', %s, %s, %s, now(), '{}')""",
            (DRIVE, TWO, ADA.user_id),
        )
        await append(store, [row(ONE, b"second", ADA, NOW, told=True)])
        assert await log.news() == {ONE}
    assert await log.news() == {TWO}
