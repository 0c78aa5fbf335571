"""Where an update wrote, as the caret of its author shows it."""

from documents.editing.edit import Append, Passage, Passages, edit
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from documents.yjs.relative_position import AFTER, BEFORE, RelativePosition, edited_at
from documents.yjs.slices import sliced
from documents.yjs.snapshot import load
from documents.yjs.structs import read_update

WRITTEN = parse("# one\n\ntwo **three**\n")


def made(*edits):
    """The document, and the update of the last of these edits."""
    live = load(from_tree(WRITTEN, 1))
    return live, [edit(live, wanted) for wanted in edits][-1]


def test_it_is_behind_the_last_letter_that_was_written():
    _, update = made(Append("four\n\nfive"))
    ((client, structs),) = read_update(update).runs.items()
    assert edited_at([update]) == RelativePosition(client, structs[-1].clock + 3, BEFORE)


def test_it_is_the_same_in_however_many_slices_the_update_comes():
    many = Append("\n\n".join(f"paragraph {number}" for number in range(100)))
    for edits in ([many], [many, Passages((Passage("# one\n\n", ""),))]):
        _, update = made(*edits)
        assert edited_at(sliced(update, 7)) == edited_at([update])


def test_it_is_where_an_attribute_was_set_or_something_deleted_if_nothing_was_written():
    _, retyped = made(Passages((Passage("# one", "## one"),)))
    ((client, _),) = read_update(retyped).runs.items()
    assert edited_at([retyped]) == RelativePosition(client, 0, AFTER)
    _, deleted = made(Passages((Passage("two ", ""),)))
    run = read_update(deleted).deleted[0]
    assert edited_at([deleted]) == RelativePosition(run.client, run.clock, AFTER)
    assert edited_at([b"\0\0"]) is None


def test_of_what_several_slices_delete_it_is_the_last():
    live, first = made(Passages((Passage("two ", ""),)))
    second = edit(live, Passages((Passage("one", ""),)))
    assert edited_at([first, second]) == edited_at([second]) != edited_at([first])


def test_it_is_as_editors_have_it():
    place = {"type": None, "tname": None, "item": {"client": 7, "clock": 9}, "assoc": -1}
    assert RelativePosition(7, 9, BEFORE).json == place
