import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.editing.apply_tree import apply_tree
from documents.tree.build import from_tree
from documents.tree.tree import root, shaped, tree
from documents.yjs.scan import Refused, scan
from documents.yjs.snapshot import apply, encode_state, load
from tests.documents.trees import DOCUMENT, INLINES, SIMPLE, node
from tests.support.documents.encoding import STRAYS, block, client, row, update
from tests.support.documents.sample_cases import CASES, UPDATES
from tests.support.suite.rounds import examples


def doc(*content):
    return {"type": "doc", "content": list(content)}


def paragraph(*content, **attrs):
    return {
        "type": "paragraph",
        "attrs": attrs,
        "content": [text(each) if isinstance(each, str) else each for each in content],
    }


def text(words, *marks):
    return {
        "type": "text",
        "text": words,
        "marks": [mark if isinstance(mark, dict) else {"type": mark} for mark in marks],
    }


BREAK = {"type": "hardBreak"}


def held(written):
    return load(from_tree(written, 1))


def becomes(live, wanted):
    """Change the document and check the update by a copy that gets it."""
    copy = load(encode_state(live))
    update = apply_tree(live, wanted)
    assert not isinstance(update, Refused), update
    assert tree(live) == shaped(wanted)
    if update:
        assert not isinstance(apply(copy, update), Refused)
    assert tree(copy) == shaped(wanted)
    return update


@given(DOCUMENT, DOCUMENT)
@settings(max_examples=examples(150), deadline=None)
def test_any_document_becomes_any_other(old, new):
    live = held(old)
    becomes(live, new)
    assert apply_tree(live, new) == b""


@given(INLINES, INLINES, INLINES)
@settings(max_examples=examples(150), deadline=None)
def test_any_paragraph_becomes_any_other_and_goes_on_being_the_same(first, second, third):
    live = held(doc(node("paragraph", first)))
    element = root(live).children[0]
    for content in (second, third, first):
        becomes(live, doc(node("paragraph", content)))
        assert root(live).children[0] == element


@given(SIMPLE, SIMPLE)
@settings(max_examples=examples(150), deadline=None)
def test_any_marks_become_any_others(old, new):
    becomes(held(old), new)


@pytest.mark.parametrize("data", UPDATES, ids=[case["name"] for case in CASES])
@pytest.mark.parametrize("other", [0, 5, 9])
def test_what_editors_wrote_becomes_what_others_wrote_and_back(data, other):
    live = load(data)
    before = tree(live)
    assert becomes(live, before) == b""
    becomes(live, tree(load(UPDATES[other])))
    becomes(live, before)


def test_a_changed_word_is_a_few_bytes():
    many = [paragraph(f"This is paragraph number {number}, of many.") for number in range(2_000)]
    live = held(doc(*many))
    many[1_000] = paragraph("This is a paragraph number 1000, of many.")
    assert len(becomes(live, doc(*many))) < 30


def test_elements_and_texts_that_are_in_both_stay_what_they_are():
    live = held(doc(paragraph("one two"), paragraph("three", BREAK, "four"), paragraph("five")))
    before = list(root(live).children)
    texts = [each for block in before for each in block.children]
    becomes(live, doc(paragraph("zero"), paragraph("one 2"), paragraph("three", "four!"), paragraph("five", BREAK)))
    after = list(root(live).children)
    assert before == after[1:]
    assert [each for block in before for each in block.children][: len(texts) - 1] == [
        texts[0],
        texts[1],
        texts[3],
        texts[4],
    ]


def merged(start, wanted, *others):
    """What comes of changing the document to `wanted` while each of the others changes a copy of its own."""
    live = held(start)
    copies = [load(encode_state(live)) for _ in others]
    apply_tree(live, wanted)
    for copy, act in zip(copies, others, strict=True):
        with copy.transaction():
            act(root(copy))
    for copy in copies:
        live.apply_update(copy.get_update(live.get_state()))
    for copy in copies:
        copy.apply_update(live.get_update(copy.get_state()))
        assert tree(copy) == tree(live)
    return tree(live)


def test_typing_in_a_text_that_is_being_changed_is_kept():
    assert merged(
        doc(paragraph("The quick fox jumps.")),
        doc(paragraph("The slow fox sleeps, ", text("deeply", "bold"), ".")),
        lambda live: live.children[0].children[0].insert(len("The quick fox"), " of mine"),
        lambda live: live.children[0].children[0].insert(0, "Once: "),
    ) == shaped(doc(paragraph("Once: The slow fox of mine sleeps, ", text("deeply", "bold"), ".")))


def test_typing_beside_a_break_that_goes_is_kept():
    assert merged(
        doc(paragraph("one", BREAK, "two")),
        doc(paragraph("one two")),
        lambda live: live.children[0].children[0].insert(0, "a"),
        lambda live: live.children[0].children[2].insert(3, "b"),
    ) == shaped(doc(paragraph("aone twob")))


def test_new_paragraphs_and_attributes_of_others_are_kept():
    def add(live):
        live.children.insert(1, XmlElement("paragraph")).children.append(XmlText("between"))
        live.children[0].attributes["textAlign"] = "right"

    assert merged(
        doc(paragraph("one"), paragraph("two")), doc(paragraph("1"), paragraph("two"), paragraph("3")), add
    ) == shaped(doc(paragraph("1", textAlign="right"), paragraph("between"), paragraph("two"), paragraph("3")))


ROWS = ["plain words here", "emoji 😀 and é", "", "a", "last one of all"]
PLAIN = st.lists(st.sampled_from(ROWS).map(paragraph), min_size=1, max_size=5).map(lambda blocks: doc(*blocks))


@given(PLAIN, PLAIN, st.data())
@settings(max_examples=examples(100), deadline=None)
def test_typing_in_paragraphs_that_stay_is_always_kept(old, new, data):
    at = data.draw(st.integers(0, len(old["content"]) - 1))
    live = held(old)
    copy = load(encode_state(live))
    block = root(live).children[at]
    apply_tree(live, new)
    stays = block in list(root(live).children)
    with copy.transaction():
        typed = root(copy).children[at]
        (typed.children[0] if len(typed.children) else typed.children.append(XmlText())).insert(0, "TYPED ")
        root(copy).children.append(XmlElement("paragraph")).children.append(XmlText("ADDED"))
    live.apply_update(copy.get_update(live.get_state()))
    copy.apply_update(live.get_update(copy.get_state()))
    assert tree(live) == tree(copy)
    written = str(tree(live))
    assert "ADDED" in written
    assert ("TYPED " in written) or not stays


def test_text_lying_at_the_root_stays_while_it_is_equal_and_becomes_a_paragraph_when_it_is_not():
    live = Doc()
    top = live.get("default", type=XmlFragment)
    with live.transaction():
        top.children.append(XmlText("loose"))
        top.children.append(XmlText(" text"))
        top.children.append(XmlElement("horizontalRule"))
    becomes(live, doc(paragraph("loose text"), paragraph("more"), {"type": "horizontalRule"}))
    assert isinstance(top.children[0], XmlText)
    becomes(live, doc(paragraph("loose words"), {"type": "horizontalRule"}))
    assert isinstance(top.children[0], XmlElement)


def test_a_text_with_embedded_values_is_written_anew_only_when_it_changes():
    live = held(doc(paragraph("a"), paragraph("b")))
    with live.transaction():
        root(live).children[0].children[0].insert_embed(1, {"odd": 1})
    odd = {"type": "unknownEmbed", "attrs": {"value": {"odd": 1}}}
    becomes(live, doc(paragraph("a", odd), paragraph("c")))
    assert root(live).children[0].children[0].diff()[1][0] == {"odd": 1}
    becomes(live, doc(paragraph("b", odd), paragraph("c")))


def test_the_root_of_other_editors_is_written_to():
    live = Doc()
    with live.transaction():
        live.get("prosemirror", type=XmlFragment).children.append(XmlElement("paragraph"))
    becomes(live, doc(paragraph("here")))
    assert list(live.keys()) == ["prosemirror"]


def test_attributes_are_set_only_where_they_differ():
    live = held(doc({"type": "heading", "attrs": {"level": 1, "odd": [1, True]}}))
    update = becomes(live, doc({"type": "heading", "attrs": {"level": 2, "odd": [1, True]}}))
    assert scan(update).structs == 1
    becomes(live, doc({"type": "heading", "attrs": {"level": 2, "odd": [True, 1], "new": "x"}}))
    becomes(live, doc({"type": "heading", "attrs": {"level": None}}))


def test_a_tree_too_deep_or_with_half_a_character_is_refused_before_anything_changes():
    deep = paragraph("x")
    for _ in range(101):
        deep = {"type": "blockquote", "content": [deep]}
    live = held(doc(paragraph("a")))
    state = encode_state(live)
    for wanted in (doc(deep), doc(paragraph("\ud83d"))):
        assert isinstance(apply_tree(live, wanted), Refused)
        assert encode_state(live) == state


ROW = st.lists(st.sampled_from([block("paragraph"), block("heading"), *STRAYS.values()]), min_size=1, max_size=7)


@given(ROW, DOCUMENT)
@settings(max_examples=examples(150), deadline=None)
def test_a_document_with_values_that_are_no_nodes_becomes_any_other(contents, new):
    live = load(update(client(1, *row(*contents))))
    becomes(live, new)
    becomes(live, doc(paragraph("and another")))


def test_nodes_before_all_values_stay_what_they_are():
    live = load(update(client(1, *row(block("paragraph"), block("heading"), STRAYS["an emoji"]))))
    first, second = root(live).children
    becomes(live, doc({"type": "paragraph"}, paragraph("new"), {"type": "heading"}))
    assert [root(live).children[at] for at in (0, 2)] == [first, second]


def test_an_emoji_is_replaced_whole():
    live = held(doc(paragraph("a👍🏽b")))
    becomes(live, doc(paragraph("a👍b")))
    becomes(live, doc(paragraph("a👎🏽b😀")))


WITH_EMOJI = "AQYHAAcBB2RlZmF1bHQDCXBhcmFncmFwaAcABwAGBAAHARZh8J+YgGIgYW5kIG1vcmUg8J+RjSB4hwcAAwlwYXJhZ3JhcGgHAAcUBgQABxUGc2Vjb25kAA=="
HALF_OF_IT_DELETED = "AAEHAQMB"


def test_a_text_in_which_half_an_emoji_was_deleted_is_replaced_since_no_place_in_it_is_certain():
    live = load(None, map(base64.b64decode, (WITH_EMOJI, HALF_OF_IT_DELETED)))
    first, second = root(live).children
    damaged = first.children[0]
    wanted = tree(live)
    wanted["content"][0]["content"][0]["text"] = "ab and less"
    assert isinstance(apply_tree(live, wanted), bytes)
    assert tree(live) == wanted
    assert list(root(live).children) == [first, second]
    assert first.children[0] != damaged
