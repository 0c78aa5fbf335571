"""Who deleted what first, as the log tells it and as it is kept where the log is gone."""

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycrdt import XmlFragment

from documents.history.attribution import Logged, credited, credits_of_snapshot
from documents.history.compaction import Compacted, CompactionInput, VersionEnd, compact
from documents.history.credits import Credits, Deletion, Source
from documents.tree.encoding import squash
from documents.yjs.scan import Refused, text_spans
from documents.yjs.snapshot import encode_state, load
from documents.yjs.structs import deleted_ranges
from tests.documents.credited_logs import first_and_edited, old
from tests.support.documents.logs import BEGIN, steps, written

ADA, BEN = Source("ada", None, BEGIN), Source("ben", "bot", BEGIN + timedelta(minutes=1))


def clocks(runs):
    return {(client, at) for client, clock, length in runs for at in range(clock, clock + length)}


RUN = st.tuples(st.integers(1, 2), st.integers(0, 12), st.integers(1, 6))


@given(st.lists(RUN))
def test_what_several_clients_name_as_deleted_is_told_once(runs):
    found = deleted_ranges(runs)
    assert clocks((client, start, stop - start) for client, own in found.items() for start, stop in own) == clocks(runs)
    for own in found.values():
        assert all(one[1] < other[0] for one, other in pairwise(own))


def replayed(log, doc):
    """Whose update was the first after which a clock is deleted, found out by bringing the updates in one by one."""
    whose = {}
    for each in log:
        doc.apply_update(each.update)
        for clock in clocks(text_spans(encode_state(doc)).deleted):
            whose.setdefault(clock, each.source)
    return whose


def told(credits_):
    """Whose each deleted clock is."""
    return {
        place: each.source
        for each in credits_.deletions()
        for place in clocks([(each.client, each.clock, each.length)])
    }


def past_of(log, ends):
    versions = tuple(VersionEnd(number, end) for number, end in enumerate(ends, start=1))
    return CompactionInput(ends[-1], None, None, tuple(log[: ends[-1]]), versions, (), ())


@given(steps, st.data())
def test_the_log_and_what_is_kept_of_it_say_the_same_of_who_deleted_what_first(taken, data):
    log = written(taken)
    if not log:
        return
    end = data.draw(st.integers(1, len(log)))
    made = compact(past_of(log, [end]))
    assert isinstance(made, Compacted)
    known = Credits.decode(made.credits)
    assert told(known) == replayed(log[:end], load(None))
    whole = credited(credits_of_snapshot(made.credits, made.state), log[end:])
    assert told(whole) == replayed(log, load(None))
    assert [*whole.deletions()] == [*credited(Credits(), log).deletions()]


@given(steps)
def test_neighbours_of_one_source_are_one_run_and_runs_do_not_overlap(taken):
    runs = [*credited(Credits(), written(taken)).deletions()]
    for one, other in pairwise(runs):
        if one.client == other.client:
            assert one.clock + one.length <= other.clock
            assert one.clock + one.length < other.clock or one.source != other.source


def typed_and_taken_back(letters):
    """Somebody types, and takes all of it back from the end, letter by letter, in the same minute."""
    log, made = first_and_edited()[:1], []
    doc = load(None, [log[0].update])
    doc.observe(lambda event: made.append(event.update))
    text = next(iter(doc.get("default", type=XmlFragment).children)).children[0]
    for letter in letters:
        text.insert(0, letter)
    for _ in letters:
        del text[0:1]
    return [*log, *(Logged(update, ADA) for update in made)]


def test_what_one_person_takes_back_in_a_minute_takes_a_few_bytes():
    short, long = (credited(Credits(), typed_and_taken_back("a" * count)).encode() for count in (10, 1000))
    assert len(long) - len(short) < 10


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 2, 0)])
def test_runs_are_joined_and_cut_in_whatever_order_they_come(order):
    runs = [(7, 0, 4), (7, 4, 3), (7, 9, 1)]
    whose = Credits()
    whose.delete([runs[place] for place in order], ADA)
    whose.delete([(7, 2, 9)], BEN)
    assert [*whose.deletions()] == [
        Deletion(7, 0, 7, ADA),
        Deletion(7, 7, 2, BEN),
        Deletion(7, 9, 1, ADA),
        Deletion(7, 10, 1, BEN),
    ]
    assert [*Credits.decode(whose.encode()).deletions()] == [*whose.deletions()]


def deleted_by(source):
    """A log in which somebody deletes a part of what somebody else wrote."""
    log = first_and_edited()
    doc = load(None, [each.update for each in log])
    made = []
    doc.observe(lambda event: made.append(event.update))
    text = next(iter(doc.get("default", type=XmlFragment).children)).children[0]
    del text[0:2]
    return [*log, Logged(made[0], source)]


def test_letters_of_others_that_somebody_deleted_are_found_by_their_clocks():
    (deletion,) = [each for each in credited(Credits(), deleted_by(BEN)).deletions() if each.source == BEN][-1:]
    assert (deletion.client, deletion.length) == (5, 2)


def test_credits_from_before_deletions_were_credited_are_read_and_their_deletions_are_nobodys():
    log = deleted_by(ADA)
    state = squash(load(None, [each.update for each in log]))
    encoded = old(credited(Credits(), log).encode())
    for before in (credits_of_snapshot(encoded, state), credits_of_snapshot(None, state)):
        assert clocks(text_spans(state).deleted) == {*told(before)}
        assert {*told(before).values()} == {None}
    repeated = credited(credits_of_snapshot(encoded, state), [Logged(state, BEN)])
    assert {*told(repeated).values()} == {None}, "whoever repeats an old deletion has deleted nothing"
    again = credits_of_snapshot(repeated.encode(), state)
    assert [*again.deletions()] == [*repeated.deletions()]
    known = Credits.decode(encoded)
    assert (known.tells_deletions, known.sources) == (False, credited(Credits(), log).sources[: len(known.sources)])


def test_a_log_that_was_compacted_before_goes_on_with_deletions_that_are_credited():
    log = deleted_by(BEN)
    first = compact(past_of(log, [2]))
    assert isinstance(first, Compacted)
    past = CompactionInput(3, first.state, old(first.credits), tuple(log[2:]), (VersionEnd(2, 1),), (first.state,), ())
    made = compact(past)
    assert isinstance(made, Compacted)
    assert BEN in told(Credits.decode(made.credits)).values()


def test_what_says_otherwise_of_who_deleted_what_is_refused(monkeypatch):
    log = deleted_by(BEN)
    assert isinstance(compact(past_of(log, [3])), Compacted)
    encode = Credits.encode
    monkeypatch.setattr(Credits, "encode", lambda whose: encode(forgetful(whose)))
    assert isinstance(compact(past_of(log, [3])), Refused)


def forgetful(whose):
    whose._deleted.clear()
    return whose
