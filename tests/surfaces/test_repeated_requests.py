"""Whether a request that comes again with its idempotency key takes effect once: for all that takes one."""

import pytest

from contract.operations import BY_NAME, Surface
from graphql_api.system import new_id
from tests.support.surfaces.callers import PIXEL


@pytest.fixture
def drive(ada, ben):
    return ada.drive("Repeated", manager=ben)


POSTS = [name for name, row in BY_NAME.items() if row.takes_idempotency_key]


@pytest.fixture
def posted(versioned):
    """`posted(operation, person, drive)` returns inputs for an operation that nobody has used yet."""

    def make(operation, person, drive):
        if operation == "documents.restoreVersion":
            document = person.document(drive)
            return {"documentId": document, "number": versioned(person, document)}
        if operation == "documents.undoChanges":
            document = person.document(drive)
            versioned(person, document)
            return {"documentId": document, "userId": person.id}
        return inputs_of(operation, person, drive)

    return make


def inputs_of(operation, person, drive):
    folder = person.folder(drive)
    return {
        "driveItems.move": {"itemId": person.document(folder), "driveId": drive, "parentId": None},
        "driveItems.createChild": {"itemId": folder, "name": "Once", "driveItemType": "folder"},
        "driveItems.share": {"itemId": folder, "email": f"{new_id()}@newcomers.example", "permission": "read_only"},
        "driveItems.uploadImage": {"itemId": person.document(folder), "file": PIXEL},
        "documents.edit": {"documentId": person.document(folder), "append": f"Once {new_id()}"},
        "drives.create": {"name": f"Once {new_id()}"},
        "drives.createItem": {"driveId": drive, "name": f"Once {new_id()}", "driveItemType": "folder"},
        "driveItems.duplicate": {"itemId": folder},
        "driveItems.trash": {"itemId": folder},
        "driveItems.restore": {"itemId": person.trash(folder)["id"] if operation == "driveItems.restore" else folder},
    }[operation]


@pytest.mark.parametrize("operation", POSTS)
def test_a_request_that_comes_again_with_its_key_takes_effect_once(operation, ada, ben, drive, state, posted):
    inputs = posted(operation, ada, drive)
    once = {"headers": {"Idempotency-Key": new_id()}}
    first = ada.rest.ask(operation, **inputs, **once)
    assert first.status == 200
    before = state()
    again = ada.rest.ask(operation, **inputs, **once)
    assert (again.status, again.data) == (200, first.data)
    assert state() == before
    reused = ada.rest.ask(operation, **posted(operation, ada, drive), **once)
    assert reused.code == "IDEMPOTENCY_KEY_REUSED"
    theirs = ben.rest.ask(operation, **posted(operation, ben, drive), **once)
    assert theirs.status == 200
    assert theirs.data is None or theirs.data != first.data


@pytest.mark.parametrize("operation", [name for name in POSTS if Surface.MCP_FULL in BY_NAME[name].surfaces])
def test_a_call_of_a_tool_that_comes_again_with_its_key_takes_effect_once_also_after_rest(
    operation, ada, drive, state, posted
):
    inputs = posted(operation, ada, drive)
    once = {"headers": {"Idempotency-Key": new_id()}}
    first = ada.mcp.ask(operation, **inputs, **once)
    assert first.status == 200
    before = state()
    assert ada.mcp.ask(operation, **inputs, **once).data == first.data
    over_rest = ada.rest.ask(operation, **inputs, **once)
    assert over_rest.status == 200
    assert (
        over_rest.data == first.data or Surface.MCP not in BY_NAME[operation].surfaces
    )  # models are told less of the same
    assert state() == before
    assert ada.mcp.ask(operation, **posted(operation, ada, drive), **once).code == "IDEMPOTENCY_KEY_REUSED"


def test_an_undo_of_the_last_edit_that_comes_again_with_its_key_does_not_take_itself_back(ada, drive):
    document = ada.document(drive)
    for text in ("One", "Two"):
        ada.do("documents.edit", documentId=document, append=text)
    once = {"headers": {"Idempotency-Key": new_id()}}
    first = ada.rest.ask("documents.undoChanges", documentId=document, last=True, **once)
    assert [each["inserted"] for each in first.data["changes"]] == ["Two"]
    assert ada.rest.ask("documents.undoChanges", documentId=document, last=True, **once).data == first.data
    assert ada.do("documents.read", documentId=document)["markdown"] == "One\n"


def test_a_request_that_was_refused_may_come_again_with_its_key(ada, drive):
    once = {"headers": {"Idempotency-Key": new_id()}}
    item = ada.folder(drive)
    ada.trash(item)
    inputs = {"itemId": item, "name": "Below", "driveItemType": "folder"}
    assert ada.rest.ask("driveItems.createChild", **inputs, **once).status == 404
    ada.restore(item)
    assert ada.rest.ask("driveItems.createChild", **inputs, **once).status == 200


def test_the_same_key_means_nothing_to_another_operation_and_must_be_sound(ada, drive, posted):
    once = {"headers": {"Idempotency-Key": new_id()}}
    for operation in POSTS:
        assert ada.rest.ask(operation, **posted(operation, ada, drive), **once).status == 200
    for wrong in ("", "a" * 256, b"\xe9"):
        said = ada.rest.ask("drives.create", name="No", headers={"Idempotency-Key": wrong})
        assert (said.status, said.code) == (400, "BAD_REQUEST")
