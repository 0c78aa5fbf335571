"""Which of the text that one update deletes and inserts is moved, and whose its letters are then."""

from datetime import timedelta

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.editing.edit import Passage, Passages, Whole, edit
from documents.history.attribution import Logged, attributions, credited, credited_ranges, with_moves
from documents.history.compaction import Compacted, CompactionInput, VersionEnd, compact
from documents.history.credits import Credits, Source
from documents.history.move_candidates import may_move
from documents.history.moves import Node, Stretch, TextEdits, moved_letters
from documents.history.replay import LoggedEdit, LogSince, moved_in, replayed
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree, place
from documents.tree.tree import tree
from documents.yjs.keystroke import contents
from documents.yjs.snapshot import load
from tests.support.documents.histories import BEGIN
from tests.support.documents.logs import laid, placed

ADA, BEN, ZOE = (Source(name, None, BEGIN) for name in ("ada", "ben", "zoe"))
SENTENCE = "Nobody knows who wrote this sentence."
TABLE = "| Name | Price |\n| --- | --- |\n| Milk | 12 |\n| Bread | 7 |\n| Tea | 12 |"


def node(text, client, *own):
    """A text node, with the stretches of it that an update deletes or inserts."""
    made = Node(text, [(client, 0)], [len(text)])
    for each in own:
        start = text.index(each)
        low, stop = start, start + len(each)
        made.stretches.append(Stretch(made, start, stop, low, each))
    return made


def found(before, after):
    """The inserted text that is moved, as is said of an update that makes the stretches `before` these."""
    texts = [node(text, number, *own) for number, (text, *own) in enumerate(after)]
    sources = [node(text, 100 + number, *own) for number, (text, *own) in enumerate(before)]
    said = []
    for client, clock, length, (of, at) in sorted(moved_letters(TextEdits(sources, texts))):
        text = texts[client].text[clock : clock + length]
        assert text == sources[of - 100].text[at : at + length]
        said.append(text)
    return said


@pytest.mark.parametrize(
    ("before", "after", "moves"),
    [
        ([(SENTENCE, "sentence.")], [("sentence.", "sentence.")], ["sentence."]),
        ([("one", "one")], [("and one", " one")], ["one"]),
        ([("the cat", "the cat")], [("the dog", "the dog")], []),
        ([("see the cat here", "the cat")], [("here the cat goes", "the cat")], []),
        (
            [("that sentence of mine", "that sentence of mine")],
            [("no, that sentence of its", "no, that sentence of its")],
            ["that sentence of "],
        ),
        ([("12", "12"), ("12", "12")], [("12", "12"), ("x", "x"), ("12", "12")], ["12", "12"]),
        ([("12", "12")], [("12", "12"), ("12", "12")], ["12"]),
        ([("chosen and the rest", "chosen and the rest")], [("the rest", "the rest")], ["the rest"]),
        ([("weather", "weather")], [("eat", "eat")], []),
        ([("to be or not to", "to be or not to")], [("x to be or not to y", "x to be or not to y")], []),
        (
            [("一二三四五六七八九十百千", "一二三四五六七八九十百千")],
            [("万一二三四五六七八九十百千", "万一二三四五六七八九十百千")],
            ["一二三四五六七八九十百千"],
        ),
    ],
    ids=[
        "split",
        "join",
        "one word",
        "too short",
        "a run",
        "twice",
        "once",
        "selected",
        "in a word",
        "short words",
        "without spaces",
    ],
)
def test_what_is_moved_is_a_whole_text_or_a_run_that_is_long_enough(before, after, moves):
    assert found(before, after) == moves


def test_the_longest_run_is_moved_first_and_each_letter_once():
    before = [("one two three four five six", "one two three four five six")]
    after = [("x two three four y", "x two three four y"), ("z one two three four five", "z one two three four five")]
    assert found(before, after) == ["one two three four five"]


@pytest.mark.parametrize(
    ("after", "moves"),
    [
        (["x four five six seven y", "z one two three four five"], [" six seven", "one two three four five"]),
        (["one two three four five six seven", "two three four"], ["one two three four five six seven"]),
        (
            ["three four five six", "z one two three four", "four five six seven y"],
            ["three four five six", "one two ", " seven"],
        ),
    ],
)
def test_of_a_run_that_a_longer_one_took_in_part_the_rest_is_moved_too(after, moves):
    before = ["one two three four five six seven"]
    assert found([(text, text) for text in before], [(text, text) for text in after]) == moves


def text_of(log):
    return markdown(tree(load(None, [each.update for each in log])))


def whose(log, snapshot=None, known=None):
    """Whose the text is, stretch by stretch in the order of the document; what both ways of asking say."""
    updates = [*([snapshot] if snapshot else []), *(each.update for each in log)]
    read = attributions(snapshot, known or Credits(), log)
    document = tree(load(None, updates))
    said = []
    for each in read:
        at = document
        for number in each.path:
            at = at["content"][number]
        raw = at["text"].encode("utf-16-le")
        said.append((raw[2 * each.start : 2 * each.stop].decode("utf-16-le"), each.source.user_id))
    ranges = laid(credited_ranges(snapshot, Credits.decode((known or Credits()).encode()), log), updates)
    assert [source.user_id for source in ranges] == [user for text, user in said for _ in range(units(text))]
    return said


def units(text):
    return len(text.encode("utf-16-le")) // 2


def written(text):
    """A log in which Ada wrote a document, and Ben some words of it."""
    log = [Logged(from_tree(parse(text), 5), ADA)]
    for old, new in (("knows", "really knows"), ("Bread", "Dark bread"), ("third", "third and last")):
        if old in text:
            made = edit(load(None, [each.update for each in log]), Passages((Passage(old, new),)))
            log.append(Logged(made, BEN))
    return log


def edited(log, text):
    made = edit(load(None, [each.update for each in log]), Whole(text))
    assert isinstance(made, bytes)
    return [*log, Logged(made, ZOE)]


def letters(said):
    """How many of which letter each author has."""
    return sorted((user, letter) for text, user in said for letter in text)


@pytest.mark.parametrize(
    ("text", "then"),
    [
        (SENTENCE, "# Nobody really knows who wrote this sentence."),
        (SENTENCE, "- Nobody really knows who wrote this sentence."),
        (SENTENCE, "- [ ] Nobody really knows who wrote this sentence."),
        (SENTENCE, "> Nobody really knows who wrote this sentence."),
        (f"> {SENTENCE}", "Nobody really knows who wrote this sentence."),
        (f"- {SENTENCE}", "Nobody really knows who wrote this sentence."),
        (SENTENCE, "Nobody really knows\n\nwho wrote this sentence."),
        (f"Hear me.\n\n{SENTENCE}", "Hear me. Nobody really knows who wrote this sentence."),
        (
            f"{SENTENCE}\n\nHear me.\n\nOr do not.",
            "Hear me.\n\nOr do not.\n\nNobody really knows who wrote this sentence.",
        ),
        ("- one\n- two\n- third", "- third and last\n- one\n- two"),
        (TABLE, TABLE.replace("| Bread | 7 |\n| Tea | 12 |", "| Tea | 12 |\n| Dark bread | 7 |")),
    ],
    ids=["heading", "list", "task", "quote", "unquote", "unlist", "split", "join", "move", "items", "row"],
)
def test_an_edit_of_structure_takes_no_letter_from_its_writer(text, then):
    log = written(text)
    before = whose(log)
    after = edited(log, then)
    assert text_of(after) == markdown(parse(then))
    new = [each for each in whose(after) if each[1] == "zoe"]
    assert not "".join(text for text, _ in new).strip()
    kept = [each for each in letters(whose(after)) if each[0] != "zoe"]
    assert [each for each in kept if not each[1].isspace()] == [
        each for each in letters(before) if not each[1].isspace()
    ]


def rewritten(log, *texts):
    """Have Zoe delete all that is there and write paragraphs, in one update."""
    doc, made = load(None, [each.update for each in log]), []
    doc.observe(lambda event: made.append(event.update))
    with doc.transaction():
        root = doc.get("default", type=XmlFragment)
        del root.children[0 : len(root.children)]
        place(root, 0, [{"type": "paragraph", "content": [{"type": "text", "text": text}]} for text in texts])
    return [*log, Logged(made[0], ZOE)]


def test_a_sentence_that_shares_words_with_what_it_replaces_is_its_writers():
    log = [Logged(from_tree(parse("The cat sat on the mat."), 5), ADA)]
    assert whose(rewritten(log, "A dog that sat near the cat.")) == [("A dog that sat near the cat.", "zoe")]


CAT = "The cat sat on the mat."


@pytest.mark.parametrize(
    ("text", "then", "own"),
    [
        (CAT, "The cat\n\nsat on the mat.", ""),
        (f"Hear me.\n\n{CAT}", f"Hear me. {CAT}", " "),
        (CAT, f"# {CAT}", ""),
        (CAT, f"- {CAT}", ""),
        (CAT, f"- [ ] {CAT}", ""),
        (CAT, f"> {CAT}", ""),
        (f"{CAT}\n\nOthers stay here.", f"Others stay here.\n\n{CAT}", ""),
        (f"{CAT}\n\nOthers stay where they are.", "Others stay where they are. Look, cat sat on the mat.", " Look,"),
        (CAT, "The fat cat sat on the mat.", "fat "),
        (f"{CAT}\n\nOthers stay.", "sat on the mat.\n\nOthers and the cat stay.", "and the cat "),
        (CAT, f"{CAT}\n\nAnd again.\n\n{CAT}", f"And again.{CAT}"),
        ("We launch in June.\n\nOthers stay.", "We.\n\nOthers stay to launch in June", " to"),
    ],
)
def test_what_the_documentation_says_of_an_edit_is_so(text, then, own):
    said = whose(edited([Logged(from_tree(parse(text), 5), ADA)], then))
    assert "".join(text for text, user in said if user == "zoe") == own


def test_what_is_cut_in_one_update_and_pasted_in_another_is_writing():
    log = [Logged(from_tree(parse(SENTENCE), 5), ADA)]
    log = rewritten(log, "")
    assert whose(edited(log, SENTENCE)) == [(SENTENCE, "zoe")]


def test_who_moves_text_again_and_again_takes_nothing_of_it():
    log = [Logged(from_tree(parse(SENTENCE), 5), ADA)]
    for text in (f"# {SENTENCE}", f"> {SENTENCE}", SENTENCE, f"- {SENTENCE}"):
        log = edited(log, text)
    assert whose(log) == [(SENTENCE, "ada")]


def test_letters_of_two_units_are_moved_whole():
    text = "\U0001f600 Nobody \U0001f1e9\U0001f1ea knows this \U0001f468\u200d\U0001f469"
    log = edited([Logged(from_tree(parse(text), 5), ADA)], f"# {text}")
    assert whose(log) == [(text, "ada")]


def test_moved_text_stays_its_writers_through_compaction_and_after_it():
    log = edited(written(SENTENCE), "# Nobody really knows who wrote this sentence.")
    before = whose(log)
    for ends in ([len(log)], [1, len(log)]):
        versions = tuple(VersionEnd(number, end) for number, end in enumerate(ends, start=1))
        made = compact(CompactionInput(len(log), None, None, tuple(log), versions, (), ()))
        assert isinstance(made, Compacted)
        assert whose([], made.state, Credits.decode(made.credits)) == before
        doc = load(made.state)
        again = edit(doc, Whole("> Nobody really knows who wrote this sentence."))
        assert whose([Logged(again, ZOE)], made.state, Credits.decode(made.credits)) == before


def test_a_log_replayed_from_any_revision_on_says_the_same_moves():
    log = written(f"Hear me.\n\n{SENTENCE}")
    for text in (
        "Hear me. Nobody really knows who wrote this sentence.",
        "# Hear me. Nobody really knows who wrote this sentence.",
        "Hear me.\n\nNobody really knows who wrote this sentence.",
    ):
        log = edited(log, text)
    whole = with_moves(None, log)
    edits = [LoggedEdit(each.update, each.source.user_id, None, BEGIN + timedelta(minutes=1)) for each in log]
    for revision in range(len(log)):
        made = replayed(LogSince(revision, tuple(each.update for each in log[:revision]), tuple(edits[revision:])))
        assert [*made.copied] == [each.copied or () for each in whole[revision:]]


def test_an_update_that_repeats_others_moves_credits_nothing_anew():
    log = edited(written(SENTENCE), "# Nobody really knows who wrote this sentence.")
    repeated = [*log, Logged(load(None, [each.update for each in log]).get_update(), Source("cleo", None, BEGIN))]
    assert whose(repeated) == whose(log)


def test_who_moved_text_last_is_told_beside_its_writer():
    log = [Logged(from_tree(parse(f"Hear me.\n\n{SENTENCE}"), 5), ADA)]
    assert {each.mover for each in attributions(None, Credits(), log)} == {None}
    log = edited(log, f"Hear me.\n\n# {SENTENCE}")
    made = edit(load(None, [each.update for each in log]), Whole(f"Hear me.\n\n> {SENTENCE}"))
    moved = [*log, Logged(made, BEN)]
    for known, rest in ((log, ZOE), (moved, BEN)):
        found = attributions(None, Credits(), known)
        assert [(each.source, each.mover) for each in found] == [(ADA, None), (ADA, rest)]
        ranges = credited_ranges(None, Credits(), known)
        assert {(each.source, each.mover) for each in ranges} == {(ADA, None), (ADA, rest)}
    version = VersionEnd(1, len(moved))
    made = compact(CompactionInput(len(moved), None, None, tuple(moved), (version,), (), ()))
    assert attributions(made.state, Credits.decode(made.credits), ()) == attributions(None, Credits(), moved)


def test_an_update_that_can_move_nothing_is_not_laid_out():
    doc, log = Doc(client_id=7), []
    doc.observe(lambda event: log.append(event.update))
    doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[XmlText("teh cat 😀 sat")]))
    text = doc.get("default", type=XmlFragment).children[0].children[0]
    for start, stop, new in ((0, 3, "dog"), (0, 3, "god"), (4, 7, "x"), (6, 10, "😀"), (0, 3, "another dog")):
        with doc.transaction():
            del text[start:stop]
            text.insert(start, new)
    read = [contents(update) for update in log]
    assert may_move(log, read, range(len(log))) == [2, 4]


def test_every_update_that_moves_text_may_move_some():
    log = written(f"Hear me.\n\n{SENTENCE}\n\n- one\n- two")
    for text in (
        f"Hear me. {SENTENCE}\n\n- one\n- two",
        f"# Hear me.\n\n{SENTENCE}\n\n- two\n- one",
        f"{SENTENCE} Hear me again.\n\n> two\n\none",
        f"two\n\n{SENTENCE}\n\none Hear me again.",
    ):
        log = edited(log, text)
    updates = [each.update for each in log]
    read = [contents(update) for update in updates]
    every = moved_in(None, updates, read, range(len(log)))
    assert len(every) == 4
    assert moved_in(None, updates, read, may_move(updates, read, range(len(log)))) == every


def test_updates_that_delete_the_same_again_and_again_are_all_laid_out():
    said = XmlText("word " * 40)
    doc = Doc(client_id=7)
    doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[said]))
    begun = doc.get_update()
    others = [Doc(client_id=client) for client in range(8, 20)]
    log = [begun]
    for other in others:  # none knows of the others
        other.apply_update(begun)
        other.observe(lambda event: log.append(event.update))
        text = other.get("default", type=XmlFragment).children[0].children[0]
        with other.transaction():
            del text[0:200]
            text.insert(0, "x")
    read = [contents(update) for update in log]
    assert may_move(log, read, range(len(log))) == [*range(2, 13)]


def test_many_moves_in_one_long_text_come_to_an_end():
    doc, log = Doc(client_id=7), []
    doc.observe(lambda event: log.append(Logged(event.update, ADA)))
    text = XmlText("one two three four " * 50)
    doc.get("default", type=XmlFragment).children.append(XmlElement("paragraph", contents=[text]))
    for turn in range(300):
        with doc.transaction():
            del text[0:19]
            text.insert(19 * (turn % 40), "one two three four ")
    known = credited(Credits(), with_moves(None, log))
    assert {known.sources[number].user_id for _, number, _ in known.of(7, 0, 100)} == {"ada"}
    assert len(placed([each.update for each in log])) == 19 * 50
