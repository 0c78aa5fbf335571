"""What the schema adds to the contract's rows: viewer, organizations, keys, trash, search, explain, events."""

import asyncio
import base64
from dataclasses import replace

import pytest

from accounts.provisioning import add_to_organization, make_account, make_key, record
from codegen.reference import MEANINGS
from contract.descriptions import DESCRIPTIONS
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from domain.account import EmailVerified
from domain.caller import Credential, CredentialKind
from domain.errors import Code, Rejection
from domain.organization import OrganizationRole
from domain.questions import Both, CredentialIsValid, RightsOfFollowers
from domain.values import Email
from graphql_api.context import Context
from graphql_api.schema import build
from persistence.store import PostgresStore
from tests.graphql_api.asked import READ, RENAME, TRASH
from tests.graphql_api.world import world_caller

RESTORE = "mutation($id: ID!) { restoreItem(itemId: $id) { id parentId trashedAt published } }"
CREATE = """mutation($drive: ID!, $name: ItemName!, $type: DriveItemType!) {
  createItem(driveId: $drive, name: $name, driveItemType: $type) { id } }"""


async def test_the_viewer_is_whoever_the_credential_says(world):
    asked = "{ viewer { name email agent activeOrganization { name role } organizations { name members { name } } } }"
    viewer = (await world.ask("agent", asked))["viewer"]
    assert (viewer["name"], viewer["agent"]) == ("Ada Lovelace", "research-assistant")
    assert viewer["activeOrganization"] == {"name": "Acme", "role": "member"}
    assert sorted(member["name"] for member in viewer["organizations"][0]["members"]) == [
        "Ada Lovelace",
        "Ben Franklin",
        "Cleo Strand",
        "Grace Hopper",
    ]


async def test_a_drive_leads_on_to_its_items_their_children_and_back(world):
    asked = """query($id: ID!) { drive(id: $id) { name role members { name role } items { nodes {
      name children { nodes { name ancestors { name } drive { name } } } } pageInfo { hasNextPage } } } }"""
    drive = (await world.ask("grace", asked, id=await world.drive("grace", "Engineering")))["drive"]
    assert (drive["name"], drive["role"]) == ("Engineering", "owner")
    assert [item["name"] for item in drive["items"]["nodes"]] == ["Handbook", "Projects", "Scratch pad"]
    assert drive["items"]["nodes"][0]["children"]["nodes"] == [
        {"name": "Release checklist", "ancestors": [{"name": "Handbook"}], "drive": {"name": "Engineering"}},
        {"name": "Welcome", "ancestors": [{"name": "Handbook"}], "drive": {"name": "Engineering"}},
    ]


async def test_lists_are_read_page_by_page(world):
    asked = """query($id: ID!, $after: Cursor) { drive(id: $id) {
      items(first: 1, after: $after) { nodes { name } edges { cursor node { name } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }"""
    drive, names, after = await world.drive("grace", "Engineering"), [], None
    while True:
        page = (await world.ask("grace", asked, id=drive, after=after))["drive"]["items"]
        names += [node["name"] for node in page["nodes"]]
        assert [edge["node"] for edge in page["edges"]] == page["nodes"]
        assert page["pageInfo"]["hasPreviousPage"] == (after is not None)
        after = page["pageInfo"]["endCursor"]
        assert after == page["edges"][-1]["cursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert names == ["Handbook", "Projects", "Scratch pad"]


@pytest.mark.parametrize("size", [0, -1, 201, 2**31 - 1])
@pytest.mark.parametrize(
    "field",
    [
        "drives(first: $n) { nodes { name } }",
        "sharedWithMe(first: $n) { nodes { name } }",
        "viewer { starred(first: $n) { nodes { name } } }",
        "trash(first: $n) { nodes { name } }",
        'search(text: "a", first: $n) { nodes { name } }',
        "drives { nodes { items(first: $n) { nodes { name } } } }",
        "driveItem(id: $i) { children(first: $n) { nodes { name } } }",
        "document(id: $w) { versions(first: $n) { nodes { number } } }",
        "driveEvents(driveId: $d, first: $n) { nodes { id } }",
        "driveOrganizationMembers(driveId: $d, first: $n) { nodes { userId } }",
    ],
)
async def test_a_page_of_another_size_than_1_to_200_is_refused_by_the_argument_s_name(world, field, size):
    places = {
        "d": await world.drive("grace", "Engineering"),
        "i": await world.item("grace", "Handbook"),
        "w": await world.item("grace", "Welcome"),
    }
    used = {name: id_ for name, id_ in places.items() if f"${name}" in field}
    asked = f"query($n: Int!{''.join(f', ${name}: ID!' for name in used)}) {{ {field} }}"
    told = await world.told("grace", asked, n=size, **used)
    assert told == ("BAD_REQUEST", "`first` must be from 1 to 200")


@pytest.mark.parametrize(
    "field",
    [
        "drives(after: $c) { nodes { name } }",
        "driveListing(cursor: $c) { nextCursor }",
        "sharedWithMe(after: $c) { nodes { name } }",
        "viewer { starred(after: $c) { nodes { name } } }",
        "trash(after: $c) { nodes { name } }",
        'search(text: "a", after: $c) { nodes { name } }',
        "drive(id: $d) { items(after: $c) { nodes { name } } }",
        "driveItem(id: $i) { children(after: $c) { nodes { name } } }",
        "driveEvents(driveId: $d, after: $c) { nodes { id } }",
        'driveEvents(driveId: $d, agent: "x", after: $c) { nodes { id } }',
        "driveOrganizationMembers(driveId: $d, after: $c) { nodes { userId } }",
    ],
)
async def test_what_is_no_cursor_is_malformed_and_one_of_no_such_list_finds_nothing(world, field):
    places = {"d": await world.drive("grace", "Engineering"), "i": await world.item("grace", "Handbook")}
    asked = f"query($c: Cursor!, $d: ID, $i: ID) {{ {field} }}".replace(
        ", $d: ID", ", $d: ID!" if "$d" in field else ""
    )
    asked = asked.replace(", $i: ID)", ", $i: ID!)" if "$i" in field else ")")
    for cursor in ("nonsense", "AAAA", "a", "_-", "0" * 8192):
        assert await world.refused("grace", asked, c=cursor, **places) == "NOT_FOUND", cursor
    for broken in ("", "no cursor", "a=", "a+b", "\0", "é", "a\n", "0" * 8193):
        assert await world.refused("grace", asked, c=broken, **places) == "BAD_REQUEST", broken


GONE = "0192f3c4-8a10-7b6e-9c41-2f60d1a57e03"


@pytest.mark.parametrize(
    "field",
    [
        "driveItem(id: $i) { id }",
        "driveItemOverview(id: $i) { item { id } }",
        "shareSuggestions(itemId: $i) { email }",
        "document(id: $i) { markdown }",
        "drive(id: $i) { id }",
        'access(itemId: $i, email: "ada@acme.example") { permission }',
        "driveEvents(driveId: $i) { nodes { id } }",
        "organization(id: $i) { id }",
    ],
)
async def test_an_id_that_is_gone_leaves_the_rest_of_an_answer(world, field):
    text = f"query($i: ID!, $h: ID!) {{ gone: {field} driveItem(id: $h) {{ name }} viewer {{ name }} }}"
    handbook = await world.item("grace", "Handbook")
    result = await world.run("grace", text, i=GONE, h=handbook)
    assert result.data == {"gone": None, "driveItem": {"name": "Handbook"}, "viewer": {"name": "Grace Hopper"}}
    (error,) = result.errors
    assert (error.extensions["code"], error.path) == ("NOT_FOUND", ["gone"])


async def test_a_grantee_sees_no_more_of_the_drive_than_that_it_is_there(world):
    asked = "query($id: ID!) { driveItem(id: $id) { parentId role permission drive { name role capabilities } shares { email } } }"
    orbit = await world.item("grace", "Orbit")
    seen = (await world.ask("cleo", asked, id=orbit))["driveItem"]
    assert seen == {
        "parentId": None,
        "role": None,
        "permission": "read_write",
        "drive": {"name": "", "role": None, "capabilities": []},
        "shares": [{"email": "cleo@acme.example"}],
    }
    drive = await world.drive("grace", "Engineering")
    assert await world.refused("cleo", "query($id: ID!) { drive(id: $id) { id } }", id=drive) == "NOT_FOUND"


async def test_what_is_trashed_is_gone_but_for_the_trash_and_comes_back_unpublished(world):
    welcome, handbook = await world.item("grace", "Welcome"), await world.item("grace", "Handbook")
    trashed = (await world.ask("grace", TRASH, id=welcome))["trashItem"]
    assert trashed["trashedAt"]
    assert trashed["capabilities"] == ["trash", "deleteForever"]
    assert await world.refused("grace", READ, id=welcome) == "NOT_FOUND"
    assert (await world.ask("ben", "{ trash { nodes { name } } }"))["trash"]["nodes"] == [{"name": "Welcome"}]
    restored = (await world.ask("ben", RESTORE, id=welcome))["restoreItem"]
    assert restored == {"id": welcome, "parentId": handbook, "trashedAt": None, "published": False}


async def test_an_item_comes_back_to_the_nearest_place_that_is_left(world):
    orbit, plan = await world.item("grace", "Orbit"), await world.item("grace", "Orbit plan")
    projects = await world.item("grace", "Projects")
    for trashed in (plan, orbit, projects):
        await world.ask("grace", TRASH, id=trashed)
    assert (await world.ask("grace", RESTORE, id=plan))["restoreItem"]["parentId"] is None
    await world.ask("grace", RESTORE, id=projects)
    assert (await world.ask("grace", RESTORE, id=orbit))["restoreItem"]["parentId"] == projects


async def test_what_is_not_in_the_trash_is_restored_to_where_it_is_and_the_page_says_so(world):
    pad = await world.item("grace", "Scratch pad")
    before = (await world.ask("grace", "query($id: ID!) { driveItem(id: $id) { parentId } }", id=pad))["driveItem"]
    assert (await world.ask("grace", RESTORE, id=pad))["restoreItem"]["parentId"] == before["parentId"]
    assert "restored or deleted" not in MEANINGS[Code.NOT_IN_TRASH]
    assert "returns it unchanged" in MEANINGS[Code.NOT_IN_TRASH]


async def test_what_is_shared_with_a_member_of_its_drive_is_in_both_lists_and_the_tool_says_so(world):
    lists = "{ sharedWithMe { nodes { id } } drives { nodes { items(first: 200) { nodes { id } } } } }"
    folder = await world.item("ada", "Projects")
    share = "mutation($id: ID!, $e: EmailAddress!) { shareItem(itemId: $id, email: $e, permission: read_only) { id } }"
    await world.ask("grace", share, id=folder, e="ada@acme.example")
    found = await world.ask("ada", lists)
    assert folder in [node["id"] for node in found["sharedWithMe"]["nodes"]]
    assert folder in [node["id"] for drive in found["drives"]["nodes"] for node in drive["items"]["nodes"]]
    assert "no member of" not in DESCRIPTIONS["driveItems.sharedWithMe"].text


async def test_only_an_owner_deletes_for_ever_and_only_from_the_trash(world):
    forever = "mutation($id: ID!) { deleteItemForever(itemId: $id) { id } }"
    pad = await world.item("grace", "Scratch pad")
    assert await world.refused("ada", forever, id=pad) == "FORBIDDEN"
    assert await world.refused("grace", forever, id=pad) == "NOT_IN_TRASH"
    await world.ask("ben", TRASH, id=pad)
    await world.ask("grace", forever, id=pad)
    assert await world.refused("grace", RESTORE, id=pad) == "NOT_FOUND"


async def test_a_drive_is_deleted_when_nothing_is_left_in_it_or_in_its_trash(world):
    delete = "mutation($id: ID!) { deleteDrive(driveId: $id) { id } }"
    drive = await world.drive("gus", "Globex plans")
    assert await world.refused("gus", delete, id=drive) == "DRIVE_NOT_EMPTY"
    strategy = await world.item("gus", "Strategy")
    await world.ask("gus", TRASH, id=strategy)
    assert await world.refused("gus", delete, id=drive) == "DRIVE_NOT_EMPTY"
    assert (await world.ask("gus", "{ trash { nodes { id } } }"))["trash"]["nodes"] == [{"id": strategy}]
    await world.ask("gus", "mutation($id: ID!) { deleteItemForever(itemId: $id) { id } }", id=strategy)
    await world.ask("gus", delete, id=drive)
    assert await world.refused("gus", "query($id: ID!) { drive(id: $id) { id } }", id=drive) == "NOT_FOUND"


async def test_search_finds_names_that_the_caller_sees_and_no_others(world):
    asked = "query($t: String!) { search(text: $t) { nodes { name } edges { foundIn } } }"
    found = (await world.ask("cleo", asked, t="orbit pl"))["search"]
    assert found == {"nodes": [{"name": "Orbit plan"}], "edges": [{"foundIn": ["name", "content"]}]}
    assert (await world.ask("gus", asked, t="orbit"))["search"]["nodes"] == []


async def test_explain_says_what_somebody_may_do_and_because_of_which_share(world):
    asked = """query($id: ID!, $email: EmailAddress!) { access(itemId: $id, email: $email) {
      permission capabilities because { role permission itemName givenBy givenByName } } }"""
    plan = await world.item("grace", "Orbit plan")
    explained = (await world.ask("ben", asked, id=plan, email="Cleo@Acme.example"))["access"]
    assert explained["permission"] == "read_write"
    assert explained["capabilities"] == ["read", "edit", "move", "trash", "versions"]
    assert explained["because"] == [
        {
            "role": None,
            "permission": "read_write",
            "itemName": "Orbit",
            "givenBy": world.callers["grace"].user_id,
            "givenByName": world.callers["grace"].name,
        }
    ]
    nobody = (await world.ask("ben", asked, id=plan, email="nobody@example.com"))["access"]
    assert (nobody["permission"], nobody["because"]) == (None, [])
    assert await world.refused("cleo", asked, id=plan, email="ben@acme.example") == "FORBIDDEN"
    role = (await world.ask("cleo", asked, id=plan, email="cleo@acme.example"))["access"]
    assert role["permission"] == "read_write"


async def test_every_change_is_in_the_record_with_user_and_agent(world):
    asked = """query($id: ID!, $after: Cursor) { driveEvents(driveId: $id, first: 1, after: $after) {
      nodes { type itemId by { name agent } details } pageInfo { endCursor hasNextPage } } }"""
    plan, drive = await world.item("grace", "Orbit plan"), await world.drive("grace", "Engineering")
    renamed = (await world.ask("agent", RENAME, id=plan, name="A better plan"))["renameItem"]
    assert renamed["updatedBy"] == {"name": "Ada Lovelace", "agent": "research-assistant"}
    page = (await world.ask("ben", asked, id=drive))["driveEvents"]
    assert page["nodes"][0]["type"] == "itemRenamed"
    assert page["nodes"][0]["itemId"] == plan
    assert page["nodes"][0]["by"] == {"name": "Ada Lovelace", "agent": "research-assistant"}
    assert page["nodes"][0]["details"]["name"] == "A better plan"
    older = (await world.ask("ben", asked, id=drive, after=page["pageInfo"]["endCursor"]))["driveEvents"]
    assert older["nodes"][0]["type"] != "itemRenamed"
    assert await world.refused("cleo", asked, id=drive) == "NOT_FOUND"


async def test_the_same_name_again_is_no_change(world):
    asked = "query($id: ID!) { driveEvents(driveId: $id, first: 1) { nodes { id } } }"
    plan, drive = await world.item("grace", "Orbit plan"), await world.drive("grace", "Engineering")
    before = await world.ask("grace", asked, id=drive)
    await world.ask("grace", RENAME, id=plan, name="Orbit plan")
    assert await world.ask("grace", asked, id=drive) == before


async def test_whoever_follows_a_drive_is_told_until_they_lose_it(world):
    asked = "subscription($id: ID!) { driveEvents(driveId: $id) { type details } }"
    plan, drive = await world.item("grace", "Orbit plan"), await world.drive("grace", "Engineering")
    stream = await build().subscribe(asked, {"id": drive}, {"context": Context(world.ports, world.callers["ben"])})
    told = aiter(stream)
    first = anext(told)
    waiting = asyncio.ensure_future(first)
    while not waiting.done():
        await world.ask("grace", RENAME, id=plan, name=f"Plan {world.ports.ids()}")
        for _ in range(20):
            await asyncio.sleep(0)
    assert (await waiting).data["driveEvents"]["type"] == "itemRenamed"
    remove = "mutation($d: ID!, $u: ID!) { removeMember(driveId: $d, userId: $u) { userId } }"
    await world.ask("grace", remove, d=drive, u=world.callers["ben"].user_id)
    last = [result async for result in told][-1]
    assert last.errors[0].extensions["code"] == "NOT_FOUND"


@pytest.fixture
def event_reads(world, monkeypatch):
    """How many followers each read of a drive's events was for, and from how many places."""
    store, reads = world.ports.store, []

    async def read(question):
        if isinstance(question, Both) and isinstance(question.one, RightsOfFollowers):
            reads.append((len(question.one.followers), len(question.other.questions)))
        return await PostgresStore.read(store, question)

    monkeypatch.setattr(store, "read", read)
    return reads


async def test_all_who_follow_a_drive_are_told_by_one_read(world, event_reads):
    asked = "subscription($id: ID!) { driveEvents(driveId: $id) { details } }"
    pad, drive = await world.item("grace", "Scratch pad"), await world.drive("grace", "Engineering")

    async def follow(who, told):
        context = Context(world.ports, world.callers[who])
        async for result in await build().subscribe(asked, {"id": drive}, {"context": context}):
            await told.put(result.data["driveEvents"]["details"]["name"])

    async def rename(name):
        await world.ask("grace", RENAME, id=pad, name=name)
        for told in following:
            while await told.get() != name:
                pass

    async with asyncio.TaskGroup() as group:
        following = {}
        for who in ("ben", "ada", "ben", "grace"):
            told = asyncio.Queue()
            following[told] = group.create_task(follow(who, told))
            while told.empty():
                await world.ask("grace", RENAME, id=pad, name=f"Pad {world.ports.ids()}")
        await rename("from the places where each began")
        event_reads.clear()
        await rename("from one place")
        for task in following.values():
            task.cancel()
    assert event_reads == [(3, 1)], "of three people, one of whom follows twice"


async def test_a_revoked_key_ends_what_is_followed_with_it(world):
    asked = "subscription($id: ID!) { driveEvents(driveId: $id) { type } }"
    revoke = "mutation($id: ID!) { revokeApiKey(id: $id) { id } }"
    pad, drive = await world.item("grace", "Scratch pad"), await world.drive("grace", "Engineering")
    stream = await build().subscribe(asked, {"id": drive}, {"context": Context(world.ports, world.callers["ben"])})
    waiting = asyncio.ensure_future(anext(aiter(stream)))
    await world.ask(await world.browser_of("ben"), revoke, id=world.callers["ben"].key_id)
    while not waiting.done():
        await world.ask("grace", RENAME, id=pad, name=f"Pad {world.ports.ids()}")
        await asyncio.sleep(0)
    assert (await waiting).errors[0].extensions["code"] == "UNAUTHORIZED"


async def test_a_key_is_shown_once_acts_as_its_maker_and_is_gone_when_revoked(world):
    create = """mutation { createApiKey(name: "Robot", agent: "tidy-bot") {
      secret apiKey { id name agent prefix lastFour organizationId } } }"""
    ben = await world.browser_of("ben")
    created = (await world.ask(ben, create))["createApiKey"]
    key = created["apiKey"]
    assert created["secret"].startswith(key["prefix"])
    assert created["secret"].endswith(key["lastFour"])
    assert key["organizationId"] == world.callers["ben"].organization_id
    world.callers["robot"] = await world_caller(world.ports.store, created["secret"])
    assert (await world.ask("robot", "{ viewer { name agent } }"))["viewer"] == {
        "name": "Ben Franklin",
        "agent": "tidy-bot",
    }
    assert key["id"] in [
        each["id"] for each in (await world.ask(ben, "{ viewer { apiKeys { id } } }"))["viewer"]["apiKeys"]
    ]
    revoke = "mutation($id: ID!) { revokeApiKey(id: $id) { id } }"
    assert await world.refused(await world.browser_of("ada"), revoke, id=key["id"]) == "NOT_FOUND"
    await world.ask(ben, revoke, id=key["id"])
    with pytest.raises(AssertionError):
        await world_caller(world.ports.store, created["secret"])


MANAGING = {
    "apiKeys": ("{ viewer { apiKeys { id } } }", "list API keys"),
    "createApiKey": ('mutation { createApiKey(name: "mine") { secret } }', "make API keys"),
    "revokeApiKey": ('mutation { revokeApiKey(id: "none") { id } }', "revoke API keys"),
    "renameViewer": ('mutation { renameViewer(name: "Adam") { id } }', "change your name"),
    "endSession": ('mutation { endSession(id: "none") { id } }', "sign browsers out"),
    "endOtherSessions": ("mutation { endOtherSessions { id } }", "sign browsers out"),
}


@pytest.mark.parametrize("name", MANAGING)
@pytest.mark.parametrize("kind", ["a key", "an agent's key", "a token"])
async def test_an_account_is_managed_by_a_web_session_and_by_no_key_or_token(world, name, kind):
    query, what = MANAGING[name]
    session = world.callers[await world.browser_of("ada")].credential
    world.callers["a token"] = replace(world.callers["ada"], credential=Credential(CredentialKind.BEARER, "a1", "d1"))
    who = {"a key": "ada", "an agent's key": "agent"}.get(kind, kind)
    refusal = f"you may not {what} with an API key or a token: do it in the settings, where you sign in"
    assert await world.told(who, query) == ("FORBIDDEN", refusal)
    assert await world.ports.store.read(CredentialIsValid(session))
    allowed = await world.run(await world.browser_of("ada"), query)
    codes = [error.extensions["code"] for error in allowed.errors or ()]
    assert codes == (["NOT_FOUND"] if '"none"' in query else [])


@pytest.mark.parametrize("name", [each for each in MANAGING if each != "apiKeys"])
async def test_a_session_that_has_ended_manages_nothing(world, name):
    gone, left = await world.browser_of("ada"), await world.browser_of("ada")
    end = "mutation($id: ID!) { endSession(id: $id) { id } }"
    await world.ask(left, end, id=world.callers[gone].credential.id)
    assert await world.refused(gone, MANAGING[name][0]) == "UNAUTHORIZED"


UNVERIFIED = "you may not make API keys before your address is confirmed: confirm it in the settings, under profile"
INVITE = """mutation($o: ID!, $e: EmailAddress!) {
  inviteToOrganization(organizationId: $o, email: $e, role: member) { invitation { email } } }"""
ACCEPT = "mutation($t: String!) { acceptInvitation(token: $t) { name role } }"


async def test_an_invitation_is_accepted_once_by_the_address_it_was_made_for(world):
    acme = world.callers["grace"].organization_id
    assert await world.refused("ben", INVITE, o=acme, e="gus@globex.example") == "FORBIDDEN"
    await world.ask("grace", INVITE, o=acme, e="gus@globex.example")
    token = (await world.mailed())["gus@globex.example"]
    assert await world.refused("ada", ACCEPT, t=token) == "NOT_FOUND"
    assert (await world.ask("gus", ACCEPT, t=token))["acceptInvitation"] == {"name": "Acme", "role": "member"}
    assert await world.refused("gus", ACCEPT, t=token) == "NOT_FOUND"


async def test_inviting_answers_alike_for_every_address_and_tells_nobody_the_token(world):
    acme = world.callers["grace"].organization_id
    answers = []
    for address in ("gus@globex.example", "nobody@new.example", "ben@acme.example"):
        answer = await world.ask("grace", INVITE, o=acme, e=address)
        answers.append(repr(answer).replace(address, "address"))
        assert (await world.mailed())[address] not in repr(answer)
    assert len({*answers}) == 1
    introspected = await world.ask("grace", '{ __type(name: "CreatedInvitation") { fields { name } } }')
    assert [each["name"] for each in introspected["__type"]["fields"]] == ["invitation"]


async def test_whoever_made_too_many_invitations_sends_no_more(world):
    acme = world.callers["grace"].organization_id
    world.post.refusal = Rejection(Code.TOO_MANY_REQUESTS, "wait")
    assert await world.refused("grace", INVITE, o=acme, e="a@new.example") == "TOO_MANY_REQUESTS"
    world.post.refusal = None
    world.ports = replace(world.ports, limit=replace(world.ports.limit, open_invitations=1))
    await world.ask("grace", INVITE, o=acme, e="a@new.example")
    assert await world.refused("grace", INVITE, o=acme, e="b@new.example") == "LIMIT_EXCEEDED"
    assert [*await world.mailed()] == ["a@new.example"]


async def test_an_account_whose_address_nobody_verified_makes_no_keys_and_reaches_nobody_outside(world):
    acme, pad = world.callers["grace"].organization_id, await world.item("grace", "Scratch pad")
    zoe = await make_account(world.ports.store, "Zoe", Email("zoe@new.example"), verified=False)
    await add_to_organization(world.ports.store, acme, zoe, OrganizationRole.admin, zoe.credit)
    secret = await make_key(world.ports.store, zoe, "By the operator", acme)
    world.callers["zoe"] = await world_caller(world.ports.store, secret)
    drive = (await world.ask("zoe", 'mutation { createDrive(name: "Zoe\'s") { id } }'))["createDrive"]["id"]
    made = (await world.ask("zoe", CREATE, drive=drive, name="Memo", type="docs_workbook"))["createItem"]["id"]
    key, browser = 'mutation { createApiKey(name: "mine") { secret } }', await world.browser_of("zoe")
    publish = "mutation($i: ID!) { setPublication(itemId: $i, published: true) { id } }"
    share = "mutation($i: ID!, $e: EmailAddress!) { shareItem(itemId: $i, email: $e, permission: read_only) { id } }"
    assert await world.told(browser, key) == ("FORBIDDEN", UNVERIFIED)
    for query, given in (
        (publish, {"i": made}),
        (share, {"i": made, "e": "gus@globex.example"}),
        (share, {"i": made, "e": "nobody@new.example"}),
        (INVITE, {"o": acme, "e": "gus@globex.example"}),
    ):
        assert await world.refused("zoe", query, **given) == "FORBIDDEN"
    await world.ask("zoe", share, i=made, e="ben@acme.example")
    assert await world.refused("gus", share, i=pad, e="zoe@new.example") == "NOT_FOUND"
    await record(world.ports.store, zoe.credit, [EmailVerified(zoe.id, zoe.email)])
    await world.ask("zoe", share, i=made, e="gus@globex.example")
    await world.ask("zoe", publish, i=made)
    assert (await world.ask(browser, key))["createApiKey"]["secret"]


async def test_what_waits_for_an_address_is_not_opened_by_an_invitation(world):
    acme, pad = world.callers["grace"].organization_id, await world.item("grace", "Scratch pad")
    share = "mutation($i: ID!, $e: EmailAddress!) { shareItem(itemId: $i, email: $e, permission: read_only) { id } }"
    await world.ask("grace", share, i=pad, e="zoe@new.example")
    zoe = await make_account(world.ports.store, "Zoe", Email("zoe@new.example"), verified=False)
    world.callers["zoe"] = await world_caller(world.ports.store, await make_key(world.ports.store, zoe, "k", None))
    await world.ask("grace", INVITE, o=acme, e="zoe@new.example")
    await world.ask("zoe", ACCEPT, t=(await world.mailed())["zoe@new.example"])
    assert await world.refused("zoe", READ, id=pad) == "NOT_FOUND"
    await record(world.ports.store, zoe.credit, [EmailVerified(zoe.id, zoe.email)])
    await world.ask("zoe", READ, id=pad)


async def test_leaving_an_organization_ends_all_reach_into_it(world):
    remove = "mutation($o: ID!, $u: ID!) { removeOrganizationMember(organizationId: $o, userId: $u) { id } }"
    acme, ada = world.callers["grace"].organization_id, world.callers["ada"].user_id
    notes = await world.item("ada", "Reading notes")
    await world.ask("grace", remove, o=acme, u=ada)
    assert await world.refused("ada", READ, id=notes) == "NOT_FOUND"
    research = await world.drive("grace", "Research")
    members = "query($id: ID!) { drive(id: $id) { role members { name } } }"
    assert (await world.ask("grace", members, id=research))["drive"]["role"] == "owner"
    assert await world.refused("grace", remove, o=acme, u=world.callers["grace"].user_id) == "LAST_ADMIN"


async def test_an_organization_is_made_by_anybody_and_a_key_may_act_in_it(world):
    made = await world.ask(
        "gus", 'mutation { createOrganization(name: "Side project") { id name role members { name } } }'
    )
    side = made["createOrganization"]
    assert (side["role"], side["members"]) == ("admin", [{"name": "Gus Grissom"}])
    create = 'mutation($o: ID!) { createApiKey(name: "Side", organizationId: $o) { secret } }'
    secret = (await world.ask(await world.browser_of("gus"), create, o=side["id"]))["createApiKey"]["secret"]
    world.callers["side"] = await world_caller(world.ports.store, secret)
    drive = await world.ask("side", 'mutation { createDrive(name: "Plans") { organizationId } }')
    assert drive["createDrive"]["organizationId"] == side["id"]
    assert await world.refused(await world.browser_of("ada"), create, o=side["id"]) == "NOT_FOUND"


async def test_an_update_from_elsewhere_is_added_and_credited(world):
    add = (
        "mutation($id: ID!, $u: String!) { importYjsUpdate(documentId: $id, update: $u) { updatedBy { name agent } } }"
    )
    pad = await world.item("grace", "Scratch pad")
    update = base64.b64encode(from_tree(parse("Moved *here*"), 5)).decode()
    assert (await world.ask("agent", add, id=pad, u=update))["importYjsUpdate"]["updatedBy"] == {
        "name": "Ada Lovelace",
        "agent": "research-assistant",
    }
    read = (await world.ask("ben", READ, id=pad))["document"]
    assert read == {
        "markdown": "Moved *here*\n",
        "authors": [{"name": "Ada Lovelace", "agent": "research-assistant"}],
    }
    assert await world.refused("ben", add, id=pad, u="not base64!") == "BAD_REQUEST"
    assert await world.refused("ben", add, id=pad, u="AAAA") == "BAD_REQUEST"
    assert await world.refused("gus", add, id=pad, u=update) == "NOT_FOUND"
    handbook = await world.item("grace", "Handbook")
    assert await world.refused("ben", add, id=handbook, u=update) == "NOT_A_DOCUMENT"


async def test_a_new_chart_has_one_to_begin_with_and_a_new_document_is_empty(world):
    drive = await world.drive("grace", "Engineering")
    chart = (await world.ask("ben", CREATE, drive=drive, name="Numbers", type="viz_workbook"))["createItem"]["id"]
    assert "```vega-lite" in (await world.ask("ben", READ, id=chart))["document"]["markdown"]
    empty = (await world.ask("ben", CREATE, drive=drive, name="Empty", type="docs_workbook"))["createItem"]["id"]
    assert (await world.ask("ben", READ, id=empty))["document"] == {"markdown": "", "authors": []}


async def test_ones_agents_are_listed_with_the_document_that_each_edited_last(world):
    asked = "{ viewer { agents { name lastEditedAt lastEdited { id name } } } }"
    edit = "mutation($d: ID!, $t: String!) { editDocument(documentId: $d, edit: {append: $t}) { id } }"
    plan, pad = await world.item("ada", "Orbit plan"), await world.item("ada", "Scratch pad")
    (before,) = (await world.ask("ada", asked))["viewer"]["agents"]
    assert (before["name"], before["lastEdited"]["id"]) == ("research-assistant", plan)
    await world.ask("agent", edit, d=pad, t="By the agent")
    await world.ask("ada", edit, d=plan, t="By Ada")
    (after,) = (await world.ask("ada", asked))["viewer"]["agents"]
    assert after["lastEdited"] == {"id": pad, "name": "Scratch pad"}
    await world.ask("grace", TRASH, id=pad)
    (hidden,) = (await world.ask("ada", asked))["viewer"]["agents"]
    assert (hidden["lastEdited"], hidden["lastEditedAt"]) == (None, after["lastEditedAt"])
    assert (await world.ask("ben", asked))["viewer"]["agents"] == []
