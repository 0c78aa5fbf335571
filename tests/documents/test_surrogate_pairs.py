"""Updates that cut a surrogate pair in half, and documents in which a pair was cut before such updates were refused."""

import pytest

from documents.admission.surrogate_pairs import SurrogatePairs, cutting, mended
from documents.projection.projection import project
from documents.tree.encoding import encodes, squash
from documents.yjs.scan import Refused, scan
from documents.yjs.snapshot import load, state_vector
from tests.documents.encoding import client, element, inside, item, number, string, update

# A paragraph of client 1 that says "a😀b", its letters under the clocks 2, 3 and 4, 5; and what client 2 does to it.
BEGUN = update(
    client(1, element("paragraph"), item(7, b"\x06", parent=inside(1, 0)), item(4, string("a😀b"), parent=inside(1, 1)))
)
STATE = {1: 6}


X = b"\x04" + string("x")


def beside(left, right, content=X):
    """An item of client 2 between two letters of client 1, of which one may be missing."""
    info = content[0] | (0 if left is None else 0x80) | (0 if right is None else 0x40)
    names = b"".join([number(1) + number(clock) for clock in (left, right) if clock is not None])
    return update(client(2, bytes([info]) + names + content[1:]))


def deletes(start, length):
    return b"\x00\x01\x01\x01" + number(start) + number(length)


BOLD = b"\x06" + string("bold") + string("{}")
CUTS = {
    "text between the halves": beside(3, 4),
    "text behind the first half": beside(3, None),
    "text before the second half": beside(None, 4),
    "the first half deleted": deletes(3, 1),
    "the second half deleted": deletes(4, 1),
    "the second half deleted with what is behind it": deletes(4, 2),
    "the first half deleted with what is before it": deletes(2, 2),
    "a format that begins between the halves": beside(3, 4, BOLD),
    "a format that ends there": beside(None, 4, BOLD),
    "its own pair cut": update(
        client(2, item(4, string("😀"), origin=(1, 5)), item(4, string("x"), origin=(2, 0))),
    ),
    "its own pair halved": update(client(2, item(4, string("😀"), origin=(1, 5))), deletes=b"\x01\x02\x01\x00\x01"),
}
KEEPS = {
    "text before the pair": beside(2, 3),
    "text behind it": beside(4, 5),
    "the pair deleted": deletes(3, 2),
    "all deleted": deletes(2, 4),
    "a letter deleted": deletes(2, 1),
    "a format around the pair": beside(2, 3, BOLD),
    "a pair beside the pair": beside(4, 5, b"\x04" + string("😀")),
    "half a character, as Yjs writes it": beside(4, 5, b"\x04" + string("\ufffd")),
    "what is there already": BEGUN,
}


def pairs_of(*updates):
    return SurrogatePairs.of(updates)


@pytest.mark.parametrize("case", CUTS)
def test_an_update_that_cuts_a_pair_is_found(case):
    assert not isinstance(scan(CUTS[case]), Refused)
    pairs = pairs_of(BEGUN)
    assert pairs.are_cut_by(pairs.cutting(CUTS[case]), STATE)


@pytest.mark.parametrize("case", KEEPS)
def test_an_update_that_leaves_pairs_whole_is_not(case):
    pairs = pairs_of(BEGUN)
    assert not pairs.are_cut_by(pairs.cutting(KEEPS[case]), STATE)


def test_a_pair_that_is_repeated_up_to_its_first_half_is_cut():
    pairs = pairs_of()
    said = update(client(1, item(4, string("a😀"))))
    assert pairs.are_cut_by(pairs.cutting(said), {1: 2})
    assert not pairs.are_cut_by(pairs.cutting(said), {1: 1})


@pytest.mark.parametrize("case", CUTS)
def test_a_pair_that_was_cut_once_may_be_cut_again(case):
    pairs = pairs_of(BEGUN, CUTS[case])
    assert pairs.cut
    assert not pairs.are_cut_by(pairs.cutting(CUTS[case]), STATE | {2: 0})


def test_a_document_without_pairs_looks_at_no_update_without_them():
    pairs = pairs_of(update(client(1, item(4, string("plain")))))
    assert not pairs.cutting(beside(3, 4)).boundaries
    assert cutting(beside(3, 4)).boundaries == {1: {4}}


@pytest.mark.parametrize("case", CUTS)
def test_a_document_with_a_cut_pair_is_mended_to_what_yjs_makes_of_it(case):
    begun, cut = mended([BEGUN, CUTS[case]])
    doc = load(None, [begun, cut])
    said = project(doc).markdown
    assert said.count("😀") == ("own" in case)
    assert "\ufffd" in said
    assert encodes(doc)
    assert not isinstance(squash(doc), Refused)
    assert state_vector(doc) == scan(cut).after(STATE)
    assert mended([begun, cut]) is None


def test_only_the_pair_that_was_cut_is_changed():
    begun = update(client(1, item(4, string("é😀😀😀" + "x" * 200))))
    cut = deletes(4, 1)
    said, _ = mended([begun, cut])
    assert said == update(client(1, item(4, string("é😀\ufffd\ufffd😀" + "x" * 200))))


def test_a_document_whose_pairs_are_whole_needs_no_mending():
    assert mended([BEGUN, KEEPS["text behind it"]]) is None
