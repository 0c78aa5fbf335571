"""Finds whose letters the restore of a version writes again: they are copies of those of the version.

After a restore the document has the text of the version, so the letters of both are the same one by one.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pycrdt import Doc

from documents.history.copied_text import Copied
from documents.history.replay import items_of, visible_text
from documents.tree.tree import ROOTS
from documents.yjs.item_list import Branch, Incoherent, Items
from documents.yjs.scan import TEXT, Id
from documents.yjs.structs import read_update


def restored_letters(
    version: tuple[Doc[Any], Iterable[bytes]], after: tuple[Doc[Any], Iterable[bytes]], update: bytes
) -> tuple[Copied, ...]:
    """Return the letters that the restoring `update` wrote, as copies of those of the version.

    Both documents come with the updates that made them; `after` holds the update. Where they cannot be laid out, or say
    something else, nothing is a copy.
    """
    try:
        earlier, present = items_of(*version), items_of(*after)
    except Incoherent:
        return ()
    if visible_text(earlier) != visible_text(present):
        return ()
    begins = {client: structs[0].clock for client, structs in read_update(update).runs.items()}
    return tuple(sorted(_copied(earlier, present, begins)))


def _copied(earlier: Items, present: Items, begins: dict[int, int]) -> Iterator[Copied]:
    sources = _letters(earlier)
    (of, at), left = (0, 0), 0
    for (client, first), units in _letters(present):
        clock, stop = first, first + units
        while clock < stop:
            if not left:
                (of, at), left = next(sources)
            length = min(stop - clock, left)
            if clock >= begins.get(client, stop):
                yield Copied(client, clock, length, (of, at))
            clock, at, left = clock + length, at + length, left - length


def _letters(items: Items) -> Iterator[tuple[Id, int]]:
    """Yield the letters of the root that is shown, each run by where it begins and how many units it has."""
    for name in ROOTS:
        found = list(_within(items.roots[name])) if name in items.roots else []
        if found:
            yield from found
            return


def _within(root: Branch) -> Iterator[tuple[Id, int]]:
    waiting = [iter(root)]
    while waiting:
        item = next(waiting[-1], None)
        if item is None:
            waiting.pop()
        elif not item.deleted and item.branch:
            waiting.append(iter(item.branch))
        elif not item.deleted and item.kind == TEXT:
            yield item.id, item.length
