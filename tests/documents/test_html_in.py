"""HTML in Markdown is read by one table of rules; what no rule knows gives its content, and scripts and comments give nothing."""

import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from documents.markdown.html_in import TooDeepError, read_html
from documents.markdown.markdown_in import TooComplexError, parse
from documents.markdown.markdown_out import markdown
from documents.markdown.unsupported_markup import UnsupportedMarkup
from documents.tree.fitting import misfit
from documents.tree.tree import nodes_of, text_of
from tests.documents.html_rules import RULES
from tests.support.processes.servers import PATIENCE
from tests.support.suite.rounds import examples


@pytest.mark.parametrize(("given", "written"), RULES.values(), ids=RULES)
def test_html_is_read_for_what_it_says(given, written):
    assert markdown(parse(given)) == written


def test_nobody_can_write_the_place_of_a_block():
    block = {"type": "paragraph", "content": [{"type": "text", "text": "kept"}]}
    assert read_html(
        [{"type": "html", "raw": "<div><!--"}, block, {"type": "html", "raw": "</div>"}], UnsupportedMarkup()
    ) == [block]
    assert read_html([{"type": "html", "raw": '<p title="'}, block], UnsupportedMarkup()) == [block]


def test_html_that_nests_too_deep_is_not_cut_off():
    with pytest.raises(TooDeepError):
        read_html([{"type": "html", "raw": "<div>" * 300 + "a"}], UnsupportedMarkup())


def test_the_library_is_loaded_with_the_first_html():
    script = (
        "import sys; from documents.markdown.markdown_in import parse; parse('a'); print('lxml' in sys.modules);"
        "parse('<b>a</b> <a>'); print('lxml' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script], timeout=PATIENCE, capture_output=True, check=True, text=True)
    assert ran.stdout.split() == ["False", "True"]


TAGS = [
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "audio",
    "b",
    "base",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h3",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "link",
    "main",
    "map",
    "mark",
    "math",
    "menu",
    "meta",
    "mglyph",
    "mtext",
    "nav",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "picture",
    "plaintext",
    "pre",
    "q",
    "s",
    "samp",
    "script",
    "section",
    "select",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "video",
    "wbr",
    "xmp",
]
ATTRIBUTES = (
    ' onclick="x()"', " href=javascript:x", ' href="/a"', ' src="/i"', " src=x onerror=x", ' class="language-js"', " rowspan=9999",
    ' colspan="1000000"', " start=99999999999", ' style="x', " align=center", ' title="<script>"', " =", "\0", ' a="' + "x" * 999 + '"',
)  # fmt: skip
OTHERS = (
    "text ", "\n\n", "\n", "- ", "> ", "| a | b |\n| --- | --- |\n| ", "```\n", "<!--", "-->", "<![CDATA[", "]]>", "<?", "<", ">",
    "&lt;", "&#x3c;script&#x3e;", "**", "`", "</", "<!DOCTYPE x>", "\u3000", "\u200b",
)  # fmt: skip


def drawn(choose):
    parts = []
    for _ in range(choose.randrange(1, 24)):
        kind = choose.randrange(4)
        tag = choose.choice(TAGS)
        if kind == 0:
            parts.append(f"</{tag}>")
        elif kind < 3:
            parts.append(
                f"<{tag}{''.join(choose.choices(ATTRIBUTES, k=choose.randrange(3)))}{choose.choice(('>', '/>', ''))}"
            )
        else:
            parts.append(choose.choice(OTHERS))
    return "".join(parts)


@given(st.integers(0, 2**63))
@settings(max_examples=examples(300), deadline=None)
def test_hostile_html_is_read_as_a_tree_that_fits_and_settles(seed):
    given = drawn(random.Random(seed))
    tree = parse(given)
    assert misfit(tree["content"]) is None
    again = markdown(tree)
    assert markdown(parse(again)) == again
    assert all(name not in str(marked(tree)) for name in ("javascript:", "onerror", "onclick"))


HOLDERS = (
    *("b", "blockquote", "caption", "dd", "details", "div", "dl", "h2", "li", "ol", "p", "pre", "section", "span"),
    *("summary", "table", "tbody", "td", "th", "tr", "ul"),
)


def worded(choose, depth, words):
    """HTML of random tags, which holds some further words."""
    parts = []
    for _ in range(choose.randrange(1, 4)):
        if depth and choose.random() < 0.7:
            tag = choose.choice(HOLDERS)
            parts.append(f"<{tag}>{worded(choose, depth - 1, words)}</{tag}>")
        else:
            words.append(f"w{len(words)}")
            parts.append(f" {words[-1]} ")
    return "".join(parts)


@given(st.integers(0, 2**63))
@settings(max_examples=examples(300), deadline=None)
def test_each_word_is_said_once_in_whatever_it_lies(seed):
    words = []
    html = f"<div>{worded(random.Random(seed), 3, words)}</div>"
    said = "".join(node.get("text", " ") for node in nodes_of(parse(html)))
    assert sorted(said.split()) == sorted(words), html


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<table>a<caption>b</caption><tr><td>c</td></tr></table>", ["a", "b", "c"]),
        ("<details><summary>a</summary>b<summary>c</summary>d</details>", ["a", "b", "c", "d"]),
        ("<details><summary><ul><li>a</li><li>b</li></ul>c</summary>d</details>", ["a b c", "d"]),
        ("<pre>a<b>b<pre>c</pre>d</b></pre>e", ["abcd", "e"]),
    ],
)
def test_what_lies_where_html_has_no_place_for_it_is_not_lost(html, said):
    assert [node["text"] for node in nodes_of(parse(html)) if node["type"] == "text"] == said


def marked(node):
    """All attributes of nodes and marks."""
    for mark in (node, *node.get("marks", ())):
        yield from mark.get("attrs", {}).items()
    for child in node.get("content", ()):
        yield from marked(child)


@pytest.mark.parametrize("tag", TAGS)
def test_what_a_reader_may_not_see_is_no_text(tag):
    for html in (
        f"<{tag}>x<!-- secret --></{tag}>\n",
        f"a <{tag}>x<!-- secret --></{tag}> b\n",
        f"<{tag}><script>secret</script>y",
    ):
        said = text_of(parse(html))
        assert "secret" not in said or tag in (
            "xmp",
            "textarea",
            "title",
            "plaintext",
            "noembed",
            "noframes",
            "iframe",
        ), html


PIECES = (
    "<p>",
    "<table><tr><td rowspan=1000 colspan=1000>",
    "<li>",
    "<a href=x>",
    "<!--",
    "<b><p>",
    "</p>",
    "<details><summary>",
    "<td>",
    "&lt;",
)


@pytest.mark.parametrize("piece", PIECES)
def test_html_takes_work_by_its_length(piece):
    for size in (100, 10_000):
        try:
            tree = parse(piece * size)
        except TooComplexError:
            return
        assert len(str(tree)) < 40_000_000
