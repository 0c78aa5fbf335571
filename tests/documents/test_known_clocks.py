"""Updates that repeat clocks which a document knows: the same again, cut otherwise, deleted meanwhile, or something else."""

import random
import tracemalloc

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.admission.deletions import Deletions
from documents.admission.known_clocks import Repeated, contradicts, contradicts_document
from documents.yjs.scan import IMPORT, scan
from documents.yjs.snapshot import load, state_vector
from documents.yjs.structs import read_struct, read_update
from tests.support.documents.encoding import (
    client,
    edited,
    element,
    gc,
    inside,
    item,
    number,
    row,
    skip,
    string,
    update,
)


def differs(said, doc):
    """Whether an update says something else than the document of clocks that it knows."""
    return contradicts_document(doc, state_vector(doc), said, scan(said, IMPORT))


@pytest.mark.parametrize("seed", range(40))
def test_whatever_made_a_document_says_nothing_else_than_it_does(seed):
    doc, updates = edited(seed)
    assert not any(differs(each, doc) for each in [*updates, doc.get_update()])


@pytest.mark.parametrize("seed", range(10))
def test_what_is_cut_into_other_runs_is_the_same(seed):
    doc, updates = edited(seed)
    chance = random.Random(seed)
    for _ in range(20):
        upto = chance.randrange(len(updates))
        earlier = load(None, updates[:upto])
        half = load(None, updates[: chance.randrange(upto + 1)])
        assert not differs(earlier.get_update(half.get_state()), doc)


def texts(*contents, clock=0, **where):
    """One text node of client 1, in which client 7 has written these strings one behind the other."""
    base = update(client(1, element(), item(7, b"\x06", parent=inside(1, 0))))
    made, at = [], clock
    for content in contents:
        behind = {"origin": (7, at - 1)} if at else {"parent": inside(1, 1)}
        made.append(item(4, string(content), **(where or behind)))
        at += len(content.encode("utf-16-le")) // 2
    return base, update(client(7, *made, clock=clock))


@pytest.mark.parametrize(
    ("stored", "said", "is_other"),
    [
        (("abc",), ("abc",), False),
        (("abc",), ("a", "b", "c"), False),
        (("a", "b", "c"), ("abc",), False),
        (("abc",), ("ab",), False),
        (("abc",), ("abcdef",), False),
        (("abc",), ("abX",), True),
        (("abc",), ("Xbc",), True),
        (("abc",), ("a", "X", "c"), True),
        (("abc",), ("abXdef",), True),
        (("a😀c",), ("a😀c",), False),
        (("a😀c",), ("a��c",), False),
        (("a��c",), ("a😀c",), False),
        (("a😀c",), ("a😁c",), True),
        (("a�c",), ("aXc",), False),
    ],
)
def test_a_text_is_compared_unit_by_unit_but_where_a_pair_was_cut(stored, said, is_other):
    base, written = texts(*stored)
    assert differs(texts(*said)[1], load(None, [base, written])) is is_other


def test_the_same_text_somewhere_else_is_something_else():
    base, written = texts("abc")
    doc = load(None, [base, written])
    assert differs(update(client(7, item(4, string("bc"), origin=(1, 0)), clock=1)), doc)
    assert differs(update(client(7, item(4, string("abc")))), doc)
    assert not differs(update(client(7, item(4, string("bc"), origin=(7, 0)), clock=1)), doc)


def test_what_was_deleted_says_nothing_any_more_on_either_side():
    base, written = texts("abc")
    doc = load(None, [base, written, b"\x00\x01\x07\x01\x01\x01"])
    assert not differs(texts("aXc")[1], doc)
    assert differs(texts("aXd")[1], doc)
    assert not differs(update(client(7, gc(3))), doc)
    assert not differs(update(client(7, item(1, number(3), parent=inside(1, 1)))), doc)


def test_a_gap_is_passed_over_and_what_stands_before_it_is_compared():
    base, written = texts("abc")
    doc = load(None, [base, written])
    for letter, is_other in (("a", False), ("X", True)):
        start = item(4, string(letter), parent=inside(1, 1))
        end = item(4, string("d"), origin=(7, 2))
        assert differs(update(client(7, start, skip(2), end)), doc) is is_other


VALUES = {
    "a whole number": (b"\x7d\x05", b"\x7b" + b"\x40\x14" + b"\0" * 6, b"\x7d\x06"),
    "a boolean": (b"\x78", b"\x78", b"\x7d\x01"),
    "nothing": (b"\x7e", b"\x7e", b"\x7f"),
    "an object": (b"\x76\2\1a\x7e\1b\x78", b"\x76\2\1b\x78\1a\x7e", b"\x76\1\1b\x78"),
    "a list": (b"\x75\2\x7e\x78", b"\x75\2\x7e\x78", b"\x75\2\x78\x7e"),
    "a text": (b"\x77\2hi", b"\x77\2hi", b"\x77\2ho"),
    "bytes": (b"\x74\2hi", b"\x74\2hi", b"\x77\2hi"),
}


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
def test_values_are_compared_by_what_they_mean(values):
    stored, same, other = (update(client(1, *row((8, number(2) + each + b"\x7e", 2)))) for each in values)
    doc = load(None, [stored])
    assert not differs(stored, doc)
    assert not differs(same, doc)
    assert differs(other, doc)


def embed(text):
    return update(client(1, item(5, string(text))))


def test_json_is_compared_by_what_it_means():
    doc = load(None, [embed('{"a":1,"b":[2.5,null]}')])
    assert not differs(embed('{"b": [2.50, null], "a": 1.0}'), doc)
    assert differs(embed('{"a":2,"b":[2.5,null]}'), doc)
    assert differs(update(client(1, item(3, string(b"bytes")))), doc)


@pytest.mark.parametrize(("kind", "is_other"), [("paragraph", False), ("heading", True)])
def test_types_are_compared_by_their_names(kind, is_other):
    doc = load(None, [update(client(1, element("paragraph")))])
    assert differs(update(client(1, element(kind))), doc) is is_other


def test_deletions_hold_those_that_lie_within_them():
    doc = Doc(client_id=7)
    root = doc.get("default", type=XmlFragment)
    root.children.append(XmlElement("paragraph", contents=[XmlText("hello there")]))
    text = root.children[0].children[0]
    del text[2:4]
    del text[5:7]
    all_of_it = Deletions(doc.get_update(doc.get_state()))

    def hold(*runs):
        said = bytes((len(runs),)) + b"".join([bytes((who, 1, start, stop - start)) for who, start, stop in runs])
        return all_of_it.hold(b"anything" + said, len(b"anything"))

    assert all_of_it.hold(all_of_it.encoded, 1)
    assert hold()
    for who, clock, length in read_update(all_of_it.encoded).deleted:
        start, stop = clock, clock + length
        assert hold((who, start, stop))
        assert all_of_it.hold(bytes((0, 1, who, 2, stop - 1, 1, start, 1)), 1)
        assert not hold((who, start, stop + 1))
        assert not hold((who, start - 1, stop))
        assert not hold((who + 1, start, stop))


@pytest.mark.parametrize("said", [b"", b"\1", b"\0\0", b"\1\7\1\3", b"\1\7\1\3\0", b"\2\7\0\7\0"])
def test_what_cannot_be_read_is_not_deleted(said):
    doc, _ = edited(3)
    assert not Deletions(doc.get_update(doc.get_state())).hold(said, 0)


def test_a_long_update_is_compared_without_being_kept_in_memory():
    many = 20_000
    texts = [item(4, string("a"), origin=(7, at)) for at in range(many)]
    said = update(client(7, element(), *texts))
    base = Repeated({7: many + 1}, (said,))
    tracemalloc.start()
    try:
        assert not contradicts(said, base)
        assert tracemalloc.get_traced_memory()[1] < len(said)
    finally:
        tracemalloc.stop()


def test_clients_are_found_in_whatever_order_they_stand(monkeypatch):
    sections = [
        client(name, element(), *[item(4, string("a"), origin=(name, at)) for at in range(50)]) for name in range(1, 30)
    ]
    reads = []

    def counted(decoder, clock):
        reads.append(clock)
        return read_struct(decoder, clock)

    monkeypatch.setattr("documents.admission.known_clocks.read_struct", counted)
    overlap = Repeated(dict.fromkeys(range(1, 30), 51), (update(*sections),))
    assert not contradicts(update(*reversed(sections)), overlap)
    assert len(reads) <= 2 * 2 * 29 * 51
    assert contradicts(update(*reversed(sections[:-1]), client(29, element("other"))), overlap)
