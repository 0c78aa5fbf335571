"""Yjs updates written by hand, byte for byte, as no editor would write them."""

import random
from typing import Any

from pycrdt import Array, Doc, Map, Text, XmlElement, XmlFragment, XmlText


def number(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def string(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return number(len(raw)) + raw


def update(*clients: bytes, deletes: bytes = b"\x00") -> bytes:
    return number(len(clients)) + b"".join(clients) + deletes


def client(name: int, *structs: bytes, clock: int = 0) -> bytes:
    return number(len(structs)) + number(name) + number(clock) + b"".join(structs)


def gc(length: int) -> bytes:
    return b"\x00" + number(length)


def skip(length: int) -> bytes:
    return b"\x0a" + number(length)


def item(kind: int, content: bytes, parent: bytes = b"\x01\x07default", origin: tuple[int, int] | None = None) -> bytes:
    """An item in the root `default`, or in another `parent`, or to the right of an `origin`."""
    if origin:
        return bytes([0x80 | kind]) + number(origin[0]) + number(origin[1]) + content
    return bytes([kind]) + parent + content


def inside(name: int, clock: int) -> bytes:
    return b"\x00" + number(name) + number(clock)


def element(name: str | bytes = "p", **where: Any) -> bytes:
    return item(7, b"\x03" + string(name), **where)


def row(*contents: tuple[int, bytes, int], parent: bytes = b"\x01\x07default", clock: int = 0) -> list[bytes]:
    """Items of client 1 side by side, in the root or in another `parent`: each `(kind, content, length)`."""
    made, last = [], None
    for kind, content, length in contents:
        made.append(item(kind, content, parent, origin=None if last is None else (1, last)))
        clock += length
        last = clock - 1
    return made


def block(name: str) -> tuple[int, bytes, int]:
    return 7, b"\x03" + string(name), 1


# What is no node and yet can be written where nodes stand.
STRAYS = {
    "a map": (7, b"\x01", 1),
    "an array": (7, b"\x00", 1),
    "a text": (7, b"\x02", 1),
    "a value": (8, number(1) + b"\x7f", 1),
    "three values": (8, number(3) + b"\x7d\x05" + b"\x77" + string("s") + b"\x78", 3),
    "a string": (4, string("stray"), 5),
    "an emoji": (4, string("s😀y"), 4),
    "an accent": (4, string("é�"), 2),
    "bytes": (3, string(b"abc"), 1),
    "an embed": (5, string('{"a":1}'), 1),
}


def any_value(value: bytes) -> bytes:
    return item(8, b"\x01" + value)


def nested_elements(depth: int) -> bytes:
    return update(client(1, element(), *(element(parent=inside(1, at)) for at in range(depth - 1))))


def edited(seed: int, steps: int = 60) -> tuple[Doc[Any], list[bytes]]:
    """A document after a random history of edits, and the updates that made it."""
    chance = random.Random(seed)
    doc: Doc[Any] = Doc(client_id=seed + 1)
    updates: list[bytes] = []
    doc.observe(lambda event: updates.append(event.update))
    root = doc.get("default", type=XmlFragment)
    for _ in range(steps):
        step(chance, root)
    return doc, updates


def step(chance: random.Random, root: XmlFragment) -> None:
    size, kind = len(root.children), chance.randrange(8)
    if kind < 2 or not size:
        paragraph = root.children.insert(
            chance.randrange(size + 1), XmlElement(chance.choice(["paragraph", "heading"]))
        )
        paragraph.children.append(XmlText(chance.choice(["", "héllo", "word word", "😀 smile"])))
        return
    block = root.children[chance.randrange(size)]
    assert isinstance(block, XmlElement)
    text = block.children[0]
    assert isinstance(text, XmlText)
    length = len(text)
    if kind == 2:
        del root.children[chance.randrange(size)]
    elif kind == 3:
        block.attributes["level"] = chance.choice([1, 2.5, "x", True, None, [1, {"a": None}], float("nan"), b"raw"])
    elif kind == 4:
        text.insert(0, chance.choice(["a", "é", "😀", "\0", "line\nline"]))
    elif kind == 5 and length:
        text.format(
            0,
            length,
            {chance.choice(["bold", "italic", "comment--6oADIOBk", "ychange"]): chance.choice([{}, {"a": 1.0}, None])},
        )
    elif kind == 6 and length:
        del text[0:length]
    else:
        text.insert_embed(
            0, chance.choice([{"image": "x"}, XmlElement("badge"), 3, Map({"a": 1}), Array([1]), Text("t")])
        )


def miscounted() -> tuple[bytes, bytes, bytes]:
    """A text of client 1, a letter of client 2 between the halves of its emoji, and a letter behind it, of client 1 again.

    Of the last one the library takes no notice: it miscounts where a surrogate pair was cut (y-crdt pull request 399).
    """
    text = item(7, b"\x06", parent=inside(1, 0)), item(4, string("a😀b"), parent=inside(1, 1))
    between = client(2, b"\xc4\x01\x03\x01\x04" + string("x"))
    behind = client(1, item(4, string("c"), origin=(1, 5)), clock=6)
    return update(client(1, element("paragraph"), *text)), update(between), update(behind)
