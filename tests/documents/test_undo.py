"""Taking back what one author did: theirs goes, what they deleted comes back, and everybody else's stays as it is."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.editing.edit import Whole, edit
from documents.history.attribution import attributions, credited_ranges
from documents.history.compaction import Compacted, CompactionInput, VersionEnd, compact
from documents.history.copied_text import Copied, Copies, CopiesOf
from documents.history.credits import Credits
from documents.history.replay import CompactedVersion, LoggedEdit, LogSince
from documents.history.undo import Chosen, Skipped, SkipReason, Undone
from documents.markdown.markdown_out import markdown
from documents.tree.tree import tree
from documents.yjs.lib0 import Decoder
from documents.yjs.snapshot import encode_deleted, load
from documents.yjs.structs import builds_on_deleted, read_deletions
from tests.documents.undone import CLIENT, Room, logged, worlds
from tests.support.documents.histories import BEGIN, PEOPLE, World, fates, letters_of, marks_of_letters, undo
from tests.support.documents.logs import laid, sources


@dataclass
class Case:
    """What is to be taken back of a world: all since a revision of one user, and perhaps of one agent alone."""

    world: World
    since: int
    user: str
    agent: str | None
    base: int

    def takes(self, revision):
        each = self.world.log[revision - 1]
        who = each.user_id == self.user and (self.agent is None or (each.agent or "") == self.agent)
        return who and revision > self.since

    @property
    def chosen(self):
        return [Chosen(self.user, self.agent, self.since + 1, len(self.world.log))]

    def undo(self):
        made = undo(self.world.since(self.base), self.chosen, CLIENT)
        assert isinstance(made, Undone)
        return made


@st.composite
def cases(draw):
    world = draw(worlds)
    since = draw(st.integers(0, len(world.log)))
    user, agent = draw(st.sampled_from(PEOPLE))
    return Case(world, since, user, draw(st.sampled_from([None, agent or ""])), draw(st.integers(0, since)))


@given(cases())
def test_the_authors_letters_go_those_they_deleted_come_back_and_all_others_stay_in_their_order(case):
    made = case.undo()
    came, went = fates(case.world.log)
    want = {
        letter
        for letter, revision in came.items()
        if not case.takes(revision) and (letter not in went or case.takes(went[letter]))
    }
    before, after = letters_of(case.world.tree()), letters_of(case.world.tree(made.update))
    seen = set(after) & set(came)  # what was written into a block that was being deleted nobody ever saw
    assert len(set(after)) == len(after)
    assert seen <= want
    if SkipReason.place_gone not in {each.reason for each in made.skipped}:
        assert seen == want
    assert [letter for letter in after if letter in before] == [letter for letter in before if letter in seen]


@given(cases())
def test_to_take_back_an_undo_restores_the_document_and_to_undo_again_gives_the_same_text(case):
    world, made = case.world, case.undo()
    if not made.update:
        return
    before, undone = world.tree(), world.tree(made.update)
    world.log.append(LoggedEdit(made.update, "zoe", None, world.at, made.copied))
    number = len(world.log)
    again = undo(world.since(), [Chosen("zoe", None, number, number)], CLIENT + 1)
    assert not again.skipped
    assert world.tree(again.update) == before
    world.log.append(LoggedEdit(again.update or b"\0\0", "zoe", None, world.at, again.copied))
    third = undo(world.since(), case.chosen, CLIENT + 2)
    assert letters_of(world.tree(third.update)) == letters_of(undone)


@given(cases())
def test_what_comes_back_is_credited_to_whoever_wrote_it_first(case):
    world, made = case.world, case.undo()
    came, _ = fates(world.log)
    log = logged([*world.log, LoggedEdit(made.update or b"\0\0", "zoe", None, world.at, made.copied)])
    document = world.tree(made.update)
    for each in attributions(None, Credits(), log):
        for letter in set(letters_at(document, each)) & set(came):
            author = world.log[came[letter] - 1]
            assert (each.source.user_id, each.source.agent) == (author.user_id, author.agent)
        assert each.source.user_id != "zoe"
    ranges = credited_ranges(None, Credits(), log)
    assert laid(ranges, [each.update for each in log]) == sources(attributions(None, Credits(), log))


def letters_at(document, stretch):
    for place in stretch.path:
        document = document["content"][place]
    raw = document["text"].encode("utf-16-le")
    return raw[2 * stretch.start : 2 * stretch.stop].decode("utf-16-le")


@given(cases())
def test_formatting_is_what_all_but_the_author_made_it(case):
    """Of letters that were there before the author did anything that is taken back; later ones go with those beside them."""
    made = case.undo()
    first = next((number for number in range(1, len(case.world.log) + 1) if case.takes(number)), 0)
    wanted, last = {}, {}
    doc = load(None)
    for revision, each in enumerate(case.world.log, start=1):
        doc.apply_update(each.update)
        now = marks_of_letters(tree(doc))
        for letter, marks in now.items():
            if letter not in last and revision < first:
                wanted[letter] = dict(marks)
            elif letter in wanted and not case.takes(revision):
                for name in {*marks, *last.get(letter, marks)}:
                    if marks.get(name) != last.get(letter, marks).get(name):
                        wanted[letter] |= {name: marks.get(name)}
        last = now
    after = marks_of_letters(case.world.tree(made.update))
    for letter in set(after) & set(wanted):
        assert after[letter] == {name: value for name, value in wanted[letter].items() if value is not None}


@given(cases())
def test_what_is_written_meanwhile_is_merged_in_any_order_and_stays_unless_it_builds_on_what_goes(case):
    world = case.world
    made, number = case.undo(), len(world.log)
    for _ in range(10):
        world.step()
    came, went = fates(world.log)
    later = [each.update for each in world.log[number:]]
    orders = [[made.update, *later], [*later, made.update]]
    trees = []
    for order in orders:
        doc = load(None, [each.update for each in world.log[:number]])
        for update in filter(None, order):
            doc.apply_update(update)
        trees.append(tree(doc))
    assert trees[0] == trees[1]
    typed = {letter for letter, revision in came.items() if revision > number and letter not in went}
    before = read_deletions(Decoder(encode_deleted(load(None, [each.update for each in world.log[:number]]))))
    is_overtaken = made.deletes_nodes and builds_on_deleted(later, made.update, before)
    assert typed <= {*letters_of(trees[0])} or is_overtaken


@given(cases(), st.data())
def test_what_was_compacted_is_taken_back_as_far_as_it_was_kept(case, data):
    world = case.world
    count = len(world.log)
    if not count:
        return
    ends = sorted({data.draw(st.integers(1, count)) for _ in range(4)})
    versions = tuple(VersionEnd(number, end) for number, end in enumerate(ends, start=1))
    kept = compact(CompactionInput(ends[-1], None, None, tuple(logged(world.log[: ends[-1]])), versions, (), ()))
    assert isinstance(kept, Compacted)
    states = [version.state if version.state is not None else kept.state for version in kept.versions]
    begun = data.draw(st.integers(0, len(ends)))
    case.since = data.draw(st.sampled_from([*[0, *ends][begun:], *range(ends[-1], count + 1)]))
    log = LogSince(
        [0, *ends][begun],
        tuple(states[:begun]),
        tuple(world.log[ends[-1] :]),
        tuple(map(CompactedVersion, ends[begun:], states[begun:])),
        kept.credits,
    )
    made = undo(log, case.chosen, CLIENT)
    came, went = fates(world.log)
    want = {
        letter
        for letter, revision in came.items()
        if not case.takes(revision) and (letter not in went or case.takes(went[letter]))
    }
    forgotten = {
        letter
        for letter in set(came) & set(went)
        if any(low < came[letter] <= went[letter] <= high for low, high in zip([0, *ends], ends, strict=False))
    }
    seen = set(letters_of(world.tree(made.update))) & set(came)
    assert seen <= want
    if SkipReason.place_gone not in {each.reason for each in made.skipped}:
        assert seen >= want - forgotten


def paragraph(*texts):
    return XmlElement("paragraph", contents=[XmlText(text) for text in texts])


def test_a_block_in_which_others_wrote_stays_with_what_they_wrote():
    room = Room("one")
    room.act("ada", lambda root: root.append(paragraph("two")), "bot")
    room.act("ada", lambda root: root.append(paragraph("three")), "bot")
    room.act("ben", lambda root: root[1].children[0].insert(1, "BEN"))
    made = room.undo("ada", agent="bot")
    assert room.text == "one\n\nBEN\n"
    assert [each.reason for each in made.skipped] == [SkipReason.others_inside]


def test_a_paragraph_that_was_split_is_one_again():
    room = Room("hello world")

    def split(root):
        del root[0].children[0][5:11]
        root.insert(1, paragraph(" world"))

    room.act("ada", split)
    assert room.undo("ada").skipped == ()
    assert room.text == "hello world\n"


TYPED_OVER = [
    ("on Monday at noon", "on Friday at noon", "on Tuesday at noon", "on Tuesday at noon", True),
    ("the white cat sat", "the black dog sat", "the red cow sat", "the red cow sat", True),
    ("the **cat** sat", "the **dog** sat", "the old **cow** sat", "the old **cow** sat", True),
    ("the cat sat", "the big dog sat", "the big cow sat", "the cow sat", True),
    ("the cat sat", "the dog sat", "the big dog sat", "the big cat sat", False),
    ("the cat sat", "the dog sat", "the dog house sat", "the cat house sat", False),
    ("the cat sat", "the big dog sat", "the very big dog house sat", "the very cat house sat", False),
    ("the cat sat", "the dog sat", "the dogs sat", "the cats sat", False),
    ("the **cat** sat", "the **dog** sat", "the big **dog** sat", "the big **cat** sat", False),
    ("the cat sat", "the **dog** sat", "the big **dog** sat", "the big cat sat", False),
    ("我的白猫坐着", "我的黑狗坐着", "我的大黑狗坐着", "我的大白猫坐着", False),
]


@pytest.mark.parametrize(("before", "theirs", "others", "after", "is_told"), TYPED_OVER)
def test_a_word_comes_back_whole_or_leaves_its_place_to_the_one_of_others(before, theirs, others, after, is_told):
    room = Room(before)
    first = room.tree
    for who, text in (("ada", theirs), ("ben", others)):
        update = edit(room.doc, Whole(text))
        room.log.append(LoggedEdit(update, who, None, BEGIN))
    latest = room.tree
    made = room.undo("ada")
    assert room.text == after + "\n"
    assert [each.reason for each in made.skipped] == [SkipReason.place_gone] * is_told
    undone, number = room.tree, len(room.log)
    room.undo("zoe", first=number)
    assert room.tree == latest
    assert not room.undo("zoe", first=number + 1).skipped
    assert room.tree == undone
    room.log = room.log[:2]
    room.undo("ada")
    assert room.tree == first


@pytest.mark.parametrize("moved", ["- one\n  - {}", "- {}\n- one", "- one\n\n{}", "- one"])
@pytest.mark.parametrize(("before", "theirs", "others", "after", "is_told"), TYPED_OVER)
def test_a_word_comes_back_whole_or_not_at_all_in_a_block_that_its_author_moved_or_deleted_then(
    before, theirs, others, after, is_told, moved
):
    room = Room(f"- one\n- {before}")
    for who, text in (("ada", f"- one\n- {theirs}"), ("ben", f"- one\n- {others}"), ("ada", moved.format(others))):
        room.log.append(LoggedEdit(edit(room.doc, Whole(text)), who, None, BEGIN))
    made = room.undo("ada")
    assert room.text == f"- one\n- {after}\n"
    assert [each.reason for each in made.skipped] == [SkipReason.place_gone] * is_told


def test_of_words_that_replaced_one_another_the_last_one_of_others_comes_back_alone():
    room = Room("the cat sat")
    for who, word in (("ada", "dog"), ("ben", "cow"), ("ada", "pig")):
        room.log.append(LoggedEdit(edit(room.doc, Whole(f"the {word} sat")), who, None, BEGIN))
    room.undo("ada")
    assert room.text == "the cow sat\n"


@pytest.mark.parametrize("inserts_first", [[True, True], [True, False], [False, True], [False, False]])
@pytest.mark.parametrize("edits", [None, "ada", "ben"])
def test_a_word_that_was_typed_over_twice_is_the_last_one_alone(inserts_first, edits):
    room = Room("the cat sat")

    def types(old, new, is_first):
        def act(root):
            text = root[0].children[0]
            at = str(text).index(old)
            if is_first:
                text.insert(at, new)
                at += len(new)
            del text[at : at + len(old)]
            if not is_first:
                text.insert(at, new)

        return act

    for who, old, new, is_first in zip(("ada", "ben"), ("cat", "dog"), ("dog", "cow"), inserts_first, strict=True):
        if who == edits:
            room.log.append(LoggedEdit(edit(room.doc, Whole(f"the {new} sat")), who, None, BEGIN))
        else:
            room.act(who, types(old, new, is_first))
    assert [each.reason for each in room.undo("ada").skipped] == [SkipReason.place_gone]
    assert room.text == "the cow sat\n"


@pytest.mark.parametrize("backwards", [True, False])
def test_a_word_that_was_typed_over_letter_by_letter_comes_back_as_a_whole_or_not_at_all(backwards):
    def types(room, who, at, old, new):
        for left in range(len(old), 0, -1):
            room.act(who, lambda root, left=left: root[0].children[0].__delitem__(at + (left - 1 if backwards else 0)))
        for place, letter in enumerate(new, start=at):
            room.act(who, lambda root, place=place, letter=letter: root[0].children[0].insert(place, letter))

    room = Room("the cat sat")
    types(room, "ada", 4, "cat", "dog")
    types(room, "ben", 4, "dog", "cow")
    assert {each.reason for each in room.undo("ada").skipped} == {SkipReason.place_gone}
    assert room.text == "the cow sat\n"
    room = Room("the cat sat")
    types(room, "ada", 4, "cat", "dog")
    types(room, "ben", 4, "", "big ")
    assert not room.undo("ada").skipped
    assert room.text == "the big cat sat\n"


def test_the_users_own_letters_stay_where_only_the_agents_are_taken_back():
    room = Room("one")
    room.act("ada", lambda root: root[0].children[0].insert(3, " ada"))
    room.act("ada", lambda root: root[0].children[0].insert(3, " bot"), "bot")
    room.undo("ada", agent="bot")
    assert room.text == "one ada\n"
    room.undo("ada", agent="")
    assert room.text == "one\n"


def test_an_attribute_that_somebody_else_set_later_stays():
    room = Room("# one\n\n## two\n\n# three")
    for at in range(3):
        room.act("ada", lambda root, at=at: root[at].attributes.__setitem__("level", 4))
    room.act("ben", lambda root: root[1].attributes.__setitem__("level", 5))
    room.act("ben", lambda root: root[2].attributes.__delitem__("level"))
    room.undo("ada")
    assert [block.get("attrs") for block in room.tree["content"]] == [{"level": 1}, {"level": 5}, None]


def test_what_the_author_did_in_one_block_is_taken_back_alone():
    room = Room("one\n\ntwo")
    first = undo_ids(room)
    room.act("ada", lambda root: root[0].children[0].insert(0, "A "))
    room.act("ada", lambda root: root[1].children[0].insert(0, "A "))
    room.undo("ada", block=first[0])
    assert room.text == "one\n\nA two\n"


def undo_ids(room):
    """The ids of the blocks of a document that was just made: client 5 wrote an element, its text and the letters."""
    return [(5, 0), (5, 5)] if room else []


def test_emoji_come_back_whole_and_halves_do_no_harm():
    room = Room("a 😀👍🏽 b")
    room.act("ada", lambda root: root[0].children[0].__delitem__(slice(2, 14)))
    room.undo("ada")
    assert room.text == "a 😀👍🏽 b\n"
    half = b"\x00\x01\x05\x01\x04\x01"  # deletes half of the emoji
    room.log.append(LoggedEdit(half, "ada", None, BEGIN))
    made = room.undo("ada", first=len(room.log))
    assert isinstance(made, Undone)


def test_a_list_that_was_deleted_comes_back_as_it_was():
    room = Room("one\n\n- a **b** c\n- [x](https://e.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    before = room.tree
    room.act("ada", lambda root: root.__delitem__(slice(0, 3)))
    room.undo("ada")
    assert room.tree == before


def test_where_there_is_nothing_to_take_back_nothing_is_written():
    room = Room("one")
    assert room.undo("ada") == Undone(b"", (), ())
    room.act("ada", lambda root: root[0].children[0].insert(0, "x"))
    room.undo("ada")
    assert room.undo("ada") == Undone(b"", (), ())


def test_letters_whose_block_somebody_else_deleted_have_no_place_to_come_back_to():
    room = Room("one\n\ntwo")
    room.act("ada", lambda root: root[0].children[0].__delitem__(slice(0, 2)))
    room.act("cleo", lambda root: root.__delitem__(slice(0, 1)))
    made = room.undo("ada")
    assert (room.text, [each.reason for each in made.skipped]) == ("two\n", [SkipReason.place_gone])


def test_letters_in_a_deleted_block_whose_list_somebody_else_deleted_are_told():
    room = Room("- one\n- two\n\nthree")
    room.act("ada", lambda root: root[0].children.__delitem__(slice(0, 1)))
    room.act("cleo", lambda root: root.__delitem__(slice(0, 1)))
    made = room.undo("ada")
    assert (room.text, [each.reason for each in made.skipped]) == ("three\n", [SkipReason.place_gone])


def test_letters_of_a_block_that_came_back_without_them_are_told():
    room = Room("one")
    room.act("ada", lambda root: root[0].children[0].insert(3, " two"))
    room.act("ada", lambda root: root.__delitem__(slice(0, 1)))
    room.undo("ada", first=2)
    assert room.text == "one\n"
    made = undo(LogSince(0, (), tuple(room.log)), [Chosen("ada", None, 3, 3)], CLIENT)
    assert [each.reason for each in made.skipped] == [SkipReason.place_gone]


def test_letters_of_others_that_went_with_the_authors_own_block_within_a_compacted_version_are_told():
    """The version holds neither the block nor what was in it, only that it was there."""
    room = Room("one")
    room.act("ada", lambda root: root.append(paragraph("two")))
    room.act("ben", lambda root: root[1].children[0].insert(3, " by hand"))
    room.act("ada", lambda root: root.__delitem__(slice(1, 2)))
    count = len(room.log)
    kept = compact(CompactionInput(count, None, None, tuple(logged(room.log)), (VersionEnd(1, count),), (), ()))
    assert isinstance(kept, Compacted)
    log = LogSince(0, (), (), (CompactedVersion(count, kept.state),), kept.credits)
    assert undo(log, [Chosen("ada", None, 1, count)], CLIENT) == Undone(
        b"", (), (Skipped(SkipReason.content_gone, None),)
    )
    assert undo(log, [Chosen("ben", None, 1, count)], CLIENT).skipped == ()


def test_what_somebody_else_deleted_again_stays_deleted():
    room = Room("one two")
    room.act("ada", lambda root: root[0].children[0].__delitem__(slice(3, 7)))
    room.undo("ada")
    room.act("cleo", lambda root: root[0].children[0].__delitem__(slice(3, 7)))
    room.undo("ada")
    assert room.text == "one\n"


def test_what_came_back_and_was_deleted_again_comes_back_again():
    room = Room("one two")
    room.act("ada", lambda root: root[0].children[0].__delitem__(slice(3, 7)), "bot")
    room.undo("ada", agent="bot")
    for who, agent in (("cleo", None), ("ada", "bot")):
        again = len(room.log) + 1
        room.act(who, lambda root: root[0].children[0].__delitem__(slice(3, 7)), agent)
        room.undo(who, first=again, agent=agent)
        assert room.text == "one two\n"


def test_what_was_written_into_a_deleted_block_and_came_back_with_it_comes_back_again():
    room = Room("one\n\ntwo")
    late = Doc(client_id=8)  # of somebody who has not seen yet that the block is gone
    late.apply_update(room.log[0].update)
    room.act("ben", lambda root: root.__delitem__(slice(0, 1)))
    before = late.get_state()
    late.get("default", type=XmlFragment).children[0].children[0].insert(3, "!")
    room.log.append(LoggedEdit(late.get_update(before), "ada", None, BEGIN))
    room.undo("ben", first=2)
    assert room.text == "one!\n\ntwo\n"
    number = len(room.log)
    room.undo("zoe", first=number)
    assert room.text == "two\n"
    room.undo("zoe", first=number + 1)
    assert room.text == "one!\n\ntwo\n"
    number = len(room.log)
    room.undo("ada")
    assert room.text == "one\n\ntwo\n"
    room.undo("zoe", first=number + 1)
    assert room.text == "one!\n\ntwo\n"


@pytest.mark.parametrize(("first", "last", "left"), [(2, 2, "one!two"), (3, 3, "one?two"), (2, 3, "onetwo")])
def test_of_what_came_back_only_the_chosen_edits_go(first, last, left):
    room = Room("onetwo")
    typist = Doc(client_id=8)
    typist.apply_update(room.log[0].update)
    text = typist.get("default", type=XmlFragment).children[0].children[0]
    for place, letter in ((3, "?"), (4, "!")):  # by the same client, so that both are one run
        before = typist.get_state()
        text.insert(place, letter)
        room.log.append(LoggedEdit(typist.get_update(before), "ben", None, BEGIN))
    room.act("ada", lambda root: root[0].children[0].__delitem__(slice(3, 5)))
    room.undo("ada")
    assert room.text == "one?!two\n"
    made = undo(LogSince(0, (), tuple(room.log)), [Chosen("ben", None, first, last)], CLIENT)
    assert markdown(tree(load(None, [*(each.update for each in room.log), made.update]))) == f"{left}\n"


def test_copies_of_copies_are_copies_of_what_was_written_first():
    copies = Copies()
    copies.add([Copied(7, 10, 4, (1, 0)), Copied(8, 0, 6, (7, 9))])
    assert list(copies.firsts(8, 0, 7)) == [(1, (7, 9)), (4, (1, 0)), (1, (7, 14)), (1, (8, 6))]
    assert list(copies.firsts(7, 8, 4)) == [(2, (7, 8)), (2, (1, 0))]
    assert sorted(CopiesOf(copies).of((1, 2))) == [(7, 12), (8, 3)]
    assert list(CopiesOf(copies).of((1, 4))) == []
    assert [*Copies.decoded(copies.encoded()).all()] == [*copies.all()]


def test_formatting_that_takes_too_much_work_stays_and_is_told(monkeypatch):
    monkeypatch.setattr("documents.history.undo_formats.MAX_LOOKS", 1)
    room = Room("one two")
    room.act("ada", lambda root: root[0].children[0].format(0, 3, {"bold": {}}))
    made = room.undo("ada")
    assert [each.reason for each in made.skipped] == [SkipReason.formatting]
    assert room.text == "**one** two\n"


SENTENCE = "Nobody knows who wrote this sentence."


def retyped(room, who, text, agent=None):
    """Have somebody edit the document in Markdown."""
    doc = load(None, [each.update for each in room.log])
    made = edit(doc, Whole(text))
    assert isinstance(made, bytes)
    room.log.append(LoggedEdit(made, who, agent, BEGIN))


def test_to_undo_whoever_only_moved_text_puts_it_back():
    for text in (f"# {SENTENCE}", f"- {SENTENCE}", "Nobody knows\n\nwho wrote this sentence.", f"One.\n\n{SENTENCE}"):
        room = Room(SENTENCE)
        before = room.tree
        retyped(room, "ada", text, "bot")
        assert not room.undo("ada").skipped
        assert room.tree == before
        assert room.undo("ben").update
        assert room.text == ""


def test_to_undo_a_writer_takes_their_text_wherever_others_moved_it():
    room = Room(SENTENCE)
    retyped(room, "ada", f"> {SENTENCE}")
    retyped(room, "cleo", f"- {SENTENCE}\n- Two.")
    assert not room.undo("ben").skipped
    assert room.text == "-\n- Two.\n"


def test_moved_text_in_which_others_wrote_goes_back_without_what_they_wrote():
    room = Room(SENTENCE)
    retyped(room, "ada", f"# {SENTENCE}")
    room.act("cleo", lambda root: root[0].children[0].insert(7, "at all "))
    made = room.undo("ada")
    assert SkipReason.others_inside in {each.reason for each in made.skipped}
    assert room.text in {f"# at all\n\n{SENTENCE}\n", f"{SENTENCE}\n\n# at all\n"}


def test_text_that_was_moved_on_stays_where_it_was_moved_to():
    room = Room(f"{SENTENCE}\n\nThe end.")
    retyped(room, "ada", f"# {SENTENCE}\n\nThe end.")
    retyped(room, "cleo", f"The end.\n\n> {SENTENCE}")
    before = room.text
    room.undo("ada")
    assert room.text == before
    room.undo("cleo")
    assert room.text == f"# {SENTENCE}\n\nThe end.\n"


def test_text_that_its_mover_deleted_stays_deleted_while_only_the_move_is_undone():
    room = Room(f"{SENTENCE}\n\nThe end.")
    retyped(room, "ada", f"# {SENTENCE}\n\nThe end.")
    retyped(room, "ada", "The end.")
    undone = undo(room.since(), [Chosen("ada", None, 2, 2)], CLIENT)
    assert text_with(room, undone.update) == "The end.\n"


def test_moved_text_of_which_the_original_was_compacted_stays_and_that_is_told():
    room = Room(f"{SENTENCE}\n\nThe end.")
    retyped(room, "ada", f"# {SENTENCE}\n\nThe end.")
    before = room.text
    kept = compact(CompactionInput(2, None, None, tuple(logged(room.log)), (VersionEnd(1, 2),), (), ()))
    assert isinstance(kept, Compacted)
    log = LogSince(0, (), (), (CompactedVersion(2, kept.state),), kept.credits)
    made = undo(log, [Chosen("ada", None, 1, 2)], CLIENT)
    assert SkipReason.content_gone in {each.reason for each in made.skipped}
    assert markdown(tree(load(None, [kept.state, *filter(None, [made.update])]))) == before
    of_ben = undo(log, [Chosen("ben", None, 1, 2)], CLIENT)
    assert "sentence" not in markdown(tree(load(None, [kept.state, of_ben.update])))


def test_moved_text_whose_old_place_somebody_deleted_stays_and_that_is_told():
    room = Room(f"- {SENTENCE}\n- Two.\n\nThe end.")
    retyped(room, "ada", f"- Two.\n\nThe end.\n\n{SENTENCE}")
    retyped(room, "cleo", f"The end.\n\n{SENTENCE}")
    made = room.undo("ada")
    assert SkipReason.place_gone in {each.reason for each in made.skipped}
    assert room.text == f"The end.\n\n{SENTENCE}\n"


def test_text_that_was_moved_twice_from_a_place_that_somebody_deleted_stays_and_that_is_told():
    room = Room(f"- {SENTENCE}\n- Two.\n\nThe end.")
    retyped(room, "ada", f"- Two.\n\nThe end.\n\n{SENTENCE}")
    retyped(room, "ada", f"- Two.\n\nThe end.\n\n# {SENTENCE}")
    retyped(room, "cleo", f"The end.\n\n# {SENTENCE}")
    made = room.undo("ada")
    assert SkipReason.place_gone in {each.reason for each in made.skipped}
    assert room.text == f"The end.\n\n# {SENTENCE}\n"


def text_with(room, update):
    return markdown(tree(load(None, [*(each.update for each in room.log), *filter(None, [update])])))
