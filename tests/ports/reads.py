"""Words of the reads that several tests of the ports ask."""

from dataclasses import replace

from domain.access import Permission
from domain.item import ItemKind

READ_WRITE, READ_ONLY = Permission.read_write, Permission.read_only
DOCUMENT = ItemKind.docs_workbook


def me(world, name="ada"):
    return world.people[name].id


async def pages(world, question, most=50):
    """Walk through a list and return its pages."""
    found = []
    while len(found) < most:
        page = await world.read(question)
        found.append(page.rows)
        if page.next_cursor is None:
            return found
        question = replace(question, after=page.next_cursor)
    raise AssertionError("the list does not end")
