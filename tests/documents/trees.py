"""Documents as people and hostile programs could have written them, for the property tests."""

from hypothesis import strategies as st

WORDS = [
    "a",
    "b",
    "word",
    "next",
    "1",
    "x",
    "foo_bar",
    "café",
    "日本語",
    "\uff08注\uff09",
    "😀",
    "§",
    "€",
    "https://e.org/?a=1&b=2",
]
TRAPS = [
    *r"\`*_{}[]()#+-.!|~<>&:=\"'/@",
    *("**", "__", "~~", "```", "---", "===", "1.", "2)", "- ", "+ ", "> ", "# ", "## ", "| ", "[ ] ", "[x] ", "&amp;"),
    *(
        "<b>",
        "</b>",
        "<br>",
        "<!--",
        "<details>",
        "![",
        "](",
        "[a]: b",
        "***",
        "* * *",
        "~~~",
        ":-",
        "|-|",
        "\\\\",
        "#",
    ),
    *(
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "\u00a0",
        "\u2003",
        "\u3000",
        "\u200b",
        "\0",
        "\x1c",
        "\u2028",
        "\x0b",
    ),
]
TEXT = st.lists(st.sampled_from(WORDS * 2 + TRAPS), min_size=1, max_size=5).map("".join)
HREFS = st.sampled_from(
    [
        "https://e.org/a_(b)?x=1&y=2",
        "/a b",
        "",
        "#x",
        "javascript:alert(1)",
        "http://e.org/<>\\`",
        "mailto:a@e.org",
        "ü",
        "a|b",
    ]
)
TITLES = st.none() | st.sampled_from(["t", 'say "hi"', "a\n\nb", "&amp; <b> \\", "a|b"])
LINK = st.builds(lambda href, title: {"type": "link", "attrs": {"href": href, "title": title}}, HREFS, TITLES)
PLAIN_MARK = st.sampled_from(
    [
        "bold",
        "italic",
        "strike",
        "code",
        "underline",
        "highlight",
        "subscript",
        "superscript",
        "textStyle",
        "comment",
        "odd",
    ]
).map(lambda name: {"type": name})
FEW_MARKS = st.lists(
    st.sampled_from(["bold", "italic", "strike"]).map(lambda name: {"type": name}), max_size=2, unique_by=str
)
MARKS = FEW_MARKS | st.lists(PLAIN_MARK | LINK, max_size=3, unique_by=lambda mark: mark["type"])


def text(marks=MARKS):
    return st.builds(
        lambda text, marks: {"type": "text", "text": text, **({"marks": marks} if marks else {})}, TEXT, marks
    )


SPACES = st.lists(
    st.sampled_from([" ", "  ", "\t", "\n", "\u00a0", "\u3000", "\x0b", "`", "``", "|", "\\", "a"]),
    min_size=1,
    max_size=5,
).map("".join)
CODE_MARKS = st.lists(FEW_MARKS.map(tuple) | LINK.map(lambda mark: (mark,)), max_size=1).map(
    lambda found: [{"type": "code"}, *(mark for marks in found for mark in marks)]
)
INLINE_CODE = st.builds(lambda text, marks: {"type": "text", "text": text, "marks": marks}, SPACES | TEXT, CODE_MARKS)
IMAGE = st.builds(
    lambda src, alt, title: {"type": "image", "attrs": {"src": src, "alt": alt, "title": title}},
    HREFS | st.just("data:image/png;base64,AA=="),
    st.none() | TEXT,
    TITLES,
)
INLINE = (
    text()
    | text()
    | text()
    | INLINE_CODE
    | st.just({"type": "hardBreak"})
    | IMAGE
    | TEXT.map(lambda label: {"type": "mention", "attrs": {"id": "1", "label": label}})
    | st.just({"type": "badge", "attrs": {"n": 1}})
)
INLINES = st.lists(INLINE, max_size=5)


def node(kind, content, attrs=None):
    made = {"type": kind}
    if attrs:
        made["attrs"] = attrs
    if content:
        made["content"] = content
    return made


PARAGRAPH = INLINES.map(lambda content: node("paragraph", content))
HEADING = st.builds(lambda content, level: node("heading", content, {"level": level}), INLINES, st.integers(1, 6))
CODE = st.builds(
    lambda text, language: node("codeBlock", [{"type": "text", "text": text}] if text else [], {"language": language}),
    st.just("")
    | st.lists(TEXT | st.sampled_from(["\n", "   ", "\tx", "```", "~~~~", "</details>"]), max_size=6).map("".join),
    st.none() | st.sampled_from(["bash", "c++", "a`b", "vega-lite", "two words", "a&amp;b\\", "~~", ""]),
)
LEAF = PARAGRAPH | PARAGRAPH | HEADING | CODE | st.just({"type": "horizontalRule"}) | IMAGE


def within(blocks):
    several = st.lists(blocks, max_size=3)
    item = several.map(lambda content: node("listItem", content))
    task = st.builds(lambda content, checked: node("taskItem", content, {"checked": checked}), several, st.booleans())
    cell = st.builds(
        lambda content, kind: node(kind, content),
        st.lists(PARAGRAPH, max_size=2) | several,
        st.sampled_from(["tableCell", "tableHeader"]),
    )
    row = st.lists(cell, max_size=3).map(lambda content: node("tableRow", content))
    return (
        st.lists(item, max_size=3).map(lambda content: node("bulletList", content))
        | st.lists(item, max_size=3).map(lambda content: node("bulletList", content))
        | st.builds(
            lambda content, start: node("orderedList", content, {"start": start}),
            st.lists(item, max_size=3),
            st.sampled_from([1, 1, 4, 0, 999_999_999, -3, 10**12]),
        )
        | st.lists(task, max_size=3).map(lambda content: node("taskList", content))
        | several.map(lambda content: node("blockquote", content))
        | st.lists(row, max_size=3).map(lambda content: node("table", content))
        | st.builds(
            lambda summary, content: node(
                "details",
                [node("detailsSummary", [{"type": "text", "text": summary}]), node("detailsContent", content)],
            ),
            TEXT,
            several,
        )
        | several.map(lambda content: node("panel", content, {"tone": "info"}))
        | INLINES.map(lambda content: node("callout", content))
    )


BLOCK = st.recursive(LEAF, within, max_leaves=8)
DOCUMENT = st.lists(BLOCK, max_size=4).map(lambda content: {"type": "doc", "content": content})
SIMPLE = st.lists(
    st.lists(text(FEW_MARKS), max_size=5).map(lambda content: node("paragraph", content)), max_size=2
).map(lambda content: {"type": "doc", "content": content})
CELL = st.lists(INLINE_CODE | text(FEW_MARKS) | st.just({"type": "hardBreak"}), max_size=4)
WITH_CODE = st.lists(
    CELL.map(lambda content: node("paragraph", content))
    | CELL.map(lambda content: node("heading", content, {"level": 2}))
    | CELL.map(lambda content: node("bulletList", [node("listItem", [node("paragraph", content)])]))
    | CELL.map(lambda content: node("taskList", [node("taskItem", [node("paragraph", content)], {"checked": True})]))
    | CELL.map(lambda content: node("blockquote", [node("paragraph", content)]))
    | st.lists(CELL, min_size=1, max_size=3).map(
        lambda cells: node(
            "table",
            [node("tableRow", [node("tableCell", [node("paragraph", content)]) for content in cells])] * 2,
        )
    ),
    min_size=1,
    max_size=3,
).map(lambda content: {"type": "doc", "content": content})
