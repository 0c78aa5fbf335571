"""Updates that take much work to compute, and a wait for what a runner does."""

import asyncio

from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from computing.jobs import TRY_UPDATE
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from tests.support.documents.encoding import client, inside, item, string, update
from tests.support.processes.servers import PATIENCE, async_eventually

TEXT = from_tree(parse("text"), 1)
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


async def try_update(runner, stored=TEXT, brought=TEXT, job=TRY_UPDATE, user="ada"):
    async with asyncio.timeout(PATIENCE):
        return await runner.run(job, user, DOCUMENT, stored, brought)
