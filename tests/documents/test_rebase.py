"""Editing an earlier revision: the edit is merged, and nothing that others wrote since is deleted or written again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycrdt import XmlElement, XmlFragment, XmlText

from computing.overtaken import may_lose_letters
from documents.editing.concurrent_blocks import NotDone
from documents.editing.edit import Append, Passage, PassageAmbiguous, PassageNotFound, Passages, Whole, edit
from documents.editing.rebase import ChangedMeanwhile, Merged, rebased_edit
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import tree
from documents.yjs.snapshot import load
from domain.document import Computed, DocumentState
from tests.support.documents.histories import fates, letters_of, written
from tests.support.suite.rounds import examples


def changed(chance, text, world):
    """The Markdown as an agent that read it might want it: blocks new, gone, retyped, moved, and other letters in them."""
    blocks = text.strip("\n").split("\n\n") if text.strip() else []
    for _ in range(1 + chance.randrange(4)):
        at = chance.randrange(len(blocks)) if blocks else 0
        kind = chance.randrange(9) if blocks else 0
        block = blocks[at] if blocks else ""
        place = chance.randrange(len(block) + 1)
        if kind == 0:
            blocks.insert(at, world.letters(3))
        elif kind == 1:
            del blocks[at]
        elif kind == 2:
            blocks[at] = "# " + block.lstrip("#- ").replace("\n", " ")
        elif kind == 3:
            blocks[at] = "- " + block.lstrip("#- ")
        elif kind == 4:
            blocks.insert(chance.randrange(len(blocks)), blocks.pop(at))
        elif kind == 5:
            blocks[at] = block[:place] + world.letters(2) + block[place:]
        elif kind == 6:
            blocks[at] = "> " + block.replace("\n", "\n> ")
        elif kind == 7:
            blocks[at] = block.lstrip("#->* ")
        else:
            blocks[at] = block[:place] + block[place + 2 :]
    return "\n\n".join(blocks)


@given(st.randoms(use_true_random=False), st.integers(1, 60), st.integers(0, 8))
def test_an_edit_of_an_earlier_revision_loses_no_letter_that_came_since_and_writes_none_again(chance, steps, behind):
    world = written(chance, steps)
    number = max(0, len(world.log) - behind)
    updates = [each.update for each in world.log]
    base = markdown(tree(load(None, updates[:number])))
    wanted = changed(chance, base, world)
    made = rebased_edit(updates[:number], updates[number:], Whole(wanted))
    if isinstance(made, ChangedMeanwhile):  # it would move letters into what others deleted
        return
    assert isinstance(made, Merged)
    came, _ = fates(world.log)
    before, after = letters_of(made.before), letters_of(made.after)
    assert set(before) - (set(base) - set(wanted)) <= set(after)
    assert not (set(came) - set(before)) & set(after)
    since = {letter for letter in before if came.get(letter, 0) > number}
    assert [letter for letter in after if letter in since] == [letter for letter in before if letter in since]
    assert made.before == world.tree()
    assert made.after == world.tree(made.update)


@settings(max_examples=examples(600), deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 60), st.integers(0, 8), st.integers(1, 8))
def test_an_edit_that_is_not_overtaken_loses_no_letter_to_what_comes_after_it_was_computed_and_brings_none_back(
    chance, steps, behind, later
):
    world = written(chance, steps)
    updates = [each.update for each in world.log]
    computed = max(0, len(updates) - later)
    number = max(0, computed - behind)
    base = markdown(tree(load(None, updates[:number])))
    wanted = changed(chance, base, world)
    made = rebased_edit(updates[:number], updates[number:computed], Whole(wanted))
    if isinstance(made, ChangedMeanwhile):
        return
    assert isinstance(made, Merged)
    since = DocumentState(None, tuple(updates[computed:]), len(updates))
    edit = Computed(made.update, computed, 0, deleted=made.deleted, deletes_nodes=made.deletes_nodes)
    before, after = (letters_of(each) for each in (world.tree(), world.tree(made.update)))
    lost = set(before) - (set(base) - set(wanted)) - set(after)
    back = (set(letters_of(made.before)) - set(before)) & set(after)
    assert not (lost or back) or may_lose_letters(since, edit)


@pytest.mark.parametrize(
    ("base", "wanted"),
    [
        pytest.param("a secret word\n\nb", "# a secret word\n\nb", id="a heading"),
        pytest.param("a secret word\n\nb", "b\n\na secret word", id="moved"),
        pytest.param(
            "a secret word\n\nand another line, which is longer",
            "a secret word and another line, which is longer",
            id="joined",
        ),
        pytest.param("a secret word and another line", "a secret word\n\nand another line", id="split"),
    ],
)
def test_an_edit_that_writes_elsewhere_what_somebody_deletes_after_it_was_computed_is_overtaken(base, wanted):
    first = from_tree(parse(base), 5)
    made = rebased_edit([first], [], Whole(wanted))
    doc = load(None, [first])
    before = doc.get_state()
    del doc.get("default", type=XmlFragment).children[0].children[0][2:9]
    deleting = doc.get_update(before)
    assert "secret" in markdown(tree(load(None, [first, deleting, made.update])))
    edit = Computed(made.update, 1, 0, deleted=made.deleted, deletes_nodes=made.deletes_nodes)
    assert may_lose_letters(DocumentState(None, (deleting,), 2), edit)


@given(st.randoms(use_true_random=False), st.integers(0, 40))
def test_where_nothing_came_since_it_is_an_edit_like_any_other(chance, steps):
    world = written(chance, steps)
    updates = [each.update for each in world.log]
    wanted = Whole(changed(chance, markdown(world.tree()), world))
    made = rebased_edit(updates, [], wanted)
    doc = load(None, updates)
    assert not isinstance(edit(doc, wanted), ChangedMeanwhile)
    assert (made.after, made.kept) == (tree(doc), ())


def merged(base, others, wanted, *, refuse=False):
    """What an edit answers that read `base`, after which others changed the children of the root."""
    first = from_tree(parse(base), 5)
    doc, since = load(None, [first]), []
    doc.observe(lambda event: since.append(event.update))
    with doc.transaction():
        others(doc.get("default", type=XmlFragment).children)
    return rebased_edit([first], since, Whole(wanted), refuse=refuse)


def types(at, text, place=0):
    def act(root):
        node = root[at]
        while not isinstance(node, XmlText):
            node = node.children[0]
        node.insert(place, text)

    return act


@pytest.mark.parametrize(
    ("base", "others", "wanted", "result", "kept"),
    [
        ("hello\n\nbye", types(0, "BEN ", 0), "# hello\n\nbye", "BEN hello\n\nbye\n", [((0,), NotDone.retyped)]),
        ("# hello\n\nbye", types(0, "BEN ", 0), "## hello\n\nbye", "# BEN hello\n\nbye\n", [((0,), NotDone.retyped)]),
        ("hello\n\nbye", types(0, " BEN", 5), "hullo\n\nbye", "hullo BEN\n\nbye\n", []),
        ("hello\n\nbye", types(0, "BEN", 5), "bye", "helloBEN\n\nbye\n", [((0,), NotDone.deleted)]),
        ("hello\n\nbye", types(0, "BEN", 5), "bye\n\nhello", "helloBEN\n\nbye\n", [((0,), NotDone.moved)]),
        ("hello", types(0, "BEN", 5), "", "helloBEN\n", [((0,), NotDone.deleted)]),
        ("a\n\nb", types(1, "BEN", 0), "b", "BENb\n", []),
        (
            "- one\n- two\n- three",
            types(0, "BEN", 3),
            "1. one\n2. two\n3. three",
            "- oneBEN\n- two\n- three\n",
            [((0,), NotDone.retyped)],
        ),
        (
            "- one\n- two\n- three",
            types(0, "BEN", 3),
            "",
            "- oneBEN\n",
            [((0,), NotDone.deleted)],
        ),
        ("> one\n>\n> two", types(0, "BEN", 3), "new", "> oneBEN\n\nnew\n", [((0,), NotDone.deleted)]),
        (
            "| a | b |\n|---|---|\n| 1 | 2 |",
            types(0, "BEN", 0),
            "x",
            "| BENa |  |\n| --- | --- |\n\nx\n",
            [((0,), NotDone.deleted)],
        ),
        ("a 😀 b", types(0, "👍🏽 ", 0), "a 🎉 b", "👍🏽 a 🎉 b\n", []),
        ("hello\n\nbye", types(0, " BEN", 5), "- hello\n\nbye", "hello BEN\n\nbye\n", [((0,), NotDone.moved)]),
        ("hello\n\nbye", types(0, " BEN", 5), "> # hello\n\nnew", "hello BEN\n\nnew\n", [((0,), NotDone.retyped)]),
        (
            "- one\n- two\n- three",
            types(0, "BEN", 3),
            "one\n\ntwo\n\nthree!",
            "- oneBEN\n\ntwo\n\nthree!\n",
            [((0, 0, 0), NotDone.moved)],
        ),
        (
            "- one two three\n- four five six",
            types(0, "BEN ", 0),
            "- [x] one two three\n- [ ] four five six\n- [ ] x",
            "- BEN one two three\n- four five six\n- x\n",
            [((0,), NotDone.retyped)],
        ),
        (
            "- [x] one two three\n- [x] four five six",
            types(0, "BEN ", 0),
            "- one two three\n- four five six\n- x",
            "- [x] BEN one two three\n- [x] four five six\n- [ ] x\n",
            [((0,), NotDone.retyped)],
        ),
        (
            "```\nalpha beta gamma\n```\n\nend",
            types(0, "BEN ", 0),
            "alpha **beta** gamma\n\nend",
            "```\nBEN alpha beta gamma\n```\n\nend\n",
            [((0,), NotDone.retyped)],
        ),
    ],
)
def test_a_block_in_which_others_wrote_stays_what_and_where_it_is(base, others, wanted, result, kept):
    made = merged(base, others, wanted)
    assert isinstance(made, Merged)
    assert (markdown(made.after), [(each.path, each.not_done) for each in made.kept]) == (result, kept)
    assert made.after == parse(result)


def test_what_others_deleted_is_not_written_again_by_retyping():
    made = merged("a secret word", lambda root: root[0].children[0].__delitem__(slice(2, 9)), "# a secret word")
    assert (markdown(made.after), [each.not_done for each in made.kept]) == ("a word\n", [NotDone.retyped])


def test_a_block_of_which_others_only_deleted_something_may_be_deleted():
    made = merged("a secret word\n\nb", lambda root: root[0].children[0].__delitem__(slice(2, 9)), "b")
    assert (markdown(made.after), made.kept) == ("b\n", ())


def test_a_block_that_others_made_stays():
    def act(root):
        root.insert(1, XmlElement("paragraph", contents=[XmlText("BEN")]))

    assert markdown(merged("a\n\nb", act, "x").after) == "x\n\nBEN\n"


def deletes(at, stop=None):
    """Delete letters up to `stop` of a text, or the block."""

    def act(root):
        if stop is None:
            del root[at]
        else:
            del root[at].children[0][:stop]

    return act


def bold(root):
    root[0].children[0].format(0, 2, {"bold": {}})


@pytest.mark.parametrize(
    ("base", "others", "wanted"),
    [
        pytest.param("hello\n\nbye", types(0, "BEN"), "# hello\n\nbye", id="retypes it"),
        pytest.param("hello\n\nbye", types(0, "BEN"), "bye\n\nhello", id="moves it"),
        pytest.param("hello\n\nbye", types(0, "BEN"), "bye", id="deletes it"),
        pytest.param("hello\n\nbye", types(0, "BEN"), "hell\n\nbye", id="deletes a letter of it"),
        pytest.param("hello\n\nbye", deletes(0, 2), "hello you\n\nbye", id="writes where others deleted letters"),
        pytest.param("hello\n\nbye", deletes(0), "hello you\n\nbye", id="writes in what others deleted"),
        pytest.param("- one\n- two", types(0, "BEN"), "1. one\n2. two", id="retypes the list of it"),
        pytest.param("hello\n\nbye", types(0, "BEN"), "- hello\n\nbye", id="wraps it"),
        pytest.param("hello\n\nbye", deletes(0), "> hello\n\nbye", id="wraps what others deleted"),
        pytest.param("- hello\n\nbye", deletes(0), "hello\n\nbye", id="unwraps what others deleted"),
    ],
)
def test_with_refuse_nothing_is_changed_where_it_conflicts_with_what_others_changed(base, others, wanted):
    assert isinstance(merged(base, others, wanted, refuse=True), ChangedMeanwhile)


@pytest.mark.parametrize(
    ("base", "others", "wanted"),
    [
        pytest.param("hello\n\nbye", types(0, "BEN"), "hello\n\nbye!", id="another block"),
        pytest.param("hello\n\nbye", types(0, "BEN"), "hello\n\n# bye\n\nnew", id="another block, retyped"),
        pytest.param("hello\n\nbye", deletes(0), "hello\n\nbye!", id="another one than was deleted"),
        pytest.param("- one\n- two", types(0, "BEN"), "- one\n- two!", id="another item"),
        pytest.param("- one\n- two", types(0, "BEN"), "- one\n- two\n- three", id="a new item"),
        pytest.param("hello\n\nbye", types(0, "BEN"), "hello\n\nbye", id="nothing"),
        pytest.param("hello\n\nbye", types(0, "BEN"), "hello you\n\nbye", id="other words of a block"),
        pytest.param("hello\n\nbye", types(0, "BEN"), "hel**lo**\n\nbye", id="marks of other letters"),
        pytest.param("hello\n\nbye", bold, "hello you\n\nbye", id="words where others formatted"),
        pytest.param("- one\n- two", types(0, "BEN"), "- one!\n- two", id="another place of an item"),
        pytest.param("hello\n\nbye", deletes(0, 2), "bye", id="a block of which others deleted something, which goes"),
    ],
)
def test_with_refuse_what_conflicts_with_nothing_is_changed(base, others, wanted):
    made = merged(base, others, wanted, refuse=True)
    assert isinstance(made, Merged)
    assert made.after == merged(base, others, wanted).after
    assert made.kept == ()


def test_a_replacement_made_twice_from_one_base_is_made_once():
    first = from_tree(parse("one two"), 5)
    one = rebased_edit([first], [], Whole("one 2"))
    other = rebased_edit([first], [one.update], Whole("one 2"))
    assert (markdown(other.after), other.update, other.conflicts) == ("one 2\n", b"", ())


def test_passages_that_are_not_there_or_there_twice_are_told_by_their_index():
    doc = load(None, [from_tree(parse("a b b"), 5)])
    found = edit(doc, Passages((Passage("a", "x"), Passage("c", "y"))))
    assert isinstance(found, PassageNotFound)
    assert found.index == 1
    again = edit(doc, Passages((Passage("b", "x"),)))
    assert isinstance(again, PassageAmbiguous)
    assert again.index == 0
    assert markdown(tree(doc)) == "a b b\n"


def test_what_is_appended_comes_behind_all_that_is_there():
    first = from_tree(parse("one"), 5)
    assert markdown(rebased_edit([first], [], Append("two")).after) == "one\n\ntwo\n"


@pytest.mark.parametrize(
    ("base", "others", "wanted", "result"),
    [
        pytest.param("a secret word\n\nb", deletes(0), "# a secret word\n\nb", "b\n", id="retyped"),
        pytest.param("a secret word\n\nb\n\nc", deletes(0), "b\n\nc\n\na secret word", "b\n\nc\n", id="moved"),
        pytest.param("- a secret word\n- b\n\nc", deletes(0), "1. a secret word\n2. b\n\nc", "c\n", id="a list"),
        pytest.param("hello\n\nbye", deletes(0), "- hello\n\nbye", "bye\n", id="as an item"),
        pytest.param("hello\n\nbye", deletes(0), "> hello\n\nbye", "bye\n", id="in a quote"),
        pytest.param("hello\n\nbye", deletes(0), "> - # hello\n\nbye", "bye\n", id="in an item in a quote"),
        pytest.param("hello\n\nbye", deletes(0), "> hello\n>\n> new\n\nbye", "> new\n\nbye\n", id="beside new text"),
        pytest.param("hello\n\n- x", deletes(0), "- hello\n- x", "- x\n", id="in a list that is there"),
        pytest.param("hello\n\nbye", deletes(0), "- hello\n  - sub\n\nbye", "- + sub\n\nbye\n", id="above an item"),
        pytest.param("hello\n\nbye", deletes(0), "- hello\n\nnew", "new\n", id="where another takes its place"),
        pytest.param(
            "hello\n\nbye",
            deletes(0),
            "<details><summary>hello</summary>\n\nbye\n\n</details>",
            "<details>\n<summary></summary>\n\nbye\n\n</details>\n",
            id="as a summary",
        ),
        pytest.param("- hello\n- x\n\nbye", deletes(0), "hello\n\nx\n\nbye", "bye\n", id="without its list"),
        pytest.param("> - hello\n\nbye", deletes(0), "hello\n\nbye", "bye\n", id="without its quote"),
        pytest.param("- hello\n- x\n\nbye", deletes(0), "> - hello\n> - x\n\nbye", "bye\n", id="a list in a quote"),
        pytest.param("> one\n>\n> two\n\nbye", deletes(0), "- one\n\n  two\n\nbye", "bye\n", id="a quote as an item"),
    ],
)
def test_a_block_that_others_deleted_is_not_written_again(base, others, wanted, result):
    made = merged(base, others, wanted)
    assert (markdown(made.after), made.kept) == (result, ())


def test_an_item_in_which_others_wrote_stays_in_its_list_where_the_edit_quotes_it():
    made = merged("- one\n\nbye", types(0, "BEN"), "> one\n\nbye")
    assert (markdown(made.after), [each.not_done for each in made.kept]) == ("- BENone\n\nbye\n", [NotDone.moved])


@pytest.mark.parametrize("wanted", ["two\n\none", "two\n\n- one", "> two\n>\n> one", "# one\n\ntwo!"])
def test_a_text_that_others_joined_with_another_is_not_written_a_second_time(wanted):
    def joins(root):
        del root[0]
        root[0].children[0].insert(0, "one ")

    assert "".join(letters_of(merged("one\n\ntwo", joins, wanted).after)).rstrip("!") == "one two"


def test_an_edit_that_splits_a_text_which_others_moved_is_a_conflict():
    def moves(root):
        del root[0]
        root.append(XmlElement("paragraph", contents=[XmlText("a b c d e f g h")]))

    made = merged("a b c d e f g h\n\nx", moves, "- a b\n- c d\n- e f\n- g h\n\nx")
    assert markdown(made.after) == markdown(made.before) == "x\n\na b c d e f g h\n"
    assert [each.why for each in made.conflicts] == ["deleted_by_others"]
