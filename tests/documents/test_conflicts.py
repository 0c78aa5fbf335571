"""Conflicts of an edit with what others changed since its base, held against a brute-force three-way merge on words.

In what is called clean no word is lost, doubled or garbled; of what the brute-force merge does, at most half is called a conflict.
"""

import itertools
import random
from collections import Counter

import pytest
from pycrdt import XmlElement, XmlFragment, XmlText

from documents.editing.concurrent_blocks import texts_of
from documents.editing.conflicts import Comparison, ConflictClass, Letters, Side, letters_of
from documents.editing.edit import Passage, Passages, Whole
from documents.editing.edit import edit as edited
from documents.editing.rebase import ChangedMeanwhile, Merged, rebased_edit
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import text_of, tree
from documents.yjs.snapshot import load
from tests.documents.conflicting_pages import (
    STYLES,
    Page,
    assert_merged,
    changes,
    reference,
    said_words,
    text_types,
    types_in,
    word_edit,
)
from tests.support.suite.rounds import ROUNDS, seed

WORDS = ("The", "cat", "sat", "down")
RANDOM_PAIRS = 250 if ROUNDS == 1 else 500 * ROUNDS  # 5,000 in full
THROUGH_THE_LIBRARY = max(
    1, 12 // ROUNDS
)  # of the pairs, each so many-th is made in a document, too: every one in full


def typed(base, act):
    """The updates of somebody who changes the children of the root, in one transaction."""
    doc, since = load(None, [base]), []
    doc.observe(lambda event: since.append(event.update))
    with doc.transaction():
        act(doc.get("default", type=XmlFragment).children)
    return since


def merge(base, act, wanted, *, refuse=False):
    first = from_tree(parse(base), 5)
    return rebased_edit([first], typed(first, act), Whole(wanted), refuse=refuse)


def plain(node):
    return "".join(text for text, _ in node.diff())


def replaces(old, new, block=0):
    def act(root):
        node = root[block]
        while not isinstance(node, XmlText):
            node = node.children[0]
        at = plain(node).encode().index(old.encode())
        del node[at : at + len(old.encode())]
        if new:
            node.insert(at, new)

    return act


def writes(text, before, block=0):
    """Write a text before another."""

    def act(root):
        node = root[block].children[0]
        node.insert(str(node).encode().index(before.encode()), text)

    return act


def deletes(block):
    return lambda root: root.__delitem__(block)


def inserts(at, text, name="paragraph"):
    return lambda root: root.insert(at, XmlElement(name, contents=[XmlText(text)]))


def sets(block, name, value):
    return lambda root: root[block].attributes.__setitem__(name, value)


def marks(block, start, stop, value):
    return lambda root: root[block].children[0].format(start, stop, value)


def told(made):
    return [(each.path, each.why.value, each.theirs, each.yours) for each in made.conflicts]


@pytest.mark.parametrize(
    ("base", "others", "wanted", "result", "conflicts"),
    [
        pytest.param(
            "The cat sat",
            replaces("cat", "cow"),
            "The dog sat",
            "The cow sat",
            [((0,), "deleted_by_others", "cow", "dog")],
            id="both replace a word",
        ),
        pytest.param(
            "The cat sat",
            replaces("cat ", ""),
            "The dog sat",
            "The sat",
            [((0,), "deleted_by_others", "", "dog")],
            id="they delete the word that the edit replaces",
        ),
        pytest.param(
            "The cat sat", writes("black ", "cat"), "The black cat sat", "The black cat sat", [], id="both write a word"
        ),
        pytest.param(
            "The cat sat", writes(" black", " cat"), "The black cat sat", "The black cat sat", [], id="in another place"
        ),
        pytest.param(
            "The cat sat", replaces("cat", "black cat"), "The black cat sat", "The black cat sat", [], id="or pasted it"
        ),
        pytest.param(
            "The cat sat", replaces("cat", "dog"), "The dog sat", "The dog sat", [], id="both replace it alike"
        ),
        pytest.param("The cat sat", replaces("cat ", ""), "The sat", "The sat", [], id="both delete a word"),
        pytest.param(
            "The cat sat", replaces(" cat", ""), "The sat", "The sat", [], id="both delete it with another space"
        ),
        pytest.param(
            "The cat sat",
            replaces("cat ", ""),
            "The black cat sat",
            "The sat",
            [((0,), "place_gone", "", "black cat")],
            id="they delete the word beside which the edit writes",
        ),
        pytest.param(
            "The cat sat\n\nx",
            deletes(0),
            "The black cat sat\n\nx",
            "x",
            [(None, "place_gone", "", "The black cat sat")],
            id="they delete the block",
        ),
        pytest.param(
            "The cat sat",
            writes("black ", "cat"),
            "The sat",
            "The black cat sat",
            [((0,), "same_place", "black cat", "")],
            id="they write beside the word that the edit deletes",
        ),
        pytest.param(
            "The cat sat",
            writes("white ", "cat"),
            "The black cat sat",
            "The white cat sat",
            [((0,), "same_place", "white", "black")],
            id="both write there",
        ),
        pytest.param(
            "The cat sat", replaces("sat", "stood"), "The dog sat", "The dog stood", [], id="words side by side"
        ),
        pytest.param("The cat sat", replaces("sat", "sat now"), "The dog sat", "The dog sat now", [], id="elsewhere"),
        pytest.param(
            "Zwölf 🐈 schlafen süß",
            replaces("süß", "süß und tief"),
            "Zwölf 🐈 schlafen schön süß",
            "Zwölf 🐈 schlafen schön süß und tief",
            [],
            id="behind characters of two units and of several bytes",
        ),
        pytest.param(
            "hello\n\nbye",
            replaces("hello", "hello BEN"),
            "bye",
            "hello BEN\n\nbye",
            [((0,), "others_inside", "hello BEN", "")],
            id="they write in the block that it deletes",
        ),
        pytest.param(
            "hello\n\nbye",
            replaces("hello", "hello BEN"),
            "# hello\n\nbye",
            "hello BEN\n\nbye",
            [((0,), "others_inside", "hello BEN", "# hello")],
            id="they write in the block that it makes a heading",
        ),
        pytest.param(
            "hello\n\nbye",
            deletes(0),
            "# hello\n\nbye",
            "bye",
            [(None, "deleted_by_others", "", "# hello")],
            id="they delete the block that it makes a heading",
        ),
        pytest.param(
            "# hello",
            sets(0, "level", 3),
            "## hello",
            "### hello",
            [((0,), "attribute_changed", "### hello", "## hello")],
            id="both change a level",
        ),
        pytest.param("# hello", sets(0, "level", 2), "## hello", "## hello", [], id="both change a level alike"),
        pytest.param(
            "hello my friend",
            writes("dear ", "friend"),
            "hello **my friend**",
            "hello my dear friend",
            [((0,), "format_overlaps", "my dear friend", "**my friend**")],
            id="they write in what becomes bold",
        ),
        pytest.param(
            "see [it](https://a.example)",
            marks(0, 4, 6, {"link": {"href": "https://b.example"}}),
            "see [it](https://c.example)",
            "see [it](https://b.example)",
            [((0,), "format_overlaps", "[it](https://b.example)", "[it](https://c.example)")],
            id="both change a link",
        ),
        pytest.param(
            "my friend", marks(0, 0, 2, {"bold": {}}), "**my** friend", "**my** friend", [], id="both make a word bold"
        ),
        pytest.param(
            "my friend", marks(0, 0, 2, {"italic": {}}), "**my** friend", "***my*** friend", [], id="bold and italic"
        ),
        pytest.param(
            "my friend",
            writes("dear ", "friend"),
            "my **friend**",
            "my dear **friend**",
            [],
            id="they write before what becomes bold",
        ),
        pytest.param(
            "my friend",
            lambda root: root[0].children[0].insert(9, " dear"),
            "my **friend**",
            "my **friend** dear",
            [],
            id="they write behind what becomes bold",
        ),
        pytest.param(
            "my friend",
            marks(0, 3, 9, {"bold": {}}),
            "my friend too",
            "my **friend** too",
            [],
            id="the edit writes behind what they make bold",
        ),
        pytest.param(
            "my friend",
            marks(0, 0, 9, {"bold": {}}),
            "my dear friend",
            "**my dear friend**",
            [],
            id="the edit writes in what they make bold",
        ),
        pytest.param(
            "w1x and so",
            writes("new ", "so"),
            "*w6x and so*",
            "w6x and new so",
            [((0,), "format_overlaps", "w1x and new so", "*w6x and so*")],
            id="a word of which letters stay becomes italic as a whole or not",
        ),
        pytest.param(
            "see it there",
            marks(0, 0, 12, {"link": {"href": "https://a.example"}}),
            "[see it now there](https://b.example)",
            "[see it](https://a.example) [now](https://b.example) [there](https://a.example)",
            [
                (
                    (0,),
                    "format_overlaps",
                    "[see it there](https://a.example)",
                    "[see it now there](https://b.example)",
                )
            ],
            id="both link a text, in which the edit writes",
        ),
        pytest.param(
            "1. one", sets(0, "start", 1), "3. one", "3. one", [], id="they set an attribute to what it is without"
        ),
        pytest.param("a\n\nb", inserts(1, "new"), "a\n\nnew\n\nb", "a\n\nnew\n\nb", [], id="both write a block"),
        pytest.param("", inserts(0, "new"), "new", "new", [], id="both write the first block"),
        pytest.param(
            "- one\n- two",
            lambda root: root[0].children.insert(
                1, XmlElement("listItem", contents=[XmlElement("paragraph", contents=[XmlText("new")])])
            ),
            "- one\n- new\n- two",
            "- one\n- new\n- two",
            [],
            id="both write an item",
        ),
        pytest.param(
            "one and\n\nanother",
            deletes(1),
            "one and another",
            "one and",
            [(None, "place_gone", "", "one and another"), ((0,), "place_gone", "one and", "")],
            id="what it moves into a block that they deleted stays",
        ),
        pytest.param(
            "one\n\nand another longer line",
            deletes(0),
            "and another longer line, one",
            "and another longer line",
            [((0,), "deleted_by_others", "", ", one")],
            id="what it moves from a block that they deleted is not written again",
        ),
    ],
)
def test_a_change_that_conflicts_is_left_undone_and_told(base, others, wanted, result, conflicts):
    made = merge(base, others, wanted)
    assert isinstance(made, Merged)
    assert markdown(made.after).strip() == result
    assert told(made) == conflicts
    refused = merge(base, others, wanted, refuse=True)
    assert isinstance(refused, ChangedMeanwhile) == bool(conflicts)
    if conflicts:
        assert refused.conflicts == made.conflicts
        assert f"(`{conflicts[0][1]}`)" in refused.reason


def test_whole_blocks_and_items_that_came_to_one_place_both_stay():
    first, *both, last = markdown(merge("a\n\nb", inserts(1, "BEN"), "a\n\nnew\n\nb").after).split()
    assert (first, {*both}, last) == ("a", {"new", "BEN"}, "b")


@pytest.mark.parametrize(
    ("base", "others", "wanted", "theirs", "yours"),
    [
        pytest.param(
            "The cat sat", "# The cat sat", "The cat", "# The cat sat", "The cat", id="a word, and they retype"
        ),
        pytest.param("The cat sat", "- The cat sat", "The cat", "The cat sat", "The cat", id="a word, and they wrap"),
        pytest.param(
            "A white cat sat on the mat",
            "# A white cat slept on the mat",
            "A cat sat on the mat",
            "# A white cat slept on the mat",
            "A cat sat on the mat",
            id="a word, and they retype and write",
        ),
        pytest.param(
            "The cat sat\n\nx\n\ny", "x\n\ny\n\nThe cat sat", "x\n\ny", "The cat sat", "", id="a block that they move"
        ),
        pytest.param(
            "The cat sat\n\nx", "> # The cat sat\n\nx", "x", "# The cat sat", "", id="a block that they retype"
        ),
        pytest.param(
            "- one\n- two\n- three\n- The cat sat",
            "- The cat sat\n- one\n- two\n- three",
            "- one\n- two\n- three",
            "The cat sat",
            "",
            id="an item that they move",
        ),
        pytest.param(
            "| a | b |\n| --- | --- |\n| c | d |\n\nx\n\ny",
            "x\n\ny\n\n| a | b |\n| --- | --- |\n| c | d |",
            "x\n\ny",
            "a\n\nb\n\nc\n\nd",
            "",
            id="a table that they move",
        ),
    ],
)
def test_what_others_moved_and_the_edit_deletes_stays_and_is_told(base, others, wanted, theirs, yours):
    first = from_tree(parse(base), 5)
    since = edited(load(None, [first]), Whole(others))
    made = rebased_edit([first], [since], Whole(wanted))
    assert markdown(made.after) == others + "\n"
    assert [(each.why.value, each.theirs, each.yours) for each in made.conflicts] == [
        ("deleted_by_others", theirs, yours)
    ]
    assert isinstance(rebased_edit([first], [since], Whole(wanted), refuse=True), ChangedMeanwhile)


@pytest.mark.parametrize(
    ("others", "wanted"),
    [
        pytest.param("x\n\ny", "x\n\ny", id="both delete a block"),
        pytest.param("# The cat sat\n\nx\n\ny", "# The cat sat\n\nx\n\ny", id="both make it a heading"),
        pytest.param(
            "# The cat sat\n\nx\n\ny\n\nz",
            "# The cat sat\n\nx\n\ny",
            id="both make it a heading, and they write another",
        ),
        pytest.param("x\n\ny\n\nThe cat sat", "x\n\ny\n\nThe cat sat", id="both move it"),
        pytest.param("x\n\ny\n\nThe dog sat", "x\n\ny", id="they write another one"),
        pytest.param("x\n\ny\n\nThe", "The cat\n\nx\n\ny", id="they write a word of it elsewhere"),
    ],
)
def test_what_both_delete_is_no_conflict(others, wanted):
    first = from_tree(parse("The cat sat\n\nx\n\ny"), 5)
    since = edited(load(None, [first]), Whole(others))
    made = rebased_edit([first], [since], Whole(wanted))
    assert markdown(made.after) == others + "\n"
    assert made.conflicts == ()


def test_a_column_in_which_others_wrote_is_deleted_as_a_whole_or_not_at_all():
    first = from_tree(parse("| a | b | c |\n| --- | --- | --- |\n| d | e | f |\n| g | h | i |"), 5)
    since = edited(load(None, [first]), Passages((Passage("| e", "| e now"),)))
    wanted = Whole("| a | c |\n| --- | --- |\n| d too | f |\n| g | i |")
    made = rebased_edit([first], [since], wanted)
    assert markdown(made.after) == "| a | b | c |\n| --- | --- | --- |\n| d too | e now | f |\n| g | h | i |\n"
    assert {(each.why.value, each.theirs, each.yours) for each in made.conflicts} == {
        ("others_inside", says, "") for says in ("b", "e now", "h")
    }


def test_a_row_and_a_column_that_came_at_once_meet_in_an_empty_cell():
    base = "| a | b |\n| --- | --- |\n| c | d |\n"
    row = "| a | b |\n| --- | --- |\n| c | d |\n| e | f |\n"
    column = "| a | NEW | b |\n| --- | --- | --- |\n| c | new | d |\n"
    for others, wanted in ((row, column), (column, row)):
        first = from_tree(parse(base), 5)
        made = rebased_edit([first], [edited(load(None, [first]), Whole(others))], Whole(wanted))
        assert markdown(made.after) == f"{column}| e |  | f |\n"
        assert {len(line["content"]) for line in made.after["content"][0]["content"]} == {3}
        assert made.conflicts == ()


@pytest.mark.parametrize("word", ["x<sub>ij</sub>", "<sub>ij</sub>x", "x<sub>i</sub>", "**i**j"])
def test_a_word_of_which_a_part_is_formatted_is_left_whole(word):
    made = merge(f"{word} is a sum over x, i and j", replaces("sum", "total"), f"{word} is one sum over x, i and j")
    assert markdown(made.after) == f"{word} is one total over x, i and j\n"
    assert made.conflicts == ()


def test_what_conflicts_with_nothing_is_made_beside_what_does():
    made = merge("The cat sat\n\nHere it is", replaces("cat", "cow"), "The dog sat now\n\nHere it was\n\nNew")
    assert markdown(made.after) == "The cow sat now\n\nHere it was\n\nNew\n"
    assert [each.why for each in made.conflicts] == [ConflictClass.deleted_by_others]


@pytest.mark.parametrize(("word", "left"), [("cat", ""), ("category", "category "), ("bobcat", "bobcat ")])
def test_a_word_that_conflicts_is_moved_to_where_the_edit_writes_it_and_not_to_one_that_contains_it(word, left):
    made = merge("a cat here\n\nsee that", replaces("cat", "cow"), f"a dog here\n\nsee {word} that")
    assert markdown(made.after) == f"a cow here\n\nsee {left}that\n"


def test_what_is_already_done_makes_no_update():
    made = merge("The cat sat", replaces("cat", "dog"), "The dog sat")
    assert (made.update, made.conflicts) == (b"", ())


# All pairs of word edits.


def single_edits(new):
    for at in range(len(WORDS)):
        yield "replace", at, new
        yield "delete", at, ""
    for at in range(len(WORDS) + 1):
        yield "insert", at, new


def edits(one, other):
    """Up to two word edits; a word that is both replaced and deleted, or deleted with another in its place, is not among them."""
    yield ()
    first, second = [*single_edits(one)], [*single_edits(other)]
    yield from ((each,) for each in first)
    for at, there in itertools.combinations(range(len(first)), 2):
        pair = first[at], second[there]
        kinds, places = {each[0] for each in pair}, {each[1] for each in pair}
        is_replaced = kinds == {"delete", "insert"} and next(each[1] for each in pair if each[0] == "insert") - next(
            each[1] for each in pair if each[0] == "delete"
        ) in (0, 1)
        if not is_replaced and not (kinds == {"replace", "delete"} and len(places) == 1):
            yield pair


def side(words, edit, style):
    said, (come, gone) = " ".join(words), changes(words, edit, style)
    made = [
        each
        for at in range(len(said) + 1)
        for each in (
            *((char, -1, at) for char in come.get(at, "")),
            *([(said[at], at, at)] if at < len(said) and at not in gone else []),
        )
    ]
    chars = "".join(char for char, _, _ in made)
    return Side(Letters(chars, [()] * len(chars), {}), [kept for _, kept, _ in made], [gap for _, _, gap in made])


def types(words, edit, style):
    return lambda root: types_in(root[0].children[0], words, edit, style)


def is_sound(words, edit, style):
    return side(words, edit, style).letters.chars.split() == reference(words, edit, ())


@pytest.mark.parametrize("style", STYLES if ROUNDS > 1 else [STYLES[seed() % len(STYLES)]])
def test_all_pairs_of_up_to_two_word_edits_are_merged_as_words_or_called_conflicts(style):
    said, counted = " ".join(WORDS), Counter()
    base = letters_of([{"type": "text", "text": said}])
    mine = [(each, side(WORDS, each, "inside")) for each in edits("black", "dog")]
    for new in (("white", "cow"), ("black", "dog")):
        others = [(each, side(WORDS, each, style)) for each in edits(*new) if is_sound(WORDS, each, style)]
        for (edit, ours), (other, theirs) in itertools.product(mine, others):
            compared = Comparison(base, ours, theirs)
            wanted = reference(WORDS, edit, other)
            is_flagged = any(isinstance(hunk.fate, ConflictClass) for hunk in compared.hunks)
            counted["mergeable"] += wanted is not None
            counted["flagged"] += wanted is not None and is_flagged
            if not is_flagged:
                found = compared.merged().split()
                is_same = ours.letters.chars.split() == theirs.letters.chars.split()
                assert found == (ours.letters.chars.split() if is_same else wanted), (edit, other)
                counted["clean"] += 1
    assert counted["clean"] > 5_000
    assert 2 * counted["flagged"] <= counted["mergeable"], counted


def test_pairs_of_word_edits_are_merged_in_documents_as_they_are_on_paper():
    said = " ".join(WORDS)
    first = from_tree(parse(said), 5)
    for number, (edit, other) in enumerate(itertools.product([*edits("black", "dog")], [*edits("white", "cow")])):
        if number % THROUGH_THE_LIBRARY or not is_sound(WORDS, other, "before"):
            continue
        since = typed(first, types(WORDS, other, "before"))
        made = rebased_edit([first], since, Whole(" ".join(reference(WORDS, edit, ()))))
        assert isinstance(made, Merged)
        doc = load(None, [first, *since, *filter(None, [made.update])])
        found = text_of(tree(doc)).split()
        theirs = reference(WORDS, other, ())
        if not made.conflicts:
            assert_merged(WORDS, reference(WORDS, edit, ()), theirs, found)
        assert {*found} <= {*WORDS, "black", "dog", "white", "cow"}, (edit, other, found)
        assert {*theirs} - {*WORDS} <= {*found}


# Random pairs over blocks of all kinds.


def test_random_pairs_over_blocks_of_all_kinds_lose_double_and_garble_no_word():
    chance, counted = random.Random(seed()), Counter()
    for number in range(RANDOM_PAIRS):
        page = Page(chance)
        texts = page.texts()
        levels = [2 for _ in page.blocks]
        said = page.markdown(texts, levels)
        first = from_tree(parse(said), 5)
        if not {" ".join(each) for each in texts} <= {text_of(each) for each in texts_of(parse(said))}:
            continue  # a list of tasks and one of items are one list
        mine, others = {}, {}
        for edits_ in (mine, others):
            for _ in range(chance.randint(1, 3)):
                at = chance.randrange(len(texts))
                edits_[at] = (word_edit(chance, texts[at], page.word),)
        same = chance.random() < 0.1
        if same:
            others = dict(mine)
        doc, since = load(None, [first]), []
        doc.observe(lambda event: since.append(event.update))  # noqa: B023
        natives = [each for each in text_types(doc) if str(each)]
        places = [str(each) for each in natives]
        with doc.transaction():
            for at, edit in others.items():
                native = natives[places.index(" ".join(texts[at]))]
                if str(native) == " ".join(texts[at]):
                    types_in(native, texts[at], edit, chance.choice(STYLES[1:]))
        theirs = tree(doc)
        wanted = [reference(words, mine.get(at, ()), ()) for at, words in enumerate(texts)]
        made = rebased_edit([first], since, Whole(page.markdown(wanted, levels)))
        assert isinstance(made, Merged), (number, made)
        words = [said_words(each) for each in (parse(said), parse(page.markdown(wanted, levels)), theirs, made.after)]
        assert {*words[3]} <= {*words[0], *words[1], *words[2]}, (said, words)
        assert {*words[2]} - {*words[0]} <= {*words[3]}
        reference_merges = all(
            reference(texts[at], mine[at], others[at]) is not None for at in mine.keys() & others.keys()
        )
        counted["mergeable"] += reference_merges
        counted["flagged"] += reference_merges and bool(made.conflicts)
        if not made.conflicts:
            counted["clean"] += 1
            assert_merged(*words)
    assert counted["clean"] > RANDOM_PAIRS // 3, counted
    assert 2 * counted["flagged"] <= counted["mergeable"], counted
