"""What is found by what is written in documents: the same in every store, and nothing that somebody may not see."""

from dataclasses import replace

import pytest

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.credit import Credit
from domain.item import ItemKind
from domain.questions import Part, SearchFilter, SearchFor, SearchOrder
from persistence.reads import READS
from persistence.search import MAX_NEAR, search_read
from tests.ports.reads import DOCUMENT, READ_ONLY, READ_WRITE, me, pages


@pytest.fixture(autouse=True, params=[0, 1, MAX_NEAR])
def max_near(request, monkeypatch):
    """All answers are asked of the indexes, or those to the rarest word looked at, or all that is reached."""
    monkeypatch.setitem(READS, SearchFor, search_read(request.param))


@pytest.fixture
async def library(world):
    """A budget in a folder of Ada's own drive, and a note in Ben's; Gus has nothing."""
    world.personal = {name: await world.account(name) for name in ("ada", "ben", "gus")}
    world.launch = await world.make("ada", drive_id=world.personal["ada"], name="Launch plan")
    world.wait()
    world.budget = await written(world, "ada", "# Costs\n\nThe *rocket* costs 100 crowns.", parent_id=world.launch)
    world.wait()
    world.note = await written(world, "ben", "Rockets, rockets. The crowns are gone.", drive_id=world.personal["ben"])
    world.wait()
    return world


async def written(world, by, markdown, **place):
    made = await world.make(by, name=place.pop("name", "Memo"), kind=DOCUMENT, **place)
    await write(world, by, made, markdown, client=1)
    return made


async def write(world, by, item_id, markdown, client):
    await world.edit(by, item_id, from_tree(parse(markdown), client))


def search(world, text, by="ada", **options):
    wanted = SearchFilter(**{name: options[name] for name in SearchFilter.__slots__ if name in options})
    return SearchFor(me(world, by), text, options.get("drive_id"), options.get("first", 10), None, wanted)


async def found(world, text, by="ada", **options):
    return [each.facts.item.id for each in (await world.read(search(world, text, by, **options))).rows]


@pytest.mark.parametrize("text", ["rocket", "ROCK", "costs crowns", "  100\ncro", "rocket costs 100 crowns the"])
async def test_a_document_is_found_by_all_words_that_are_in_it_or_begin_there(library, text):
    assert await found(library, text) == [library.budget]


@pytest.mark.parametrize("text", ["cket", "rocket moon", "rocket -", "rckets", "1000", "\0", "\ud800", "a\0"])
async def test_it_is_not_found_by_other_words(library, text):
    assert await found(library, text) == []


async def test_every_word_may_be_in_the_name_or_in_the_content_and_the_name_counts_more(library):
    named = await written(library, "ada", "Nothing about it.", parent_id=library.launch, name="Rocket")
    assert await found(library, "rocket") == [named, library.budget]
    assert await found(library, "rocket nothing") == [named]
    (first, second) = (await library.read(search(library, "rocket"))).rows
    assert (first.in_name, first.rank, first.excerpt) == (True, 4, ())
    assert (second.in_name, second.rank) == (False, 2)


@pytest.mark.parametrize("text", ["ROKCET", "rocekt costs", "rockets", "ocket", "laumch rocket", "lunch"])
async def test_a_word_with_one_typing_error_is_found_where_nothing_has_it(library, text):
    await library.share("ada", library.budget, library.address("gus"), READ_ONLY)
    expected = {"lunch": [library.launch], "laumch rocket": []}.get(text, [library.budget])
    assert await found(library, text) == expected
    assert await found(library, text, "gus") == ([] if "l" in text else expected)


async def test_only_words_that_the_caller_may_read_correct_an_error(library):
    before = await library.read(search(library, "rokcet crown", "ben"))
    assert [each.facts.item.id for each in before.rows] == [library.note]
    await written(library, "ada", "rokcet crown", parent_id=library.launch, name="Rokcet")
    assert await library.read(search(library, "rokcet crown", "ben")) == before


async def test_what_was_meant_is_marked_in_the_excerpt_and_counts_as_a_word_that_is_begun(library):
    (only,) = (await library.read(search(library, "rokcet"))).rows
    assert [(part.text, part.hit) for part in only.excerpt[:2]] == [("The ", False), ("rocket", True)]
    assert (only.in_name, only.rank) == (False, 1)
    (named,) = (await library.read(search(library, "laumch"))).rows
    assert (named.facts.item.id, named.in_name, named.rank, named.excerpt) == (library.launch, True, 4, ())


async def test_pages_of_what_was_meant_join_to_the_whole(library):
    for _ in range(4):
        await written(library, "ada", "rocket", parent_id=library.launch)
        library.wait()
    whole = (await library.read(search(library, "rokcet"))).rows
    cut = await pages(library, replace(search(library, "rokcet"), first=2))
    assert [row for page in cut for row in page] == list(whole)
    assert len(whole) == 5
    await written(library, "ada", "rokcet", parent_id=library.launch)
    exact = await library.read(replace(search(library, "rokcet"), first=2))
    assert [each.rank for each in exact.rows] == [2]


@pytest.mark.parametrize("text", ["cafe", "CAFÉ", "equipe 1234", "e-quipe", "équipe", "ipe"])
async def test_a_name_is_found_without_regard_to_case_accents_and_separators(library, text):
    named = await library.make("ada", parent_id=library.launch, name="Old name")
    await library.rename("ada", named, "Café Équipe 1,234")
    assert await found(library, text) == [named]
    assert await found(library, "old") == []


async def test_by_date_what_was_changed_last_comes_first_and_pages_join(library):
    named = await library.make("ada", parent_id=library.launch, name="Rocket")
    library.wait()
    late = await written(library, "ada", "rocket", parent_id=library.launch)
    by_date = replace(search(library, "rocket"), order=SearchOrder.date)
    assert await found(library, "rocket") == [named, late, library.budget]
    rows = (await library.read(by_date)).rows
    assert [each.facts.item.id for each in rows] == [late, named, library.budget]
    assert [each.rank for each in rows] == [2, 4, 2]
    assert [row for page in await pages(library, replace(by_date, first=1)) for row in page] == list(rows)


async def test_moments_leave_what_was_created_or_changed_between_them(library):
    begun = library.now
    made = await library.make("ada", parent_id=library.launch, name="Rocket")
    library.wait()
    between = library.now
    await library.rename("ada", library.budget, "Renamed")
    assert await found(library, "rocket", created_since=begun) == [made]
    assert await found(library, "rocket", created_since=between) == []
    assert await found(library, "rocket", created_until=begun) == [made, library.budget]
    assert await found(library, "rocket", until=begun) == [made]
    assert await found(library, "rocket", since=between) == [library.budget]
    assert await found(library, "rocket", created_since=begun, created_until=begun, until=begun) == [made]


async def test_an_excerpt_is_the_passage_with_most_of_the_words_and_marks_them(library):
    (only,) = (await library.read(search(library, "costs crow"))).rows
    assert only.excerpt == (
        Part("The rocket ", hit=False),
        Part("costs", hit=True),
        Part(" 100 ", hit=False),
        Part("crowns", hit=True),
        Part(".", hit=False),
    )


async def test_nobody_finds_what_they_may_not_read_and_it_changes_nothing_of_what_they_find(library):
    before = await library.read(search(library, "rocket", "ben"))
    assert [each.facts.item.id for each in before.rows] == [library.note]
    await write(library, "ada", library.budget, "rocket " * 50, client=2)
    assert await library.read(search(library, "rocket", "ben")) == before
    assert await found(library, "rocket", "gus") == []


async def test_what_is_shared_is_found_and_what_is_shared_no_more_is_not(library):
    await library.share("ada", library.launch, library.address("gus"), READ_ONLY)
    assert await found(library, "rocket costs", "gus") == [library.budget]
    await library.remove_share("ada", library.launch, library.address("gus"))
    assert await found(library, "rocket costs", "gus") == []


async def test_what_is_in_the_trash_is_not_found_until_it_is_back_and_what_is_deleted_never(library):
    await library.trash("ada", library.launch)
    assert await found(library, "rocket") == []
    await library.restore("ada", library.launch)
    assert await found(library, "rocket") == [library.budget]
    await library.trash("ada", library.launch)
    await library.delete_forever("ada", library.launch)
    assert await found(library, "rocket") == []


async def test_what_came_since_is_found_and_what_went_is_not(library):
    await write(library, "ada", library.budget, "And the moon.", client=2)
    assert await found(library, "moon rocket") == [library.budget]
    assert await found(library, "moon", drive_id=library.personal["ben"]) == []
    assert await found(library, "moon", drive_id=library.personal["ada"]) == [library.budget]


@pytest.fixture
async def minutes(library):
    """A note of an agent of Ada's in a folder in the shared folder, which Gus may read, and one that Ben wrote in since."""
    library.inner = await library.make("ada", parent_id=library.launch, name="Rocket minutes", agent="scribe")
    library.wait()
    made = await library.make("ada", parent_id=library.inner, kind=DOCUMENT, name="Rocket note", agent="scribe")
    library.wait()
    await library.share("ada", library.launch, library.address("ben"), READ_WRITE)
    library.typed = await library.make("ada", parent_id=library.inner, kind=DOCUMENT, name="Rocket diary")
    library.wait()
    library.late = library.now
    await write(library, "ben", library.typed, "Long.", client=7)
    return made


async def test_a_folder_leaves_what_is_below_it_at_any_depth(library, minutes):
    below = {minutes, library.typed}
    assert set(await found(library, "rocket", folder_id=library.launch)) == {library.budget, library.inner, *below}
    assert set(await found(library, "rocket", folder_id=library.inner)) == below
    assert set(await found(library, "", folder_id=library.inner)) == below
    assert await found(library, "rocket", folder_id=library.budget) == []
    assert await found(library, "rocket", folder_id=library.launch, drive_id=library.personal["ben"]) == []


async def test_below_a_folder_that_is_hidden_unknown_or_in_the_trash_is_nothing(library, minutes):
    await library.share("ada", minutes, library.address("gus"), READ_ONLY)
    assert await found(library, "rocket", "gus") == [minutes]
    hidden = await library.read(search(library, "rocket", "gus", folder_id=library.inner))
    assert hidden.rows == ()
    for unknown in (library.new_id(), "no id", "\0"):
        assert await library.read(search(library, "rocket", "gus", folder_id=unknown)) == hidden
    await library.trash("ada", library.launch)
    assert await found(library, "rocket", folder_id=library.inner) == []


async def test_below_a_shared_folder_its_reader_finds_the_same(library, minutes):
    await library.share("ada", library.inner, library.address("gus"), READ_ONLY)
    assert set(await found(library, "rocket", "gus", folder_id=library.inner)) == {minutes, library.typed}
    assert await found(library, "rocket", "gus", folder_id=library.launch) == []


@pytest.mark.usefixtures("minutes")
async def test_types_leave_items_of_these(library):
    assert await found(library, "rocket", kinds=frozenset({ItemKind.folder})) == [library.inner]
    both = frozenset({ItemKind.folder, ItemKind.docs_workbook})
    assert await found(library, "rocket", kinds=both) == await found(library, "rocket")
    assert await found(library, "rocket", kinds=frozenset()) == []


@pytest.mark.parametrize(
    ("author", "agent", "expected"),
    [
        ("ada", None, {"inner", "made", "typed", "budget"}),
        ("ada", "", {"typed", "budget"}),
        ("ada", "scribe", {"inner", "made"}),
        (None, "scribe", {"inner", "made"}),
        (None, "", {"typed", "budget"}),
        ("ben", None, {"typed"}),
        ("ben", "", {"typed"}),
        ("ben", "scribe", set()),
        (None, "\ud800", set()),
        ("nobody", None, set()),
    ],
)
async def test_an_author_leaves_what_they_created_or_wrote_in_by_hand_or_through_an_agent(
    library, minutes, author, agent, expected
):
    author_id = me(library, author) if author in library.people else author
    items = {library.inner: "inner", minutes: "made", library.typed: "typed", library.budget: "budget"}
    answers = await found(library, "rocket", author_id=author_id, agent=agent, folder_id=library.launch)
    assert {items[each] for each in answers} == expected


@pytest.mark.usefixtures("minutes")
async def test_a_moment_leaves_what_was_changed_then_or_since(library):
    assert await found(library, "rocket", since=library.late) == [library.typed]
    assert await found(library, "", since=library.late) == [library.typed]
    library.wait()
    assert await found(library, "rocket", since=library.now) == []


async def test_each_who_wrote_in_it_since_a_moment_is_told_the_last_first(library, minutes):
    library.wait()
    await library.edit("ada", library.typed, b"more", "scribe")
    library.wait()
    last = library.now
    await library.edit("ada", library.typed, b"most")
    ben, scribe, ada = library.credit("ben"), library.credit("ada", "scribe"), library.credit("ada")
    for since, expected in ((library.late, [ada, scribe, ben]), (last, [ada]), (None, [])):
        rows = (await library.read(search(library, "rocket", since=since))).rows
        told = {row.facts.item.id: row.authors for row in rows}
        assert [Credit(each.user_id, each.name, each.agent) for each in told[library.typed]] == expected
        assert told.get(minutes, ()) == ()


@pytest.mark.usefixtures("minutes")
async def test_pages_of_what_is_filtered_join_to_the_whole(library):
    wanted = {"folder_id": library.launch, "author_id": me(library, "ada")}
    cut = [row for page in await pages(library, search(library, "rocket", first=1, **wanted)) for row in page]
    assert cut == list((await library.read(search(library, "rocket", **wanted))).rows)
    assert len(cut) == 4


async def test_pages_join_to_the_whole_in_the_order_of_rank_and_time(library):
    for number in range(5):
        name = "rocket" if number % 2 else "Memo"
        await written(library, "ada", f"rocket {number}", parent_id=library.launch, name=name)
        library.wait()
    whole = await library.read(search(library, "rocket"))
    cut = [row for page in await pages(library, replace(search(library, "rocket"), first=2)) for row in page]
    assert cut == list(whole.rows)
    keys = [(row.rank, row.facts.item.updated_at) for row in cut]
    assert keys == sorted(keys, reverse=True)
    assert len(keys) == 6


async def test_pages_join_to_the_whole_where_all_have_one_rank_and_time(library):
    made = {await written(library, "ada", "rocket", parent_id=library.launch, name="Same") for _ in range(5)}
    whole = (await library.read(search(library, "same"))).rows
    cut = [row for page in await pages(library, replace(search(library, "same"), first=2)) for row in page]
    assert len({(row.rank, row.facts.item.updated_at) for row in cut}) == 1
    assert cut == list(whole)
    assert {row.facts.item.id for row in cut} == made


@pytest.mark.parametrize(
    "text",
    [
        "' or 1=1 --",
        "a & | ! <-> :*",
        "\\",
        "'",
        "(((",
        "foo:*",
        "-",
        '"',
        "x" * 5000,
        "a " * 5000,
        "-" * 501,
        "\u2028",
        "ﷺ",
    ],
)
async def test_any_text_is_a_query(library, text):
    await library.read(search(library, text))


async def test_a_document_that_cannot_be_read_is_found_by_its_name_alone(library):
    broken = await library.make("ada", name="Broken rocket", kind=DOCUMENT, parent_id=library.launch)
    await library.edit("ada", broken, b"no update")
    assert await found(library, "rocket") == [broken, library.budget]
