import base64
import json
import random

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.tree.encoding import squash
from documents.tree.tree import walk
from documents.yjs.scan import IMPORT, Refused, Scanned, UpdateLimits, scan
from documents.yjs.snapshot import apply, state_vector
from tests.support.documents.encoding import (
    client,
    edited,
    element,
    gc,
    inside,
    item,
    nested_elements,
    number,
    skip,
    string,
    update,
)
from tests.support.documents.hostile import HOSTILE, any_array, any_object, any_of, mutated
from tests.support.documents.sample_cases import CASES, UPDATES


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
    assert state_vector(copy) == state_vector(doc)
    assert walk(copy) == walk(doc)
    whole = scan(doc.get_update())
    assert isinstance(whole, Scanned)
    assert whole.ends == state_vector(doc)


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_shapes_are_refused_at_once_and_with_a_reason(data):
    assert isinstance(refused := scan(data), Refused)
    assert refused.reason
    assert isinstance(apply(Doc(), data), Refused)


LEVELS = update(
    client(5, element("heading"), b"\x28" + inside(5, 0) + string("level") + number(2) + b"\x7d\x01\x7d\x02"),
    deletes=b"",
)


@pytest.mark.parametrize(
    ("deleted", "passes"),
    {
        "all": (b"\1\5\1\0\3", True),
        "both": (b"\1\5\1\1\2", True),
        "one": (b"\1\5\1\1\1", False),
        "none": (b"\0", False),
    }.values(),
)
def test_several_values_under_a_key_pass_where_the_update_deletes_them_all(deleted, passes):
    # What Yjs sends of an attribute that was set twice and removed: it joins what it keeps for an undo.
    assert isinstance(scan(LEVELS + deleted), Scanned) == passes


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


def test_every_kind_of_content_that_editors_write_is_known():
    values = b"".join(
        (b"\x7f\x7e\x79\x78", b"\x7d\xff\xff\x03", b"\x7c" + bytes(4), b"\x7b" + bytes(8), b"\x7a" + bytes(8))
    ) + b"".join((b"\x77" + string("é"), b"\x74" + string(b"\xff"), b"\x75\x00", b"\x76\x01" + string("k") + b"\x7f"))
    structs = [
        gc(3),
        item(1, number(2)),
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
    assert scanned.ends == {7: 3 + 2 + 1 + 3 + 1 + 1 + 6 + 12 + 1}


def test_an_import_may_carry_what_years_of_editing_leave_behind():
    history = update(*(client(name, gc(100_000), item(1, number(5))) for name in range(5_000)))
    assert isinstance(scan(history), Refused)
    scanned = scan(history, IMPORT)
    assert isinstance(scanned, Scanned)
    assert len(scanned.ends) == 5_000


def test_more_bytes_than_allowed_are_refused_unread():
    assert scan(bytes(11), UpdateLimits(size=10)) == Refused("the update is larger than 10 bytes")


def test_the_depth_of_what_an_update_makes_is_told():
    assert [
        scan(data).depth for data in (b"\x00\x00", update(client(1, item(4, string("a")))), nested_elements(7))
    ] == [0, 0, 7]
    beside = update(client(1, element(), *(element(origin=(1, at)) for at in range(50))))
    assert scan(beside).depth == 1


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


def chained(count, start=0):
    return [item(4, string("x"), origin=(9, start + at)) for at in range(count)]


SCATTERED = {
    "a paragraph with a text, in the root": ([element(), item(7, b"\x06", parent=inside(9, 0))], 1),
    "paragraphs behind each other": ([element(), *[element(origin=(9, at)) for at in range(5)]], 1),
    "letters behind a known one": ([item(4, string("x"), origin=(1, 5)), *chained(4)], 1),
    "letters each before the last one": (
        [
            element(),
            item(4, string("x"), parent=inside(9, 0)),
            *[b"\x44" + inside(9, 1 + at)[1:] + string("x") for at in range(4)],
        ],
        1,
    ),
    "letters all behind the same one": ([element(), *[item(4, string("x"), origin=(9, 0)) for _ in range(4)]], 3),
    "letters all before the same one": ([element(), *[b"\x44" + inside(9, 0)[1:] + string("x") for _ in range(4)]], 5),
    "letters all at the beginning": ([element(), *[item(4, string("x"), parent=inside(9, 0)) for _ in range(4)]], 4),
    "letters each behind another known one": ([item(4, string("x"), origin=(1, at)) for at in range(4)], 4),
    "a letter before one that stands behind a known one": (
        [item(4, string("x"), origin=(1, 5)), b"\x44" + inside(9, 0)[1:] + string("x")],
        2,
    ),
    "the same attribute again and again": (
        [element(), *[b"\x28" + inside(9, 0) + string("bold") + number(1) + b"\x78" for _ in range(4)]],
        4,
    ),
    "several attributes": (
        [element(), *[b"\x28" + inside(9, 0) + string(name) + number(1) + b"\x78" for name in "abcd"]],
        1,
    ),
    "letters behind those of a gap": (
        [element(), skip(5), *[item(4, string("x"), origin=(9, 1 + at)) for at in range(4)]],
        5,
    ),
}


@pytest.mark.parametrize(("structs", "scattered"), SCATTERED.values(), ids=SCATTERED)
def test_items_are_counted_whose_place_has_to_be_searched(structs, scattered):
    scanned = scan(update(client(9, *structs)))
    assert not isinstance(scanned, Refused)
    assert scanned.scattered == scattered


def test_what_is_pasted_stands_at_one_place_and_what_is_formatted_at_many():
    doc = Doc()
    root = doc.get("default", type=XmlFragment)
    with doc.transaction():
        for _ in range(20):
            root.children.append(XmlElement("paragraph", {"a": "b"}, contents=[XmlText("some text")]))
    assert scan(doc.get_update()).scattered == 1
    before = doc.get_state()
    for paragraph in list(root.children)[:10]:
        paragraph.children[0].format(0, 4, {"bold": {}})
    assert scan(doc.get_update(before)).scattered == 20  # where it begins and where it ends
