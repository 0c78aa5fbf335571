"""Whose each stretch of a text is, whoever typed, deleted, formatted or repeated what at the same time."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

from hypothesis import given

from documents.history.attribution import Logged, attributions, credited, credited_ranges
from documents.history.credits import NOBODY, Credits, Source
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from documents.tree.encoding import squash
from documents.tree.tree import tree
from documents.yjs.scan import Refused
from documents.yjs.snapshot import encode_state, load
from tests.documents.credited_logs import ADA, BOT, first_and_edited
from tests.support.documents.logs import BEGIN, LETTERS, laid, sources, steps, written


def node_at(document, path):
    for place in path:
        document = document["content"][place]
    return document


def stretches(log, snapshot=None, known=None):
    found = attributions(snapshot, known or Credits(), log)
    assert not isinstance(found, Refused)
    doc = tree(load(snapshot, [each.update for each in log]))
    units = [node_at(doc, each.path)["text"].encode("utf-16-le") for each in found]
    return [
        (raw[2 * each.start : 2 * each.stop].decode("utf-16-le"), each.source)
        for raw, each in zip(units, found, strict=True)
    ]


def test_each_stretch_is_of_whoever_wrote_it():
    assert stretches(first_and_edited()) == [
        ("A plan \U0001f600", ADA),
        ("Milk", ADA),
        (", \U0001f600 tea", BOT),
        (" and ", ADA),
        ("bread", ADA),
    ]


def test_whoever_repeats_what_is_there_wrote_nothing_of_it():
    log = first_and_edited()
    whole = encode_state(load(None, [each.update for each in log]))
    repeated = [*log, Logged(whole, Source("cleo", None, BEGIN))]
    assert stretches(repeated) == stretches(log)


def test_a_document_without_text_has_nothing_to_credit():
    assert stretches([]) == []
    assert stretches([Logged(from_tree(parse("***"), 5), ADA)]) == []


def test_half_an_emoji_takes_nothing_from_the_credit_of_the_rest():
    log = [*first_and_edited(), Logged(b"\x00\x01\x05\x01\x0a\x01", ADA)]
    found = attributions(None, Credits(), log)
    assert not isinstance(found, Refused)
    assert {each.source for each in found} == {ADA, BOT}


def test_what_is_no_update_is_refused():
    assert isinstance(attributions(None, Credits(), [Logged(b"broken", ADA)]), Refused)


def test_times_are_kept_to_the_minute_in_utc():
    east = timezone(timedelta(hours=2))
    source = Source.of("ada", None, datetime(2026, 1, 1, 14, 5, 59, 999, tzinfo=east))
    assert source.at == datetime(2026, 1, 1, 12, 5, tzinfo=UTC)


def test_what_nobody_is_known_to_have_written_is_nobodys():
    known = Credits()
    known.add({7: 3}, ADA)
    known.add({7: 5}, BOT)
    assert list(known.of(7, 1, 6)) == [(2, 0, NOBODY), (2, 1, NOBODY), (2, NOBODY, NOBODY)]
    assert list(known.of(8, 0, 2)) == [(2, NOBODY, NOBODY)]


@given(steps)
def test_all_of_the_text_is_credited_to_whose_letters_they_are(taken):
    log = written(taken)
    found = stretches(log)
    for text, source in found:
        assert set(text) <= set(LETTERS[source.user_id])
    document = tree(load(None, [each.update for each in log]))
    assert "".join(text for text, _ in found) == "".join(
        node["text"] for block in document["content"] for node in block.get("content", ())
    )
    places = [(each.path, each.start, each.stop) for each in attributions(None, Credits(), log)]
    assert places == sorted(places)
    assert all(one[0] != other[0] or one[2] == other[1] for one, other in pairwise(places))


@given(steps)
def test_what_is_known_of_a_log_says_the_same_as_the_log(taken):
    log = written(taken)
    half = len(log) // 2
    known = credited(Credits(), log[:half])
    assert not isinstance(known, Refused)
    again = Credits.decode(known.encode())
    assert (again.sources, again.encode()) == (known.sources, known.encode())
    state = squash(load(None, [each.update for each in log[:half]]))
    assert stretches(log[half:], state, again) == stretches(log)


@given(steps)
def test_credits_by_id_laid_on_the_document_say_what_its_attributions_do(taken):
    log = written(taken)
    if not log:
        return
    updates = [each.update for each in log]
    expected = sources(attributions(None, Credits(), log))
    ranges = credited_ranges(None, Credits(), log)
    assert laid(ranges, updates) == expected
    assert [(each.client, each.clock) for each in ranges] == sorted((each.client, each.clock) for each in ranges)
    half = len(log) // 2
    known = credited(Credits(), log[:half])
    state = squash(load(None, updates[:half]))
    of_compacted = credited_ranges(state, Credits.decode(known.encode()), log[half:])
    assert laid(of_compacted, [state, *updates[half:]]) == expected


def test_credits_by_id_of_what_is_no_update_are_refused():
    assert isinstance(credited_ranges(None, Credits(), [Logged(b"broken", ADA)]), Refused)
