"""Ten kinds of documents, as people write them, say what GitHub's reader of Markdown says, but for what the documentation names."""

import json
import re
from pathlib import Path
from urllib.parse import unquote

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from pycrdt import Doc

from documents.editing.edit import Whole, edit
from documents.editing.edit_effect import effect_of
from documents.editing.rebase import rebased_edit
from documents.markdown.html_in import read_html
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.markdown.unsupported_markup import UnsupportedMarkup
from documents.tree.build import from_tree
from documents.tree.fitting import misfit
from documents.tree.tree import text_of, tree

SAMPLES = {path.stem: path.read_text() for path in (Path(__file__).parent / "samples" / "written").glob("*.md")}
# The blocks that are read otherwise, by how they begin: docs/documents.md says why.
OTHERWISE = {
    "chinese": ["注意"],  # emphasis beside Chinese, Japanese and Korean text needs no space
    "japanese": ["ガスの点検"],
    "scripts": ["이름"],
}
LOST = {
    "readme": {
        "attribute align",
        "attribute name",
        "attribute style",
        "attribute width",
        "mark link",
        "node a",
        "node comment",
        "node span",
    },
    "notebook": {"attribute border", "attribute class", "attribute style", "node style"},
    "japanese": {"node rt", "node ruby"},
}
_BOX = re.compile(r'<input type="checkbox"( checked="")? disabled="" />')


def reference(text):
    """Return the document that GitHub's reader makes of the text, without addresses that it finds in it, by the rules of HTML."""
    html = cmarkgfm.markdown_to_html_with_extensions(
        text, options=Options.CMARK_OPT_UNSAFE, extensions=["table", "strikethrough", "tasklist"]
    )
    html = _BOX.sub(lambda found: "[x]" if found[1] else "[ ]", html)
    return read_html([{"type": "html", "raw": html}], UnsupportedMarkup())


def plain(node):
    """Return a node as both readers say it: white space is one space, tasks are items with boxes, addresses are decoded."""
    content = [plain(child) for child in node.get("content", ())]
    made = {**node, "content": content} if content else dict(node)
    if "text" in made:
        made["text"] = re.sub(r"[ \n]+", " ", made["text"])
    attrs = {name: value for name, value in made.pop("attrs", {}).items() if value not in (None, "")}
    match made["type"]:
        case "taskList":
            made["type"] = "bulletList"
        case "taskItem":
            made["type"] = "listItem"
            box = {"type": "text", "text": "[x] " if attrs.pop("checked") else "[ ] "}
            first = content[0]
            first["content"] = joined([box, *first.get("content", ())])
    for mark in made.get("marks", ()):
        if mark["type"] == "link":
            mark["attrs"]["href"] = unquote(mark["attrs"]["href"])
    return {**made, **({"attrs": attrs} if attrs else {})}


def joined(nodes):
    """Return texts in which neighbours of equal marks are one."""
    made = []
    for node in nodes:
        if made and node["type"] == made[-1]["type"] == "text" and node.get("marks") == made[-1].get("marks"):
            made[-1] = {**made[-1], "text": made[-1]["text"] + node["text"]}
        else:
            made.append(node)
    return made


@pytest.mark.parametrize("name", SAMPLES)
def test_a_document_says_what_the_reference_says(name):
    ours = [plain(block) for block in parse(SAMPLES[name])["content"]]
    theirs = [plain(block) for block in reference(SAMPLES[name])]
    assert len(ours) == len(theirs)
    differing = [(one, other) for one, other in zip(ours, theirs, strict=True) if one != other]
    known = OTHERWISE.get(name, [])
    assert len(differing) == len(known), json.dumps(differing[:3], ensure_ascii=False, indent=1)
    for (one, _), begins in zip(differing, known, strict=True):
        assert text_of(one).startswith(begins)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_document_is_written_read_back_and_written_again_alike(name):
    read_tree = parse(SAMPLES[name])
    assert misfit(read_tree["content"]) is None
    live = Doc(client_id=1)
    edit(live, Whole(SAMPLES[name]))
    present = markdown(tree(live))
    assert markdown(parse(present)) == present
    assert edit(live, Whole(present)) == b""
    assert edit(live, Whole(SAMPLES[name])) == b""
    assert markdown(read_tree) == present


@pytest.mark.parametrize("name", SAMPLES)
def test_what_a_document_has_no_place_for_is_told(name):
    effect = effect_of(rebased_edit([from_tree(parse("before"), 1)], [], Whole(SAMPLES[name])))
    assert {f"{each.what} {each.name}" for each in effect.lost} == LOST.get(name, set())
