"""That the items of a document stand in the order in which the library has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.history.replay import LogSince, Replayed, replayed, visible_text
from documents.yjs.item_list import Incoherent, Items
from documents.yjs.scan import Refused
from documents.yjs.structs import read_update
from tests.support.documents.encoding import client, edited, element, inside, item, string, update
from tests.support.documents.histories import World, letters_of


def read(*updates):
    items = Items()
    for each in updates:
        items.add(read_update(each))
    return items


@given(st.randoms(use_true_random=False), st.integers(0, 60))
def test_the_text_of_the_items_is_that_of_the_document_however_they_are_read(chance, steps):
    world = World(chance)
    for _ in range(steps):
        world.step()
    want = "".join(letters_of(world.tree()))
    made = replayed(world.since())
    assert isinstance(made, Replayed)
    assert visible_text(made.items) == want
    assert visible_text(read(made.doc.get_update())) == want
    assert visible_text(read(*(each.update for each in world.log))) == want


@pytest.mark.parametrize("seed", range(40))
def test_whatever_lies_in_a_document_is_laid_out(seed):
    doc, updates = edited(seed)
    one, other = read(doc.get_update()), read(*updates)
    assert visible_text(one) == visible_text(other)


def test_updates_of_which_a_part_is_known_bring_the_rest():
    first = update(
        client(
            1, element("paragraph"), item(7, b"\x06", parent=inside(1, 0)), item(4, string("ab"), parent=inside(1, 1))
        )
    )
    more = update(
        client(
            1, element("paragraph"), item(7, b"\x06", parent=inside(1, 0)), item(4, string("abcd"), parent=inside(1, 1))
        )
    )
    assert visible_text(read(first, more, first)) == "abcd"


def test_what_builds_on_what_is_not_there_is_refused():
    lost = update(client(2, item(4, string("x"), origin=(1, 5))))
    with pytest.raises(Incoherent):
        read(lost)
    assert isinstance(replayed(LogSince(0, (b"broken",))), Refused)
