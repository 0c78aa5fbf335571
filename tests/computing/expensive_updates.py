"""Updates that take much work to compute, and a wait for what a runner does."""

from pycrdt import Doc, XmlElement, XmlFragment, XmlText
from servers import async_eventually

from tests.documents.encoding import client, inside, item, string, update

DOCUMENT = "01890000-0000-7000-8000-000000000001"


def typed_backwards(letters):
    doc = Doc(client_id=9)
    root = doc.get("default", type=XmlFragment)
    root.children.append(XmlElement("paragraph", contents=[XmlText("")]))
    with doc.transaction():
        for _ in range(letters):
            root.children[0].children[0].insert(0, "x")
    return doc.get_update()


def searching(items):
    """An update of whose items each is searched a place in a long text."""
    return update(client(77, *[item(4, string("y"), parent=inside(9, 1)) for _ in range(items)]))


async def until(look):
    async def looked():
        return look()

    return await async_eventually(looked)
