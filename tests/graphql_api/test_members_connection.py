"""The members of drives, page by page and for many drives at once."""

PAGE = """query($d: ID!, $n: Int!, $after: Cursor) { drive(id: $d) { members { userId } membersConnection(first: $n, after: $after) {
  nodes { userId name role } totalCount nextCursor } } }"""
OF_ALL = "{ drives { nodes { name members { name } membersConnection(first: 2) { nodes { name } totalCount } } } }"
OF_ONE_SHARED = """query($id: ID!) { driveItem(id: $id) { drive { membersConnection { nodes { name } totalCount nextCursor } } } }"""


async def test_pages_hold_every_member_once_in_the_order_of_the_whole_list(world):
    drive, after, found, totals = await world.drive("grace", "Engineering"), None, [], []
    while not totals or after:
        answer = (await world.ask("grace", PAGE, d=drive, n=1, after=after))["drive"]
        page = answer["membersConnection"]
        found += [each["userId"] for each in page["nodes"]]
        totals.append(page["totalCount"])
        after = page["nextCursor"]
    assert found == [each["userId"] for each in answer["members"]]
    assert len(found) > 2
    assert totals == [len(found), *[None] * (len(found) - 1)]


async def test_the_members_of_many_drives_are_one_look_up(world, statements):
    await world.ask("grace", 'mutation { createDrive(name: "Another") { id } }')
    statements.clear()
    drives = (await world.ask("grace", OF_ALL))["drives"]["nodes"]
    assert len(drives) > 2
    for drive in drives:
        page = drive["membersConnection"]
        assert page["nodes"] == drive["members"][:2]
        assert page["totalCount"] == len(drive["members"])
    assert sum("cross join lateral" in each and "drive_member" in each for each in statements) == 1


async def test_who_is_no_member_is_told_of_no_members(world):
    notes = await world.item("grace", "Welcome")
    await world.ask(
        "grace",
        'mutation($id: ID!) { shareItem(itemId: $id, email: "gus@globex.example", permission: read_only) { id } }',
        id=notes,
    )
    told = (await world.ask("gus", OF_ONE_SHARED, id=notes))["driveItem"]["drive"]
    assert told == {"membersConnection": {"nodes": [], "totalCount": 0, "nextCursor": None}}


async def test_a_cursor_of_no_member_and_a_page_of_no_size_are_refused(world):
    drive = await world.drive("grace", "Engineering")
    assert (await world.told("grace", PAGE, d=drive, n=2, after="bm9wZQ"))[0] == "NOT_FOUND"
    assert (await world.told("grace", PAGE, d=drive, n=0))[0] == "BAD_REQUEST"
