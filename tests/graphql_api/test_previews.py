"""Previews of moves and shares: whom they name, and that they are refused as the acts would be."""

import pytest

CHANGE = "email userId name before { permission role } after { permission role } because { role permission itemName }"
LISTS = f"gains {{ {CHANGE} }} loses {{ {CHANGE} }} keeps {{ {CHANGE} }} otherGains otherLoses otherKeeps"
MOVE = f"""query($id: ID!, $drive: ID!, $parent: ID) {{
  preview: movePreview(itemId: $id, driveId: $drive, parentId: $parent) {{ {LISTS} }} }}"""
SHARE = f"""query($id: ID!, $email: EmailAddress!, $permission: Permission!) {{
  preview: sharePreview(itemId: $id, email: $email, permission: $permission) {{ {LISTS} }} }}"""
MOVED = (
    "mutation($id: ID!, $drive: ID!, $parent: ID) { moveItem(itemId: $id, driveId: $drive, parentId: $parent) { id } }"
)
SHARED = """mutation($id: ID!, $email: EmailAddress!, $permission: Permission!) {
  shareItem(itemId: $id, email: $email, permission: $permission) { id } }"""
EXPLAIN = (
    """query($id: ID!, $email: EmailAddress!) { access(itemId: $id, email: $email) { permission capabilities } }"""
)
CREATE = """mutation($id: ID!, $name: ItemName!) {
  createChild(itemId: $id, name: $name, driveItemType: folder) { id } }"""


async def foreseen(world, who, asked, **inputs):
    return (await world.ask(who, asked, **inputs))["preview"]


def levels(changes):
    return {each["name"]: (each["before"]["role"], each["after"]["role"]) for each in changes}


async def test_a_move_to_another_drive_names_who_gains_and_who_loses_and_why(world):
    plan, research = await world.item("ada", "Orbit plan"), await world.drive("ada", "Research")
    told = await foreseen(world, "ada", MOVE, id=plan, drive=research, parent=None)
    assert levels(told["gains"]) == {"Ada Lovelace": ("manager", "owner"), "Cleo Strand": (None, "contributor")}
    assert levels(told["loses"]) == {"Ben Franklin": ("contributor", None), "Grace Hopper": ("owner", None)}
    assert (told["keeps"], told["otherGains"], told["otherLoses"], told["otherKeeps"]) == ([], 0, 0, 0)
    cleo = next(each for each in told["gains"] if each["name"] == "Cleo Strand")
    assert cleo["because"] == [{"role": "contributor", "permission": None, "itemName": None}]
    ben = next(each for each in told["loses"] if each["name"] == "Ben Franklin")
    assert ben["because"] == [{"role": "contributor", "permission": None, "itemName": None}]
    assert (ben["before"]["permission"], ben["after"]["permission"]) == ("read_write", None)
    await world.ask("ada", MOVED, id=plan, drive=research, parent=None)
    for each in told["gains"] + told["loses"]:
        explained = (await world.ask("ada", EXPLAIN, id=plan, email=each["email"]))["access"]
        assert explained["permission"] == each["after"]["permission"]


async def test_who_may_move_and_not_share_is_told_their_own_access_and_the_number_of_all_others(world):
    orbit, plan = await world.item("cleo", "Orbit"), await world.item("cleo", "Orbit plan")
    drive = (await world.ask("cleo", "query($id: ID!) { driveItem(id: $id) { driveId } }", id=plan))["driveItem"][
        "driveId"
    ]
    inside = (await world.ask("cleo", CREATE, id=orbit, name="Inside"))["createChild"]["id"]
    told = await foreseen(world, "cleo", MOVE, id=plan, drive=drive, parent=inside)
    assert [each["email"] for each in told["keeps"]] == ["cleo@acme.example"]
    assert told["keeps"][0]["because"] == [{"role": None, "permission": "read_write", "itemName": "Orbit"}]
    assert (told["gains"], told["loses"], told["otherKeeps"]) == ([], [], 3)
    assert (told["otherGains"], told["otherLoses"]) == (0, 0)


async def test_a_share_names_whom_it_reaches_and_who_has_access_already(world):
    plan = await world.item("ben", "Orbit plan")
    told = await foreseen(world, "ben", SHARE, id=plan, email="gus@globex.example", permission="read_only")
    (gus,) = told["gains"]
    assert (gus["email"], gus["userId"], gus["name"]) == ("gus@globex.example", None, None)
    assert gus["because"] == [{"role": None, "permission": "read_only", "itemName": "Orbit plan"}]
    assert [each["email"].partition("@")[0] for each in told["keeps"]] == ["ada", "ben", "cleo", "grace"]
    again = await foreseen(world, "ben", SHARE, id=plan, email="cleo@acme.example", permission="read_only")
    assert again["gains"] == [], "she may write already"


async def test_an_address_that_nobody_has_answers_like_one_without_access(world):
    plan = await world.item("ben", "Orbit plan")
    known, unknown = [
        await foreseen(world, "ben", SHARE, id=plan, email=email, permission="read_write")
        for email in ("gus@globex.example", "nobody@globex.example")
    ]
    assert known["gains"][0] | {"email": ""} == unknown["gains"][0] | {"email": ""}
    assert known["keeps"] == unknown["keeps"]
    unasked = (await world.ask("ben", EXPLAIN, id=plan, email="nobody@globex.example"))["access"]
    assert unasked == (await world.ask("ben", EXPLAIN, id=plan, email="gus@globex.example"))["access"]


async def test_what_would_be_refused_is_refused_as_the_act_is(world):
    plan, welcome = await world.item("ben", "Orbit plan"), await world.item("ben", "Welcome")
    orbit, strategy = await world.item("ben", "Orbit"), await world.item("gus", "Strategy")
    research, plans = await world.drive("ada", "Research"), await world.drive("gus", "Globex plans")
    engineering, nothing = await world.drive("ben", "Engineering"), world.ports.ids()
    for who, inputs in (
        ("ben", {"id": plan, "drive": research, "parent": None}),  # a drive that he is no member of
        ("ada", {"id": plan, "drive": plans, "parent": None}),  # hidden
        ("ada", {"id": plan, "drive": plans, "parent": strategy}),
        ("ada", {"id": nothing, "drive": research, "parent": None}),
        ("gus", {"id": plan, "drive": plans, "parent": None}),
        ("cleo", {"id": orbit, "drive": engineering, "parent": None}),
        ("ada", {"id": plan, "drive": engineering, "parent": welcome}),
        ("ada", {"id": orbit, "drive": engineering, "parent": orbit}),
        ("ada", {"id": plan, "drive": research, "parent": orbit}),
        ("ada", {"id": plan, "drive": engineering}),
        ("ada", {"id": "no id", "drive": "'; --", "parent": "\ufffd"}),
    ):
        assert await world.told(who, MOVE, **inputs) == await world.told(who, MOVED, **inputs), inputs
    for who, inputs in (
        ("gus", {"id": plan, "email": "gus@globex.example", "permission": "read_only"}),
        ("cleo", {"id": plan, "email": "ben@acme.example", "permission": "read_only"}),
        ("ben", {"id": plan, "email": "ben@acme.example", "permission": "read_only"}),
        ("ben", {"id": orbit, "email": "cleo@acme.example", "permission": "read_only"}),
        ("ben", {"id": nothing, "email": "cleo@acme.example", "permission": "read_only"}),
        ("ben", {"id": plan, "email": "nobody", "permission": "read_only"}),
    ):
        assert await world.told(who, SHARE, **inputs) == await world.told(who, SHARED, **inputs), inputs


async def test_a_published_document_must_be_unpublished_first(world):
    member = "mutation($d: ID!, $u: ID!) { upsertMember(driveId: $d, userId: $u, role: contributor) { id } }"
    research = await world.drive("cleo", "Research")
    drives = await world.drive("grace", "Engineering")
    await world.ask("ada", member, d=research, u=world.callers["grace"].user_id)
    welcome = await world.item("grace", "Welcome")
    inputs = {"id": welcome, "drive": research, "parent": None}
    assert (await world.told("grace", MOVE, **inputs))[0] == "UNPUBLISH_FIRST"
    assert await world.told("grace", MOVE, **inputs) == await world.told("grace", MOVED, **inputs)
    assert (await foreseen(world, "grace", MOVE, id=welcome, drive=drives, parent=None))["loses"] == []


@pytest.mark.parametrize("permission", ["read_only", "read_write"])
async def test_nothing_is_done_by_foreseeing_it(world, permission):
    plan, research = await world.item("ada", "Orbit plan"), await world.drive("ada", "Research")
    asked = "query($id: ID!) { driveItemOverview(id: $id) { item { driveId updatedAt } shares { email } } }"
    before = await world.ask("ada", asked, id=plan)
    await foreseen(world, "ada", MOVE, id=plan, drive=research, parent=None)
    await foreseen(world, "ada", SHARE, id=plan, email="gus@globex.example", permission=permission)
    assert await world.ask("ada", asked, id=plan) == before
