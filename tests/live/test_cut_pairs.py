"""Real clients that cut an emoji in half: it costs them the socket, and all copies of the document stay equal."""

import base64

import pytest

from tests.support.documents.halves import BEGUN, CUTS

FORMS = ("insert", "first", "second", "format")
IMPORT = "mutation($d: ID!, $u: String!) { importYjsUpdate(documentId: $d, update: $u) { revision } }"


async def test_a_client_that_cuts_a_surrogate_pair_is_refused_and_all_copies_stay_equal(clients, world):
    document = await world.document()
    await clients("open", "writer", **world.way(document))
    await clients("open", "reader", **world.way(document, "ben", "y"))
    await clients("synced", "writer")
    await clients("synced", "reader")
    await clients("paragraph", "writer", text="a😀b abc")
    await clients("acknowledged", "writer")
    for form in FORMS:
        await clients("open", form, **world.way(document, "ben"))
        await clients("synced", form)
        await clients("cut", form, form=form)
        assert 4422 in (await clients("closed", form))["codes"], form
        await clients("gone", form)
    await clients("type", "writer", text=" END")
    await clients("acknowledged", "writer")
    await clients("open", "late", **world.way(document))
    await clients("synced", "late")
    for name in ("writer", "reader", "late"):
        await clients("same", name, text="<paragraph>a😀b abc END</paragraph>")
        assert (await clients("idle", name, seconds=0))["codes"] == []
    assert (await world.read(document))["markdown"] == "a😀b abc END\n"


@pytest.mark.parametrize("case", CUTS)
async def test_an_import_that_cuts_a_surrogate_pair_is_refused(world, case):
    document = await world.document()
    await world.ask(IMPORT, d=document, u=base64.b64encode(BEGUN).decode())
    body = {"query": IMPORT, "variables": {"d": document, "u": base64.b64encode(CUTS[case]).decode()}}
    [error] = (await world.api["ada"].post("/graphql", json=body)).json()["errors"]
    assert error["extensions"]["code"] == "BAD_REQUEST"
    assert error["message"] == "`update` is refused: the update cuts a surrogate pair in half"
    assert (await world.read(document))["markdown"] == "a😀b\n"
