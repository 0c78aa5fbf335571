"""What is found by what is written in documents: the same in every store, and nothing that somebody may not see."""

from dataclasses import replace

import pytest
from test_store import DOCUMENT, READ_ONLY, me, pages

from documents.build import from_tree
from documents.markdown_in import parse
from domain.questions import Part, SearchFor
from persistence.reads import READS
from persistence.search import MAX_NEAR, search_read


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
    return SearchFor(me(world, by), text, options.get("drive_id"), options.get("first", 10), None)


async def found(world, text, by="ada", **options):
    return [each.facts.item.id for each in (await world.read(search(world, text, by, **options))).rows]


@pytest.mark.parametrize("text", ["rocket", "ROCK", "costs crowns", "  100\ncro", "rocket costs 100 crowns the"])
async def test_a_document_is_found_by_all_words_that_are_in_it_or_begin_there(library, text):
    assert await found(library, text) == [library.budget]


@pytest.mark.parametrize("text", ["ocket", "rocket moon", "rocket -", "rockets", "1000", "\0", "\ud800", "a\0"])
async def test_it_is_not_found_by_other_words(library, text):
    assert await found(library, text) == []


async def test_every_word_may_be_in_the_name_or_in_the_content_and_the_name_counts_more(library):
    named = await written(library, "ada", "Nothing about it.", parent_id=library.launch, name="Rocket")
    assert await found(library, "rocket") == [named, library.budget]
    assert await found(library, "rocket nothing") == [named]
    (first, second) = (await library.read(search(library, "rocket"))).rows
    assert (first.in_name, first.rank, first.excerpt) == (True, 4, ())
    assert (second.in_name, second.rank) == (False, 2)


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
