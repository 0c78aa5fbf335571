"""Keystrokes are scanned by a pattern instead of byte by byte: the two must say the same of everything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycrdt import Doc, Text

from documents.yjs.keystroke import MAX_KEYSTROKE_BYTES, TypingRun, contents, keystroke
from documents.yjs.scan import IMPORT, Refused, UpdateLimits, scan, text_spans
from documents.yjs.snapshot import apply_updates, state_vector
from tests.support.documents.encoding import number, string

clocks = st.one_of(
    st.integers(0, 300),
    st.sampled_from([2**14, 2**31 - 3, 2**31 - 2, 2**31 - 1, 2**31, 2**35 - 1, 2**35, 2**53, 2**53 + 1, 2**56, 2**63]),
)
names = st.tuples(clocks, clocks).map(lambda pair: number(pair[0]) + number(pair[1]))
flags = st.sampled_from([0x84, 0x44, 0xC4, 0x04, 0x24, 0xA4, 0x8A, 0xC1])
texts = st.one_of(st.text(st.characters(max_codepoint=127), max_size=70), st.text(max_size=20)).map(string)


@st.composite
def typed(draw):
    """A text of one client, or something close to it."""
    body = draw(names) + bytes([draw(flags)]) + b"".join(draw(st.lists(names, min_size=1, max_size=2)))
    return b"\x01\x01" + body + draw(texts) + b"\0"


erased = st.tuples(clocks, names).map(lambda parts: b"\0\1" + number(parts[0]) + b"\1" + parts[1])


@st.composite
def damaged(draw):
    data = bytearray(draw(st.one_of(typed(), erased)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data) - 1))
        data[at : at + draw(st.integers(0, 1))] = draw(st.binary(max_size=2))
        data = data or bytearray(1)
    return bytes(data)


@given(st.one_of(damaged(), st.binary(max_size=30)), st.sampled_from([UpdateLimits(), IMPORT]))
def test_the_short_look_says_what_decoding_says_or_nothing(data, limits):
    short = keystroke(data)
    assert short is None or short._replace(plain=False) == scan(data, limits)


@given(typed(), st.sampled_from([UpdateLimits(), IMPORT]))
def test_the_short_look_at_what_is_cut_off_anywhere_says_what_decoding_says_or_nothing(data, limits):
    for end in range(len(data)):
        short = keystroke(data[:end])
        assert short is None or short._replace(plain=False) == scan(data[:end], limits)


def what_decoding_finds(update):
    read = text_spans(update)
    return read if isinstance(read, Refused) else (read.ends, read.texts, read.deleted)


@st.composite
def typed_over(draw):
    """A text put in the place of a client's letters, or something close to it."""
    runs = draw(st.lists(names, min_size=1, max_size=4))
    count = draw(st.sampled_from([len(runs), len(runs) + 1, 128]))
    return draw(typed())[:-1] + b"\1" + number(draw(clocks)) + number(count) + b"".join(runs)


@given(st.one_of(typed_over(), typed(), erased))
def test_what_an_accepted_keystroke_contains_is_what_decoding_finds(data):
    for cut in (data, data[:-1]):
        if not isinstance(scan(cut, UpdateLimits()), Refused):
            assert contents(cut) == what_decoding_finds(cut)


def test_letters_that_are_typed_over_others_are_found_without_decoding(monkeypatch):
    _, text, updates = begun("begun here")
    for at, stop in ((2, 5), (1, 3), (0, 6)):
        with text.doc.transaction():
            del text[at:stop]
            text.insert(at, "x")
    found = [*map(what_decoding_finds, updates)]
    assert [len(deleted) for _, _, deleted in found] == [1, 2, 3]
    monkeypatch.setattr("documents.yjs.keystroke.text_spans", lambda _: pytest.fail("decoded"))
    assert [*map(contents, updates)] == found


@st.composite
def followed(draw):
    """A keystroke, and what goes on from it or something close to that."""
    client, begins, size = draw(clocks), draw(clocks), draw(st.integers(1, 12))
    where = draw(st.sampled_from([(0x84, 1), (0x44, 1), (0xC4, 2)]))
    ids = draw(st.lists(names, min_size=where[1], max_size=where[1]))
    first = b"\1\1" + number(client) + number(begins) + bytes([where[0]]) + b"".join(ids) + string("a" * size) + b"\0"
    end, right = begins + size, b"" if where[0] == 0x84 else ids[-1]
    left = bytes([0xC4 if right else 0x84]) + number(client) + number(end - 1)
    body = number(client) + number(end) + left + right + draw(texts) + b"\0"
    second = bytearray(b"\1\1" + body)
    if draw(st.booleans()):
        back = draw(st.integers(max(begins - 2, 0), end + 1)), draw(st.integers(0, size + 2))
        second = bytearray(b"\0\1" + number(client) + b"\1" + b"".join(map(number, back)))
    if draw(st.booleans()):
        second[draw(st.integers(0, len(second) - 1))] = draw(st.integers(0, 255))
    return first, bytes(second)


@given(followed())
def test_a_run_of_typing_takes_only_what_decoding_says_goes_on_from_its_end(pair):
    first, second = pair
    begun = keystroke(first)
    if begun is None:
        return
    run = TypingRun.after(first)
    (end,) = begun.ends.values()
    assert run.end == end
    extended = run.extend(second)
    decoded = scan(second, UpdateLimits())
    if not extended:
        assert run.end == end
    elif run.end == end:
        (erased,) = decoded.names.items()
        assert (decoded.structs, decoded.deletes, decoded.depth) == (0, 1, 0)
        assert erased[0] == run.client
        assert run.begin < erased[1] <= end
    else:
        assert decoded.starts == {run.client: end}
        assert decoded.ends == {run.client: run.end}
        assert (decoded.structs, decoded.deletes, decoded.depth) == (1, 0, 0)
        known = begun.names | {run.client: max(end, begun.names.get(run.client, 0))}
        assert all(known.get(client, 0) >= clock for client, clock in decoded.names.items())


@given(followed())
def test_what_is_cut_off_anywhere_goes_on_only_where_it_can_be_decoded(pair):
    first, second = pair
    for end in range(len(second) if TypingRun.after(first) else 0):
        assert not TypingRun.after(first).extend(second[:end]) or not isinstance(
            scan(second[:end], UpdateLimits()), Refused
        )


def begun(content, client=7):
    """A document that begins with a text, the text, and a list into which the updates come from now on."""
    doc, updates = Doc(client_id=client), []
    text = doc.get("default", type=Text)
    text += content
    doc.observe(lambda event: updates.append(event.update))
    return doc, text, updates


def copied(doc):
    copy = Doc()
    copy.apply_update(doc.get_update())
    return copy


@given(st.lists(st.text("ab", min_size=1, max_size=5), min_size=2, max_size=9), st.booleans(), st.integers(0, 2**31))
def test_whoever_types_on_is_in_one_run_from_the_second_update_on(words, between, client):
    _, text, updates = begun("[]", client)
    at = 1 if between else 2
    for word in words:
        text.insert(at, word)
        at += len(word)
    run = TypingRun.after(updates[0])
    assert all(run.extend(update) for update in updates[1:])
    assert run.end - run.begin == len("".join(words))


RUN = st.lists(st.one_of(st.text("ab", min_size=1, max_size=3), st.integers(1, 3)), min_size=1, max_size=12)
KITE = len("🪁".encode())  # the library counts bytes
CHANGES = st.lists(st.tuples(st.integers(KITE, 30), st.sampled_from(["", "x", "xyz"])), max_size=12)


@given(RUN, CHANGES, st.integers(KITE, KITE + 2))
def test_what_a_run_gathered_is_brought_in_whenever_that_is_whatever_others_did_to_it_meanwhile(steps, changes, at):
    here, there, kept = Doc(client_id=7), Doc(client_id=8), Doc()
    text = here.get("default", type=Text)
    text += "🪁ab"
    there.apply_update(here.get_update())
    kept.apply_update(here.get_update())
    updates, others = [], []
    here.observe(lambda event: updates.append(event.update))
    there.observe(lambda event: others.append(event.update))
    text.insert(at, "z")
    run = TypingRun.after(updates[0])
    there.apply_update(updates[0])
    kept.apply_update(updates.pop(0))
    end = at + 1
    for step in steps:
        if isinstance(step, str):
            text.insert(end, step)
            end += len(step)
        elif end - step > at:
            end -= step
            del text[end : end + step]
    for update in updates:
        if not run.extend(update):
            assert apply_updates(kept, [*run.flush(), update]) is None
            run = TypingRun.after(update) or run
    theirs = there.get("default", type=Text)
    for where, change in changes:
        if change:
            theirs.insert(min(where, len(theirs)), change)
        elif len(theirs) > KITE:
            del theirs[min(where, len(theirs) - 1)]
    assert apply_updates(kept, others) is None
    assert apply_updates(kept, run.flush()) is None
    assert run.flush() == []
    here.apply_update(there.get_update())
    assert str(kept.get("default", type=Text)) == str(text)
    assert state_vector(kept) == state_vector(here)


@given(st.lists(st.text("ab", max_size=40), min_size=1, max_size=30))
def test_a_run_gathers_all_text_in_one_update_behind_which_come_the_deletions(words):
    doc, text, updates = begun("begun")
    copy = copied(doc)
    text += "z"
    deleted = 0
    for word in words:
        if word:
            text += word
        elif len(text) > len("begun"):
            del text[len(text) - 1]
            deleted += 1
    run = TypingRun.after(updates[0])
    assert all(run.extend(update) for update in updates[1:])
    flushed = run.flush()
    assert len(flushed) == any(words) + deleted
    assert apply_updates(copy, [updates[0], *flushed]) is None
    assert str(copy.get("default", type=Text)) == str(text)


@given(st.lists(st.tuples(st.integers(0, 40), st.text("ab c", max_size=12)), max_size=30))
def test_typing_and_deleting_is_plain_and_brought_in_together_it_is_the_same_document(steps):
    doc, text, updates = begun("begun", client=3_000_000_000)
    copy = copied(doc)
    for at, typed_in in steps:
        if typed_in:
            text.insert(min(at, len(text)), typed_in)
        elif len(text) > 1:
            del text[0:1]
    assert all(keystroke(update) for update in updates)
    assert apply_updates(copy, updates) is None
    assert str(copy.get("default", type=Text)) == str(text)
    assert state_vector(copy) == state_vector(doc)


@pytest.mark.parametrize("content", ["é", "a" * MAX_KEYSTROKE_BYTES])
def test_what_is_long_or_not_ascii_is_decoded(content):
    _, text, updates = begun("begun")
    text += content
    assert keystroke(updates[0]) is None


@pytest.mark.parametrize("client", [2**32 - 1, 2**35, 2**53 - 1])
def test_typing_under_any_client_id_is_taken_without_decoding(client):
    doc, updates = Doc(client_id=client), []
    text = doc.get("default", type=Text)
    text.insert(0, "begun")
    doc.observe(lambda event: updates.append(event.update))
    for letter in "letters":
        text.insert(len(text), letter)
    text.insert(2, "between")
    del text[3]
    assert [short.ends or short.names for short in map(keystroke, updates)] == [
        *[{client: end} for end in (6, 7, 8, 9, 10, 11, 12, 19)],
        {client: 14},
    ]
    run = TypingRun.after(updates[0])
    assert all(map(run.extend, updates[1:7]))
