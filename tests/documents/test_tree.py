import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prosemirror.model import Node, Schema
from pycrdt import Doc, Map, Text, XmlElement, XmlFragment, XmlText

from documents.projection.projection import project
from documents.tree.build import from_tree
from documents.tree.schema import SCHEMA
from documents.tree.tree import TOO_DEEP, text_of, too_deep, tree, walk, walk_public
from documents.yjs.scan import Scanned
from documents.yjs.snapshot import apply, encode_state, load
from tests.documents.editor_trees import as_projected
from tests.documents.trees import DOCUMENT
from tests.support.documents.encoding import (
    STRAYS,
    any_value,
    block,
    client,
    edited,
    element,
    inside,
    item,
    nested_elements,
    number,
    row,
    string,
    update,
)
from tests.support.documents.sample_cases import CASES, UPDATES
from tests.support.suite.rounds import examples


def read(data):
    doc = load(data)
    assert isinstance(doc, Doc)
    assert walk(doc) == walk_public(doc)
    return tree(doc)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_sample_reads_as_the_editors_read_it(case):
    assert read(UPDATES[CASES.index(case)]) == as_projected(case["pm"])


@pytest.mark.parametrize("case", [case for case in CASES if case["schema_valid"]], ids=lambda case: case["name"])
def test_a_sample_that_fits_the_schema_is_accepted_by_it(case):
    node = Node.from_json(Schema(SCHEMA), read(UPDATES[CASES.index(case)]))
    node.check()


@pytest.mark.parametrize("data", UPDATES, ids=[case["name"] for case in CASES])
def test_a_sample_built_again_from_its_tree_reads_the_same(data):
    built = from_tree(read(data), client_id=9)
    assert isinstance(apply(Doc(), built), Scanned)
    assert read(built) == read(data)


@pytest.mark.parametrize("seed", range(8))
def test_equal_states_give_equal_bytes_on_every_replica(seed):
    doc, updates = edited(seed, steps=120)
    assert walk(doc) == walk_public(doc)
    copies = [load(None, updates), load(encode_state(doc)), load(encode_state(doc), updates[-3:])]
    assert [project(copy) for copy in copies] == [project(doc)] * 3
    json.loads(project(doc).tree_json)
    project(doc).markdown.encode()


@given(DOCUMENT)
@settings(max_examples=examples(60), deadline=None)
def test_a_built_document_holds_its_tree(built):
    doc = load(from_tree(built, client_id=3))
    assert tree(load(from_tree(tree(doc), client_id=4))) == tree(doc)


def paragraph(*texts):
    doc = Doc()
    root = doc.get("default", type=XmlFragment)
    block = root.children.append(XmlElement("paragraph"))
    for text in texts:
        block.children.append(XmlText(text))
    return doc, block


def test_an_empty_document_is_an_empty_doc():
    assert tree(Doc()) == {"type": "doc", "content": []}
    assert project(Doc()).markdown == ""


def test_reading_changes_nothing():
    doc = Doc()
    tree(doc)
    assert encode_state(doc) == b"\x00\x00"


def test_the_other_root_is_read_where_the_default_is_empty():
    doc = Doc()
    doc.get("default", type=XmlFragment)
    doc.get("prosemirror", type=XmlFragment).children.append(XmlElement("paragraph"))
    assert tree(doc)["content"] == [{"type": "paragraph"}]
    doc.get("default", type=XmlFragment).children.append(XmlElement("horizontalRule"))
    assert tree(doc)["content"] == [{"type": "horizontalRule"}]


def test_a_root_of_another_kind_is_read_without_harm():
    for kind in (Map, Text):
        doc = Doc()
        doc["default"] = kind()
        if kind is Text:
            doc["default"] += "words"
        else:
            doc["default"]["a"] = 1
        assert tree(load(encode_state(doc)))["type"] == "doc"


def test_neighbouring_texts_with_equal_marks_are_one():
    doc, block = paragraph("a", "", "b")
    assert tree(doc)["content"][0]["content"] == [{"type": "text", "text": "ab"}]
    block.children[2].format(0, 1, {"bold": {}})
    assert [text["text"] for text in tree(doc)["content"][0]["content"]] == ["a", "b"]


def test_text_lying_directly_in_the_document_gets_a_paragraph():
    doc = Doc()
    root = doc.get("default", type=XmlFragment)
    root.children.append(XmlText("a"))
    root.children.append(XmlElement("horizontalRule"))
    root.children.append(XmlText("b"))
    assert [node["type"] for node in tree(doc)["content"]] == ["paragraph", "horizontalRule", "paragraph"]


def test_marks_stand_in_the_schemas_order_without_their_fingerprints():
    doc, block = paragraph("x")
    block.children[0].format(
        0,
        1,
        {
            "zeta": {},
            "comment--6oADIOBk": {"commentId": "b"},
            "italic": {},
            "alpha": True,
            "comment--pCjLSW2W": {"commentId": "a"},
            "link": {"href": "x", "title": None},
            "ychange": {"user": 1},
            "underline": "thick",
        },
    )
    assert tree(doc)["content"][0]["content"][0]["marks"] == [
        {"type": "link", "attrs": {"href": "x"}},
        {"type": "italic"},
        {"type": "underline", "attrs": "thick"},
        {"type": "comment", "attrs": {"commentId": "a"}},
        {"type": "comment", "attrs": {"commentId": "b"}},
        {"type": "alpha"},
        {"type": "zeta"},
    ]


def test_whole_numbers_are_integers_and_what_json_cannot_say_is_null_or_gone():
    doc, block = paragraph()
    block.attributes["b"] = [1.0, 2.5, float("nan"), {"d": float("inf"), "c": 3.0}]
    block.attributes["a"] = 2.0
    block.attributes["nan"] = float("nan")
    block.attributes["raw"] = b"bytes"
    block.attributes["none"] = None
    block.attributes["yes"] = True
    attrs = tree(doc)["content"][0]["attrs"]
    assert attrs == {"a": 2, "b": [1, 2.5, None, {"c": 3, "d": None}], "yes": True}
    assert type(attrs["a"]) is int
    assert list(attrs) == sorted(attrs)


def test_embeds_are_kept_as_what_they_are():
    doc, block = paragraph("")
    text = block.children[0]
    text.insert_embed(0, {"a": 1})
    text.insert_embed(1, XmlElement("badge", {"n": "1"}))
    text.insert_embed(2, Map({"a": 1}))
    assert tree(doc)["content"][0]["content"] == [
        {"type": "unknownEmbed", "attrs": {"value": {"a": 1}}},
        {"type": "badge", "attrs": {"n": "1"}},
        {"type": "unknownEmbed"},
    ]
    assert walk(doc) == walk_public(doc)


def test_a_shared_type_as_an_attribute_is_left_out():
    data = update(client(1, element(), b"\x27" + inside(1, 0) + string("map") + b"\x01"))
    assert read(data)["content"] == [{"type": "p"}]


def test_a_fragment_inside_is_transparent():
    data = update(client(1, item(7, b"\x04"), element("a", parent=inside(1, 0)), element("b", parent=inside(1, 0))))
    assert {node["type"] for node in read(data)["content"]} == {"a", "b"}


def test_values_in_place_of_nodes_are_read_without_harm():
    data = update(client(1, element(), any_value(b"\x7d\x05"), item(4, string("stray")), item(8, number(1) + b"\x7f")))
    assert read(data)["type"] == "doc"


def types(node):
    return [child["type"] for child in node.get("content", ())]


@pytest.mark.parametrize("stray", STRAYS.values(), ids=STRAYS)
def test_what_stands_behind_a_value_in_the_root_is_read_and_reading_changes_nothing(stray):
    data = update(client(1, *row(block("a"), stray, block("b"), (7, b"\x06", 1), stray, stray, block("c"))))
    assert types(read(data)) == ["a", "b", "c"]
    doc, untouched = load(data), load(data)
    root = doc.get("default", type=XmlFragment)
    heard = []
    root.observe_deep(heard.extend)
    assert tree(doc) == read(data)
    assert str(root) == str(doc.get("default", type=XmlFragment)) == str(untouched.get("default", type=XmlFragment))
    assert encode_state(doc) == encode_state(untouched)
    root.children[0].children.append(XmlText("heard"))
    assert [event.target.tag for event in heard] == ["a"]
    assert text_of(tree(doc)) == "heard"


@given(st.lists(st.sampled_from(["node", *STRAYS]), max_size=12), st.data())
@settings(max_examples=examples(150), deadline=None)
def test_every_node_in_the_root_is_read_in_its_place_whatever_stands_between(kinds, data):
    contents = [block(f"n{at}") if kind == "node" else STRAYS[kind] for at, kind in enumerate(kinds)]
    clocks = [sum(length for _, _, length in contents[:at]) for at in range(len(contents))]
    gone = data.draw(st.sets(st.sampled_from(range(len(kinds))))) if kinds else set()
    ranges = b"".join(number(clocks[at]) + number(contents[at][2]) for at in sorted(gone))
    deletes = b"\x01\x01" + number(len(gone)) + ranges if gone else b"\x00"
    written = update(client(1, *row(*contents)), deletes=deletes) if kinds else update()
    expected = [f"n{at}" for at, kind in enumerate(kinds) if kind == "node" and at not in gone]
    assert types(read(written)) == expected


def test_a_root_with_values_alone_is_empty_and_one_with_a_node_behind_them_is_read():
    other = row(block("other"), parent=b"\x01" + string("prosemirror"))
    for stray in STRAYS.values():
        alone = client(1, *row(stray), *other)
        assert types(read(update(alone))) == ["other"]
        behind = client(1, *row(stray, block("own")), *other)
        assert types(read(update(behind))) == ["own"]


def test_inside_an_element_the_nodes_before_a_value_are_read():
    for stray in STRAYS.values():
        data = update(client(1, element(), *row(block("a"), stray, block("b"), parent=inside(1, 0), clock=1)))
        assert types(read(data)["content"][0]) == ["a"]


def test_a_tree_too_deep_behind_a_value_is_too_deep():
    deep = [element(parent=inside(1, at)) for at in range(1, 102)]
    assert too_deep(load(update(client(1, *row(STRAYS["a map"], block("a")), *deep))))


def test_a_tree_as_deep_as_allowed_is_whole_and_a_deeper_one_is_cut():
    whole, cut = load(nested_elements(100)), load(nested_elements(101))
    assert not too_deep(whole)
    assert TOO_DEEP not in json.dumps(tree(whole))
    assert too_deep(cut)
    assert TOO_DEEP in json.dumps(tree(cut))
    assert walk(cut) == walk_public(cut)


def test_a_tree_twenty_thousand_deep_is_read_without_harm():
    doc = load(nested_elements(20_000))
    assert too_deep(doc)
    assert TOO_DEEP in json.dumps(json.loads(project(doc).tree_json))


def test_nul_never_breaks_the_bytes():
    doc, _ = paragraph("a\0b")
    assert json.loads(project(doc).tree_json) == tree(doc)
    assert project(doc).markdown == "a\ufffdb\n"


def test_half_of_a_deleted_pair_never_breaks_the_bytes():
    text = (item(7, b"\x06", parent=inside(1, 0)), item(4, string("a😀b"), parent=inside(1, 1)))
    doc = load(update(client(1, element("paragraph"), *text), deletes=b"\x01\x01\x01\x03\x01"))
    assert json.loads(project(doc).tree_json) == tree(doc)
    assert project(doc).markdown.encode().startswith(b"a")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
@settings(max_examples=examples(60), deadline=None)
def test_any_attribute_value_can_be_written_as_json(value):
    doc, block = paragraph()
    block.attributes["value"] = value
    json.loads(project(doc).tree_json)
    assert project(load(encode_state(doc))) == project(doc)
