from hypothesis import given, settings
from hypothesis import strategies as st

from documents.editing.hunks import Hunk, WrittenBlock, hunks
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import LISTS, flat, markdown, texts
from documents.markdown.unsupported_markup import UnsupportedMarkup
from documents.tree.tree import shaped
from tests.documents.trees import DOCUMENT
from tests.support.suite.rounds import examples

PLAIN = """a|b|- a|- b|  - c|  d|1. x|2) y|> q|```|~~~|    code|<details>|</details>|# h|---|***|===|[r]: /u|see [r]|<!-- c|-->|| a |"""
OPENED = ["<details>\n<summary>s</summary>", "| a |\n| - |", "- a\n\n  b", "```\nx\n\ny\n```", "a\n\n\n\nb", "", "\n"]
PARTS = st.lists(st.sampled_from([*PLAIN.split("|"), *OPENED]), max_size=3).map("\n".join)
CHANGES = st.lists(
    st.tuples(st.integers(0, 100), st.sampled_from(["insert", "replace", "delete"]), PARTS), min_size=1, max_size=5
)


def written(tree):
    nodes = list(flat(tree.get("content", ())))
    said = [(node, text) for node, text in zip(nodes, texts(nodes), strict=True) if text]
    return [WrittenBlock(text, node["type"] in LISTS) for node, text in said]


def normal(said):
    return parse(markdown(shaped(parse(said))))["content"]


def changed(blocks, changes):
    """The Markdown of the blocks with these changes, each at a paragraph of it."""
    paragraphs = "\n\n".join(block.text for block in blocks).split("\n\n")
    for place, kind, text in changes:
        at = place % (len(paragraphs) + (kind == "insert") or 1)
        paragraphs[at : at + (kind != "insert")] = [text] if kind != "delete" else []
    return "\n\n".join(paragraphs) + "\n"


def patched(blocks, found):
    """The blocks with the hunks in their places."""
    made, at = [], 0
    for hunk in [*found, Hunk(len(blocks), len(blocks), [])]:
        made += [node for block in blocks[at : hunk.start] for node in parse(block.text)["content"]]
        made += hunk.new
        at = hunk.stop
    return made


@given(DOCUMENT, CHANGES)
@settings(max_examples=examples(600), deadline=None)
def test_hunks_make_of_the_blocks_what_the_whole_markdown_says(tree, changes):
    blocks = written(parse(markdown(tree)))
    wanted = changed(blocks, changes)
    assert patched(blocks, hunks(blocks, wanted, UnsupportedMarkup())) == normal(wanted)


@given(st.lists(PARTS, max_size=8), CHANGES)
@settings(max_examples=examples(600), deadline=None)
def test_hunks_of_markdown_of_any_shape_are_read_as_the_whole_is(parts, changes):
    blocks = written(parse("\n\n".join(parts)))
    wanted = changed(blocks, changes)
    assert patched(blocks, hunks(blocks, wanted, UnsupportedMarkup())) == normal(wanted)


def test_changes_that_lie_apart_are_hunks_of_their_own():
    blocks = [WrittenBlock(f"paragraph {number}", False) for number in range(1_000)]
    texts = [block.text for block in blocks]
    texts[10] = "[another] one"
    texts[900:901] = []
    texts += ["[another]: /address", "the end"]
    first, second, third = hunks(blocks, "\n\n".join(texts), UnsupportedMarkup())
    assert (first.start, first.stop, second.start, second.stop) == (10, 11, 900, 901)
    assert first.new[0]["content"][0]["marks"] == [{"type": "link", "attrs": {"href": "/address"}}]
    assert (second.new, third.start, third.stop, len(third.new)) == ([], 1_000, 1_000, 1)


def test_a_list_beside_a_hunk_belongs_to_it_since_it_may_go_on():
    blocks = [WrittenBlock(text, text.startswith("-")) for text in ("a", "- b", "c", "d")]
    (hunk,) = hunks(blocks, "a\n\n- b\n\n  also b\n\nc\n\nd", UnsupportedMarkup())
    assert (hunk.start, hunk.stop, len(hunk.new)) == (1, 2, 1)


def test_a_fence_left_open_between_blocks_takes_in_those_that_follow():
    blocks = [WrittenBlock(text, False) for text in ("a", "b", "c")]
    (hunk,) = hunks(blocks, "a\n\n```\n\nb\n\nc", UnsupportedMarkup())
    assert (hunk.start, hunk.stop, [node["type"] for node in hunk.new]) == (0, 3, ["paragraph", "codeBlock"])
