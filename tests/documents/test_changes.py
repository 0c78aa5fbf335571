"""The changes of a document: each letter in the one change that wrote it, and in the one that deleted it."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycrdt import XmlElement, XmlFragment, XmlText

from documents.editing.edit import Whole, edit
from documents.history.changes import Kind, UndoRequest, UndoResult, changes, chosen, undo_changes
from documents.history.compaction import Compacted, CompactionInput, VersionEnd, compact
from documents.history.replay import CompactedVersion, LoggedEdit, LogSince, Replayed, replayed
from documents.history.undo import Chosen, undo_in
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import tree
from documents.yjs.scan import Refused
from documents.yjs.snapshot import load
from tests.documents.credited_logs import old
from tests.documents.undone import CLIENT, logged, worlds
from tests.documents.undone import Room as UndoRoom
from tests.support.documents.histories import BEGIN, fates, letters_of, written


def listed(log):
    made = replayed(log)
    assert isinstance(made, Replayed)
    return changes(made)


@given(worlds, st.data())
def test_each_letter_is_in_the_change_that_wrote_it_and_in_the_one_that_deleted_it(world, data):
    since = data.draw(st.integers(0, len(world.log)))
    found = listed(world.since(since))
    came, went = fates(world.log)
    wrote = [letter for each in found for letter in each.inserted.replace("\n", "")]
    erased = [letter for each in found for letter in each.deleted.replace("\n", "")]
    unseen = {letter for each in found for lost in each.unseen for letter in lost.text}
    assert len(set(wrote)) == len(wrote)
    assert len(set(erased)) == len(erased)
    assert {letter for letter in came if came[letter] > since and letter not in went} <= set(wrote)
    assert {letter for letter in went if went[letter] > since and came[letter] <= since} <= set(erased) | unseen
    assert unseen.isdisjoint(erased)
    for each in found:
        kept = sum(length for _, _, length in each.inserted_ranges)
        assert kept <= len(each.inserted.replace("\n", "").encode("utf-16-le")) // 2
        assert "".join(text for *_, text in each.deleted_ranges).replace("\n", "") == each.deleted.replace("\n", "")
        assert since < each.first <= each.last <= len(world.log)
        for fate, text in ((came, each.inserted), (went, each.deleted)):
            for letter in set(text) & set(fate):
                author = world.log[fate[letter] - 1]
                assert each.first <= fate[letter] <= each.last
                assert (each.user_id, each.agent) == (author.user_id, author.agent)


@given(worlds, st.data())
def test_to_take_back_all_changes_of_an_author_by_their_ids_is_to_take_back_all_they_did(world, data):
    since = data.draw(st.integers(0, len(world.log)))
    made = replayed(world.since(since))
    names = [each.id for each in changes(made) if (each.user_id, each.agent) == ("ada", "bot")]
    by_ids = chosen(made, names)
    assert not isinstance(by_ids, Refused)
    one = undo_in(made, by_ids, CLIENT)
    other = undo_in(replayed(world.since(since)), [Chosen("ada", "bot", since + 1, len(world.log))], CLIENT)
    assert letters_of(world.tree(one.update)) == letters_of(world.tree(other.update))


def test_an_id_that_no_change_has_is_refused():
    made = replayed(LogSince(0, (), (LoggedEdit(from_tree(parse("a"), 5), "ada", None, BEGIN),)))
    assert isinstance(chosen(made, [changes(made)[0].id]), list)
    for name in ("", "1-1-5-0", "1-1-5-0-00000000", "-".join(["9" * 30] * 5), "²-1-5-0-00000000"):
        assert isinstance(chosen(made, [name]), Refused)


class Room:
    def __init__(self, text):
        self.log = [LoggedEdit(from_tree(parse(text), 5), "ben", None, BEGIN)]
        self.at = BEGIN

    def act(self, who, seconds, act, agent=None):
        self.at += timedelta(seconds=seconds)
        made = []
        doc = load(None, [each.update for each in self.log])
        doc.observe(lambda event: made.append(event.update))
        with doc.transaction():
            act(doc.get("default", type=XmlFragment).children)
        self.log.append(LoggedEdit(made[0], who, agent, self.at))

    def changes(self, since=1):
        log = LogSince(since, tuple(each.update for each in self.log[:since]), tuple(self.log[since:]))
        return [
            (each.first, each.last, each.user_id, each.kind, each.path, each.inserted, each.deleted)
            for each in listed(log)
        ]


def types(block, place, text):
    return lambda root: root[block].children[0].insert(place, text)


def test_a_pause_another_block_and_another_author_begin_another_change():
    room = Room("one\n\ntwo")
    room.act("ada", 0, types(0, 3, "!"))
    room.act("ada", 59, types(0, 4, "?"))
    room.act("ada", 1, types(1, 3, "#"))
    room.act("ben", 1, types(0, 0, "B"))
    room.act("ada", 1, types(0, 1, "A"), "bot")
    room.act("ada", 60, types(0, 2, "c"))
    assert room.changes() == [
        (2, 3, "ada", Kind.inserted, (0,), "!?", ""),
        (4, 4, "ada", Kind.inserted, (1,), "#", ""),
        (5, 5, "ben", Kind.inserted, (0,), "B", ""),
        (6, 6, "ada", Kind.inserted, (0,), "A", ""),
        (7, 7, "ada", Kind.inserted, (0,), "c", ""),
    ]


def test_an_undo_tells_the_changes_that_it_was_asked_for():
    room = Room("one\n\ntwo")
    room.act("ada", 0, types(0, 3, "!"))
    room.act("ada", 1, types(1, 3, "#"))
    room.act("ben", 1, types(0, 0, "B"))
    log = LogSince(1, (room.log[0].update,), tuple(room.log[1:]))
    ids = [each.id for each in listed(log)]
    for asked in (ids[:1], ids[:2], ids):
        made = undo_changes(log, UndoRequest(1, tuple(asked)), CLIENT)
        assert isinstance(made, UndoResult)
        assert [each.id for each in made.effect.changes] == asked


def test_what_is_typed_and_taken_back_in_one_change_is_in_neither_text():
    room = Room("one")
    room.act("ada", 0, types(0, 3, "xyz"))
    room.act("ada", 1, lambda root: root[0].children[0].__delitem__(slice(4, 6)))
    assert room.changes() == [(2, 3, "ada", Kind.inserted, (0,), "x", "")]


def test_the_ranges_of_a_change_tell_where_its_text_stands_and_stood():
    room = Room("one\n\ntwo")
    room.act("ada", 0, types(0, 3, " more"))
    room.act("ada", 1, types(0, 0, "the "))
    room.act("ada", 60, lambda root: root[0].children[0].__delitem__(slice(4, 7)))
    room.act("ada", 60, lambda root: root.__delitem__(slice(1, 2)))
    text = load(None, [each.update for each in room.log])
    made = replayed(LogSince(1, (room.log[0].update,), tuple(room.log[1:])))
    assert isinstance(made, Replayed)
    typed, cut, block = changes(made)
    written = {
        piece: made.items.find(piece).data.decode("utf-16-le")
        for client, clock, _ in typed.inserted_ranges
        for piece in [(client, clock)]
    }
    assert [*written.values()] == ["the ", " more"]
    assert (typed.inserted, typed.deleted_ranges) == ("the  more", ())
    ((client, clock, length, words),) = cut.deleted_ranges
    assert (made.items.find((client, clock)).deleted, length, words) == (True, 3, "one")
    ((client, clock, length, words),) = block.deleted_ranges
    gone = made.items.find((client, clock))
    assert (gone.deleted, gone.branch is not None, length, words) == (True, True, 1, "two")
    assert str(text.get("default", type=XmlFragment)).count("the  more") == 1


def test_formatting_attributes_and_blocks_that_come_and_go_are_told():
    room = Room("one\n\n# two\n\nthree")
    room.act("ada", 0, lambda root: root[0].children[0].format(0, 3, {"bold": {}}))
    room.act("ada", 60, lambda root: root[1].attributes.__setitem__("level", 2))
    room.act("ada", 60, lambda root: root.__delitem__(slice(2, 3)))
    room.act("ada", 60, lambda root: root.insert(0, XmlElement("paragraph", contents=[XmlText("")])))

    def rewrite(root):
        text = root[1].children[0]
        del text[0:3]
        text.insert(0, "1")

    room.act("ada", 60, rewrite)
    assert room.changes() == [
        (2, 2, "ada", Kind.formatted, (1,), "", ""),
        (3, 3, "ada", Kind.formatted, (2,), "", ""),
        (4, 4, "ada", Kind.deleted, None, "", "three"),
        (5, 5, "ada", Kind.inserted, (0,), "", ""),
        (6, 6, "ada", Kind.replaced, (1,), "1", "one"),
    ]


def test_deletions_from_before_they_were_credited_are_changes_of_nobody_that_can_be_taken_back():
    room = Room("one two\n\nthree")
    room.act("ada", 0, lambda root: root[0].children[0].__delitem__(slice(3, 7)))
    room.act("ada", 9, lambda root: root.__delitem__(slice(1, 2)))
    room.act("ada", 9, types(0, 0, "!"))
    ends = (VersionEnd(1, 1), VersionEnd(2, 4))
    kept = compact(CompactionInput(4, None, None, tuple(logged(room.log)), ends, (), ()))
    assert isinstance(kept, Compacted)
    versions = [
        CompactedVersion(end.updates, version.state or kept.state, BEGIN + timedelta(days=end.number))
        for end, version in zip(ends, kept.versions, strict=True)
    ]
    log = LogSince(0, (), (), tuple(versions), old(kept.credits))
    told = [(each.user_id, each.at, each.kind, each.inserted, each.deleted) for each in listed(log)]
    nobodys, at = [each for each in told if not each[0]], BEGIN + timedelta(days=2)
    assert nobodys == [("", at, Kind.deleted, "", " two"), ("", at, Kind.deleted, "", "three")]
    assert [each[3:] for each in told if each[0] == "ada"] == [("!", "")]
    made = replayed(log)
    by_ids = chosen(made, [each.id for each in listed(log) if not each.user_id])
    undone = load(None, [kept.state, undo_in(made, by_ids, CLIENT).update])
    assert markdown(tree(undone)) == "!one two\n\nthree\n"


@given(st.randoms(use_true_random=False), st.integers(1, 40))
def test_of_a_compacted_version_each_author_has_one_change_in_a_block(chance, steps):
    world = written(chance, steps)
    count = len(world.log)
    if not count:
        return
    kept = compact(CompactionInput(count, None, None, tuple(logged(world.log)), (VersionEnd(1, count),), (), ()))
    assert isinstance(kept, Compacted)
    found = listed(LogSince(0, (), (), (CompactedVersion(count, kept.state),), kept.credits))
    keys = [(each.user_id, each.agent, each.id) for each in found]
    assert len(set(keys)) == len(keys)
    assert {(each.first, each.last) for each in found} <= {(1, count)}
    assert {*"".join(each.inserted for each in found)} - {"\n"} >= set(letters_of(world.tree()))


SENTENCE = "Nobody knows who wrote this sentence."


def retyped(*texts, since=1):
    """What is told of a document that Ben wrote and Ada edited to these texts, with its room."""
    room = UndoRoom(texts[0])
    for text in texts[1:]:
        doc = load(None, [each.update for each in room.log])
        room.log.append(LoggedEdit(edit(doc, Whole(text)), "ada", None, BEGIN))
    return room, listed(LogSince(since, tuple(each.update for each in room.log[:since]), tuple(room.log[since:])))


@pytest.mark.parametrize(
    ("texts", "kind", "path"),
    [
        ((SENTENCE, f"# {SENTENCE}"), Kind.formatted, (0,)),
        ((SENTENCE, f"> {SENTENCE}"), Kind.formatted, (0,)),
        ((f"> {SENTENCE}\n>\n> Two.", f"{SENTENCE}\n\nTwo."), Kind.formatted, None),
        ((f"{SENTENCE}\n\nTwo.", f"Two.\n\n{SENTENCE}"), Kind.moved, None),
        ((SENTENCE, "Nobody knows\n\nwho wrote this sentence."), Kind.moved, None),
        ((f"One.\n\n{SENTENCE}", f"One. {SENTENCE}"), Kind.moved, (0,)),
        (("- one\n- two\n- three", "- three\n- one\n- two"), Kind.moved, (0,)),
    ],
    ids=["heading", "quote", "unquote", "move", "split", "join", "items"],
)
def test_text_that_was_only_moved_is_one_change_that_says_so(texts, kind, path):
    room, found = retyped(*texts)
    (change,) = found
    assert (change.kind, change.inserted.strip(), change.deleted.strip()) == (kind, "", "")
    assert path is None or change.path == path
    before = tree(load(None, [room.log[0].update]))
    by_ids = chosen(replayed(LogSince(0, (), tuple(room.log))), [change.id])
    made = undo_in(replayed(LogSince(0, (), tuple(room.log))), by_ids, CLIENT)
    assert not made.skipped
    assert tree(load(None, [*(each.update for each in room.log), made.update])) == before


def test_text_that_is_retyped_in_two_lists_at_once_is_told():
    _, found = retyped(
        f"> {SENTENCE}\n\nSomebody wrote these words.", f"> # {SENTENCE}\n\n# Somebody wrote these words."
    )
    assert {(each.kind, each.path) for each in found} == {(Kind.formatted, (0,)), (Kind.formatted, (1,))}


def test_text_that_was_moved_and_written_to_tells_what_was_written():
    _, found = retyped(f"{SENTENCE}\n\nTwo.", f"Two.\n\n{SENTENCE} Or does somebody?")
    assert [(each.kind, each.inserted, each.deleted) for each in found] == [(Kind.inserted, " Or does somebody?", "")]


def test_either_block_of_a_move_names_the_change_that_it_is():
    room, (change,) = retyped(f"{SENTENCE}\n\nTwo.", f"Two.\n\n{SENTENCE}")
    made = replayed(LogSince(0, (), tuple(room.log)))
    first, last, _, _, who = change.id.split("-")
    blocks = {one.block for one in chosen(made, [change.id])}
    assert len(blocks) == 2
    for client, clock in blocks:
        assert chosen(made, [f"{first}-{last}-{client}-{clock}-{who}"]) == chosen(made, [change.id])
