"""Trees that callers give: any value of JSON is read or refused."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.markdown.markdown_out import markdown
from documents.tree.given import given_tree
from documents.tree.tree import shaped
from documents.yjs.scan import Refused
from tests.documents.trees import DOCUMENT

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "content", "attrs", "marks", "text", "level"]), inner, max_size=4)
    ),
)
KINDS = st.sampled_from(
    [
        "doc",
        "text",
        "paragraph",
        "heading",
        "table",
        "tableRow",
        "tableCell",
        "bulletList",
        "listItem",
        "image",
        "codeBlock",
        "x",
    ]
)
NODES = st.recursive(
    st.fixed_dictionaries(
        {"type": KINDS}, optional={"attrs": st.dictionaries(st.text(max_size=5), JSON), "text": st.text()}
    ),
    lambda inner: st.fixed_dictionaries({"type": KINDS, "content": st.lists(inner, max_size=3)}),
)


@given(DOCUMENT)
def test_a_tree_of_a_document_is_read_as_it_is(tree):
    assert given_tree(tree) == shaped(tree)


@given(JSON | NODES | st.lists(NODES, max_size=3).map(lambda content: {"type": "doc", "content": content}))
def test_any_value_is_read_or_refused(value):
    read = given_tree(value)
    assert isinstance(read, Refused) or isinstance(markdown(read), str)


@pytest.mark.parametrize(
    "value",
    [
        None, [], "doc", {}, {"type": "paragraph"}, {"type": "doc", "content": {}}, {"type": "doc", "content": [[]]},
        {"type": "doc", "content": [{"type": "text"}]}, {"type": "doc", "content": [{"type": "paragraph", "text": "a"}]},
        {"type": "doc", "content": [{"type": "text", "text": "a", "marks": ["bold"]}]},
    ],
)  # fmt: skip
def test_what_is_no_document_is_refused(value):
    assert isinstance(given_tree(value), Refused)


def test_a_tree_that_is_nested_without_end_is_refused_or_cut():
    node = {"type": "paragraph"}
    for _ in range(50_000):
        node = {"type": "blockquote", "content": [node]}
    assert isinstance(given_tree({"type": "doc", "content": [node]}), Refused)
    shallow = {"type": "paragraph", "content": [{"type": "text", "text": "end"}]}
    for _ in range(150):
        shallow = {"type": "blockquote", "content": [shallow]}
    assert "too deep" in markdown(
        given_tree(msgspec.json.decode(msgspec.json.encode({"type": "doc", "content": [shallow]})))
    )
