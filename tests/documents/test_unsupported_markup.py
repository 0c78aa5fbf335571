"""What Markdown and HTML say and a document has no place for is told, and nothing else is."""

import pytest
from hypothesis import given
from pycrdt import Doc

from documents.editing.edit import Append, Passage, Passages, Whole
from documents.editing.edit_effect import effect_of
from documents.editing.rebase import rebased_edit
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.markdown.unsupported_markup import MAX_NAMES, UnsupportedMarkup
from documents.tree.build import from_tree
from tests.documents.html_rules import RULES
from tests.documents.trees import DOCUMENT

CASES = {
    "<!-- c -->\n": ["node comment"],
    "a <!-- c --> b <?php x ?>\n": ["node comment", "node declaration"],
    "<div align=center>\n\na\n\n</div>\n": ["attribute align"],
    "<p>a</p>\n\n<b>b</b> <kbd>c</kbd> <br>\n": [],
    'a <span style="color:red">b</span>\n': ["attribute style", "node span"],
    '<img src="a.png" width="9" alt="x">\n': ["attribute width"],
    '<p><img src="a.png" width=9></p>\n': ["attribute width"],
    "[![CI](https://s.example/x.svg)](https://ci.example/)\n": ["mark link"],
    '<a href="https://ci.example/"><img src="x.svg"></a>\n': ["mark link"],
    '<p><a href="https://ci.example/"><img src="x.svg"></a></p>\n': ["mark link"],
    "[a](https://ci.example/) ![b](x.svg)\n": [],
    '<a name="x"></a>\n\n## X\n': ["attribute name", "node a"],
    "a <script>x</script>\n": ["node script"],
    "<style>x</style>\n": ["node style"],
    '```js title="x"\n1\n```\n': ["attribute info"],
    "```js\n1\n```\n": [],
    "<details open><summary>S</summary>\na\n</details>\n": ["attribute open"],
    "<table><tr><td colspan=2>a</td></tr></table>\n": ["attribute colspan"],
    "`<span>` \\<div>\n\n```\n<!-- c -->\n```\n": [],
    "| a |\n| :-: |\n| <ul><li class=x>y</ul> |\n": ["attribute class"],
}


def told(found):
    return sorted(f"{what} {name}" for what, name in found)


@pytest.mark.parametrize(("given", "expected"), CASES.items(), ids=CASES)
def test_what_a_document_has_no_place_for_is_told(given, expected):
    unsupported = UnsupportedMarkup()
    parse(given, unsupported)
    assert told(unsupported.found) == expected


@given(DOCUMENT)
def test_of_what_a_document_says_itself_nothing_is(tree):
    unsupported = UnsupportedMarkup()
    parse(markdown(tree), unsupported)
    assert unsupported.found == set()


@pytest.mark.parametrize("case", RULES)
def test_what_was_read_once_is_told_no_more(case):
    unsupported = UnsupportedMarkup()
    parse(markdown(parse(RULES[case][0])), unsupported)
    assert unsupported.found == set()


def test_a_text_tells_a_bounded_number_of_names():
    unsupported = UnsupportedMarkup()
    parse("".join(f"<x{at} y{at}>" for at in range(1_000)), unsupported)
    assert len(unsupported.found) == MAX_NAMES


@pytest.mark.parametrize(
    "wanted",
    [
        Whole("kept <!-- x -->\n\ntext"),
        Append("more <!-- x -->"),
        Passages((Passage("kept", "<!-- x --> held"),)),
    ],
)
def test_the_effect_of_an_edit_tells_it_in_every_form(wanted):
    base = from_tree(parse("kept\n\ntext"), 1)
    effect = effect_of(rebased_edit([base], [], wanted))
    assert [(each.path, each.what, each.name) for each in effect.lost] == [((), "node", "comment")]
    others = Doc(client_id=2)
    others.apply_update(base)
    effect = effect_of(rebased_edit([base], [from_tree(parse("theirs"), 3)], wanted))
    assert [(each.path, each.what, each.name) for each in effect.lost] == [((), "node", "comment")]
