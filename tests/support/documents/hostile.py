"""Updates that nobody's editor makes: shapes that hurt native code, and damage at random."""

import random

from tests.support.documents.encoding import (
    any_value,
    client,
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


def any_array(depth: int) -> bytes:
    return update(client(1, any_value(b"\x75\x01" * depth + b"\x7f")))


def any_object(depth: int) -> bytes:
    return update(client(1, any_value(b"\x76\x01\x01a" * depth + b"\x7f")))


def any_of(content: bytes) -> bytes:
    return update(client(1, item(8, content)))


def smuggled(*hidden: bytes, name: int = 777, deletes: bytes = b"\x00") -> bytes:
    """An empty ContentJSON, a binary and some letters of one client; but a decoder that reads one string more than the
    count of the JSON says takes the `hidden` structs for what follows on the binary."""
    inside_it = b"".join(hidden) + b"\x00"
    key = b"x" + b"\x03\x01\x01b" + number(len(number(len(inside_it))))
    letters = [item(4, string("z"), parent=b"\x01\x01c")] * len(hidden)
    json = item(2, b"\x00", parent=b"\x01\x01a")
    return update(
        client(name, json, item(3, string(inside_it), parent=b"\x01" + string(key)), *letters), deletes=deletes
    )


def deep_value(depth: int) -> bytes:
    """Overflows the stack of whoever reads it recursively: an array `depth` deep, in the root `default`."""
    return any_value(b"\x75\x01" * depth + b"\x7e")


def deep_attribute(depth: int, name: int = 777, clock: int = 2) -> tuple[bytes, bytes]:
    """As `deep_value`, as an attribute of an element that would be at the client's `clock`."""
    value = b"\x01" + b"\x75\x01" * depth + b"\x7e"
    return element(), b"\x28" + inside(name, clock) + string("level") + value


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
    "an item behind itself": update(client(1, item(4, string("a"), origin=(1, 0)))),
    "an item before itself": update(client(1, b"\x44\x01\x00" + string("a"))),
    "an item inside itself": update(client(1, element(parent=inside(1, 0)))),
    "an item behind one that comes later": update(client(1, item(4, string("a"), origin=(1, 1)), element())),
    "two items behind each other": update(
        client(1, item(4, string("a"), origin=(2, 0))), client(2, item(4, string("b"), origin=(1, 0)))
    ),
    "two that wait for what follows on the other": update(
        client(1, element(origin=(2, 1)), element()), client(2, element(origin=(1, 1)), element())
    ),
    "three items behind each other": update(
        *(client(name, element(), item(4, string("a"), origin=(name % 3 + 1, 1))) for name in (1, 2, 3))
    ),
    "a claim of 2^24 clients": number(2**24) + b"\x00" * 50,
    "a claim of 2^24 changes": b"\x01" + number(2**24) + b"\x01\x00\x00",
    "a claim of 2^40 values": any_of(number(2**40)),
    "a claim of 2^24 array values": any_of(b"\x01\x75" + number(2**24)),
    "a claim of 2^24 object values": any_of(b"\x01\x76" + number(2**24)),
    "json values": update(client(1, item(2, b"\x02" + string("1") + string("undefined")))),
    "json values that hide an array nested 30,000 deep": smuggled(deep_value(30_000)),
    "json values that hide an attribute nested 20,000 deep": smuggled(*deep_attribute(20_000)),
    "json that is none": update(client(1, item(2, b"\x01" + string("no json")))),
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
    "a sub-document with options that are no object": update(client(1, item(9, string("guid") + b"\x7e"))),
    "a client without changes": update(client(1)),
    "an empty text": update(client(1, item(4, string("")))),
    "a text under a key": update(client(1, b"\x24\x01\x07default" + string("key") + string("a"))),
    "two values under a key": update(client(1, b"\x28\x01\x07default" + string("key") + b"\x02\x7e\x7e")),
    "an XmlHook": update(client(1, item(7, b"\x05" + string("hook")))),
    "a weak link": update(client(1, item(7, b"\x07\x00"))),
    "an unknown type": update(client(1, item(7, b"\x63"))),
    "a move": update(client(1, item(11, b"\x00" * 4))),
    "content nobody knows": update(client(1, item(12, b"\x00"))),
    "content with the fifth bit": update(client(1, item(0x14, string("abc")))),
    "a flag on an erased run": update(client(1, b"\x80\x01\x00\x01")),
    "a value with another prototype": any_of(b"\x01\x76\x01" + string("__proto__") + b"\x74\x00"),
    "a value nobody knows": any_of(b"\x01\x50"),
    "a parent that is neither": update(client(1, b"\x04\x02" + string("abc"))),
}


def mutated(update: bytes, chance: random.Random) -> bytes:
    data = bytearray(update)
    for _ in range(chance.randrange(1, 4)):
        if not data:
            break
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
    return bytes(data)
