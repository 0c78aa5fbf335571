"""Changes of a document and their undo, asked in GraphQL: who sees and takes back what, and what is left of it."""

import asyncio
import base64
import dataclasses

import msgspec
import psycopg
import pytest
from pycrdt import XmlFragment

from computing.runner import JobRunner
from contract.bounds import MAX_IDS
from documents.yjs.snapshot import load
from domain.document import WRITTEN_MEANWHILE
from domain.questions import StateOf
from graphql_api.context import MAX_TRIES
from live.version_reader import VersionReader
from persistence.compaction import CompactionLog
from service.compactor import Compactor
from tests.graphql_api.asked import ATTRIBUTIONS, CHANGES, CONTENT, EDIT, RESTORE, SHARE, UNDO, VERSIONS, compact, cut
from tests.support.documents.jobs import JOBS
from tests.support.processes.servers import PATIENCE

READ = "query($id: ID!) { document(id: $id) { markdown item { revision } versions { nodes { number authors { name agent } } } } }"


@pytest.fixture
async def pad(world):
    """Grace writes two paragraphs; an agent of Ada's rewrites one and adds a third."""
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, e={"replace": "Milk and bread\n\nEggs"})
    await world.ask("agent", EDIT, id=pad, e={"passages": [{"old": "bread", "new": "butter"}]})
    await world.ask("agent", EDIT, id=pad, e={"append": "Tea"})
    return pad


async def changes(world, pad, who="grace", **variables):
    return (await world.ask(who, CHANGES, id=pad, **variables))["documentChanges"]


async def undo(world, pad, who="grace", **variables):
    return (await world.ask(who, UNDO, id=pad, **variables))["undoChanges"]


async def read(world, pad, who="grace"):
    return (await world.ask(who, READ, id=pad))["document"]


def words(nodes):
    """The text that each change inserted or, where it inserted none, deleted."""
    return [node["inserted"] or node["deleted"] for node in nodes]


async def test_the_changes_of_one_edit_come_in_the_order_of_the_document(world):
    pad = await world.item("grace", "Scratch pad")
    lines = [f"line {number}" for number in range(12)]
    await world.ask("grace", EDIT, id=pad, e={"append": "\n\n".join(lines)})
    assert [node["path"] for node in (await changes(world, pad))["nodes"]] == [[number] for number in range(12)]
    changed = [line.replace("line", "row") if number % 3 else "" for number, line in enumerate(lines)]
    await world.ask("agent", EDIT, id=pad, e={"replace": "\n\n".join([*changed, "line 12"]).strip()})
    nodes = (await changes(world, pad, a="research-assistant"))["nodes"]
    assert words(nodes) == [line if number % 3 == 0 else "row" for number, line in enumerate(lines)] + ["line 12"]


@pytest.mark.parametrize("newest", [False, True])
async def test_the_changes_are_the_same_in_parts_whichever_come_first(world, newest):
    pad = await world.item("grace", "Scratch pad")
    edits = [("grace", "one\n\ntwo\n\nthree"), ("agent", "1\n\n2\n\n3"), ("ben", "four\n\nfive")]
    for who, text in edits:
        await world.ask(who, EDIT, id=pad, e={"append": text})
    whole = (await changes(world, pad, newest=newest))["nodes"]
    expected = [*reversed(edits)] if newest else edits
    assert words(whole) == [word for _, text in expected for word in text.split()]
    parts, after = [], None
    for _ in whole:
        part = await changes(world, pad, newest=newest, first=1, after=after)
        parts, after = parts + part["nodes"], part["nextCursor"]
    assert (parts, after) == (whole, None)


@pytest.mark.parametrize("newest", [False, True])
async def test_a_part_goes_on_at_its_edit_where_the_change_before_it_has_grown(world, newest):
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, e={"append": "one\n\ntwo\n\nthree"})
    after = (await changes(world, pad, newest=newest, first=1))["nextCursor"]
    await world.ask("grace", EDIT, id=pad, e={"passages": [{"old": "one", "new": "one more"}]})
    told = words((await changes(world, pad, newest=newest, after=after))["nodes"])
    assert {"two", "three"} <= {*told}


async def test_the_changes_until_a_revision_are_those_that_the_document_had_then(world):
    pad, told, last = await world.item("grace", "Scratch pad"), {}, 0
    edits = [
        ("grace", {"replace": "Milk and bread\n\nEggs\n\nTea"}),
        ("agent", {"passages": [{"old": "bread", "new": "butter"}]}),
        ("grace", {"passages": [{"old": "Eggs", "new": ""}, {"old": "Milk", "new": "Cream"}]}),
        ("agent", {"append": "Coffee"}),
        ("ben", {"passages": [{"old": "Coffee", "new": "Cocoa"}]}),
        ("ben", {"passages": [{"old": "Cocoa", "new": "Cocoa without"}]}),
    ]
    for who, edit in edits:
        await world.ask(who, EDIT, id=pad, e=edit)
        last = (await read(world, pad))["item"]["revision"]
        for since in range(last + 1):
            told[since, last] = (await changes(world, pad, r=since))["nodes"]
    assert told[0, last]
    for (since, until), nodes in told.items():
        assert (await changes(world, pad, r=since, ur=until))["nodes"] == nodes
        assert (await changes(world, pad, r=until, ur=since))["nodes"] == []
    assert (await changes(world, pad, ur=last + 1))["nodes"] == told[0, last]
    assert (await changes(world, pad, ut=told[0, last][0]["at"]))["nodes"] == []
    assert await world.refused("grace", CHANGES, id=pad, ur=-1) == "BAD_REQUEST"
    assert await world.refused("grace", CHANGES, id=pad, uv=99) == "NOT_FOUND"


async def test_two_versions_are_compared_also_where_their_edits_are_compacted(world):
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", EDIT, id=pad, e={"replace": "Milk\n\nEggs"})
    world.later()
    await cut(world, pad)
    await world.ask("agent", EDIT, id=pad, e={"passages": [{"old": "Eggs", "new": "Tea"}]})
    world.later()
    await cut(world, pad)
    await world.ask("ben", EDIT, id=pad, e={"append": "Coffee"})

    async def compared(**bounds):
        nodes = (await changes(world, pad, **bounds))["nodes"]
        return [(each["by"]["name"], each["inserted"], each["deleted"]) for each in nodes]

    before = [await compared(uv=1), await compared(v=1, uv=2), await compared(v=2)]
    assert ["Eggs" in str(each) for each in before] == [True, True, False]
    assert ["Tea" in str(each) for each in before] == [False, True, False]
    assert before[2] == [("Ben Franklin", "Coffee", "")]
    await compact(world, pad)
    assert [await compared(uv=1), await compared(v=1, uv=2), await compared(v=2, uv=3)] == before


async def test_the_changes_of_people_and_agents_are_told_apart(world, pad):
    listed = (await changes(world, pad))["nodes"]
    grace = {"userId": world.callers["grace"].user_id, "name": "Grace Hopper", "agent": None}
    agent = {"userId": world.callers["agent"].user_id, "name": "Ada Lovelace", "agent": "research-assistant"}
    assert [(each["by"], each["kind"], each["path"], each["inserted"], each["deleted"]) for each in listed] == [
        (grace, "inserted", [0], "Milk and bread", ""),
        (grace, "inserted", [1], "Eggs", ""),
        (agent, "replaced", [0], "butter", "bread"),
        (agent, "inserted", [2], "Tea", ""),
    ]
    agents = (await changes(world, pad, a=listed[-1]["by"]["agent"]))["nodes"]
    assert agents == [each for each in listed if each["by"]["agent"]]
    people = (await changes(world, pad, a=""))["nodes"]
    assert people == [each for each in listed if not each["by"]["agent"]]
    assert (await changes(world, pad, r=1))["nodes"][-1] == listed[-1]
    whole, cursor = [], None
    while True:
        part = await changes(world, pad, first=1, after=cursor)
        whole += part["nodes"]
        cursor = part["nextCursor"]
        if cursor is None:
            break
    assert whole == listed


async def test_an_agent_is_taken_back_by_one_edit_with_a_version_before_and_after(world, pad):
    before = await read(world, pad)
    agent = (await changes(world, pad))["nodes"][-1]["by"]
    tried = await undo(world, pad, u=agent["userId"], a=agent["agent"], dry=True)
    assert (await read(world, pad)) == before
    done = await undo(world, pad, u=agent["userId"], a=agent["agent"])
    assert (done["changes"], done["skipped"]) == (tried["changes"], tried["skipped"])
    assert done["revision"] == before["item"]["revision"] + 1 == done["item"]["revision"]
    after = await read(world, pad)
    assert after["markdown"] == "Milk and bread\n\nEggs\n"
    assert [(each["number"], each["authors"]) for each in after["versions"]["nodes"]] == [
        (3, [{"name": "Grace Hopper", "agent": None}]),
        (2, [{"name": "Ada Lovelace", "agent": "research-assistant"}]),
        (1, [{"name": "Grace Hopper", "agent": None}]),
    ]
    spans = (await world.ask("grace", ATTRIBUTIONS, id=pad))["documentAttributions"]
    assert spans["revision"] == done["revision"]
    assert {each["by"]["agent"] for each in spans["attributions"]} == {None}
    again = await undo(world, pad, u=agent["userId"], a=agent["agent"])
    assert again["revision"] == done["revision"], "nothing is left of it"


@pytest.mark.parametrize("is_cut", [False, True])
async def test_an_undo_is_taken_back_by_the_ids_of_its_changes(world, pad, is_cut):
    before = await read(world, pad)
    agent = (await changes(world, pad))["nodes"][-1]["by"]
    done = await undo(world, pad, u=agent["userId"], a=agent["agent"])
    if is_cut:
        world.later()
        await cut(world, pad)
    own = (await changes(world, pad, r=done["revision"] - 1))["nodes"]
    back = await undo(world, pad, ids=[each["id"] for each in own])
    assert not back["skipped"]
    assert (await read(world, pad))["markdown"] == before["markdown"]


def restarted(world):
    """The world as a server meets it that has read no version of it yet."""
    return dataclasses.replace(
        world, ports=dataclasses.replace(world.ports, versions=VersionReader(world.ports.store, runner=JOBS))
    )


async def attributions(world, pad, **variables):
    return (await world.ask("grace", ATTRIBUTIONS, id=pad, **variables))["documentAttributions"]


async def test_attributions_come_in_parts_of_one_revision_while_others_edit(world, pad):
    whole = await attributions(world, pad)
    found, cursor = [], None
    while True:
        part = await attributions(world, pad, first=1, after=cursor)
        assert part["revision"] == whole["revision"]
        found += part["attributions"]
        if part["nextCursor"] is None:
            break
        cursor = part["nextCursor"]
        await world.ask("ben", EDIT, id=pad, e={"replace": f"Nothing of it {cursor}"})
    assert found == whole["attributions"]
    assert {each["by"]["agent"] is None for each in found} == {True, False}
    assert (await attributions(world, pad))["revision"] > whole["revision"]


@pytest.mark.parametrize("cursor", ["4-0", "999-1", "1", "1-", "-1", "1--1", "1-1-1", "x-1", f"1-{10**18}"])
async def test_a_cursor_of_no_attributions_is_not_found(world, pad, cursor):
    assert await world.refused("grace", ATTRIBUTIONS, id=pad, after=cursor) == "NOT_FOUND"


async def test_attributions_go_on_at_their_revision_after_compaction_or_are_gone_with_it(world, pad):
    whole, cursor = await attributions(world, pad), (await attributions(world, pad, first=1))["nextCursor"]
    await world.ask("ben", EDIT, id=pad, e={"replace": "Nothing of it"})
    world.later()
    await cut(world, pad)
    log = CompactionLog(world.ports.store, rows=1, from_bytes=1)
    assert await Compactor(log, JobRunner(), world.ports.clock).compact(pad)
    rest = await attributions(restarted(world), pad, after=cursor)
    assert rest == whole | {"attributions": whole["attributions"][1:]}
    await world.ask("ben", EDIT, id=pad, e={"append": "The next day"})
    await compact(world, pad)
    assert await restarted(world).refused("grace", ATTRIBUTIONS, id=pad, after=cursor) == "REVISION_GONE"


@pytest.mark.parametrize("who", ["grace", "ada"])
@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"ids": ["nonsense"]}, "NOT_FOUND"),
        ({"ids": ["1-1-1-1-deadbeef"]}, "NOT_FOUND"),
        ({"ids": ["1-999999-1-1-deadbeef"]}, "NOT_FOUND"),
        ({"ids": ["999-999-1-1-deadbeef"]}, "REVISION_GONE"),
        ({"ids": ["9" * 40]}, "NOT_FOUND"),
        ({"ids": ["0-0-1-1-deadbeef"]}, "NOT_FOUND"),
        ({"ids": ["-1-1-1-1-x"]}, "NOT_FOUND"),
        ({"ids": ["²-²-1-1-x"]}, "NOT_FOUND"),
        ({"ids": []}, "BAD_REQUEST"),
        ({"ids": ["1-1-1-1-x"] * 501}, "BAD_REQUEST"),
        ({}, "BAD_REQUEST"),
        ({"a": "an-agent"}, "BAD_REQUEST"),
        ({"u": "somebody", "r": -1}, "BAD_REQUEST"),
        ({"u": "somebody", "r": 1000}, "REVISION_GONE"),
        ({"ids": ["1-1-1-1-x"], "u": "somebody"}, "BAD_REQUEST"),
        ({"last": True, "u": "somebody"}, "BAD_REQUEST"),
        ({"last": True, "ids": ["1-1-1-1-x"]}, "BAD_REQUEST"),
        ({"last": True, "r": 1}, "BAD_REQUEST"),
    ],
)
async def test_wrong_ids_and_ranges_are_refused_and_change_nothing(world, pad, who, wrong, code):
    before = await read(world, pad)
    assert await world.refused(who, UNDO, id=pad, **wrong) == code
    assert await read(world, pad) == before


async def test_ones_own_last_edit_is_taken_back_in_one_call_and_nothing_else(world, pad):
    await world.ask("grace", EDIT, id=pad, e={"append": "Sugar"})
    assert words((await undo(world, pad, "agent", last=True, dry=True))["changes"]) == ["Tea"]
    undone = await undo(world, pad, "agent", last=True)
    assert words(undone["changes"]) == ["Tea"]
    assert (await read(world, pad))["markdown"] == "Milk and butter\n\nEggs\n\nSugar\n"
    await undo(world, pad, "agent", last=True)  # the undo was an edit as well
    assert (await read(world, pad))["markdown"] == "Milk and butter\n\nEggs\n\nTea\n\nSugar\n"
    await undo(world, pad, "grace", last=True)
    assert (await read(world, pad))["markdown"] == "Milk and butter\n\nEggs\n\nTea\n"


async def test_two_edits_of_one_block_within_a_minute_are_taken_back_one_by_one(world, pad):
    await world.ask("agent", EDIT, id=pad, e={"passages": [{"old": "Tea", "new": "Tea and lemons"}]})
    await undo(world, pad, "agent", last=True)
    assert (await read(world, pad))["markdown"] == "Milk and butter\n\nEggs\n\nTea\n"


async def test_the_number_of_all_changes_is_told_with_each_part(world, pad):
    parts = [await changes(world, pad, first=2)]
    parts.append(await changes(world, pad, first=2, after=parts[0]["nextCursor"]))
    assert [each["totalCount"] for each in parts] == [4, 4]
    assert (await changes(world, pad, first=1, a="research-assistant"))["totalCount"] == 2


async def test_who_has_not_edited_has_no_last_edit(world, pad):
    assert await world.refused("ben", UNDO, id=pad, last=True) == "NOT_FOUND"
    assert await world.refused("ada", UNDO, id=pad, last=True) == "NOT_FOUND"  # only an agent of hers did


async def test_ones_last_edit_is_taken_back_after_it_was_compacted(world, pad):
    await compact(world, pad)
    await world.ask("ben", EDIT, id=pad, e={"append": "Sugar"})
    await undo(world, pad, "agent", last=True)
    assert (await read(world, pad))["markdown"] == "Milk and bread\n\nEggs\n\nSugar\n"


async def test_ids_of_another_document_are_refused(world, pad):
    other = await world.item("grace", "Release checklist")
    await world.ask("grace", EDIT, id=other, e={"replace": "Elsewhere"})
    ids = [each["id"] for each in (await changes(world, other))["nodes"]]
    before = await read(world, pad)
    assert await world.refused("grace", UNDO, id=pad, ids=ids) == "NOT_FOUND"
    assert await read(world, pad) == before


async def test_changes_are_for_those_who_may_edit_and_attributions_for_those_who_may_read(world, pad):
    await world.ask("grace", SHARE, id=pad, email="gus@globex.example")
    assert await world.refused("gus", CHANGES, id=pad) == "FORBIDDEN"
    assert await world.refused("gus", UNDO, id=pad, u="somebody") == "FORBIDDEN"
    assert (await world.ask("gus", ATTRIBUTIONS, id=pad))["documentAttributions"]["attributions"]
    assert await world.refused("grace", CHANGES, id="unknown") == "NOT_FOUND"
    assert await world.refused("grace", UNDO, id="unknown", u="somebody") == "NOT_FOUND"
    assert await world.refused("grace", CHANGES, id=pad, after="nowhere") == "NOT_FOUND"
    assert await world.refused("grace", CHANGES, id=pad, v=99) == "NOT_FOUND"
    assert await world.refused("grace", CHANGES, id=pad, r=99) == "REVISION_GONE"


async def test_who_may_only_read_goes_on_at_the_revision_of_their_first_page_and_at_no_other(world, pad):
    await world.ask("grace", SHARE, id=pad, email="gus@globex.example")

    async def part(**variables):
        return (await world.ask("gus", ATTRIBUTIONS, id=pad, **variables))["documentAttributions"]

    whole, first = await part(), await part(first=1)
    of_grace = (await attributions(world, pad, first=1))["nextCursor"]
    cursor = first["nextCursor"]
    await world.ask("ben", EDIT, id=pad, e={"replace": "Nothing of it"})
    rest = await part(after=cursor)
    assert rest == whole | {"attributions": whole["attributions"][1:]}
    earlier = f"{first['revision'] - 1}{cursor.removeprefix(str(first['revision']))}"
    for made_up in (earlier, of_grace, cursor[:-1], f"{first['revision']}-0", "1-0", "0-0"):
        assert await world.refused("gus", ATTRIBUTIONS, id=pad, after=made_up) == "NOT_FOUND"


async def test_a_cursor_of_attributions_is_good_in_its_document_alone(world, pad):
    cursor = (await attributions(world, pad, first=1))["nextCursor"]
    other = await world.item("grace", "Welcome")
    for number in range(5):
        await world.ask("grace", EDIT, id=other, e={"append": str(number)})
    assert await world.refused("grace", ATTRIBUTIONS, id=other, after=cursor) == "NOT_FOUND"


IMPORT = "mutation($id: ID!, $u: String!) { importYjsUpdate(documentId: $id, update: $u) { id } }"


async def type_into(world, pad, act, at=2):
    """Have Grace do something to the text of a paragraph, as an editor does."""
    stored = await world.ports.store.read(StateOf(pad))
    doc = load(stored.snapshot, stored.updates)
    before = doc.get_state()
    with doc.transaction():
        act(doc.get("default", type=XmlFragment).children[at].children[0])
    await world.ask("grace", IMPORT, id=pad, u=base64.b64encode(doc.get_update(before)).decode())


@pytest.fixture
def overtaken(world, monkeypatch):
    """Have something done after each of so many computations of an undo (or `of` other things), before it is recorded; counts them."""
    computed = []

    def overtake(act, times=1, of=world.ports.versions.changes, method="undoing"):
        compute = getattr(type(of), method)

        async def slowly(self, *args):
            made = await compute(self, *args)
            computed.append(made)
            if len(computed) <= times:
                await act()
            return made

        monkeypatch.setattr(type(of), method, slowly)
        return computed

    return overtake


async def test_what_is_typed_into_an_emptied_block_while_its_undo_is_computed_stays(world, pad, overtaken):
    """What is typed there names only letters that were deleted before, and not the block that the undo deletes."""
    await type_into(world, pad, lambda text: text.__delitem__(slice(0, len("Tea"))))
    agent = (await changes(world, pad, a="research-assistant"))["nodes"][-1]["by"]
    computed = overtaken(lambda: type_into(world, pad, lambda text: text.insert(0, "by hand")))
    done = await undo(world, pad, u=agent["userId"], a=agent["agent"])
    assert "by hand" in (await read(world, pad))["markdown"]
    assert [each["reason"] for each in done["skipped"]] == ["others_inside"]
    assert len(computed) == 2


async def test_what_is_typed_into_a_block_while_a_restore_that_deletes_it_is_computed_stays(world, pad, overtaken):
    world.later()
    await cut(world, pad)
    await world.ask("grace", EDIT, id=pad, e={"append": "Coffee\n\nCake"})
    restoring = {"of": world.ports.versions, "method": "restoring"}
    computed = overtaken(lambda: type_into(world, pad, lambda text: text.insert(0, "by hand "), at=4), **restoring)
    await world.ask("agent", RESTORE, id=pad, n=1)
    assert len(computed) == 2
    typed = [each for each in (await changes(world, pad))["nodes"] if "by hand" in each["inserted"]]
    assert [each["by"]["agent"] for each in typed] == [None]
    numbers = (await world.ask("grace", VERSIONS, id=pad))["document"]["versions"]["nodes"]
    before = await world.ask("grace", CONTENT, id=pad, n=numbers[1]["number"])
    assert "by hand Cake" in before["document"]["version"]["markdown"]


async def test_what_is_typed_beside_letters_that_an_undo_deletes_stays_without_another_computation(
    world, pad, overtaken
):
    edit = {"passages": [{"old": "Eggs", "new": "Eggs at last"}]}
    await world.ask("agent", EDIT, id=pad, e=edit)
    last = (await changes(world, pad))["nodes"][-1]
    typed = {"passages": [{"old": "last", "new": "last by hand"}]}
    computed = overtaken(lambda: world.ask("grace", EDIT, id=pad, e=typed))
    done = await undo(world, pad, ids=[last["id"]])
    assert "Eggs by hand\n" in (await read(world, pad))["markdown"]
    assert (len(computed), done["skipped"]) == (1, [])


async def test_an_undo_is_refused_where_others_go_on_writing_in_what_it_deletes(world, pad, overtaken):
    await world.ask("agent", EDIT, id=pad, e={"append": "\n\n".join(f"Cup {number}" for number in range(9))})
    agent = (await changes(world, pad))["nodes"][-1]["by"]

    async def typing():  # into another block each time, which the next computation keeps
        await type_into(world, pad, lambda text: text.insert(0, "by hand"), at=2 + len(computed))

    computed = overtaken(typing, times=99)
    told = await world.told("grace", UNDO, id=pad, u=agent["userId"], a=agent["agent"])
    assert told == ("REVISION_CHANGED", WRITTEN_MEANWHILE.message)
    now = (await read(world, pad))["markdown"]
    assert now.count("by hand") == len(computed) == MAX_TRIES
    assert now.count("Cup") == 9


async def test_what_is_typed_while_an_undo_is_computed_stays(world, pad, overtaken):
    """The first computation is overtaken by an edit in a block that it deletes."""
    overtaken(lambda: world.ask("grace", EDIT, id=pad, e={"passages": [{"old": "Tea", "new": "Tea for two"}]}))
    agent = (await changes(world, pad))["nodes"][-1]["by"]
    done = await undo(world, pad, u=agent["userId"], a=agent["agent"])
    assert "for two" in (await read(world, pad))["markdown"]
    assert [each["reason"] for each in done["skipped"]] == ["others_inside"]
    assert done["revision"] == (await read(world, pad))["item"]["revision"]


async def test_what_two_people_take_back_at_once_comes_back_once(world, pad, overtaken):
    await world.ask("agent", EDIT, id=pad, e={"passages": [{"old": "Eggs", "new": "E"}]})
    before = await read(world, pad)
    last = (await changes(world, pad))["nodes"][-1]
    computed = overtaken(lambda: undo(world, pad, who="ben", ids=[last["id"]]))
    done = await undo(world, pad, ids=[last["id"]])
    now = await read(world, pad)
    assert now["markdown"].count("ggs") == 1
    assert (len(computed), done["revision"]) == (3, now["item"]["revision"])
    assert done["revision"] == before["item"]["revision"] + 1


async def test_a_version_that_two_people_restore_at_once_is_restored_once(world, pad, overtaken):
    world.later()
    await cut(world, pad)
    last = (await read(world, pad))["versions"]["nodes"][0]["number"]
    await world.ask("grace", EDIT, id=pad, e={"passages": [{"old": "\n\nEggs", "new": ""}]})
    restoring = {"of": world.ports.versions, "method": "restoring"}
    computed = overtaken(lambda: world.ask("ben", RESTORE, id=pad, n=last), **restoring)
    await world.ask("grace", RESTORE, id=pad, n=last)
    assert (await read(world, pad))["markdown"].count("Eggs") == 1
    assert len(computed) == 3


async def test_deletions_from_before_they_were_credited_are_changes_without_an_author(world, pad):
    world.later()
    await cut(world, pad)
    await world.ask("ben", EDIT, id=pad, e={"passages": [{"old": "butter", "new": "oil"}]})
    before = (await read(world, pad))["markdown"]
    await world.ask("ben", EDIT, id=pad, e={"passages": [{"old": "Tea", "new": ""}]})
    await compact(world, pad)
    with psycopg.connect(str(world.ports.store.writers.conninfo)) as connection:
        credits_of = "select credits from document_snapshot where item_id = %s"
        (encoded,) = connection.execute(credits_of, [pad]).fetchone()
        without_deletions = msgspec.msgpack.encode(msgspec.msgpack.decode(encoded, strict=False)[:3])
        connection.execute("update document_snapshot set credits = %s where item_id = %s", [without_deletions, pad])
    listed = (await changes(world, pad))["nodes"]
    nobodys = [each for each in listed if each["by"] is None]
    assert {each["deleted"]: (each["kind"], each["path"], each["inserted"]) for each in nobodys} == {
        "bread": ("deleted", [0], ""),
        "butter": ("deleted", [0], ""),
        "Tea": ("deleted", None, ""),
    }
    assert "oil" in {each["inserted"] for each in listed if each["by"]}
    assert not [each for each in (await changes(world, pad, u=world.callers["ben"].user_id))["nodes"] if not each["by"]]
    tea = next(each for each in nobodys if each["deleted"] == "Tea")
    done = await undo(world, pad, ids=[tea["id"]])
    assert (done["changes"], done["skipped"]) == ([tea], [])
    assert (await read(world, pad))["markdown"] == before


async def test_what_was_done_since_a_time_is_listed_and_taken_back_also_where_only_its_minute_is_known(world, pad):
    world.later()
    await world.ask("agent", EDIT, id=pad, e={"append": "Coffee"})
    at = (await changes(world, pad))["nodes"][-1]["at"]
    assert not at.endswith(":00.000Z")
    await compact(world, pad)
    (coffee,) = (await changes(world, pad, t=at))["nodes"]
    assert (coffee["inserted"], coffee["at"]) == ("Coffee", f"{at[:-7]}00.000Z")
    done = await undo(world, pad, u=world.callers["agent"].user_id, a="research-assistant", t=at)
    assert [each["inserted"] for each in done["changes"]] == ["Coffee"]
    assert (await read(world, pad))["markdown"] == "Milk and butter\n\nEggs\n\nTea\n"


async def test_an_agent_is_taken_back_whole_however_many_changes_it_made(world, pad):
    """Others wrote in one block of its: that is the only one that is skipped, and the dry run says so."""
    many = "\n\n".join(f"Cup {number}" for number in range(MAX_IDS + 50))
    await world.ask("agent", EDIT, id=pad, e={"append": many})
    await world.ask("ben", EDIT, id=pad, e={"passages": [{"old": "Cup 222", "new": "Cup by hand 222"}]})
    agent = {"u": world.callers["agent"].user_id, "a": "research-assistant", "r": 0}
    tried = await undo(world, pad, **agent, dry=True)
    assert (len(tried["changes"]), tried["changesTotal"]) == (200, MAX_IDS + 50 + len(("butter", "Tea")))
    assert [each["reason"] for each in tried["skipped"]] == ["others_inside"]
    done = await undo(world, pad, **agent)
    assert {**done, "revision": 0, "item": 0} == {**tried, "revision": 0, "item": 0}
    assert (await read(world, pad))["markdown"] == "Milk and bread\n\nEggs\n\nby hand\n"


ATTEMPTS = [{"u": "agent"}, {"u": "agent", "dry": True}, {"ids": "all"}]
REMOVE = "mutation($d: ID!, $u: ID!) { removeMember(driveId: $d, userId: $u) { userId } }"
DRIVE = "query($id: ID!) { driveItem(id: $id) { driveId } }"
SHARED = """mutation($id: ID!, $email: EmailAddress!, $p: Permission!) {
  updateShare(itemId: $id, email: $email, permission: $p) { id } }"""
TRASH = "mutation($id: ID!) { trashItem(itemId: $id) { id } }"


async def asked_by(world, pad, asked):
    """Fill in whose changes, or which, are asked to be taken back."""
    if "ids" in asked:
        return {"ids": [each["id"] for each in (await changes(world, pad))["nodes"]]}
    return asked | {"u": world.callers["agent"].user_id}


@pytest.mark.parametrize("asked", ATTEMPTS)
async def test_a_right_that_ends_while_an_undo_is_computed_leaves_nothing(world, pad, overtaken, asked):
    before, variables = await read(world, pad), await asked_by(world, pad, asked)
    drive = (await world.ask("grace", DRIVE, id=pad))["driveItem"]["driveId"]
    computed = overtaken(lambda: world.ask("grace", REMOVE, d=drive, u=world.callers["ben"].user_id))
    assert await world.refused("ben", UNDO, id=pad, **variables) == "NOT_FOUND"
    assert len(computed) == 1
    assert await read(world, pad) == before


async def test_a_right_to_edit_that_ends_while_an_undo_is_computed_leaves_nothing(world, pad, overtaken):
    """Whoever may still read the document is told so."""
    gus = {"id": pad, "email": "gus@globex.example"}
    await world.ask("grace", SHARE, **gus)
    await world.ask("grace", SHARED, **gus, p="read_write")
    before = await read(world, pad)
    computed = overtaken(lambda: world.ask("grace", SHARED, **gus, p="read_only"))
    asked = {"u": world.callers["agent"].user_id, "a": "research-assistant"}
    assert await world.refused("gus", UNDO, id=pad, **asked) == "FORBIDDEN"
    assert len(computed) == 1
    assert await read(world, pad) == before


@pytest.mark.parametrize("asked", ATTEMPTS)
async def test_a_document_that_is_trashed_while_an_undo_is_computed_is_not_there(world, pad, overtaken, asked):
    variables = await asked_by(world, pad, asked)
    overtaken(lambda: world.ask("grace", TRASH, id=pad))
    assert await world.refused("ben", UNDO, id=pad, **variables) == "NOT_FOUND"


@pytest.mark.parametrize("asked", ATTEMPTS)
@pytest.mark.parametrize("is_computed", [False, True])
async def test_an_undo_that_is_cancelled_while_it_is_computed_leaves_the_document_as_it_was(
    world, pad, monkeypatch, asked, is_computed
):
    before, variables = await read(world, pad), await asked_by(world, pad, asked)
    reader, begun = type(world.ports.versions.changes), asyncio.Event()
    compute = reader.undoing

    async def held(self, *args):
        if is_computed:
            assert (await compute(self, *args)).computed.update
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(reader, "undoing", held)
    running = asyncio.create_task(undo(world, pad, **variables))
    async with asyncio.timeout(PATIENCE):
        await begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    monkeypatch.undo()
    assert await read(world, pad) == before
    assert (await undo(world, pad, **variables))["revision"] == before["item"]["revision"] + ("dry" not in asked)
