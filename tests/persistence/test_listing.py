"""Whether pages of all drives hold every live item once, whatever lies between them, and cost what they hold."""

import json
from dataclasses import replace

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.drive import Drive, DriveCreated, DriveDeleted, DriveKind, DriveRenamed
from domain.item import ItemRenamed
from domain.move import ItemMoved
from domain.questions import DrivesFor
from domain.sort_key import sort_key
from domain.trash import ItemTrashed
from domain.values import ItemName
from persistence.listing import READS
from tests.persistence.seeds import ACME, ADA, BEN, DRIVE, NOW, PEOPLE, new_id, write
from tests.support.suite.rounds import examples

SLOW = settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
COLUMNS = "id, drive_id, parent_id, kind, name, sort_key, created_at, updated_at, created_by_user, updated_by_user, trashed_at"


class Tree:
    """Items of one drive, each a folder: `place` is the number of a parent among those made before, or None."""

    def __init__(self, drive_id=DRIVE, begin=1_000):
        self.drive_id = drive_id
        self.begin = begin
        self.rows = []

    def add(self, name, place=None, *, trashed=False):
        parent = None if place is None else self.rows[place][0]
        at = NOW if trashed else None
        made = (new_id(self.begin + len(self.rows)), self.drive_id, parent, "folder", name, sort_key(name))
        self.rows.append((*made, NOW, NOW, ADA.user_id, ADA.user_id, at))
        return len(self.rows) - 1

    def walked(self):
        """The live items in the order of a listing, found by walking down from the root."""
        found, level = [], [None]
        while level:
            below = sorted(
                (row for row in self.rows if row[2] in level and row[-1] is None), key=lambda row: (row[5], row[0])
            )
            level = [row[0] for row in below]
            found += level
        return found


async def copied(store, trees):
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True) as connection:
        async with connection.cursor().copy(f"copy item ({COLUMNS}) from stdin") as copy:
            for row in (row for tree in trees for row in tree.rows):
                await copy.write_row(row)
        await connection.execute("vacuum analyze item")


@pytest.fixture
async def planted(store, emptied):
    """Empty the store, and plant trees in it."""

    async def plant(*trees):
        await emptied()
        await write(store, *PEOPLE)
        await copied(store, trees)

    return plant


async def every_page(store, question, limit=500):
    pages = []
    while len(pages) < limit:
        page = await store.read(question)
        assert page.found
        pages.append(page)
        if page.next_cursor is None:
            return pages
        question = replace(question, after=page.next_cursor)
    raise AssertionError("the listing does not end")


def ids(pages, drive_id=DRIVE):
    return [item.id for page in pages for drive in page.rows if drive.drive.id == drive_id for item in drive.items]


trees = st.lists(st.tuples(st.none() | st.integers(0, 100), st.sampled_from("abc"), st.sampled_from([0, 0, 0, 1])))


@given(planned=trees, most=st.integers(1, 9))
@SLOW
async def test_pages_hold_what_a_walk_finds_each_item_once(store, planted, planned, most):
    tree = Tree()
    for place, name, trashed in planned:
        tree.add(name, place % len(tree.rows) if place is not None and tree.rows else None, trashed=bool(trashed))
    await planted(tree)
    walked = tree.walked()
    (whole,) = await every_page(store, DrivesFor(ADA.user_id, 5_000, 1_000, None))
    assert ids([whole]) == walked, "one page is in the order of the contract"
    pages = await every_page(store, DrivesFor(ADA.user_id, most, 1_000, None))
    assert sorted(ids(pages)) == sorted(walked)
    for page in pages:
        assert len(ids([page])) <= most
        assert ids([page]) == [item for item in walked if item in ids([page])], "and so is each of several"


async def test_an_item_that_stays_is_on_one_page_whatever_is_renamed_and_moved_meanwhile(store, planted):
    tree = Tree()
    top = tree.add("a folder")
    for number in range(30):
        tree.add(f"name {number:02}", top if number % 2 else None)
    await planted(tree)
    question, found = DrivesFor(ADA.user_id, 4, 1_000, None), []
    for turn in range(20):
        page = await store.read(question)
        found += ids([page])
        if page.next_cursor is None:
            break
        question = replace(question, after=page.next_cursor)
        first, last = tree.rows[1 + turn % 30][0], tree.rows[-1 - turn % 30][0]
        await write(
            store,
            ItemRenamed(first, DRIVE, ItemName(f"zzz {turn}")),
            ItemRenamed(last, DRIVE, ItemName(f"000 {turn}")),
            ItemMoved(last, DRIVE, DRIVE, None, tree.rows[top][0] if turn % 2 else None, 2),
        )
    assert sorted(found) == [row[0] for row in tree.rows]


async def test_a_page_is_filled_over_much_that_lies_in_the_trash(store, planted):
    tree = Tree()
    first = [tree.add("before") for _ in range(5)]
    gone = tree.add("gone", trashed=True)
    hidden = [tree.add("below it", gone)]
    hidden += [tree.add("further below", hidden[0]) for _ in range(60)]
    last = [tree.add("after") for _ in range(5)]
    await planted(tree)
    (page,) = await every_page(store, DrivesFor(ADA.user_id, 10, 1_000, None))
    assert ids([page]) == tree.walked()
    assert len(ids([page])) == len(first + last)
    pages = await every_page(store, DrivesFor(ADA.user_id, 2, 1_000, None))
    assert sorted(ids(pages)) == sorted(tree.walked()), "also where one page does not reach beyond it"


async def test_a_page_reads_what_it_holds_and_not_the_drive(store, planted):
    async def blocks(size):
        tree = Tree()
        places = [None]
        for number in range(size):
            places.append(tree.add("an item", places[number // 10]))
        await planted(tree)
        page = await store.read(DrivesFor(ADA.user_id, 20, 1_000, None))
        touched = []
        for after in (None, page.next_cursor):
            arguments = next(READS[DrivesFor].steps(DrivesFor(ADA.user_id, 20, 1_000, after)))
            async with await psycopg.AsyncConnection.connect(store.writers.conninfo) as connection:
                await connection.execute("set plan_cache_mode = force_generic_plan")
                explain = f"explain (analyze, buffers, format json) {READS[DrivesFor].sql}"
                (told,) = await (await connection.execute(explain, arguments, prepare=True)).fetchone()
            (plan,) = json.loads(told) if isinstance(told, str) else told
            touched.append(plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"])
        return max(touched)

    assert await blocks(20_000) <= 2 * await blocks(100)


@pytest.mark.parametrize("most", [1, 3, 100])
async def test_drives_beyond_those_of_a_page_go_on_with_their_members_once_its_items_were_listed(store, planted, most):
    await planted()
    drives = [new_id(100 + number) for number in range(7)]
    for number, drive_id in enumerate(drives):
        made = Drive(drive_id, f"Drive {number}", DriveKind.shared, ACME, NOW, NOW)
        await write(store, DriveCreated(made, ADA.user_id))
    expected = (await store.read(DrivesFor(ADA.user_id, 5_000, 1_000, None))).rows
    trees = [Tree(drive_id, begin=2_000 + 100 * number) for number, drive_id in enumerate(drives[::2])]
    for tree in trees:
        for _ in range(4):
            tree.add("an item")
    await copied(store, trees)
    pages = await every_page(store, DrivesFor(ADA.user_id, most, 3, None))
    listed = [drive for page in pages for drive in page.rows]
    assert all(len(page.rows) <= 3 for page in pages)
    assert [*dict.fromkeys(drive.drive.id for drive in listed)] == [drive.drive.id for drive in expected]
    assert all(drive.members == known.members for drive in listed for known in expected if drive.drive == known.drive)
    for drive in expected:
        its = [tree for tree in trees if tree.drive_id == drive.drive.id]
        assert sorted(ids(pages, drive.drive.id)) == sorted(row[0] for tree in its for row in tree.rows)


async def test_a_listing_goes_on_where_its_drives_were_deleted_or_renamed(store, planted):
    drives = [new_id(100 + number) for number in range(6)]
    await planted()
    for number, drive_id in enumerate(drives):
        made = Drive(drive_id, f"Drive {number}", DriveKind.shared, ACME, NOW, NOW)
        await write(store, DriveCreated(made, ADA.user_id))
    first = await store.read(DrivesFor(ADA.user_id, 5, 4, None))
    (*_, last) = first.rows
    await write(store, DriveDeleted(last.drive.id, "gone"), DriveRenamed(drives[5], ItemName("Drive 9")))
    rest = await every_page(store, DrivesFor(ADA.user_id, 5, 4, first.next_cursor))
    listed = [drive.drive.id for page in (first, *rest) for drive in page.rows]
    assert len(listed) == len(set(listed))
    assert set(drives) <= set(listed)


async def test_the_cursor_of_somebody_else_is_a_place_in_ones_own_listing_and_shows_nothing_of_theirs(store, planted):
    mine = new_id(90)
    tree = Tree(mine)
    for _ in range(4):
        tree.add("secret")
    await planted()
    await write(store, DriveCreated(Drive(mine, "Only Ada's", DriveKind.shared, ACME, NOW, NOW), ADA.user_id))
    await copied(store, [tree])
    page = await store.read(DrivesFor(ADA.user_id, 2, 1_000, None))
    assert page.next_cursor
    theirs = await store.read(DrivesFor(BEN.user_id, 2, 1_000, page.next_cursor))
    assert theirs.found
    assert all(drive.drive.id != mine for drive in theirs.rows)
    assert (theirs.next_cursor, [item for drive in theirs.rows for item in drive.items]) == (None, [])


async def test_what_is_trashed_between_two_pages_is_not_on_the_second(store, planted):
    tree = Tree()
    folder = tree.add("folder")
    for _ in range(6):
        tree.add("below", folder)
    await planted(tree)
    first = await store.read(DrivesFor(ADA.user_id, 3, 1_000, None))
    await write(store, ItemTrashed(tree.rows[folder][0], DRIVE))
    second = await store.read(DrivesFor(ADA.user_id, 3, 1_000, first.next_cursor))
    assert (second.rows, second.next_cursor) == ((), None)
