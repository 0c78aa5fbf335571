"""What was decided where the contract is silent: moving, sharing, publishing, members, trash."""

import pytest

from graphql_api.system import new_id


@pytest.fixture
def drive(ada, ben, cleo):
    """A drive of Ada's, which Ben manages and Cleo contributes to."""
    return ada.drive("Decisions", manager=ben, contributor=cleo)


def events(person, drive: str) -> list[str]:
    return [
        node["type"]
        for node in person.gql(
            "query($d: ID!) { driveEvents(driveId: $d, first: 100) { nodes { type } } }", d=drive
        )["nodes"]
    ]  # fmt: skip


# Moving


def test_a_move_to_where_it_is_already_is_done_and_not_recorded(ada, drive, surface):
    folder = ada.folder(drive)
    item = ada.document(folder)
    before = events(ada, drive)
    assert ada.on(surface).ask("driveItems.move", itemId=item, driveId=drive, parentId=folder).status == 200
    assert events(ada, drive) == before


def test_what_moves_to_another_drive_takes_its_id_grants_and_images_along_and_inherits_anew(
    ada, cleo, gus, drive, client, surface
):
    other = ada.drive("Another")
    folder = ada.folder(drive)
    document = ada.document(folder)
    ada.share(document, gus)
    image = ada.do("driveItems.uploadImage", itemId=document)["image"]
    assert cleo.get(document)["item"]["role"] == "contributor"
    assert ada.on(surface).ask("driveItems.move", itemId=folder, driveId=other, parentId=None).status == 200
    assert ada.get(document)["item"]["driveId"] == other
    assert cleo.rest.ask("driveItems.get", itemId=document).status == 404
    assert gus.get(document)["item"]["permission"] == "read_only"
    assert client.get(image["url"], headers={"x-api-key": gus.key}).status_code == 200
    assert client.get(image["url"], headers={"x-api-key": cleo.key}).status_code == 404
    assert ada.rest.ask("driveItems.move", itemId=folder, driveId=ada.personal(), parentId=None).status == 200
    assert ada.rest.ask("driveItems.move", itemId=folder, driveId=drive, parentId=None).status == 200
    assert cleo.get(document)["item"]["role"] == "contributor"


def test_contributors_move_within_the_drive_and_managers_out_of_it(ada, ben, cleo, drive, surface):
    item, folder = ada.document(drive), ada.folder(drive)
    elsewhere = ada.drive("RemoteEdit", contributor=cleo, contributor_2=ben)
    assert cleo.on(surface).ask("driveItems.move", itemId=item, driveId=drive, parentId=folder).status == 200
    assert cleo.on(surface).ask("driveItems.move", itemId=item, driveId=elsewhere, parentId=None).code == "FORBIDDEN"
    assert ben.on(surface).ask("driveItems.move", itemId=item, driveId=elsewhere, parentId=None).status == 200


def test_a_grantee_moves_strictly_below_the_granted_folder_and_nowhere_else(ada, gus, drive, surface):
    shared, beside = ada.folder(drive, "Shared"), ada.folder(drive, "Beside")
    below, item = ada.folder(shared, "Below"), ada.document(shared)
    ada.share(shared, gus, "read_write")
    ada.share(beside, gus, "read_write")

    def move(item_id, parent, to=drive):
        return gus.on(surface).ask("driveItems.move", itemId=item_id, driveId=to, parentId=parent).code

    assert move(item, below) is None
    assert move(item, shared) is None
    assert move(shared, beside) == "FORBIDDEN"
    assert move(item, beside) == "FORBIDDEN"
    assert move(item, None) == "FORBIDDEN"  # the drive counts as visible
    assert move(item, None, gus.personal()) == "FORBIDDEN"
    assert move(item, ada.folder(ada.drive("Hidden"))) == "NOT_FOUND"


def test_what_is_published_leaves_only_to_where_its_mover_may_publish(ada, ben, drive, surface):
    folder = ada.folder(drive)
    document = ada.document(folder)
    ada.do("driveItems.setPublication", itemId=document, published=True)
    url = ada.get(document)["item"]["publicUrl"]
    theirs = ben.drive("Theirs", contributor=ada)

    def move(item, to):
        return ada.on(surface).ask("driveItems.move", itemId=item, driveId=to, parentId=None).code

    assert move(folder, theirs) == "UNPUBLISH_FIRST"
    assert move(folder, ada.drive("Mine")) is None
    assert ada.get(document)["item"]["publicUrl"] == url


# Sharing


def test_sharing_again_is_no_change_and_with_another_permission_a_conflict(ada, drive, surface):
    folder = ada.folder(drive)

    def share(permission, email="one+two@newcomers.example"):
        return ada.on(surface).ask("driveItems.share", itemId=folder, email=email, permission=permission).code

    assert share("read_only") is None
    before = events(ada, drive)
    assert share("read_only") is None
    assert share("read_only", "ONE+two@Newcomers.Example") is None
    assert share("read_write") == "SHARE_EXISTS"
    assert events(ada, drive) == before


@pytest.mark.parametrize(
    ("spelled", "email"),
    [
        ("a/b+c@newcomers.example", "a%2Fb+c%40newcomers.example"),
        ("plus+tag@newcomers.example", "plus%2Btag@newcomers.example"),
        ("Dots.Kept@B\u00fccher.example", "dots.kept%40b%C3%BCcher.example"),
        ("per%cent@newcomers.example", "per%25cent@newcomers.example"),
    ],
)
def test_an_address_in_a_path_is_decoded_once(spelled, email, ada, drive):
    folder = ada.folder(drive)
    ada.share(folder, spelled)
    (share,) = ada.get(folder)["shares"]
    assert share["email"] == spelled.lower().replace("b\u00fccher", "xn--bcher-kva")
    path = f"/drive-items/{folder}/access/{email}"
    assert ada.rest.send("PATCH", path, json={"permission": "read_write"}).status == 200
    assert ada.get(folder)["shares"][0]["permission"] == "read_write"
    assert ada.rest.send("DELETE", path).status == 200
    assert ada.get(folder)["shares"] == []


def test_without_a_grant_there_is_nothing_to_change_but_who_may_not_share_is_told_that_first(ada, gus, drive, surface):
    folder = ada.folder(drive)
    ada.share(folder, gus, "read_write")
    nobody = {"itemId": folder, "email": "nobody@newcomers.example"}
    for person, code in ((ada, "NOT_FOUND"), (gus, "FORBIDDEN")):
        on = person.on(surface)
        assert on.ask("driveItems.updateShare", permission="read_only", **nobody).code == code
        assert on.ask("driveItems.removeShare", **nobody).code == code


def test_a_grantee_sees_and_may_end_their_own_share_alone(ada, gus, drive, surface):
    folder = ada.folder(drive)
    ada.share(folder, gus)
    ada.share(folder, "other@newcomers.example")
    assert [share["email"] for share in gus.get(folder)["shares"]] == [gus.email]
    on = gus.on(surface)
    assert on.ask("driveItems.removeShare", itemId=folder, email="other@newcomers.example").code == "FORBIDDEN"
    assert on.ask("driveItems.removeShare", itemId=folder, email=gus.email).code is None
    assert on.ask("driveItems.get", itemId=folder).code == "NOT_FOUND"


def test_sharing_tells_nobody_who_has_an_account(ada, ben, gus, drive):
    folder = ada.folder(drive)
    for email in (ben.email, gus.email, "nobody@newcomers.example"):
        ada.share(folder, email)
    known = {share["email"]: (share["userId"], share["name"]) for share in ada.get(folder)["shares"]}
    assert known == {
        ben.email: (ben.id, "Ben Franklin"), gus.email: (None, None), "nobody@newcomers.example": (None, None)
    }  # fmt: skip


def test_a_grantee_meets_a_stub_of_the_drive_and_the_ancestors_they_see(ada, gus, drive, surface):
    top = ada.folder(drive)
    shared = ada.folder(top)
    middle = ada.folder(shared)
    item = ada.document(middle)
    ada.share(shared, gus)
    seen = gus.on(surface).ask("driveItems.get", itemId=item).data
    whole = ada.get(item)
    assert seen["drive"] == {
        "id": drive, "name": "", "kind": "shared", "organizationId": None, "role": None, "capabilities": [],
        "createdAt": whole["drive"]["createdAt"], "updatedAt": whole["drive"]["updatedAt"],
    }  # fmt: skip
    assert [(each["id"], each["parentId"]) for each in seen["ancestors"]] == [(shared, None), (middle, shared)]
    assert [each["id"] for each in whole["ancestors"]] == [top, shared, middle]
    assert (seen["item"]["role"], seen["item"]["permission"]) == (None, "read_only")
    assert seen["item"]["capabilities"] == ["read"]
    assert drive not in [each["id"] for each in gus.do("drives.list")["drives"]]
    for operation, inputs in (
        ("drives.rename", {"name": "Mine"}),
        ("drives.createItem", {"name": "New", "driveItemType": "folder"}),
        ("drives.removeMember", {"userId": gus.id}),
    ):
        assert gus.on(surface).ask(operation, driveId=drive, **inputs).code == "NOT_FOUND"


def test_rights_add_up_from_the_item_and_all_above_it(ada, gus, drive, surface):
    folder = ada.folder(drive)
    document = ada.document(folder)
    ada.share(folder, gus, "read_write")
    ada.share(document, gus, "read_only")
    item = gus.on(surface).ask("driveItems.get", itemId=document).data["item"]
    assert (item["permission"], item["capabilities"]) == ("read_write", ["read", "edit", "move", "trash", "versions"])
    assert gus.on(surface).ask("driveItems.rename", itemId=document, name="Mine too").status == 200


def test_what_was_shared_last_comes_first_and_trash_is_left_out(newcomer, ada, drive, surface):
    zoe = newcomer()
    items = [ada.document(drive, name) for name in "abc"]
    for item in (items[1], items[0], items[2]):
        ada.share(item, zoe)

    def shared():
        return [item["id"] for item in zoe.on(surface).ask("driveItems.sharedWithMe").data["items"]]

    assert shared() == [items[2], items[0], items[1]]
    ada.trash(items[0])
    assert shared() == [items[2], items[1]]
    ada.restore(items[0])
    assert shared() == [items[2], items[0], items[1]]


def test_those_without_a_way_to_it_are_suggested(ada, grace, ben, cleo, surface):
    drive = ada.drive("Suggestions", contributor=ben)
    folder = ada.folder(drive)
    item = ada.document(folder)

    def suggested(item_id):
        rows = ada.on(surface).ask("driveItems.shareSuggestions", itemId=item_id).data["suggestions"]
        return {row["userId"]: (row["email"], row["name"]) for row in rows}

    assert suggested(item)[cleo.id] == (cleo.email, "Cleo Strand")
    assert not {ada.id, ben.id} & suggested(item).keys()
    ada.share(folder, cleo)
    assert cleo.id not in suggested(item)
    assert grace.id in suggested(item)
    assert {grace.id, ben.id, cleo.id} <= suggested(ada.document(ada.personal())).keys()
    assert ben.on(surface).ask("driveItems.shareSuggestions", itemId=item).code is None


def test_a_grant_waits_for_its_address_to_be_verified(ada, newcomer, verify, drive, surface):
    zoe = newcomer(verified=False)
    folder = ada.folder(drive)
    assert ada.on(surface).ask("driveItems.share", itemId=folder, email=zoe.email, permission="read_only").status == 200
    assert zoe.on(surface).ask("driveItems.get", itemId=folder).code == "NOT_FOUND"
    assert zoe.do("driveItems.sharedWithMe")["items"] == []
    verify(zoe)
    assert zoe.on(surface).ask("driveItems.get", itemId=folder).code is None
    address = f"later-{new_id()}@newcomers.example"
    ada.share(folder, address)
    later = newcomer(email=address)
    assert [item["id"] for item in later.do("driveItems.sharedWithMe")["items"]] == [folder]


# Publishing and the trash


def test_each_publication_has_an_address_of_its_own_and_the_trash_ends_it(server, ada, drive, surface):
    document = ada.document(drive)

    def publish(published):
        assert ada.on(surface).ask("driveItems.setPublication", itemId=document, published=published).status == 200
        return ada.get(document)["item"]["publicUrl"]

    first = publish(True)
    assert first.startswith(f"{server.origin}/p/")
    assert publish(True) == first
    assert publish(False) is None
    assert publish(False) is None
    second = publish(True)
    assert second != first
    ada.trash(document)
    assert ada.restore(document)["published"] is False
    assert publish(True) not in (first, second)


def test_publishing_is_for_managers_and_documents(ada, ben, cleo, drive, surface):
    folder = ada.folder(drive)
    document = ada.document(folder)
    ask = "driveItems.setPublication"
    assert cleo.on(surface).ask(ask, itemId=document, published=True).code == "FORBIDDEN"
    assert cleo.on(surface).ask(ask, itemId=folder, published=True).code == "FORBIDDEN"
    assert ben.on(surface).ask(ask, itemId=folder, published=True).code == "NOT_A_DOCUMENT"
    assert ben.on(surface).ask(ask, itemId=document, published=True).code is None


def test_what_is_in_the_trash_is_nowhere_else_and_comes_back_to_the_nearest_live_folder(ada, drive, surface):
    top = ada.folder(drive)
    middle = ada.folder(top)
    item = ada.document(middle)
    ada.trash(item)
    ada.trash(middle)
    listed = [each["id"] for each in ada.do("drives.list")["drives"] if each["id"] == drive for each in each["items"]]
    assert listed == [top]
    assert ada.get(top)["children"] == []
    for each in (middle, item):
        assert ada.on(surface).ask("driveItems.get", itemId=each).code == "NOT_FOUND"
    assert ada.restore(item)["parentId"] == top
    assert ada.restore(middle)["parentId"] == top
    assert ada.get(item)["item"]["parentId"] == top


# Members and organizations


def test_nobody_grants_or_touches_a_role_above_their_own(ada, ben, cleo, grace, drive, surface):
    def upsert(by, person, role):
        return by.on(surface).ask("drives.upsertMember", driveId=drive, userId=person.id, role=role).code

    assert upsert(ben, grace, "owner") == "FORBIDDEN"
    assert upsert(ben, ada, "contributor") == "FORBIDDEN"
    assert upsert(cleo, grace, "contributor") == "FORBIDDEN"
    assert upsert(ben, grace, "manager") is None
    assert upsert(ada, ada, "manager") == "LAST_OWNER"
    remove = {"driveId": drive, "userId": ada.id}
    assert ben.on(surface).ask("drives.removeMember", **remove).code == "FORBIDDEN"
    assert ada.on(surface).ask("drives.removeMember", **remove).code == "LAST_OWNER"
    assert upsert(ada, ben, "owner") is None
    assert ada.on(surface).ask("drives.removeMember", **remove).code is None
    assert ada.on(surface).ask("drives.removeMember", **remove).code == "NOT_FOUND"
    assert cleo.on(surface).ask("drives.removeMember", driveId=drive, userId=cleo.id).code is None


def test_strangers_to_the_organization_are_no_members_and_nobody_is_removed_twice(ada, ben, gus, drive, surface):
    on = ada.on(surface)
    assert on.ask("drives.upsertMember", driveId=drive, userId=gus.id, role="contributor").code == "NOT_FOUND"
    assert on.ask("drives.removeMember", driveId=drive, userId=gus.id).code == "NOT_FOUND"
    assert on.ask("drives.removeMember", driveId=drive, userId=ben.id).code is None
    assert on.ask("drives.removeMember", driveId=drive, userId=ben.id).code == "NOT_FOUND"


def test_who_leaves_the_organization_leaves_its_drives_and_an_ownerless_one_passes_on(newcomer):
    boss = newcomer("boss")
    organization = boss.organize()
    boss = boss.acting_in(organization)
    zoe = newcomer("zoe")
    boss.admit(organization, zoe)
    zoe = zoe.acting_in(organization)
    theirs, hers = boss.drive("Theirs", contributor=zoe), zoe.drive("Hers")
    item = zoe.document(hers)
    granted = boss.document(theirs)
    boss.share(granted, zoe)
    own = zoe.document(zoe.personal())
    boss.gql(
        "mutation($o: ID!, $u: ID!) { removeOrganizationMember(organizationId: $o, userId: $u) { id } }",
        o=organization, u=zoe.id,
    )  # fmt: skip
    for gone in (granted, item):
        assert zoe.rest.ask("driveItems.get", itemId=gone).code == "NOT_FOUND"
    assert [drive["kind"] for drive in zoe.do("drives.list")["drives"]] == ["personal"]
    assert zoe.get(own)["item"]["role"] == "owner"
    assert zoe.rest.ask("drives.create", name="New").code == "NO_ACTIVE_ORGANIZATION"
    assert boss.get(item)["item"]["role"] == "owner"
    assert boss.get(granted)["shares"] == []
