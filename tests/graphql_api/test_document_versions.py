"""Versions of documents, asked in GraphQL: who reads, names and restores them, and what a restore leaves."""

from datetime import timedelta

import msgspec
import pytest

from graphql_api.read_limits import MAX_VERSIONS
from live.version_reader import VersionReader
from service.version_scheduler import VersionScheduler
from tests.graphql_api.asked import CONTENT, EDIT, RESTORE, SHARE, VERSIONS, cut
from tests.support.documents.jobs import JOBS

NAME = """mutation($id: ID!, $n: Int!, $name: ItemName) {
  nameVersion(documentId: $id, number: $n, name: $name) { number name } }"""
EVENTS = "query($id: ID!) { driveEvents(driveId: $id, first: 3) { nodes { type by { name agent } details } } }"


@pytest.fixture
async def pad(world):
    """A document with a version of Grace's and one of Ada's agent."""
    pad = await world.item("grace", "Scratch pad")
    for who, text in (("grace", "# Plan\n\nMilk"), ("agent", "# Plan\n\nTea")):
        await world.ask(who, EDIT, id=pad, e={"replace": text})
        world.later()
        await cut(world, pad)
    return pad


async def versions(world, pad, who="grace", **variables):
    return (await world.ask(who, VERSIONS, id=pad, **variables))["document"]["versions"]


async def looks(world, pad, news, minutes):
    """Return at which minutes a document is looked at, given at which there is news of it."""
    begun, looked = world.ports.clock(), []
    now = begun

    class Watched(VersionScheduler):
        async def look(self, document_id):
            looked.append((now - begun) / timedelta(minutes=1))
            return await super().look(document_id)

    async def edited():
        return {pad} if (now - begun) / timedelta(minutes=1) in news else set()

    scheduler = Watched(world.ports.store, VersionReader(world.ports.store, runner=JOBS), edited, lambda: now)
    while now <= begun + timedelta(minutes=minutes):
        await scheduler.turn()
        now += timedelta(seconds=30)
    return looked


async def test_a_document_is_looked_at_when_there_is_news_and_when_its_version_ends(world):
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, e={"replace": "Milk"})
    # Cut after five minutes, and looked at twice more: an edit just after that one may go untold.
    assert await looks(world, pad, {0, 1}, 40) == [0, 1, 5, 5.5, 10.5]
    assert [node["number"] for node in (await versions(world, pad))["nodes"]] == [1]
    assert await looks(world, pad, {2}, 40) == [2, 7]


async def test_versions_are_listed_newest_first_with_who_wrote_them(world, pad):
    nodes = (await versions(world, pad))["nodes"]
    assert [(node["number"], node["name"], node["restoredFrom"]) for node in nodes] == [
        (2, None, None),
        (1, None, None),
    ]
    assert [node["authors"][0] for node in nodes] == [
        {"name": "Ada Lovelace", "agent": "research-assistant"},
        {"name": "Grace Hopper", "agent": None},
    ]
    assert all(node["byteSize"] > 20 for node in nodes)
    first = await versions(world, pad, first=1)
    assert [node["number"] for node in first["nodes"]] == [2]
    assert first["pageInfo"]["hasNextPage"]
    rest = await versions(world, pad, first=1, after=first["pageInfo"]["endCursor"])
    assert [node["number"] for node in rest["nodes"]] == [1]
    assert not rest["pageInfo"]["hasNextPage"]
    assert await world.refused("grace", VERSIONS, id=pad, after="nonsense") == "NOT_FOUND"


async def test_any_version_is_read_as_markdown_and_as_tree(world, pad):
    read = (await world.ask("grace", CONTENT, id=pad, n=1))["document"]
    assert read["markdown"] == "# Plan\n\nTea\n"
    assert read["version"]["markdown"] == "# Plan\n\nMilk\n"
    tree = msgspec.json.decode(read["version"]["prosemirrorDoc"])
    assert tree["content"][1]["content"] == [{"type": "text", "text": "Milk"}]
    for number in (0, 3, -1, 2**31 - 1):
        assert await world.refused("grace", CONTENT, id=pad, n=number) == "NOT_FOUND"


async def test_the_content_of_so_many_versions_is_answered_at_once_and_no_more(world, pad):
    for number in range(MAX_VERSIONS):
        await world.ask("grace", EDIT, id=pad, e={"append": f"line {number}"})
        world.later()
        await cut(world, pad)
    contents = "query($id: ID!, $n: Int!) { document(id: $id) { versions(first: $n) { nodes { markdown } } } }"
    read = await world.ask("grace", contents, id=pad, n=MAX_VERSIONS)
    assert len({node["markdown"] for node in read["document"]["versions"]["nodes"]}) == MAX_VERSIONS
    assert await world.refused("grace", contents, id=pad, n=MAX_VERSIONS + 1) == "LIMIT_EXCEEDED"


async def test_a_version_is_given_a_name_and_loses_it(world, pad):
    assert (await world.ask("ben", NAME, id=pad, n=1, name="as printed"))["nameVersion"] == {
        "number": 1,
        "name": "as printed",
    }
    assert [node["name"] for node in (await versions(world, pad))["nodes"]] == [None, "as printed"]
    assert (await world.ask("ben", NAME, id=pad, n=1))["nameVersion"]["name"] is None
    assert await world.refused("ben", NAME, id=pad, n=9, name="x") == "NOT_FOUND"


async def test_a_restore_is_an_edit_forward_credited_to_user_and_agent(world, pad):
    await world.ask("ben", EDIT, id=pad, e={"append": "And bread"})
    restored = (await world.ask("agent", RESTORE, id=pad, n=1))["restoreVersion"]
    assert restored["markdown"] == "# Plan\n\nMilk\n"
    assert restored["item"]["updatedBy"] == {"name": "Ada Lovelace", "agent": "research-assistant"}
    assert restored["versions"]["nodes"] == [
        {"number": 4, "restoredFrom": 1, "authors": [{"agent": "research-assistant"}]},
        {"number": 3, "restoredFrom": None, "authors": [{"agent": None}]},
    ]
    for number, text in ((2, "Tea"), (3, "Tea\n\nAnd bread"), (4, "Milk")):
        read = await world.ask("grace", CONTENT, id=pad, n=number)
        assert read["document"]["version"]["markdown"] == f"# Plan\n\n{text}\n"
    drive = await world.drive("grace", "Engineering")
    told = (await world.ask("grace", EVENTS, id=drive))["driveEvents"]["nodes"]
    assert [line["type"] for line in told] == ["versionRestored", "documentEdited", "versionCut"]
    assert told[0]["by"] == {"name": "Ada Lovelace", "agent": "research-assistant"}
    assert (told[0]["details"]["number"], told[0]["details"]["restoredFrom"]) == (4, 1)


async def test_a_restore_of_what_is_there_already_changes_nothing(world, pad):
    before = await versions(world, pad)
    assert (await world.ask("ben", RESTORE, id=pad, n=2))["restoreVersion"]["markdown"] == "# Plan\n\nTea\n"
    assert await versions(world, pad) == before
    assert await world.refused("ben", RESTORE, id=pad, n=9) == "NOT_FOUND"


async def test_who_may_only_read_sees_no_versions_and_strangers_see_nothing(world, pad):
    gus = "gus@globex.example"
    for query, variables in ((VERSIONS, {}), (CONTENT, {"n": 1}), (NAME, {"n": 1}), (RESTORE, {"n": 1})):
        assert await world.refused("gus", query, id=pad, **variables) == "NOT_FOUND"
    await world.ask("grace", SHARE, id=pad, email=gus)
    for query, variables in ((VERSIONS, {}), (CONTENT, {"n": 1}), (NAME, {"n": 1}), (RESTORE, {"n": 1})):
        assert await world.refused("gus", query, id=pad, **variables) == "FORBIDDEN"
        assert await world.refused("gus", query, id=pad, **{**variables, "n": 99} if variables else {}) == "FORBIDDEN"


async def test_versions_are_filtered_by_who_edited_in_them(world, pad):
    asked = """query($id: ID!, $by: ID, $agent: String) { document(id: $id) {
      versions(by: $by, agent: $agent) { nodes { number authors { userId agent } } } } }"""
    every = (await world.ask("ben", asked, id=pad))["document"]["versions"]["nodes"]
    authors = {(each["userId"], each["agent"]) for version in every for each in version["authors"]}
    assert len(authors) > 1
    for user, agent in authors | {(user, None) for user, _ in authors} | {("no id", "nobody"), (None, "\x01")}:
        for by, through in ((user, agent or ""), (user, None), (None, agent or "")):
            found = (await world.ask("ben", asked, id=pad, by=by, agent=through))["document"]["versions"]["nodes"]
            assert found == [
                version
                for version in every
                if any(by in {None, a["userId"]} and through in {None, a["agent"] or ""} for a in version["authors"])
            ]


async def test_a_folder_has_no_versions(world):
    handbook = await world.item("grace", "Handbook")
    for query in (NAME, RESTORE):
        assert await world.refused("grace", query, id=handbook, n=1) == "NOT_A_DOCUMENT"


async def test_what_is_still_being_edited_is_not_cut_yet(world, pad):
    await world.ask("ben", EDIT, id=pad, e={"append": "And bread"})
    await cut(world, pad)
    assert len((await versions(world, pad))["nodes"]) == 2
    world.later()
    await cut(world, pad)
    await cut(world, pad)
    assert len((await versions(world, pad))["nodes"]) == 3


ATTRIBUTIONS = """query($id: ID!) { document(id: $id) {
  prosemirrorDoc attributions { path start end by { userId name agent editedAt } } } }"""


async def test_each_stretch_of_the_text_is_credited_to_user_and_agent(world, pad):
    await world.ask("ben", EDIT, id=pad, e={"append": "And bread"})
    read = (await world.ask("grace", ATTRIBUTIONS, id=pad))["document"]
    tree = msgspec.json.decode(read["prosemirrorDoc"])
    found = []
    for each in read["attributions"]:
        node = tree
        for place in each["path"]:
            node = node["content"][place]
        found.append((node["text"][each["start"] : each["end"]], each["by"]["name"], each["by"]["agent"]))
        assert each["by"]["editedAt"].endswith(":00.000Z")
    assert found == [
        ("Plan", "Grace Hopper", None),
        ("Tea", "Ada Lovelace", "research-assistant"),
        ("And bread", "Ben Franklin", None),
    ]


CREDITS = """query($id: ID!) { document(id: $id) {
  credits { revision authors { userId name agent editedAt } ranges } item { revision } } }"""


async def test_the_letters_are_credited_by_yjs_client_and_clock_to_everybody_who_may_read(world, pad):
    await world.ask("ben", EDIT, id=pad, e={"append": "And bread"})
    read = (await world.ask("grace", CREDITS, id=pad))["document"]
    told = read["credits"]
    assert told["revision"] == read["item"]["revision"]
    authors = [(each["name"], each["agent"]) for each in told["authors"]]
    found = [(length, authors[author]) for _, _, length, author in msgspec.json.decode(told["ranges"])]
    assert sorted(found) == [
        (3, ("Ada Lovelace", "research-assistant")),
        (4, ("Grace Hopper", None)),
        (9, ("Ben Franklin", None)),
    ]
    assert all(each["editedAt"].endswith(":00.000Z") for each in told["authors"])
    again = (await world.ask("grace", CREDITS, id=pad))["document"]
    assert again == read
