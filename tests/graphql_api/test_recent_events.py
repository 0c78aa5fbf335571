"""What happened in all drives and shares at once: nothing of what its reader does not see, and in parts that end."""

from persistence import recent_events
from persistence.reads import READS
from tests.graphql_api.asked import RENAME, SHARE, TRASH

ASKED = """query($by: ID, $agent: String, $item: ID, $types: [EventType!], $since: Timestamp, $n: Int!, $after: Cursor) {
  events(by: $by, agent: $agent, itemId: $item, types: $types, since: $since, first: $n, after: $after) {
    nodes { id type driveId itemId itemName by { name agent } at details } nextCursor } }"""
OF_DRIVE = """query($d: ID!) { driveEvents(driveId: $d, first: 200) {
  nodes { id type driveId itemId itemName by { name agent } at details } } }"""
NEW = """mutation($name: ItemName!) { createDrive(name: $name) { id } }"""
LEAVE = "mutation($d: ID!, $u: ID!) { removeMember(driveId: $d, userId: $u) { driveId } }"


async def found(world, who, size=200, **wanted):
    return (await world.ask(who, ASKED, n=size, **wanted))["events"]["nodes"]


async def test_events_of_all_drives_come_together_the_newest_first(world):
    other = (await world.ask("grace", NEW, name="Other"))["createDrive"]["id"]
    pad = await world.item("grace", "Scratch pad")
    await world.ask("agent", RENAME, id=pad, name="By the agent")
    every = await found(world, "grace")
    drives = (await world.ask("grace", "{ drives { nodes { id } } }"))["drives"]["nodes"]
    apart = [
        each for drive in drives for each in (await world.ask("grace", OF_DRIVE, d=drive["id"]))["driveEvents"]["nodes"]
    ]
    assert every == sorted(apart, key=lambda each: -int(each["id"]))
    assert every[0]["itemName"] == "By the agent"
    assert every[0]["by"] == {"agent": "research-assistant", "name": "Ada Lovelace"}
    assert every[1]["driveId"] == other


async def test_they_are_filtered_as_those_of_a_drive(world):
    pad = await world.item("grace", "Scratch pad")
    world.later()
    await world.ask("agent", RENAME, id=pad, name="By the agent")
    await world.ask("ben", RENAME, id=pad, name="By Ben")
    ada = world.callers["ada"].user_id
    assert [each["by"]["name"] for each in await found(world, "ben", by=ada, item=pad, types=["itemRenamed"])] == [
        "Ada Lovelace"
    ]
    assert [each["by"]["agent"] for each in await found(world, "ben", agent="", types=["itemRenamed"])] == [None]
    last = (await found(world, "ben", 1, item=pad))[0]
    assert await found(world, "ben", since=last["at"], types=["itemRenamed"]) == [last]
    assert await found(world, "ben", item="'; --") == await found(world, "ben", types=[]) == []


async def test_of_a_share_only_what_happened_since_it_was_given_and_no_shares_of_others(world):
    pad = await world.item("grace", "Scratch pad")
    await world.ask("grace", RENAME, id=pad, name="Before")
    assert await found(world, "gus", item=pad) == []
    world.later()
    await world.ask("grace", SHARE, id=pad, email="gus@globex.example")
    await world.ask("grace", SHARE, id=pad, email="somebody@globex.example")
    await world.ask("grace", RENAME, id=pad, name="After")
    seen = await found(world, "gus", item=pad, types=["itemRenamed", "itemShared"])
    assert [(each["type"], each["itemName"]) for each in seen] == [("itemRenamed", "After"), ("itemShared", "After")]
    assert seen[1]["details"]["email"] == "gus@globex.example"
    assert not {"userId", "givenBy"} & seen[1]["details"].keys()
    await world.ask("grace", TRASH, id=pad)
    assert [each["type"] for each in await found(world, "gus", item=pad)] == ["itemTrashed"]


async def test_who_sees_nothing_reads_of_nothing_and_who_left_a_drive_no_more_of_it(world):
    drive = await world.drive("grace", "Engineering")
    assert drive not in {each["driveId"] for each in await found(world, "gus")}
    assert drive in {each["driveId"] for each in await found(world, "ben")}
    await world.ask("grace", LEAVE, d=drive, u=world.callers["ben"].user_id)
    assert drive not in {each["driveId"] for each in await found(world, "ben")}


async def test_parts_neither_lose_nor_repeat_an_event_however_few_are_looked_at(world, monkeypatch):
    pad = await world.item("grace", "Scratch pad")
    for number in range(20):
        await world.ask("grace", RENAME, id=pad, name=f"Name {number}")
    whole = await found(world, "grace")
    few = recent_events._RECENT.replace(str(recent_events.MAX_SCANNED), "7")
    assert few != recent_events._RECENT
    kind = recent_events.RecentEvents
    monkeypatch.setitem(READS, kind, type(READS[kind])(few, READS[kind].answer, READS[kind].arguments))
    for size, wanted in ((200, {}), (3, {}), (2, {"types": ["itemRenamed"]}), (50, {"types": ["driveCreated"]})):
        read, after, parts = [], None, 0
        while parts == 0 or after is not None:
            page = (await world.ask("grace", ASKED, n=size, after=after, **wanted))["events"]
            read, after, parts = [*read, *page["nodes"]], page["nextCursor"], parts + 1
            assert len(page["nodes"]) <= size
        assert parts > 1
        kinds = wanted.get("types")
        assert read == [each for each in whole if kinds is None or each["type"] in kinds]


async def test_a_list_ends_at_the_moment_since_which_it_is_asked_for(world, monkeypatch):
    pad = await world.item("grace", "Scratch pad")
    for number in range(20):
        await world.ask("grace", RENAME, id=pad, name=f"Name {number}")
    for _ in range(3):
        world.later()
    await world.ask("grace", RENAME, id=pad, name="Now")
    few = recent_events._RECENT.replace(str(recent_events.MAX_SCANNED), "7")
    kind = recent_events.RecentEvents
    monkeypatch.setitem(READS, kind, type(READS[kind])(few, READS[kind].answer, READS[kind].arguments))
    latest = (await found(world, "grace", 1))[0]
    page = (await world.ask("grace", ASKED, n=50, since=latest["at"]))["events"]
    assert page == {"nodes": [latest], "nextCursor": None}
