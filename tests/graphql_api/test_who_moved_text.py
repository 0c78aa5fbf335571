"""Text that somebody moves stays its writer's, and who moved it is told, asked in GraphQL; authors are all who edited."""

import msgspec
import pytest

from tests.graphql_api.asked import EDIT, RESTORE, compact, cut

SENTENCE = "Nobody knows who wrote this sentence."
APPLY = """mutation($id: ID!, $old: String!, $new: String!) {
  editDocument(documentId: $id, edit: {passages: [{old: $old, new: $new}]}) { changes { kind path inserted deleted } } }"""
READ = """query($id: ID!) { document(id: $id) {
  authors { name }
  attributions { path start end by { name } movedBy { name } }
  credits { authors { name } ranges movers { name } moved }
  versions { nodes { number authors { name } } } } }"""
VERSIONS_BY = "query($id: ID!, $by: ID!) { document(id: $id) { versions(by: $by) { nodes { number } } } }"
SEARCH = 'query($by: ID!) { search(text: "Scratch", by: $by) { nodes { id } } }'
GRACE, ADA, BEN = ({"name": name} for name in ("Grace Hopper", "Ada Lovelace", "Ben Franklin"))


@pytest.fixture
async def pad(world):
    """Grace writes two paragraphs; in a later version, Ben makes a heading of one of them."""
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, e={"replace": f"Hear me.\n\n{SENTENCE}"})
    world.later()
    await cut(world, pad)
    await world.ask("ben", EDIT, id=pad, e={"passages": [{"old": SENTENCE, "new": f"# {SENTENCE}"}]})
    world.later()
    await cut(world, pad)
    return pad


async def read(world, pad, who="grace"):
    return (await world.ask(who, READ, id=pad))["document"]


async def test_attributions_and_credits_tell_who_moved_text_beside_its_writer(world, pad):
    found = await read(world, pad)
    assert found["attributions"] == [
        {"path": [0, 0], "start": 0, "end": 8, "by": GRACE, "movedBy": None},
        {"path": [1, 0], "start": 0, "end": len(SENTENCE), "by": GRACE, "movedBy": BEN},
    ]
    told = found["credits"]
    assert (told["authors"], told["movers"]) == ([GRACE], [BEN])
    (moved,) = msgspec.json.decode(told["moved"])
    assert moved[:3] in [each[:3] for each in msgspec.json.decode(told["ranges"])]
    assert moved[2:] == [len(SENTENCE), 0]
    await compact(world, pad)
    after = await read(world, pad)
    assert (after["attributions"], after["credits"]) == (found["attributions"], told)


async def test_what_a_restore_brings_back_tells_who_restored_it(world, pad):
    await world.ask("grace", EDIT, id=pad, e={"passages": [{"old": f"# {SENTENCE}", "new": ""}]})
    await world.ask("agent", RESTORE, id=pad, n=1)
    last = (await read(world, pad))["attributions"][-1]
    assert (last["by"], last["movedBy"]) == (GRACE, ADA)


async def test_an_edit_tells_in_its_answer_what_it_only_moved(world, pad):
    asked = {"old": f"Hear me.\n\n# {SENTENCE}", "new": f"# {SENTENCE}\n\nHear me."}
    made = (await world.ask("agent", APPLY, id=pad, **asked))["editDocument"]
    assert [(each["kind"], each["inserted"], each["deleted"]) for each in made["changes"]] == [("moved", "", "")]


@pytest.mark.parametrize("is_compacted", [False, True])
async def test_authors_are_who_edited_movers_too_and_moving_takes_nobody_away(world, pad, is_compacted):
    if is_compacted:
        await compact(world, pad)
    found = await read(world, pad)
    assert found["authors"] == [BEN, GRACE]
    assert [(each["number"], each["authors"]) for each in found["versions"]["nodes"]] == [(2, [BEN]), (1, [GRACE])]
    for who, number in (("grace", 1), ("ben", 2)):
        by = world.callers[who].user_id
        versions = (await world.ask("grace", VERSIONS_BY, id=pad, by=by))["document"]["versions"]["nodes"]
        assert [each["number"] for each in versions] == [number]
        assert [each["id"] for each in (await world.ask("grace", SEARCH, by=by))["search"]["nodes"]] == [pad]
    (nobody,) = [world.callers["agent"].user_id]
    assert (await world.ask("grace", SEARCH, by=nobody))["search"]["nodes"] == []
