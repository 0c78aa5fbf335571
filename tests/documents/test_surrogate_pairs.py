"""Updates that cut a surrogate pair in half, and documents in which a pair was cut before such updates were refused."""

import pytest

from documents.admission.surrogate_pairs import SurrogatePairs, cutting, mended
from documents.projection.projection import project
from documents.tree.encoding import encodes, squash
from documents.yjs.scan import Refused, scan
from documents.yjs.snapshot import load, state_vector
from tests.support.documents.encoding import client, item, string, update
from tests.support.documents.halves import BEGUN, CUTS, KEEPS, STATE, beside, deletes


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
