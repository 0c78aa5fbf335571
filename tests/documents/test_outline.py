"""The outline of a document, whose headings keep their ids, and its parts, which together are the whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycrdt import XmlElement, XmlFragment, XmlText

from documents.editing.edit import Append, Passage, Passages, Section, Whole, edit
from documents.editing.rebase import rebased_edit
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.projection.outline import MAX_NAMED, DocumentPart, PartRequest, SectionNotFound, outline, read_part
from documents.tree.build import from_tree
from documents.tree.encoding import squash
from documents.tree.tree import tree
from documents.yjs.item_list import Items
from documents.yjs.snapshot import apply, encode_state, load
from documents.yjs.structs import read_update
from tests.support.documents.histories import written

PLAN = """# Plan

Words before.

## Goals

- one
- two

### Later

| a | b |
| --- | --- |
| 1 | 2 |

## Action items

- [ ] call

# Annex

The end.
"""


def stored(text):
    return from_tree(parse(text), 1)


def outlined(state):
    return outline(load(state)).headings


def ids(state):
    return {each.text: each.id for each in outlined(state)}


def part(state, **asked):
    return read_part(load(state), PartRequest(**asked))


def edited(state, wanted):
    doc = load(state)
    assert edit(doc, wanted)
    return encode_state(doc)


def test_an_outline_has_each_heading_with_its_level_its_blocks_and_the_size_of_its_section():
    found = outline(load(stored(PLAN)))
    assert [(each.text, each.level, each.start, each.stop) for each in found.headings] == [
        ("Plan", 1, 0, 8), ("Goals", 2, 2, 6), ("Later", 3, 4, 6), ("Action items", 2, 6, 8), ("Annex", 1, 8, 10),
    ]  # fmt: skip
    assert (found.blocks, found.size) == (10, len(PLAN))
    for each in found.headings:
        assert each.size == len(part(stored(PLAN), section=each.id).markdown)


def test_a_section_is_read_with_its_heading_and_what_is_under_that():
    state = stored(PLAN)
    goals = part(state, section=ids(state)["Goals"])
    assert goals == DocumentPart(
        PLAN[PLAN.index("## Goals") : PLAN.index("## Action")].rstrip() + "\n", 2, 6, None, 10, len(PLAN)
    )
    assert part(state, section=ids(state)["Action items"]).markdown == "## Action items\n\n- [ ] call\n"


def test_parts_one_after_the_other_are_the_whole_document():
    state = stored(PLAN)
    read, at = [], 0
    while at is not None:
        found = part(state, start=at, most=30)
        assert found.stop - found.start == 1 or len(found.markdown) <= 30
        read.append(found.markdown)
        at = found.following
    assert len(read) > 4
    assert "\n".join(read) == PLAN


def test_blocks_beyond_the_end_are_none():
    assert part(stored(PLAN), start=50, stop=60) == DocumentPart("", 10, 10, None, 10, len(PLAN))
    assert part(stored(PLAN), start=4, stop=2) == DocumentPart("", 4, 4, None, 10, len(PLAN))


def test_blocks_are_counted_from_the_beginning_of_the_document_also_within_a_section():
    state = stored(PLAN)
    found = part(state, section=ids(state)["Goals"], start=3, most=1)
    assert found == DocumentPart("- one\n- two\n", 3, 4, 4, 10, len(PLAN))


def test_a_list_after_a_list_is_written_in_a_part_as_in_the_whole():
    state = stored("- a\n\n* b\n\n- c")
    parts = [part(state, start=at, stop=at + 1).markdown for at in range(3)]
    assert len({each[0] for each in parts}) > 1
    assert "\n".join(parts) == markdown(tree(load(state)))


def test_the_ids_of_headings_stay_through_edits_of_others_and_through_compaction():
    state = stored(PLAN)
    before = ids(state)
    state = edited(state, Append("## New one\n\nx"))
    state = edited(state, Passages((Passage("Words before.", "Other words."), Passage("## Goals", "#### Our goals"))))
    state = edited(state, Whole("# First\n\n" + markdown(tree(load(state)))))
    after = ids(state)
    assert after.pop("Our goals") == before.pop("Goals")
    assert {after.pop("New one"), after.pop("First")}.isdisjoint(before.values())
    assert after == before
    assert ids(squash(load(state))) == ids(state)


def test_a_section_that_is_not_there_is_refused_with_what_is_there():
    state = stored(PLAN)
    goals = ids(state)["Goals"]
    state = edited(state, Passages((Passage("## Goals\n\n", ""),)))
    refused = part(state, section=goals)
    assert isinstance(refused, SectionNotFound)
    assert all(f"`{name}` for `{text}`" in refused.reason for text, name in ids(state).items())
    assert "has none" in part(stored("words"), section="1-1").reason


def test_of_very_many_sections_a_refusal_names_the_first():
    state = stored("\n\n".join(f"# Section {at} {'x' * 100}" for at in range(MAX_NAMED + 5)))
    reason = part(state, section="no id at all").reason
    assert " and 5 more" in reason
    assert len(reason) < 3_000


def test_what_is_no_heading_in_the_document_itself_begins_no_section():
    assert outlined(stored("> # Quoted\n\n- # Listed\n\n```\n# code\n```")) == ()


def test_a_heading_without_a_level_is_one_of_the_first():
    doc = load(stored("words"))
    doc.get("default", type=XmlFragment).children.append(XmlElement("heading", {}, [XmlText("Bare")]))
    (found,) = outline(load(encode_state(doc))).headings
    assert (found.level, found.text, found.start, found.stop) == (1, "Bare", 1, 2)


@given(st.randoms(use_true_random=False), st.integers(1, 60))
def test_ids_are_those_of_the_items_and_sizes_those_of_the_parts_whatever_was_written(chance, steps):
    world = written(chance, steps)
    state = encode_state(load(None, [each.update for each in world.log]))
    laid_out = Items()
    laid_out.add(read_update(state))
    expected = [
        "-".join(map(str, item.id))
        for name in ("default", "prosemirror")
        if name in laid_out.roots
        for item in laid_out.roots[name]
        if not item.deleted and item.branch and item.branch.name == "heading"
    ]
    found = outline(load(state))
    assert [each.id for each in found.headings] == expected
    assert found.size == len(markdown(tree(load(state))))
    for each in found.headings:
        assert part(state, section=each.id).start == each.start


@pytest.mark.parametrize("hidden", [b"", b"x"])
def test_a_document_in_which_text_lies_beside_the_blocks_has_its_headings(hidden):
    doc = load(stored("# One\n\nwords\n\n# Two"))
    doc.get("default", type=XmlFragment).children.insert(1, XmlText("loose" + hidden.decode()))
    assert [each.text for each in outline(load(encode_state(doc))).headings] == ["One", "Two"]


def since(state, wanted, *others):
    """What an edit of the state does beside what others did to it since, one after the other."""
    updates, now = [], state
    for other in others:
        doc = load(now)
        updates.append(edit(doc, other))
        now = encode_state(doc)
    return rebased_edit([state], updates, wanted)


def test_a_section_is_replaced_and_all_else_stays_whatever_its_markdown_leaves_open():
    state = stored(PLAN)
    made = since(state, Section(ids(state)["Goals"], "## Goals\n\n```\nnever closed\n\n# Annex"))
    assert markdown(made.after) == (
        PLAN[: PLAN.index("- one")] + "```\nnever closed\n\n# Annex\n```\n\n" + PLAN[PLAN.index("## Action") :]
    )


def test_a_section_keeps_its_id_and_what_markdown_cannot_say_where_its_text_stays():
    state = stored(PLAN)
    doc = load(state)
    made = since(state, Section(ids(state)["Goals"], "## Our goals\n\n- one\n- two and a half\n"))
    apply(doc, made.update)
    assert ids(encode_state(doc))["Our goals"] == ids(state)["Goals"]
    assert "Later" not in ids(encode_state(doc))


def test_a_section_is_merged_with_what_others_wrote_since_in_it_and_elsewhere():
    state = stored(PLAN)
    made = since(
        state,
        Section(ids(state)["Action items"], "## Action items\n\n- [ ] call\n- [ ] write\n"),
        Whole("# First\n\n" + PLAN.replace("- [ ] call", "- [x] call")),
    )
    said = markdown(made.after)
    assert said.startswith("# First\n\n# Plan")
    assert "## Action items\n\n- [x] call\n- [ ] write\n" in said


def test_a_section_that_others_deleted_is_refused_with_what_is_there_now():
    state = stored(PLAN)
    gone = Section(ids(state)["Annex"], "# Annex\n\nx")
    refused = since(state, gone, Passages((Passage("# Annex\n\n", ""),)))
    assert isinstance(refused, SectionNotFound)
    assert "`Action items`" in refused.reason
    assert "Annex" not in refused.reason


def test_a_section_that_came_after_the_base_is_refused():
    state = stored(PLAN)
    updates = [edit(load(state), Append("# New\n\nx"))]
    newer = outline(load(None, [state, *updates])).headings[-1].id
    assert "came after" in rebased_edit([state], updates, Section(newer, "# New\n\ny")).reason


def test_a_section_becomes_nothing():
    state = stored(PLAN)
    made = since(state, Section(ids(state)["Goals"], ""))
    assert markdown(made.after) == PLAN[: PLAN.index("## Goals")] + PLAN[PLAN.index("## Action") :]
