"""Where a document's history is cut."""

import itertools
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from domain.credit import Credit
from domain.document import Computed, DocumentEdited
from domain.history import (
    IDLE,
    MAX_VERSION_AGE,
    SAMPLE_INTERVAL,
    EditedBy,
    History,
    LogEntry,
    cuts,
    due_cuts,
    next_cut_at,
)
from domain.version import Version, VersionRestored, restore
from tests.support.model.history import downsampled

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
LATER = BEGIN + timedelta(days=1)


def edits(*steps: tuple[float, str]) -> list[LogEntry]:
    """Edits at minutes after the beginning, by users named by a letter, with an agent after a slash."""
    made = []
    for number, (minute, who) in enumerate(steps, start=1):
        user, _, agent = who.partition("/")
        made.append(LogEntry(number, user, agent or None, BEGIN + timedelta(minutes=minute)))
    return made


def edits_after(gaps: list[tuple[float, str]]) -> list[LogEntry]:
    """Edits, each so many minutes after the one before."""
    minutes = itertools.accumulate(gap for gap, _ in gaps)
    return edits(*zip(minutes, (who for _, who in gaps), strict=True))


def ends(*steps: tuple[float, str], now: datetime = LATER) -> list[int]:
    return [cut.sequence for cut in cuts(edits(*steps), now)]


def test_a_pause_of_five_minutes_ends_a_version():
    assert ends((0, "a"), (4.9, "a"), (9.9, "a"), (10, "a")) == [2, 4]


def test_editing_without_a_pause_ends_a_version_after_thirty_minutes():
    steps = [(float(minute), "a") for minute in range(0, 65, 1)]
    assert ends(*steps) == [30, 60, 65]


def test_somebody_joining_ends_the_version_of_those_before():
    assert ends((0, "a"), (1, "a"), (2, "b"), (3, "a"), (4, "b")) == [2, 5]


def test_somebody_leaving_ends_the_version_five_minutes_later():
    assert ends((0, "a"), (1, "b"), (3, "b"), (5, "b"), (7, "b")) == [1, 3, 5]


def test_an_agent_of_a_user_is_somebody_else():
    assert ends((0, "a"), (1, "a/bot"), (2, "a/bot")) == [1, 3]


def test_what_may_go_on_is_not_cut_yet():
    assert ends((0, "a"), (1, "a"), now=BEGIN + timedelta(minutes=2)) == []
    assert ends((0, "a"), (1, "a"), now=BEGIN + timedelta(minutes=6)) == [2]


def authors(cut):
    return [(author.user_id, author.agent, (author.edited_at - BEGIN).total_seconds() / 60) for author in cut.authors]


def test_a_version_names_everybody_who_edited_in_it_and_when_they_did_last():
    made = cuts(edits((0, "a"), (1, "b"), (2, "a"), (3, "a/bot"), (4, "a/bot")), LATER)
    assert [authors(cut) for cut in made] == [
        [("a", None, 0)],
        [("a", None, 2), ("b", None, 1)],
        [("a", "bot", 4)],
    ]


def test_where_all_of_it_ends_what_may_go_on_is_cut_too():
    (made,) = cuts(edits((0, "a"), (1, "a")), BEGIN + timedelta(minutes=2), end=True)
    assert made.sequence == 2
    assert cuts((), LATER, end=True) == ()


def history_of(log: list[LogEntry]) -> History:
    return History("drive", 10 + len(log), 3, 10, downsampled(log), ())


def history(*steps: tuple[float, str]) -> History:
    return history_of(edits(*steps))


def test_a_restore_ends_a_version_before_and_one_after():
    earlier = Version(2, "good", BEGIN, (), 5, None, 7)
    past = history((0, "a"), (1, "b"))
    ended = due_cuts(past, BEGIN + timedelta(minutes=2), end=True)
    made = Computed(b"update", 12, 99, before=60, sizes={ended[0].sequence: 40})
    by, now = Credit("a", "Ada", "bot"), BEGIN + timedelta(minutes=2)
    first, second, edited, restored = restore("d", earlier, past, ended, made, 3, by, now)
    assert [(cut.number, cut.byte_size) for cut in (first, second)] == [(4, 40), (5, 63)]
    assert edited == DocumentEdited("d", "drive", b"update")
    assert restored == VersionRestored("d", "drive", 6, 13, now, 102, (EditedBy("a", "bot", now),), 2)
    assert restore("d", earlier, past, (), Computed(b"", 12, 60, before=60), 0, by, now) == ()


many = st.lists(st.tuples(st.floats(0, 20, allow_nan=False), st.sampled_from(["a", "b", "a/bot"])), max_size=40)


@given(many)
def test_every_edit_is_in_one_version_and_none_is_longer_than_it_may_be(gaps):
    log = edits_after(gaps)
    made = cuts(log, LATER)
    assert [cut.sequence for cut in made] == sorted({cut.sequence for cut in made})
    assert (made[-1].sequence if made else 0) == len(log)
    start = 0
    for cut in made:
        run = log[start : cut.sequence]
        assert run[-1].at - run[0].at < MAX_VERSION_AGE
        assert all(later.at - earlier.at < IDLE for earlier, later in itertools.pairwise(run))
        latest = {(edit.user_id, edit.agent): edit.at for edit in run}
        assert {(author.user_id, author.agent): author.edited_at for author in cut.authors} == latest
        start = cut.sequence


@given(many, st.integers(0, 40))
def test_cutting_in_two_goes_cuts_at_the_same_places(gaps, asked_after):
    log = edits_after(gaps)
    whole = [cut.sequence for cut in cuts(log, LATER)]
    known = log[:asked_after]
    if not known:
        return
    first = cuts(known, known[-1].at)
    done = first[-1].sequence if first else 0
    recently_active = {}
    for edit in log[:done]:
        recently_active[edit.user_id, edit.agent] = edit.at
    second = cuts(log[done:], LATER, recently_active.items())
    assert [cut.sequence for cut in (*first, *second)] == whole


often = st.lists(
    st.tuples(st.sampled_from([0, 0.01, 1, 2.5, 4.99, 5]), st.sampled_from(["a", "b", "a/bot"])), max_size=60
)


@given(often)
def test_a_version_goes_on_for_as_long_as_the_same_people_are_at_work(gaps):
    every, begun, expected = edits_after(gaps), 0, []
    for number in range(1, len(every)):
        now, last = every[number], every[number - 1]

        def at_work(when: datetime, upto: int) -> set[tuple[str, str | None]]:
            return {(each.user_id, each.agent) for each in every[:upto] if when - each.at < IDLE}

        if (
            at_work(now.at, number + 1) != at_work(last.at, number)
            or now.at - last.at >= IDLE
            or now.at - every[begun].at >= MAX_VERSION_AGE
        ):
            expected.append(last.sequence)
            begun = number
    assert [cut.sequence for cut in cuts(every, every[-1].at if every else BEGIN)][: len(expected)] == expected


quick = st.lists(
    st.tuples(st.sampled_from([0, 0.001, 0.02, 0.1, 0.17, 1, 5]), st.sampled_from(["a", "b", "a/bot"])), max_size=80
)


@given(quick)
def test_of_thinned_edits_are_left_those_at_which_pauses_begin_and_end_and_people_come(gaps):
    every = edits_after(gaps)
    left = downsampled(every)
    assert [left[:1], left[-1:]] == [tuple(every[:1]), tuple(every[-1:])]
    for earlier, later in itertools.pairwise(every):
        if later.at - earlier.at >= SAMPLE_INTERVAL:
            assert {earlier, later} <= {*left}
    first = {(edit.user_id, edit.agent): edit for edit in reversed(every)}
    assert {*first.values()} <= {*left}
    stretches = [(edit.user_id, edit.agent, (edit.at - BEGIN) // SAMPLE_INTERVAL) for edit in left]
    assert all(stretches.count(each) <= 2 for each in stretches)


@given(quick)
def test_of_thinned_edits_the_versions_are_as_without_but_for_ten_seconds(gaps):
    every = edits_after(gaps)
    made = cuts(downsampled(every), LATER)
    assert (made[-1].sequence if made else 0) == len(every)
    begun = 0
    for cut in made:
        run = every[begun : cut.sequence]
        begun = cut.sequence
        assert run[-1].at - run[0].at < MAX_VERSION_AGE + SAMPLE_INTERVAL
        assert all(later.at - earlier.at < IDLE for earlier, later in itertools.pairwise(run))
        credited = {(author.user_id, author.agent) for author in cut.authors}
        wrote = {(edit.user_id, edit.agent) for edit in run}
        assert credited <= wrote
        assert credited == wrote or run[-1].at - run[0].at < SAMPLE_INTERVAL
        assert timedelta(0) <= run[-1].at - cut.at < SAMPLE_INTERVAL


@given(quick, st.floats(0, 40))
def test_what_goes_on_is_not_cut_before_it_may_end_and_is_cut_then(gaps, minutes):
    every = edits_after(gaps)
    now = BEGIN + timedelta(minutes=minutes)
    past = history_of([edit for edit in every if edit.at <= now])
    if due_cuts(past, now):
        return
    end = next_cut_at(past)
    if end is None:
        assert past.edits == ()
    else:
        assert now < end
        assert not due_cuts(past, end - timedelta(microseconds=1))
        assert due_cuts(past, end)
