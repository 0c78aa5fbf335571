"""A published document is HTML in which only what the allow-list holds can occur, whatever the tree says."""

import re

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from documents.markdown.addresses import safe_link
from documents.markdown.html import Html, html
from documents.markdown.html_inline import Picture, clean
from documents.markdown.markdown_in import parse
from documents.tree.schema import SCHEMA
from documents.tree.tree import shaped
from tests.documents import trees
from tests.support.suite.rounds import examples

ID = "019aa111-1111-7111-8111-111111111111"
PICTURES = {ID: Picture(f"/p/slug/images/{ID}", 640, 480)}
TEXT_ALIGN = r"align-(left|center|right|justify)"
ANY = r"(?s).*"
BARE = ("br", "hr", "strong", "em", "s", "u", "mark", "sub", "sup", "table", "thead", "tbody", "tr", "details")
ROUND = ("html", "head", "body")  # which the parser adds
ALLOWED = {
    "p": {"class": f"{TEXT_ALIGN}|callout-title"},
    **{f"h{level}": {"id": r"[^\s\"'<>&]+", "class": TEXT_ALIGN} for level in range(1, 7)},
    "a": {
        "href": ANY,
        "rel": "nofollow noopener ugc",
        "title": ANY,
        "class": "anchor|image",
        "tabindex": "-1",
        "aria-hidden": "true",
    },
    "img": {
        "src": r"/p/slug/images/[0-9a-f-]{36}",
        "alt": ANY,
        "title": ANY,
        "width": r"\d+",
        "height": r"\d+",
        "loading": "lazy",
        "decoding": "async",
    },
    "span": {"class": "mention|box", "role": "img", "aria-label": "Done|Not done"},
    "ol": {"dir": "auto", "start": r"\d+", "type": "[1aAiI]"},
    "ul": {"dir": "auto", "class": "tasks"},
    "li": {"class": "done|open"},
    "div": {"class": "scroll", "role": "group", "aria-label": "Table", "tabindex": "0"},
    **{cell: {"scope": "col|row", "colspan": r"\d+", "rowspan": r"\d+", "class": TEXT_ALIGN} for cell in ("td", "th")},
    "blockquote": {"dir": "auto", "class": "callout callout-(note|tip|important|warning|caution)"},
    "summary": {"aria-label": "Details"},
    "pre": {"tabindex": "0"},
    "code": {"class": r"language-[a-zA-Z0-9_+#.-]{1,32}"},
    "figure": {"class": f"chart|{TEXT_ALIGN}", "data-chart": "vega-lite"},
    "figcaption": {"dir": "auto"},
    **{tag: {} for tag in (*BARE, *ROUND)},
}


def parsed(made):
    """The HTML as a browser's parser has it; a parse error is a failure."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(f"<!doctype html>{made.body}")


def check_allowed(made):
    for element in parsed(made).iter():
        assert element.tag in ALLOWED, element.tag
        for name, value in element.attrib.items():
            pattern = ALLOWED[element.tag].get(name)
            assert pattern, f"{element.tag} {name}"
            assert re.fullmatch(pattern, value), f"{element.tag} {name}={value!r}"
        if element.tag == "a":
            assert scheme_is_allowed(element.attrib["href"])


def scheme_is_allowed(href):
    """As a browser reads an address: what it strips is stripped first."""
    read = re.sub(r"[\t\n\r]", "", href).strip("".join(map(chr, range(33))))
    found = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", read)
    return found is None or found[1].lower() in ("http", "https", "mailto", "tel")


def said(tree):
    """All the text of a tree, plainly; an image that is not the document's own says its alternative text."""
    found = []

    def gather(node, within_code):
        kind, attrs = node.get("type"), node.get("attrs") or {}
        if kind == "text" and "text" in node:
            found.append(node["text"])
        elif kind == "hardBreak":
            found.append("\n" if within_code else "")
        elif kind == "mention" and not within_code:
            found.append(f"@{attrs.get('label') or attrs.get('id') or ''}")
        elif kind == "image" and not within_code:
            found.append(image(node, attrs))
        else:
            for child in node.get("content", []):
                gather(child, within_code or kind == "codeBlock")

    gather(tree, within_code=False)
    return squeezed("".join(found))


def image(node, attrs):
    source, alt = attrs.get("src") or "", attrs.get("alt") or ""
    links = [mark["attrs"].get("href") for mark in node.get("marks", []) if mark["type"] == "link"]
    linked = any(safe_link(href) for href in links if isinstance(href, str))
    if linked or not source or source.startswith(("data:", "mailto:")) or not safe_link(source):
        return alt
    return alt or source


def squeezed(text):
    """Without white space and what HTML cannot hold, both of which stand for themselves elsewhere."""
    return re.sub(r"\s+", "", clean(text))


def shown(made):
    return squeezed("".join(parsed(made).itertext()))


@given(trees.DOCUMENT.map(shaped))
@settings(max_examples=examples(300), deadline=None)
def test_every_document_is_well_formed_html_of_allowed_parts_with_all_its_text(tree):
    made = html(tree, PICTURES)
    check_allowed(made)
    assert shown(made) == said(tree)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KINDS = st.sampled_from(["doc", *SCHEMA["nodes"], "script", "style", "iframe", "svg", "<b>", "unknownEmbed"])
NAMES = sorted(
    {name for kind in ("nodes", "marks") for each in SCHEMA[kind].values() for name in each.get("attrs", {})}
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from([*NAMES, "onclick", "style", "class"]) | st.text(max_size=5),
    JSON | st.sampled_from(["javascript:alert(1)", "vega-lite", "center", '"><script>', 3, "2"]),
    max_size=4,
)
TEXTS = st.text(max_size=12) | st.sampled_from(["[!NOTE] x", "</pre>", "<script>alert(1)</script>", "\ud800", "\0"])
MARK = st.builds(lambda kind, attrs: {"type": kind, "attrs": attrs}, st.sampled_from(["link", "bold", "x"]), ATTRIBUTES)
NODE = st.recursive(
    st.builds(lambda text, marks: {"type": "text", "text": text, "marks": marks}, TEXTS, st.lists(MARK, max_size=2)),
    lambda inner: st.builds(
        lambda kind, attrs, content: {"type": kind, "attrs": attrs, "content": content},
        KINDS,
        ATTRIBUTES,
        st.lists(inner, max_size=3),
    ),
    max_leaves=12,
)


@given(st.lists(NODE, max_size=4))
@settings(max_examples=examples(300), deadline=None)
def test_no_combination_of_nodes_and_attributes_gets_out_of_the_allow_list(nodes):
    made = html({"type": "doc", "content": nodes}, PICTURES)
    check_allowed(made)
    made.body.encode()
    made.description.encode()


@pytest.mark.parametrize("kind", ["blockquote", "bulletList", "details", "table", "unknown", "paragraph", "callout"])
def test_no_depth_makes_it_raise(kind):
    tree = {"type": "text", "text": "deep"}
    for _ in range(20_000):
        tree = {"type": kind, "content": [tree]}
    assert "deep" in html({"type": "doc", "content": [tree]}, {}).body


def of(markdown, pictures=PICTURES):
    made = html(shaped(parse(markdown)), pictures)
    check_allowed(made)
    return made


def body(markdown):
    return of(markdown).body


def test_headings_keep_their_level_and_have_names_to_link_to():
    made = of("# One & two\n\n### One & two\n\n## Ärger, 日本!\n\n##")
    assert re.findall(r'<(h\d) id="([^"]+)"', made.body) == [
        ("h1", "one--two"),
        ("h3", "one--two-1"),
        ("h2", "ärger-日本"),
        ("h2", "section"),
    ]
    assert made.titled
    assert not of("text\n\n# One").titled


def test_many_headings_of_one_name_are_told_apart_at_once():
    tree = {"type": "doc", "content": [{"type": "heading", "content": [{"type": "text", "text": "a"}]}] * 20_000}
    assert html(tree, {}).body.count('id="a-19999"') == 1


def test_marks_are_nested_and_opened_no_more_often_than_needed():
    assert body("**a *b* [c](https://e.org)** `d` ~~e~~") == (
        "<p><strong>a <em>b</em> </strong>"
        '<a href="https://e.org" rel="nofollow noopener ugc"><strong>c</strong></a>'
        " <code>d</code> <s>e</s></p>\n"
    )


def test_tasks_say_whether_they_are_done_and_cannot_be_ticked():
    made = body("- [x] one\n- [ ] two")
    assert 'class="tasks"' in made
    assert re.findall(r'role="img" aria-label="([^"]+)"', made) == ["Done", "Not done"]
    assert "<input" not in made


def test_tables_have_a_head_alignment_and_spans():
    cell = {"type": "tableCell", "attrs": {"align": "right", "colspan": 2, "rowspan": 5000}}
    single = {"type": "tableCell", "attrs": {"colspan": 1, "rowspan": 1}}
    head = {"type": "tableHeader", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "n"}]}]}
    rows = [{"type": "tableRow", "content": content} for content in ([head, head], [head, cell, single])]
    made = html({"type": "doc", "content": [{"type": "table", "content": rows}]}, {})
    check_allowed(made)
    assert '<thead>\n<tr><th scope="col"><p>n</p>\n</th>' in made.body
    assert '<tbody>\n<tr><th scope="row">' in made.body
    assert '<td colspan="2" class="align-right"></td><td></td></tr>' in made.body


def test_code_says_its_language_and_keeps_every_character():
    assert body("```python\n\n  a < b  \n```") == (
        '<pre tabindex="0"><code class="language-python">\n  a &lt; b  </code></pre>\n'
    )
    assert parsed(of("```\n\nx\n```")).find(".//code").text == "\nx"


def test_a_chart_keeps_its_specification_as_text():
    made = of('```vega-lite\n{"mark": "bar", "title": "</figure><script>"}\n```')
    assert made.charts
    assert parsed(made).find(".//figure/pre/code").text == '{"mark": "bar", "title": "</figure><script>"}'
    assert not of("```json\n{}\n```").charts


def test_a_quote_that_begins_with_a_mark_is_a_callout():
    assert body("> [!WARNING]\n> Mind the **gap**") == (
        '<blockquote dir="auto" class="callout callout-warning">\n<p class="callout-title">Warning</p>\n'
        "<p>Mind the <strong>gap</strong></p>\n</blockquote>\n"
    )
    assert "callout" not in body("> a [!WARNING]")
    assert "callout" not in body("> [!NOTED]")
    assert "callout" not in body("> **[!NOTE]**\n> Mind the gap")


def test_lists_and_quotes_begin_where_their_text_does():
    assert body("- \u05e9").startswith('<ul dir="auto">\n')
    assert body("3. \u05e9").startswith('<ol dir="auto" start="3">\n')
    assert body("> \u05e9").startswith('<blockquote dir="auto">\n')


def test_the_documents_own_images_are_shown_and_others_only_linked_to():
    assert body(f"![a](https://codrive.example/images/{ID})") == (
        f'<figure><img src="/p/slug/images/{ID}" alt="a" width="640" height="480" loading="lazy" decoding="async"></figure>\n'
    )
    assert body(f"![a](/images/{ID.replace('9', '8')})") == "<p>a</p>\n"
    assert body("![a](https://e.org/x.png)") == (
        '<p><a class="image" href="https://e.org/x.png" rel="nofollow noopener ugc">a</a></p>\n'
    )
    assert "<img" not in body("![a](data:image/png;base64,AA==)")


def test_an_image_is_as_wide_as_the_document_asks_and_never_distorted():
    asked = {"type": "image", "attrs": {"src": f"/images/{ID}", "width": 320, "height": 9}}
    assert 'width="320" height="240"' in html({"type": "doc", "content": [asked]}, PICTURES).body


def test_an_image_has_its_caption_below_it_and_stands_where_the_document_puts_it():
    attrs = {"src": f"/images/{ID}", "title": "Hills & <dales>", "align": "right"}
    made = html({"type": "doc", "content": [{"type": "image", "attrs": attrs}]}, PICTURES).body
    assert made.startswith('<figure class="align-right"><img ')
    assert made.endswith('<figcaption dir="auto">Hills &amp; &lt;dales&gt;</figcaption></figure>\n')
    assert "title=" not in made
    elsewhere = {**attrs, "src": "https://e.org/x.png", "align": "far"}
    assert "<p><a " in html({"type": "doc", "content": [{"type": "image", "attrs": elsewhere}]}, PICTURES).body
    assert (
        "<figure><img"
        in html({"type": "doc", "content": [{"type": "image", "attrs": attrs | {"align": "far"}}]}, PICTURES).body
    )


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "\x01javascript:alert(1)",
        "vbscript:x",
        "data:text/html,<script>alert(1)</script>",
        "blob:x",
        "file:///etc/passwd",
        "intent://x",
    ],
)
def test_an_address_that_could_do_something_is_only_its_text(href):
    text = {"type": "text", "text": "go", "marks": [{"type": "link", "attrs": {"href": href}}]}
    assert html({"type": "doc", "content": [{"type": "paragraph", "content": [text]}]}, {}).body == "<p>go</p>\n"


def test_what_nobody_knows_is_shown_as_its_text():
    inner = {"type": "paragraph", "content": [{"type": "text", "text": "in"}]}
    tree = {
        "type": "doc",
        "content": [{"type": "script", "content": [inner]}, {"type": "iframe", "attrs": {"src": "x"}}],
    }
    assert html(tree, {}).body == "<p>in</p>\n"


def test_the_description_is_the_first_words_of_its_paragraphs():
    assert of("# T\n\nOne *two*.\n\nThree.").description == "One two. Three."
    long = of("word " * 100).description
    assert len(long) <= 201
    assert long.endswith("word\u2026")
    assert html({"type": "doc", "content": []}, {}) == Html("", titled=False, charts=False, description="")
