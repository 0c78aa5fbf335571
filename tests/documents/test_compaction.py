"""That compacting a log changes no answer, wherever its versions end, and that what would is refused."""

from dataclasses import replace

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from pycrdt import XmlFragment

from documents.history.attribution import Logged, attributions
from documents.history.compaction import MAX_CHAIN_LENGTH, Compacted, CompactionInput, VersionEnd, compact
from documents.history.credits import Credits
from documents.projection.projection import project
from documents.yjs.scan import Refused
from documents.yjs.snapshot import load, state_vector
from tests.documents.credited_logs import first_and_edited
from tests.support.documents.logs import steps, written


def past_of(log, ends, later=()):
    """A log that was never compacted, with versions at these places of it."""
    versions = tuple(VersionEnd(number, end) for number, end in enumerate(ends, start=1))
    return CompactionInput(
        ends[-1], None, None, tuple(log[: ends[-1]]), versions, (), tuple(each.update for each in later)
    )


def said(updates, snapshot=None):
    doc = load(snapshot, updates)
    return state_vector(doc), project(doc)


def chains(made, before=()):
    """What each version is read from."""
    chain = list(before)
    for version in made.versions:
        state = version.state if version.state is not None else made.state
        chain = [state] if version.whole else [*chain, state]
        yield list(chain)


@given(steps, st.data())
def test_wherever_versions_end_the_document_its_versions_and_its_credits_say_the_same(taken, data):
    log = written(taken)
    if len(log) < 2:
        return
    ends = sorted(data.draw(st.sets(st.integers(1, len(log)), min_size=1)))
    made = compact(past_of(log, ends, log[ends[-1] :]))
    assert isinstance(made, Compacted)
    for chain, end in zip(chains(made), ends, strict=True):
        assert said(chain) == said([each.update for each in log[:end]])
    rest = log[ends[-1] :]
    assert said([each.update for each in rest], made.state) == said([each.update for each in log])
    found = attributions(made.state, Credits.decode(made.credits), rest)
    assert found == attributions(None, Credits(), log)


@given(steps, st.data())
def test_compacting_in_two_goes_says_the_same_as_in_one(taken, data):
    log = written(taken)
    if len(log) < 3:
        return
    ends = sorted(data.draw(st.sets(st.integers(1, len(log)), min_size=2)))
    first = data.draw(st.integers(1, len(ends) - 1))
    one = compact(past_of(log, ends[:first]))
    assert isinstance(one, Compacted)
    done = ends[first - 1]
    *_, chain = chains(one)
    versions = tuple(VersionEnd(first + place, end - done) for place, end in enumerate(ends[first:], start=1))
    other = compact(
        CompactionInput(ends[-1], one.state, one.credits, tuple(log[done : ends[-1]]), versions, tuple(chain), ())
    )
    whole = compact(past_of(log, ends))
    assert isinstance(other, Compacted)
    assert isinstance(whole, Compacted)
    assert said([], other.state) == said([], whole.state)
    assert other.credits == whole.credits
    found = [*chains(one), *chains(other, chain)]
    assert [said(each) for each in found] == [said(each) for each in chains(whole)]


def typing(letters):
    """Somebody who types one letter at a time."""
    log = []
    doc = load(None)
    for update in (each.update for each in first_and_edited()[:1]):
        doc.apply_update(update)
    log += first_and_edited()[:1]
    block = next(iter(doc.get("default", type=XmlFragment).children))
    for letter in letters:
        made = []
        watched = doc.observe(lambda event, made=made: made.append(event.update))
        block.children[0].insert(0, letter)
        doc.unobserve(watched)
        log.append(Logged(made[0], log[0].source))
    return log


def test_versions_of_a_long_document_take_what_they_add_and_one_is_whole_now_and_then():
    log = typing("abcdefgh" * 40)
    ends = list(range(1, len(log) + 1, 4))
    made = compact(past_of(log, ends))
    assert isinstance(made, Compacted)
    longest = max(len(chain) for chain in chains(made))
    assert 1 < longest <= MAX_CHAIN_LENGTH
    assert [version.number for version in made.versions if version.state is None] == []  # the last one ends a chain
    assert not made.versions[-1].whole
    size = sum(len(version.state or b"") for version in made.versions)
    assert size < sum(len(each.update) for each in log)
    assert len(made.state) < size


def test_a_version_that_says_what_the_snapshot_says_is_not_kept_twice():
    made = compact(past_of(typing("abcdefgh"), [9]))
    assert isinstance(made, Compacted)
    assert [(version.number, version.whole, version.state) for version in made.versions] == [(1, True, None)]
    assert [*chains(made)] == [[made.state]]


def test_what_would_be_read_differently_stays_in_the_log():
    halved = Logged(b"\x00\x01\x05\x01\x0a\x01", first_and_edited()[0].source)
    assert isinstance(compact(past_of([*first_and_edited(), halved], [2, 3])), Refused)
    log = first_and_edited()
    sound = past_of(log, [1, 2])
    assert isinstance(compact(sound), Compacted)
    assert isinstance(compact(replace(sound, chain=(log[1].update,))), Refused)
    assert isinstance(compact(replace(sound, snapshot=b"broken")), Refused)


def test_what_goes_to_another_process_and_comes_back_is_the_same():
    past = past_of(first_and_edited(), [1, 2])
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(past), type=CompactionInput) == past
    made = compact(past)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(made), type=Compacted) == made
