"""Letters that nobody deleted and that are gone: each is in the read, or deleted by somebody who saw it, or told as unseen."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from pycrdt import XmlElement, XmlFragment, XmlText

from documents.history.changes import changes
from documents.history.copied_text import Copied
from documents.history.credits import Credits, Source
from documents.history.replay import LoggedEdit, LogSince, replayed
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import text_spans
from documents.yjs.snapshot import encode_deleted, load
from documents.yjs.structs import read_deletions, read_update
from tests.documents.unseen_room import Room, compacted, removes, told, types, unseen_letters
from tests.support.documents.histories import BEGIN, letters_of, written
from tests.support.suite.rounds import ROUNDS

SEEDS = range(20 if ROUNDS == 1 else 100 * ROUNDS)


@pytest.fixture
def room():
    made = Room("alpha\n\nbeta")
    made.doc("ada"), made.doc("ben")
    return made


def test_what_is_typed_into_a_deleted_block_is_unseen_by_who_deleted_it(room):
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, " lo"))
    room.act("ada", types(0, 8, "st"))
    for since in (0, 1, 2):
        assert told(room.since(since)) == [("ada", " lost", "ada", "ben", 4)]
    assert told(room.since(3)) == [("ada", "st", "ada", "ben", 4)]
    assert told(room.since(4)) == []


def test_what_was_typed_into_a_block_and_had_not_reached_who_deletes_it_is_unseen(room):
    deletion = room.made("ben", removes(0))
    room.act("ada", types(0, 5, " lost"))
    room.sent("ben", deletion)
    for since in (0, 1, 2):
        assert told(room.since(since)) == [("ben", " lost", "ada", "ben", 3)]
    deleted = [each.deleted for each in changes(replayed(room.since(0))) if each.user_id == "ben"]
    assert deleted == ["alpha"]


def test_who_deletes_what_they_saw_leaves_nothing_unseen(room):
    room.act("ada", types(0, 5, " seen"))
    room.sync("ben")
    room.act("ben", removes(0))
    assert told(room.since()) == []


def test_the_end_of_a_live_paragraph_that_is_typed_anew_after_its_last_word_was_deleted_is_seen(room):
    room.act("ben", lambda root: root[0].children[0].__delitem__(slice(0, 5)))
    room.act("ada", types(0, 5, " gamma"))
    room.sync("ada")
    room.act("ada", lambda root: root[0].children[0].__delitem__(slice(0, 6)))
    room.act("ada", types(0, 0, "omega"))
    assert told(room.since()) == []
    assert room.read == "omegabeta"


def test_what_a_writer_deletes_again_alone_is_not_unseen(room):
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, " lost"))
    room.act("ada", lambda root: root[0].children[0].__delitem__(slice(8, 10)))
    assert told(room.since()) == [("ada", " lo", "ada", "ben", 3)]


def test_a_client_that_repeats_all_deletions_it_has_learned_of_deletes_no_unseen_letter(room):
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, " lost"))
    room.sync("ada")
    room.doc("ada").get("default", type=XmlFragment).children[0].children[0].insert(0, "!")
    room.sent("ada", room.doc("ada").get_update())
    assert told(room.since()) == [("ada", " lost", "ada", "ben", 3)]


def test_who_deleted_what_never_came_keeps_nobody_from_having_learned_of_a_deletion(room):
    room.sent("cleo", b"\x00\x01\x63\x01\x00\x05")  # of a client that nobody has
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, " lost"))
    room.sync("ada")
    room.sent("ada", room.doc("ada").get_update())
    assert told(room.since()) == [("ada", " lost", "ada", "ben", 4)]


def test_an_undo_of_the_deletion_brings_unseen_letters_back(room):
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, " lost"))
    room.undo("ben")
    assert room.read == "alpha lostbeta"
    assert told(room.since()) == []


def test_of_unseen_words_those_that_were_brought_elsewhere_are_not_told(room):
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, "many lost words here"))
    brought = room.made("zoe", types(0, 4, " words"))
    (ada,), (zoe,) = (read_update(each).runs for each in (room.log[-1].update, brought))
    copied = (Copied(zoe, 0, len(" words"), (ada, len("many lost"))),)
    room.log.append(LoggedEdit(brought, "zoe", None, room.log[-1].at + timedelta(minutes=1), copied))
    assert room.read == "beta words"
    assert told(room.since()) == [("ada", "many lost here", "ada", "ben", 3)]


def test_blocks_and_marks_that_are_written_into_a_deleted_list_are_unseen_too():
    room = Room("- one\n- two")
    room.doc("ada"), room.doc("ben/scribe")

    def write(root):
        item = root[0].children.append(XmlElement("listItem"))
        paragraph = item.children.append(XmlElement("paragraph"))
        text = paragraph.children.append(XmlText("three"))
        text.format(0, 5, {"bold": {}})

    room.act("ben/scribe", removes(0))
    room.act("ada", write)
    (made,) = [lost for each in changes(replayed(room.since())) for lost in each.unseen]
    assert (made.text, made.deleted_by, made.deleting_agent) == ("three", "ben", "scribe")
    assert made.deleted_at == room.log[1].at


@pytest.mark.parametrize("end", [1, 2, 3, 4])
def test_compaction_keeps_unseen_letters_and_who_deleted_them(room, end):
    deletion = room.made("ben", removes(0))
    room.act("ada", types(0, 5, " lo\U0001f600"))
    room.sent("ben", deletion)
    room.act("ada", types(0, 12, "st"))
    since, later = compacted(room.log, [[end]])
    assert [("".join(sorted(text)), *who) for _, text, *who, _ in told(since)] == (
        [("".join(sorted(" lo\U0001f600st")), "ada", "ben")]
        if end == 4
        else [(" lo\U0001f600", "ada", "ben"), ("st", "ada", "ben")]
    )
    assert (
        "".join(text for _, text, *_ in told(later))
        == {1: " lo\U0001f600st", 2: " lo\U0001f600st", 3: "st", 4: ""}[end]
    )


def test_what_is_written_into_a_node_beside_a_collected_one_is_unseen_however_the_log_was_compacted():
    room = Room("- alpha\n\nbeta")
    room.doc("ada")
    room.act("ben", removes(0))
    room.act("ada", node_in_first_item(1, "soon gone"))
    room.act("ada", node_in_first_item(1, "late"))
    for ends in ([[3]], [[1], [3]], [[2], [3]]):
        for log in compacted(room.log, ends):
            assert "late" in {text for _, text, *_ in told(log)}, ends


def node_in_first_item(at, text):
    def act(root):
        node = root[0].children[0].children.insert(at, XmlElement("paragraph"))
        node.children.append(XmlText(text))

    return act


@pytest.mark.parametrize("end", [2, 3, 4])
def test_what_its_writer_deletes_again_with_the_text_around_it_is_not_unseen_in_a_compacted_log(room, end):
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, " lo"))
    room.act("ada", types(0, 8, "st"))
    room.act("ada", lambda root: root[0].children[0].__delitem__(slice(0, 10)))  # as who moves it
    since, later = compacted(room.log, [[end]])
    assert [text for _, text, *_ in told(since)] == []
    assert [text for _, text, *_ in told(later)] == []


@pytest.mark.parametrize("end", [2, 3, 4])
def test_what_comes_again_of_who_has_learned_of_the_deletion_stays_unseen_in_a_compacted_log(room, end):
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, " lo"))
    room.act("ada", types(0, 8, "st"))
    room.sync("ada")
    room.sent("ada", room.docs["ada"].get_update())
    since, _ = compacted(room.log, [[end]])
    assert "".join(text for _, text, *_ in told(since)) == " lost"


def test_what_was_a_copy_itself_and_is_back_is_not_unseen_in_a_compacted_log(room):
    room.doc("cleo")
    room.act("ben", lambda root: root[0].children[0].__delitem__(slice(1, 4)))
    room.undo("ben")
    room.act("cleo", removes(0))
    lost = {"l", "p", "h"}
    assert {*unseen_letters(compacted(room.log, [[4]])[0])} == lost
    room.undo("cleo")
    assert lost <= {*room.read}
    for log in (room.since(), *compacted(room.log, [[4]])):
        assert unseen_letters(log) == {}


def test_what_came_back_and_was_deleted_by_who_saw_it_is_not_unseen_however_it_was_compacted(room):
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, " lost"))
    room.undo("ben")
    room.sync("ben")
    room.act("ben", removes(0))
    for ends in ([[3]], [[3], [5]], [[3, 5]], [[3], [4], [5]]):
        assert unseen_letters(compacted(room.log, ends)[0]) == {}, ends


def test_what_was_brought_back_in_the_minute_in_which_it_went_again_is_unseen_in_a_compacted_log(room):
    room.doc("cleo")
    for who in ("ben", "dora"):
        room.doc(who)
        room.sync(who)
        room.act(who, lambda root: root[0].children[0].__delitem__(slice(1, 4)))
        room.undo(who)
    room.log[-1] = replace(room.log[-1], user_id="amy")  # who comes before Zoe, where nothing else says who was first
    room.act("cleo", removes(0))
    room.log = [replace(each, at=BEGIN) for each in room.log]
    lost = {"l", "p", "h"}
    assert {*unseen_letters(room.since())} == lost
    assert {*unseen_letters(compacted(room.log, [[6]])[0])} == lost


def places_of_letters(log):
    places = {}
    for each in log:
        for text in text_spans(each.update).texts:
            clock = text.clock
            for letter in Decoder(each.update, text.start).text():
                places.setdefault(letter, (text.client, clock))
                clock += len(letter.encode("utf-16-le")) // 2
    return places


def fates(log):
    """The letters that nobody's edit names as deleted although they are gone, and those that one names; by the library alone."""
    named = Credits()
    for each in log:
        named.delete(text_spans(each.update).deleted, None)
    places = places_of_letters(log)
    gone = Credits()
    gone.delete(read_deletions(Decoder(encode_deleted(load(None, [each.update for each in log])))), None)
    lost = {letter for letter, (client, at) in places.items() if not gone.alive(client, at, at + 1)}
    kept = {letter for letter, (client, at) in places.items() if named.alive(client, at, at + 1)}
    return lost & kept, lost - kept


@pytest.mark.parametrize("number", SEEDS)
def test_each_letter_is_there_or_deleted_by_who_saw_it_or_told_as_unseen(number):
    chance = random.Random(number)
    world = written(chance, 80)
    unseen, seen = fates(world.log)
    everything = unseen_letters(world.since())
    assert unseen <= everything.keys()
    assert {*everything} <= unseen | seen
    there = {*letters_of(world.tree())}
    assert there.isdisjoint(everything)
    erased = {letter for each in changes(replayed(world.since())) for letter in each.deleted}
    assert erased.isdisjoint(everything)
    count = len(world.log)
    ends = sorted({chance.randint(1, count) for _ in range(5)})
    cut = chance.randint(1, len(ends))
    since, later = compacted(world.log, [part for part in (ends[:cut], ends[cut:]) if part])
    assert unseen_letters(since) == everything
    whose = tuple(Source(each.user_id, each.agent, each.at) for each in world.log[: later.revision])
    states = tuple(each.update for each in world.log[: later.revision])
    rest = LogSince(later.revision, states, tuple(world.log[later.revision :]), whose=whose)
    told, wanted = unseen_letters(later), unseen_letters(rest)
    # what came after a compaction into what that collected lies in no known node: a neighbour tells who deleted it
    for letter in places_of_letters(world.log[later.revision :]).keys() & told.keys() & wanted.keys():
        told[letter] = (*told[letter][:2], *wanted[letter][2:])
    assert told == wanted
