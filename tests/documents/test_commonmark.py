"""The examples of the CommonMark specification, as documents."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from documents.editing.edit import Append, Whole, edit
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import shaped, tree
from documents.yjs.snapshot import load
from tests.documents.normal_form import normal

EXAMPLES = json.loads((Path(__file__).parent / "samples" / "commonmark.json").read_text("utf-8"))["examples"]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(1, len(EXAMPLES) + 1))
def test_an_example_of_the_specification_reads_back(example):
    read = shaped(parse(example))
    written = markdown(read)
    again = shaped(parse(written))
    assert normal(again) == normal(read)
    assert markdown(again) == written


def test_every_example_becomes_the_next_one():
    live = load(from_tree(parse(EXAMPLES[0]), 1))
    for before, after in pairwise(EXAMPLES):
        assert isinstance(edit(live, Whole(after)), bytes), (before, after)
        assert markdown(tree(live)) == markdown(shaped(parse(after))), (before, after)


def test_every_example_can_come_after_all_the_others():
    live = load(from_tree(parse("begin"), 1))
    for example in EXAMPLES[::16]:
        present = markdown(tree(live))
        assert isinstance(edit(live, Append(example)), bytes), example
        assert normal(tree(live)) == normal(shaped(parse(f"{present}\n{example}"))), example
