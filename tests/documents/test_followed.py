"""Letters that are written into a block while it is retyped, wrapped or moved stand where the block is then."""

import random

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.editing.edit import Whole, edit
from documents.history.changes import changes
from documents.history.followed import follow_moves
from documents.history.replay import LoggedEdit, LogSince, replayed
from documents.history.undo import Chosen
from documents.markdown.markdown_out import markdown
from documents.tree.tree import tree
from documents.yjs.scan import IMPORT, Refused, scan
from documents.yjs.snapshot import load
from tests.documents.undone import restore
from tests.documents.unseen_room import Room, compacted, removes, told, types
from tests.support.documents.histories import undo
from tests.support.suite.rounds import ROUNDS

SEEDS = 60 * ROUNDS


class Together(Room):
    """People of whom a server brings letters to what they follow."""

    def in_markdown(self, wanted, who="ben/scribe"):
        made = edit(load(None, [each.update for each in self.log]), Whole(wanted))
        assert isinstance(made, bytes)
        self.sent(who, made)

    def follow(self):
        """Do it once; return whether there was something to do."""
        made = follow_moves(replayed(self.since()))
        if made is None:
            return False
        assert not isinstance(scan(made.update, IMPORT), Refused)
        self.sent(f"{made.user_id}/{made.agent}" if made.agent else made.user_id, made.update)
        self.log[-1] = self.log[-1].__class__(made.update, made.user_id, made.agent, self.log[-1].at, made.copied)
        return True

    def sees_late_letters(self, who):
        """Let somebody hear of what was written since the move, and not of the move."""
        for each in self.log[2:]:
            self.doc(who).apply_update(each.update)

    def first_text(self, who):
        return str(self.doc(who).get("default", type=XmlFragment).children[0].children[0])

    @property
    def markdown(self):
        return markdown(tree(load(None, [each.update for each in self.log])))


@pytest.fixture
def room():
    made = Together("alpha and omega\n\nbeta")
    made.doc("ada"), made.doc("ben")
    return made


CHANGES = {
    "# alpha and omega\n\nbeta": "# alpha X and omega Y\n\nbeta\n",
    "- alpha and omega\n\nbeta": "- alpha X and omega Y\n\nbeta\n",
    "> alpha and omega\n\nbeta": "> alpha X and omega Y\n\nbeta\n",
    "beta\n\nalpha and omega": "beta\n\nalpha X and omega Y\n",
}


@pytest.mark.parametrize("wanted", CHANGES)
def test_what_is_written_into_a_block_that_is_moved_stands_beside_the_same_letters(room, wanted):
    room.in_markdown(wanted)
    for at, letter in enumerate(" X"):
        room.act("ada", types(0, 5 + at, letter))
    room.act("ada", types(0, 17, " Y"))
    is_elsewhere = room.markdown != CHANGES[wanted]
    while room.follow():
        assert is_elsewhere
    assert room.markdown == CHANGES[wanted]
    assert told(room.since()) == []
    whose = {letter for each in changes(replayed(room.since())) if each.user_id == "ada" for letter in each.inserted}
    assert {"X", "Y"} <= whose


def test_what_goes_on_behind_letters_that_have_followed_stands_behind_them(room):
    room.in_markdown("# alpha and omega\n\nbeta")
    for at, letter in enumerate(" one"):
        room.act("ada", types(0, 5 + at, letter))
        assert room.follow()
    assert room.markdown == "# alpha one and omega\n\nbeta\n"


def test_letters_of_several_writers_at_one_place_stay_in_order(room):
    room.doc("cleo")
    room.in_markdown("# alpha and omega\n\nbeta")
    room.act("ada", types(0, 5, " one"))
    for each in room.log[2:]:
        room.docs["cleo"].apply_update(each.update)
    room.act("cleo", types(0, 9, " two"))
    for each in room.log[3:]:
        room.docs["ada"].apply_update(each.update)
    room.act("ada", types(0, 13, " three"))
    while room.follow():
        pass
    assert room.markdown == "# alpha one two three and omega\n\nbeta\n"
    credited = {each.user_id: each.inserted for each in changes(replayed(room.since(2)))}
    assert "two" in credited["cleo"]
    assert "two" not in credited["ada"]


def test_letters_of_several_writers_stay_in_order_when_the_move_is_compacted(room):
    room.in_markdown("# alpha and omega\n\nbeta")
    for who, at, word in (("ada", 5, " one"), ("ben", 9, " two"), ("ada", 13, " three")):
        room.sees_late_letters(who)
        room.act(who, types(0, at, word))
    _, later = compacted(room.log, [[2]])
    assert followed(later) == "# alpha one two three and omega\n\nbeta\n"


@pytest.mark.parametrize("number", range(SEEDS))
def test_letters_follow_in_the_order_that_their_writers_saw_however_the_log_was_compacted(number):
    chance, room = random.Random(number), Together("alpha and omega\n\nbeta")
    writers, letters = ("ada", "ben", "cleo"), iter("bcdfgijkqrstuvwxyz")
    for who in writers:
        room.doc(who)
    room.in_markdown("# alpha and omega\n\nbeta")
    for _ in range(chance.randint(2, 9)):
        who = chance.choice(writers)
        room.sees_late_letters(who)
        word = "".join(next(letters) for _ in range(chance.randint(1, 2)))
        room.act(who, types(0, chance.randint(0, len(room.first_text(who))), word))
    room.sees_late_letters("ada")
    wanted = f"# {room.first_text('ada')}\n\nbeta\n"
    for log in (room.since(), compacted(room.log, [[2]])[1]):
        assert followed(log) == wanted


def followed(log):
    """The document as Markdown after all that follows in a log."""
    while made := follow_moves(replayed(log)):
        log = with_followed(log, made)
    return markdown(tree(load(None, [*log.state, *(each.update for each in log.log)])))


def with_followed(log, made):
    edit_ = LoggedEdit(made.update, made.user_id, made.agent, log.log[-1].at, made.copied)
    return LogSince(log.revision, log.state, (*log.log, edit_), (), log.credits)


def test_what_had_not_reached_an_editor_that_retypes_the_block_follows_it(room):
    def retype(root):
        del root[0:1]
        heading = root.insert(0, XmlElement("heading", {"level": 1}))
        heading.children.append(XmlText("alpha and omega"))

    made = room.made("ben", retype)
    room.act("ada", types(0, 15, " and more"))
    room.sent("ben", made)
    assert room.follow()
    assert room.markdown == "# alpha and omega and more\n\nbeta\n"
    assert not room.follow()


def test_what_is_written_into_a_block_that_is_deleted_stays_unseen(room):
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, " lost"))
    assert not room.follow()
    assert [text for _, text, *_ in told(room.since())] == [" lost"]


def test_what_is_written_between_words_that_were_replaced_stays_unseen(room):
    room.in_markdown("# gamma and delta\n\nbeta")
    room.act("ada", types(0, 2, "lost"))
    assert not room.follow()


def test_an_update_is_the_same_whoever_computes_it_and_from_a_compacted_log(room):
    room.act("ben", types(1, 4, "!"))
    room.in_markdown("# alpha and omega\n\nbeta!")
    room.act("ada", types(0, 5, " X"))
    made = follow_moves(replayed(room.since()))
    _, later = compacted(room.log, [[2]])
    assert follow_moves(replayed(later)) == made
    since = LogSince(1, (room.log[0].update,), tuple(room.log[1:]))
    assert follow_moves(replayed(since)) == made


@pytest.mark.parametrize("wanted", CHANGES)
def test_what_comes_when_the_move_is_compacted_finds_its_neighbours_by_their_ids(room, wanted):
    room.in_markdown(wanted)
    typed = [room.made("ada", types(0, 5 + at, letter)) for at, letter in enumerate(" Z")]
    typed += [room.made("ada", types(0, 6, letter)) for letter in "X"]
    typed.append(room.made("ada", types(0, 8, "!")))
    for update in typed:
        room.sent("ada", update)
    _, later = compacted(room.log, [[2]])
    made = follow_moves(replayed(later))
    if made is None:  # the other block is the one that was moved
        assert "XZ!" in room.read
        return
    doc = load(None, [*(each.update for each in room.log), made.update])
    assert markdown(tree(doc)) == CHANGES[wanted].replace(" X", " XZ!").replace(" Y", "")
    everything = with_followed(later, made)
    assert follow_moves(replayed(everything)) is None
    assert told(everything) == []


def test_what_was_deleted_and_comes_back_later_draws_no_letters_after_it(room):
    room.act("ben", removes(0))
    room.act("ada", types(0, 5, " lost"))
    before = LogSince(0, (), tuple(room.log[:2]))
    made = undo(before, [Chosen("ben", None, 2, 2)], 999)
    room.log.append(LoggedEdit(made.update, "zoe", None, room.log[-1].at, made.copied))
    assert room.read == "alpha and omegabeta"
    assert not room.follow()
    assert [text for _, text, *_ in told(room.since())] == [" lost"]


def test_where_the_moved_text_is_gone_before_letters_follow_it_they_stay_when_it_is_restored(room):
    room.in_markdown("# alpha and omega\n\nbeta")
    room.act("ada", types(0, 5, " lost"))
    assert follow_moves(replayed(room.since())) is not None
    room.in_markdown("beta")
    assert not room.follow()
    room.log.append(restore(room, 1))
    assert room.read == "alpha and omegabeta"
    assert not room.follow()
    assert [text for _, text, *_ in told(room.since())] == [" lost"]


def test_letters_follow_text_that_is_moved_on(room):
    room.in_markdown("# alpha and omega\n\nbeta")
    room.act("ada", types(0, 5, " X"))
    room.in_markdown("> alpha and omega\n\nbeta")
    room.in_markdown("beta\n\nalpha and omega")
    assert room.follow()
    assert room.markdown == "beta\n\nalpha X and omega\n"


def test_what_comes_after_a_deletion_was_undone_stands_in_the_block_that_is_back(room):
    room.act("ben", removes(0))
    room.undo("ben")
    room.act("ada", types(0, 5, " late"))
    assert room.follow()
    assert room.read == "alpha late and omegabeta"


def test_an_undo_of_the_move_takes_nothing_twice(room):
    room.in_markdown("# alpha and omega\n\nbeta", who="ben")
    room.act("ada", types(0, 5, " X"))
    assert room.follow()
    room.undo("ben")
    assert room.read.count("X") == 1
    assert not room.follow()


def test_what_was_written_with_what_follows_and_does_not_follow_stays_unseen_in_a_compacted_log(room):
    room.in_markdown("# alpha and omega")
    room.act("ada", lambda root: [types(0, 5, "X")(root), types(1, 4, "Y")(root)])
    assert room.follow()
    assert room.markdown == "# alphaX and omega\n"
    since, _ = compacted(room.log, [[3]])
    assert [text for _, text, *_ in told(since)] == ["Y"]


def test_what_an_editor_retyped_that_was_moved_meanwhile_is_not_written_twice(room):
    room.in_markdown("# alpha and omega\n\nbeta")

    def retype(root):
        node = root[0].children[0]
        del node[0:5]
        node.insert(10, "alpha")
        node.insert(15, "!")

    room.act("ada", retype)
    room.act("ada", types(0, 16, " new"))
    assert room.follow()
    assert room.markdown == "# alpha and omega new\n\nbeta\n"
    assert not room.follow()
    assert [text for _, text, *_ in told(room.since())] == ["alpha!"]


@pytest.mark.parametrize("at", [0, 4])  # an undo, and a paste
def test_what_was_taken_away_of_a_moved_block_and_written_again_is_not_written_twice(room, at):
    room.in_markdown("# alpha and omega\n\nbeta")
    room.act("ada", takes(0, 6, "and "))
    room.act("ada", types(0, at + 2, "and "))
    assert not room.follow()
    assert room.markdown == "# alpha and omega\n\nbeta\n"
    assert [text for _, text, *_ in told(room.since())] == ["and "]


def test_it_stays_away_where_somebody_deletes_some_of_the_copy_afterwards(room):
    room.in_markdown("# alpha and omega\n\nbeta")
    room.act("ada", takes(0, 6, "and "))
    room.act("ada", types(0, 6, "and "))
    assert not room.follow()
    room.in_markdown("# alpha a omega\n\nbeta")
    assert not room.follow()
    assert room.markdown == "# alpha a omega\n\nbeta\n"


def test_a_letter_that_was_taken_for_a_moved_one_does_not_follow_once_that_is_deleted():
    room = Together("Y alpha and omega\n\nbeta")
    room.doc("ada"), room.doc("ben")
    room.act("ada", types(0, 0, "X "))
    room.act("cleo", takes(0, 2, "Y "))

    def retype(root):
        root.insert(0, made := XmlElement("heading"))
        made.attributes["level"] = 1
        made.children.append(XmlText("Y alpha and omega"))
        del root[1]

    room.act("ben", retype)
    while room.follow():
        pass
    assert room.markdown == "# YX alpha and omega\n\nbeta\n"  # the space of either is in the heading
    room.in_markdown("# alpha and omega\n\nbeta", "cleo/scribe")
    assert not room.follow()


def test_letters_of_a_new_word_follow_though_what_was_taken_away_has_some_of_them(room):
    room.in_markdown("# alpha and omega\n\nbeta")
    room.act("ada", takes(0, 6, "and "))
    for at, letter in enumerate("band "):
        room.act("ada", types(0, 6 + at, letter))
        while room.follow():
            pass
    assert room.markdown == "# alpha and band omega\n\nbeta\n"


def test_a_space_follows_though_its_writer_took_a_word_away(room):
    room.in_markdown("# alpha and omega\n\nbeta")
    room.act("ada", takes(0, 6, "and "))
    room.act("ada", types(0, 11, " "))
    assert room.follow()
    room.act("ada", types(0, 12, "now"))
    while room.follow():
        pass
    assert room.markdown == "# alpha and omega now\n\nbeta\n"


@pytest.mark.parametrize(("taken", "follows"), [("a", True), (" ", False)])
def test_a_space_that_replaces_something_else_follows(room, taken, follows):
    room.in_markdown("# alpha and omega\n\nbeta")
    at = "alpha and".index(taken, 5)
    room.act("ada", lambda root: [takes(0, at, taken)(root), types(0, at + 1, " ")(root)])
    assert room.follow() is follows


def takes(block, at, text):
    def take(root):
        node = root[block].children[0]
        assert str(node)[at : at + len(text)] == text
        del node[at : at + len(text)]

    return take


def test_what_an_editor_retyped_of_a_block_whose_move_is_compacted_is_not_written_twice(room):
    room.docs["ada"] = doc = Doc(client_id=30, skip_gc=True)  # an editor keeps what it can undo
    room.known["ada"] = 0
    room.sync("ada")
    before = doc.get_state()
    room.made("ada", types(0, 5, " X"))
    room.made("ada", lambda root: retypes(root, "alpha X and omega"))
    room.made("ada", types(0, 17, " Y"))
    room.in_markdown("> alpha and omega\n\nbeta")
    room.sent("ada", doc.get_update(before))
    for log in (room.since(), compacted(room.log, [[2]])[1]):
        assert follow_moves(replayed(log)) is None
    assert room.read == "alpha X and omega Yalpha and omegabeta"


@pytest.mark.parametrize("ends", [[], [2], [3], [4]])
def test_what_its_writers_editor_retyped_without_having_heard_of_the_move_is_not_written_twice(room, ends):
    room.act("ada", takes(1, 0, "be"))
    room.in_markdown("# alpha and omega\n\nta")
    room.act("ada", types(0, 5, " X"))
    room.act("ada", lambda root: retypes(root, "alpha X and omega"))
    for log in compacted(room.log, [ends]) if ends else [room.since()]:
        assert told(log) == []
        assert follow_moves(replayed(log)) is None


def retypes(root, text):
    del root[0:1]
    root.insert(0, XmlElement("paragraph")).children.append(XmlText(text))
