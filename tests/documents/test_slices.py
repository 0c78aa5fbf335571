"""An update in slices says what the whole says."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.editing.edit import Whole, edit
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from documents.tree.tree import walk
from documents.yjs.scan import IMPORT, Refused, scan
from documents.yjs.slices import sliced
from documents.yjs.snapshot import apply_exactly, encode_state, load, state_vector
from tests.support.suite.rounds import examples


def applied(state, updates):
    doc = load(state)
    for update in updates:
        scanned = scan(update, IMPORT)
        assert not isinstance(scanned, Refused), scanned.reason
        assert not scanned.missing(state_vector(doc))
        assert apply_exactly(doc, (update,), scanned.after(state_vector(doc))) is None
    return doc


@pytest.mark.parametrize("most", [1, 2, 7, 100])
def test_a_rewritten_document_in_slices_is_the_rewritten_document(most):
    before = "\n\n".join(f"{each} the **quick** brown fox" for each in range(20))
    state = from_tree(parse(before), 4711)
    update = edit(load(state), Whole(before.replace("o", "0").replace("7 the", "seven *the*")))
    parts = sliced(update, most)
    assert len(parts) > 1 if most < 100 else len(parts) >= 1
    whole, pieces = applied(state, [update]), applied(state, parts)
    assert walk(pieces) == walk(whole)
    assert state_vector(pieces) == state_vector(whole)
    assert encode_state(pieces) == encode_state(whole)


BLOCKS = st.sampled_from(
    [
        "one two **three**",
        "*a* b",
        "# one",
        "> q\n> r",
        "- x\n- y",
        "1. y",
        "| a | b |\n| - | - |\n| c | d |",
        "```\nx\n```",
    ]
)
MARKDOWN = st.lists(BLOCKS, max_size=6).map("\n\n".join)


@settings(max_examples=examples(50))
@given(MARKDOWN, MARKDOWN, st.integers(1, 5))
def test_any_edit_in_slices_is_the_edit(before, after, most):
    state = from_tree(parse(before), 4711)
    update = edit(load(state), Whole(after))
    assume(update)
    assert encode_state(applied(state, sliced(update, most))) == encode_state(applied(state, [update]))


def test_updates_of_several_clients_and_small_ones_stay_whole():
    one, other = Doc(client_id=1), Doc(client_id=2)
    one.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[XmlText("a")]))
    other.apply_update(one.get_update())
    other.get("default", type=XmlFragment).children.append(XmlElement("paragraph"))
    both = other.get_update()
    assert sliced(both, 1) == [both]
    assert sliced(one.get_update()) == [one.get_update()]
    assert sliced(b"what is no update") == [b"what is no update"]
