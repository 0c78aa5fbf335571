import base64
import json
import random

import pytest
from encoding import any_value, client, edited, element, gc, inside, item, nested_elements, number, skip, string, update
from pycrdt import Doc
from sample_cases import CASES, UPDATES

from documents.scan import IMPORT, Limits, Refused, Scanned, scan
from documents.snapshot import apply, squash, state_vector
from documents.tree import walk


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_sample_passes_and_its_clocks_are_those_of_the_library(case):
    data = base64.b64decode(case["update"])
    scanned = scan(data)
    assert isinstance(scanned, Scanned)
    doc = Doc()
    doc.apply_update(data)
    assert scanned.ends == state_vector(doc)


@pytest.mark.parametrize("seed", range(12))
def test_every_update_of_an_edited_document_passes_and_builds_it_again(seed):
    doc, updates = edited(seed)
    copy = Doc()
    for data in updates:
        scanned = apply(copy, data)
        assert isinstance(scanned, Scanned)
        assert scanned.reached(state_vector(copy))
    assert state_vector(copy) == state_vector(doc)
    assert walk(copy) == walk(doc)
    whole = scan(doc.get_update())
    assert isinstance(whole, Scanned)
    assert whole.ends == state_vector(doc)


def any_array(depth):
    return update(client(1, any_value(b"\x75\x01" * depth + b"\x7f")))


def any_object(depth):
    return update(client(1, any_value(b"\x76\x01\x01a" * depth + b"\x7f")))


def any_of(content):
    return update(client(1, item(8, content)))


HOSTILE = {
    "nothing at all": b"",
    "half a header": b"\x01",
    "something after the end": b"\x00\x00\x00",
    "an array nested 25,900 deep": any_array(25_900),
    "an array nested 65 deep": any_array(65),
    "an object nested 65 deep": any_object(65),
    "a tree nested 20,000 deep": nested_elements(20_000),
    "a tree nested 101 deep": nested_elements(101),
    "a tree nested through siblings": update(
        client(
            1, element(), *(element(parent=inside(1, at)) if at % 2 else element(origin=(1, at)) for at in range(300))
        )
    ),
    "two items inside each other": update(
        client(1, element(parent=inside(2, 0))), client(2, element(parent=inside(1, 0)))
    ),
    "a claim of 2^24 clients": number(2**24) + b"\x00" * 50,
    "a claim of 2^24 changes": b"\x01" + number(2**24) + b"\x01\x00\x00",
    "a claim of 2^40 values": any_of(number(2**40)),
    "a claim of 2^24 array values": any_of(b"\x01\x75" + number(2**24)),
    "a claim of 2^24 object values": any_of(b"\x01\x76" + number(2**24)),
    "a claim of 2^24 json values": update(client(1, item(2, number(2**24)))),
    "a claim of 2^24 deletions": b"\x00\x01\x01" + number(2**24),
    "1,001 clients": update(*(client(name, gc(1)) for name in range(1_001))),
    "one client twice": update(client(1, gc(1)), client(1, gc(1))),
    "one client twice among the deletions": b"\x00\x02\x01\x01\x00\x01\x01\x01\x00\x01",
    "an erased run of 2^32 - 1": update(client(1, gc(2**32 - 1))),
    "an erased run of 2^25": update(client(1, gc(2**25))),
    "a deleted run of 2^32 - 1": update(client(1, item(1, number(2**32 - 1)))),
    "erased runs that add up": update(client(1, *[gc(2**23)] * 3)),
    "an erased run of nothing": update(client(1, gc(0))),
    "a gap of nothing": update(client(1, skip(0))),
    "a gap to the end of time": update(client(1, skip(2**32 - 1))),
    "a clock at the end of time": update(client(1, gc(1), clock=2**31 - 1)),
    "an origin at the end of time": update(client(1, element(origin=(1, 2**32)))),
    "a deletion at the end of time": b"\x00\x01\x01\x01" + number(2**32 - 2) + b"\x01",
    "a deletion of nothing": b"\x00\x01\x01\x01\x00\x00",
    "a number beyond 2^53": update(client(2**53 + 1, gc(1))),
    "a number without an end": b"\xff" * 40,
    "an integer without an end": any_of(b"\x01\x7d" + b"\xff" * 40),
    "a text longer than the bytes": update(client(1, item(4, number(500) + b"abc"))),
    "a text that is not UTF-8": update(client(1, item(4, string(b"\xff\xfe")))),
    "a text with half a pair": update(client(1, item(4, string(b"\xed\xa0\x80")))),
    "a node name that is not UTF-8": update(client(1, item(7, b"\x03" + string(b"\xff")))),
    "json that is not UTF-8": update(client(1, item(5, string(b'"\xff"')))),
    "json nested 65 deep": update(client(1, item(5, string("[" * 65 + "]" * 65)))),
    "json nested 100,000 deep": update(client(1, item(6, string("bold") + string("[" * 100_000)))),
    "json deep behind a quote": update(client(1, item(5, string('["\\"[",' + '{"a":' * 70)))),
    "an XmlHook": update(client(1, item(7, b"\x05" + string("hook")))),
    "a weak link": update(client(1, item(7, b"\x07\x00"))),
    "an unknown type": update(client(1, item(7, b"\x63"))),
    "a move": update(client(1, item(11, b"\x00" * 4))),
    "content nobody knows": update(client(1, item(12, b"\x00"))),
    "content with the fifth bit": update(client(1, item(0x14, string("abc")))),
    "a flag on an erased run": update(client(1, b"\x80\x01\x00\x01")),
    "a value nobody knows": any_of(b"\x01\x50"),
    "a parent that is neither": update(client(1, b"\x04\x02" + string("abc"))),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_shapes_are_refused_at_once_and_with_a_reason(data):
    assert isinstance(refused := scan(data), Refused)
    assert refused.reason
    assert isinstance(apply(Doc(), data), Refused)


def test_depth_up_to_the_limit_passes():
    for data in (
        any_array(64),
        any_object(64),
        nested_elements(100),
        update(client(1, item(5, string("[" * 64 + "]" * 64)))),
    ):
        assert isinstance(apply(Doc(), data), Scanned)


def test_brackets_inside_a_json_text_are_not_depth():
    assert isinstance(scan(update(client(1, item(5, string(json.dumps("[" * 500 + '"{\\')))))), Scanned)


def test_a_thousand_brackets_side_by_side_are_not_depth():
    assert isinstance(scan(update(client(1, item(5, string("[" + "[]," * 999 + "[]]"))))), Scanned)


def test_every_kind_of_content_is_known():
    values = b"".join(
        (b"\x7f\x7e\x79\x78", b"\x7d\xff\xff\x03", b"\x7c" + bytes(4), b"\x7b" + bytes(8), b"\x7a" + bytes(8))
    ) + b"".join((b"\x77" + string("é"), b"\x74" + string(b"\xff"), b"\x75\x00", b"\x76\x01" + string("k") + b"\x7f"))
    structs = [
        gc(3),
        item(1, number(2)),
        item(2, b"\x02" + string("1") + string("undefined")),
        item(3, string(b"\xff")),
        item(4, string("a😀")),
        item(5, string("{}")),
        item(6, string("bold") + string("null")),
        *(item(7, bytes([kind])) for kind in (0, 1, 2, 4, 6)),
        element(),
        item(8, number(12) + values),
        item(9, string("guid") + b"\x76\x00"),
    ]
    scanned = scan(update(client(7, *structs)))
    assert isinstance(scanned, Scanned)
    assert scanned.ends == {7: 3 + 2 + 2 + 1 + 3 + 1 + 1 + 6 + 12 + 1}


def test_an_import_may_carry_what_years_of_editing_leave_behind():
    history = update(*(client(name, gc(100_000), item(1, number(5))) for name in range(5_000)))
    assert isinstance(scan(history), Refused)
    scanned = scan(history, IMPORT)
    assert isinstance(scanned, Scanned)
    assert len(scanned.ends) == 5_000


def test_more_bytes_than_allowed_are_refused_unread():
    assert scan(bytes(11), Limits(size=10)) == Refused("the update is larger than 10 bytes")


def test_the_depth_of_what_an_update_makes_is_told():
    assert [
        scan(data).depth for data in (b"\x00\x00", update(client(1, item(4, string("a")))), nested_elements(7))
    ] == [0, 0, 7]
    beside = update(client(1, element(), *(element(origin=(1, at)) for at in range(50))))
    assert scan(beside).depth == 1


def mutated(data, chance):
    data = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(data))
        kind = chance.randrange(4)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 2:
            del data[at : at + chance.randrange(1, 4)]
        else:
            data[at:at] = chance.choice([b"\x00", b"\xff", b"\xff\xff\xff\x7f", bytes(data[at : at + 9])])
        if not data:
            break
    return bytes(data)


def survives(data):
    doc = Doc()
    scanned = apply(doc, data)
    if isinstance(scanned, Scanned):
        walk(doc)
        squash(doc)
    return scanned


def test_no_mutated_update_gets_past_the_scan_and_hurts_the_library():
    chance = random.Random(20)
    sources = [*UPDATES, *(edited(seed, 25)[0].get_update() for seed in range(6))]
    outcomes = [survives(mutated(chance.choice(sources), chance)) for _ in range(4_000)]
    passed = sum(isinstance(outcome, Scanned) for outcome in outcomes)
    assert 100 < passed < 3_900


def test_no_prefix_of_an_update_is_taken_for_one():
    for data in UPDATES:
        assert all(isinstance(scan(data[:end]), Refused) for end in range(len(data)))


@pytest.mark.parametrize(
    "data",
    [
        update(client(1, *[gc(1)] * 400_000)),
        update(client(1, element(), *(element(origin=(1, at)) for at in range(60_000)))),
        any_of(number(300_000) + b"\x75\x00" * 300_000),
        update(client(1, item(5, string('"' * 500_000)))),
        update(client(1, item(5, string('\\"[' * 200_000)))),
    ],
    ids=["erased runs", "siblings", "empty arrays", "quotes", "escapes"],
)
def test_half_a_megabyte_of_the_worst_is_answered(data):
    """Anything but linear would take minutes here."""
    assert isinstance(scan(data, IMPORT), Scanned | Refused)
