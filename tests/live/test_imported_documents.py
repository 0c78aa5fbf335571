"""A document that is imported and then written in by a real client, which is bound to the fragment `default`."""

import base64

from pycrdt import Doc, XmlElement, XmlFragment, XmlText

IMPORT = "mutation($d: ID!, $u: String!) { importYjsUpdate(documentId: $d, update: $u) { revision } }"


async def test_the_first_letters_of_a_stock_client_do_not_hide_what_was_imported_from_another_root(clients, world):
    elsewhere = Doc(client_id=5)
    paragraph = XmlElement("paragraph", contents=[XmlText("Moved here")])
    elsewhere.get("prosemirror", type=XmlFragment).children.append(paragraph)
    document = await world.document()
    await world.ask(IMPORT, d=document, u=base64.b64encode(elsewhere.get_update()).decode())
    await clients("open", "writer", **world.way(document))
    await clients("synced", "writer")
    await clients("paragraph", "writer", text="typed")
    await clients("acknowledged", "writer")
    assert sorted((await world.read(document))["markdown"].split("\n")) == ["", "", "Moved here", "typed"]
