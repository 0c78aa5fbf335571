import asyncio

import pytest
from pycrdt import Doc, XmlElement, XmlFragment

from documents.admission.admit import DocumentTooLarge, admit
from documents.tree.encoding import squash
from documents.tree.tree import tree
from documents.yjs.scan import IMPORT, Refused, Scanned, UpdateLimits, scan
from documents.yjs.snapshot import Incomplete, apply, encode_state, guarded, load, state_vector
from tests.support.documents.encoding import (
    client,
    edited,
    element,
    gc,
    inside,
    item,
    miscounted,
    nested_elements,
    skip,
    string,
    update,
)


def two_edits():
    """A document's first and second update; the second builds on the first."""
    doc, updates = Doc(client_id=1), []
    doc.observe(lambda event: updates.append(event.update))
    root = doc.get("default", type=XmlFragment)
    root.children.append(XmlElement("paragraph"))
    root.children.append(XmlElement("heading"))
    return updates


def test_an_update_before_its_predecessor_is_refused_and_leaves_no_trace():
    first, second = two_edits()
    doc = Doc()
    assert isinstance(apply(doc, second), Incomplete)
    assert encode_state(doc) == b"\x00\x00"
    assert isinstance(apply(doc, first), Scanned)
    assert isinstance(apply(doc, second), Scanned)
    assert [node["type"] for node in tree(doc)["content"]] == ["paragraph", "heading"]


def test_an_update_twice_changes_nothing():
    first, _ = two_edits()
    doc = Doc()
    apply(doc, first)
    before = encode_state(doc)
    assert isinstance(apply(doc, first), Scanned)
    assert encode_state(doc) == before


@pytest.mark.parametrize(
    "data",
    [
        update(client(1, skip(4), element())),
        update(client(1, element(), skip(4), element(origin=(1, 0)))),
        update(client(1, element(origin=(2, 0)))),
        update(client(1, gc(1), clock=7)),
        b"\x00\x01\x05\x01\x00\x01",
    ],
    ids=[
        "a gap",
        "a gap between",
        "an unknown origin",
        "a late start",
        "an unknown deletion",
    ],
)
def test_what_the_library_would_let_wait_and_then_forget_is_refused(data):
    assert isinstance(apply(Doc(), data), Incomplete)


def test_an_update_with_which_the_library_does_not_do_what_the_scan_says_is_refused():
    *sound, wrong = miscounted()
    doc = Doc()
    assert all(isinstance(apply(doc, each), Scanned) for each in sound)
    assert isinstance(scan(wrong), Scanned)
    assert apply(doc, wrong) == Refused("the update does something else than it says")


def test_what_was_accepted_one_by_one_is_loaded_in_the_same_steps():
    """A child of what is no type: nowhere by the time that its parent has been collected, and refused before."""
    stored = [
        update(client(1, item(4, string("a")))),
        b"\x00\x01\x01\x01\x00\x01",
        update(client(2, element(parent=inside(1, 0)))),
    ]
    doc = Doc()
    assert all(isinstance(apply(doc, each), Scanned) for each in stored)
    loaded = load(None, stored)
    assert isinstance(loaded, Doc)
    assert state_vector(loaded) == state_vector(doc) == {1: 1, 2: 1}


def test_a_gap_that_the_document_fills_already_is_none():
    doc = Doc()
    apply(doc, update(client(1, item(4, string("abcd")))))
    assert isinstance(apply(doc, update(client(1, skip(4), element(origin=(1, 3))))), Scanned)


def test_a_replica_can_send_everything_it_has():
    doc, _ = edited(3)
    other = load(encode_state(doc))
    assert isinstance(apply(other, encode_state(doc)), Scanned)
    assert tree(other) == tree(doc)


def test_stored_bytes_that_are_damaged_are_a_refusal():
    assert isinstance(load(b"\x01\x01"), Refused)
    assert isinstance(load(None, [b"\xff"]), Refused)


def test_nothing_stored_is_an_empty_document():
    assert tree(load(None))["content"] == []


def test_the_state_vector_counts_every_client():
    doc = load(None, [update(client(300, element())), update(client(2**52, gc(2**20)))])
    assert state_vector(doc) == {300: 1, 2**52: 2**20}
    assert scan(encode_state(doc)).ends == state_vector(doc)


class Panic(BaseException):
    """As the library's, which no `except Exception` sees."""


def raising(error):
    def act():
        raise error

    return act


def test_a_panic_is_a_refusal():
    assert guarded(raising(Panic())) == Refused("the update cannot be read (Panic)")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_the_wish_to_stop_is_passed_on(error):
    with pytest.raises(error):
        guarded(raising(error()))


def test_a_tree_cannot_grow_too_deep_in_small_steps():
    doc = load(nested_elements(99))
    assert isinstance(admit(doc, update(client(2, element(parent=inside(1, 98))))), Scanned)
    assert admit(doc, update(client(3, element(parent=inside(2, 0))))) == Refused(
        "the document would be nested deeper than 100"
    )


def test_a_document_cannot_grow_too_large_in_small_steps():
    doc = load(update(client(1, item(4, string("a" * 900)))))
    small = update(client(2, item(4, string("b" * 200))))
    assert admit(doc, small, UpdateLimits(size=1_000)) == DocumentTooLarge(
        "the document would be larger than 1000 bytes"
    )
    assert isinstance(admit(load(None), small, IMPORT), Scanned)
    assert isinstance(admit(load(None), b"", IMPORT), Refused)


def test_a_document_is_squashed_to_the_same():
    doc, _ = edited(5)
    state = squash(doc)
    assert isinstance(state, bytes)
    assert tree(load(state)) == tree(doc)


def test_a_document_whose_encoding_would_be_wrong_is_not_squashed():
    text = (item(7, b"\x06", parent=inside(1, 0)), item(4, string("a😀b"), parent=inside(1, 1)))
    half_an_emoji = b"\x01\x01\x01\x03\x01"
    data = update(client(1, element("paragraph"), *text), deletes=half_an_emoji)
    assert isinstance(squash(load(data)), Refused)
    assert tree(load(data))["content"][0]["type"] == "paragraph"
