"""What is built says what it was built of, wherever it is placed, and in time that grows with it and no faster."""

import gc
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycrdt import Doc, XmlFragment

from documents.editing.edit import Append, Whole
from documents.editing.rebase import rebased_edit
from documents.tree import build
from documents.tree.build import from_tree, place
from documents.tree.tree import shaped, tree
from documents.yjs.scan import IMPORT, scan
from documents.yjs.snapshot import load, state_vector
from tests.documents.trees import DOCUMENT
from tests.support.suite.rounds import examples

NODES = DOCUMENT.map(lambda document: document["content"])
WAYS = ["_place_by_index", "_place_by_neighbours"]
FEW, MANY = 40_000, 160_000


def doc_of(nodes):
    return shaped({"type": "doc", "content": nodes})


@given(NODES)
@settings(max_examples=examples(100), deadline=None)
def test_what_is_built_says_what_it_was_built_of(nodes):
    made = from_tree(doc_of(nodes), 7)
    assert tree(load(made)) == doc_of(nodes)
    scanned = scan(made, IMPORT)
    assert scanned.ends.keys() <= {7}
    assert not scanned.scattered or scanned.scattered == 1


@pytest.mark.parametrize("way", WAYS)
@given(NODES, NODES.filter(bool), st.data())
@settings(max_examples=examples(100), deadline=None)
def test_nodes_are_placed_between_others(way, there, nodes, data):
    held = load(from_tree(doc_of(there), 7))
    children = held.get("default", type=XmlFragment)
    at = data.draw(st.integers(0, len(children.children)))
    made = []
    held.observe(lambda event: made.append(event.update))
    with held.transaction():
        getattr(build, way)(children, at, doc_of(nodes)["content"])
    wanted = [*doc_of(there)["content"][:at], *doc_of(nodes)["content"], *doc_of(there)["content"][at:]]
    assert tree(held) == doc_of(wanted)
    other = load(from_tree(doc_of(there), 7), made)
    assert tree(other) == tree(held)
    assert state_vector(other) == state_vector(held)
    scan(made[0]).depth  # noqa: B018  it is not refused


@pytest.mark.parametrize("way", WAYS)
def test_texts_that_stand_side_by_side_become_one_text_at_either_end(way):
    nodes = [
        {"type": "text", "text": "one "},
        {"type": "text", "text": "two", "marks": [{"type": "bold"}]},
        {"type": "hardBreak"},
        {"type": "text", "text": "three😀"},
        {"type": "text", "text": "", "marks": [{"type": "italic"}]},
        {"type": "text", "text": "four", "marks": [{"type": "code"}]},
    ]
    held = load(from_tree(doc_of([{"type": "paragraph"}]), 7))
    paragraph = held.get("default", type=XmlFragment).children[0]
    getattr(build, way)(paragraph, 0, nodes)
    said = [node for node in nodes if node.get("text") != ""]
    assert tree(held) == doc_of([{"type": "paragraph", "content": said}])
    assert len(paragraph.children) == 3


def test_the_library_searches_a_place_twice_however_many_nodes_are_placed(monkeypatch):
    doc = Doc()
    root = doc.get("default", type=XmlFragment)
    view, searched = type(root.children), []
    insert = view.insert

    def counted(self, at, value):
        searched.append(at)
        return insert(self, at, value)

    monkeypatch.setattr(view, "insert", counted)
    place(root, 0, [{"type": "paragraph", "content": [{"type": "text", "text": str(each)}]} for each in range(1_000)])
    assert len(searched) == 2
    assert len(tree(doc)["content"]) == 1_000


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [Whole, Append])
def test_an_edit_of_four_times_as_many_lines_takes_at_most_five_times_as_long(wanted):
    def cost(lines):
        gc.collect()
        gc.freeze()  # what other tests left in this process is not collected again while the edit allocates
        begun = time.thread_time()
        assert rebased_edit([], [], wanted("***\n" * lines)).update
        taken = time.thread_time() - begun
        gc.unfreeze()
        return taken

    # what others do to the processor's caches may make one look longer, and never all; a square would take sixteen times
    assert any(cost(MANY) <= 5 * cost(FEW) for _ in range(3))
