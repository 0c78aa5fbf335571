"""Updates put together at random from structs: every kind of content, parent and origin, true of a document or not.

One thing is left out that neither the scan nor the document's clocks can tell. An item with two origins has both under a key
or none, and what hangs on one under a key is a type: Yjs throws when it collects a type in which values of keys and its other
content were mixed.
"""

import random

from tests.support.documents.encoding import number, string

CLIENTS = (1, 2, 127, 128, 300, 2**31, 2**32 - 1, 2**52)
ROOTS = ("default", "default", "default", "prosemirror", "x", "")
KEYS = ("level", "text", "", "é", "a" * 40, "__proto__")
TEXTS = ("a", "b", "word ", "é", "😀", "a😀b", "\0", "line\nline", "x" * 200, "", "\ufeff", "e\u0301")
JSONS = (
    *('"a"', "null", "true", "{}", "[]", '{"a":1}', '"bold"', "{}") * 8,
    '"a"',
    "null",
    "true",
    "{}",
    "[]",
    '{"a":{"b":[1,2.5,"x"]}}',
    "1e2",
    "-0",
    "123456789012345678901",
    "1e999",
    '"\\ud800"',
    '"\\u0000"',
    '{"a":1,"a":2}',
    '{"__proto__":{"a":1}}',
    "[" * 64 + "]" * 64,
    "[" * 65 + "]" * 65,
    "undefined",
    "no json",
    "",
    " 1 ",
    "NaN",
    "'a'",
    "[1,]",
    "{a:1}",
    "01",
    '"\n"',
    "\ufeff1",
)
SCALARS = (
    b"\x7f",
    b"\x7e",
    b"\x79",
    b"\x78",
    b"\x7d\x05",
    b"\x7d\xff\xff\x03",
    b"\x7d\x40",
    b"\x7d" + b"\xff" * 7 + b"\x01",
    b"\x7c" + bytes(4),
    b"\x7c\x7f\xc0\x00\x00",
    b"\x7b\x40\x09\x21\xfb\x54\x44\x2d\x18",
    b"\x7b\x7f\xf0" + bytes(6),
    b"\x7a\x80" + bytes(7),
    b"\x7a" + b"\xff" * 8,
    b"\x74\x02\xff\x00",
)
# GC, skip and all kinds of content that there are or were, in about the order in which they are common.
KINDS = (*(4,) * 24, *(7,) * 21, *(1, 8, 5, 6) * 4, *(0, 3, 9) * 3, 10, 2, 11, 12, 13)
TYPES = (*(3,) * 12, *(6,) * 12, *(0, 1, 2, 4) * 2, 5, 7, 8, 15)

type Id = tuple[int, int]


class Fuzz:
    """Writes updates of a document whose state vector is `state`, and in which there are types at `types`."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed)).random
        self.forget()
        self.several: dict[int, list[bytes]] = {}  # by client, the ranges of several values under a key in this update
        self.odd: set[int] = set()  # clients of whom the update that is being written names what is not there yet
        self.made: list[Id] = []  # the items of the update that is being written
        self.made_types: list[Id] = []

    def forget(self) -> None:
        self.state: dict[int, int] = {}
        self.types: list[Id] = []
        self.keyed: list[tuple[int, int, int]] = []  # of a client, from which clock to which items are under a key
        self.known_keyed = list(self.keyed)

    def accepted(self, state: dict[int, int]) -> None:
        """Go on from the last update: it was brought in."""
        self.state = state
        self.types += self.made_types
        self.known_keyed = list(self.keyed)

    def pick(self, choices):
        return choices[int(self.random() * len(choices))]

    def below(self, most: int) -> int:
        return int(self.random() * most)

    def number(self, value: int) -> bytes:
        """Write a number, now and then longer than it has to be."""
        if self.random() < 0.998:
            return number(value)
        written = number(value)
        return written[:-1] + bytes([written[-1] | 128]) + b"\x80" * self.below(3) + b"\0"

    def id(self, at: Id) -> Id:
        """An item to hang on, mostly one that is there."""
        chance = self.random()
        if chance < 0.6 and self.state:
            client = self.pick(list(self.state))
            return client, self.below(self.state[client])
        if chance < 0.9 and self.made:
            return self.pick(self.made)
        if chance < 0.98 and (known := self.types or self.made):
            return self.pick(known)
        if chance < 0.99:
            return at[0], max(at[1] + self.below(5) - 3, 0)
        client = self.pick(CLIENTS)
        self.odd.add(client)
        return client, self.pick((0, 0, 1, 2, 5, 2**31 - 1, 2**32))

    def parent(self, at: Id) -> Id:
        types = self.made_types if self.random() < 0.5 else self.types
        return self.pick(types) if types and self.random() < 0.96 else self.id(at)

    def written(self, of: Id) -> bytes:
        return self.number(of[0]) + self.number(of[1])

    def is_keyed(self, of: Id) -> bool:
        return any(client == of[0] and start <= of[1] < stop for client, start, stop in self.keyed)

    def origins(self, at: Id, info: int) -> tuple[int, bytes, bool]:
        """The flags of what an item hangs on, that, and whether it is under a key."""
        left, right = self.id(at), self.id(at)
        keyed = self.is_keyed(left if info & 0x80 else right)
        if info == 0xC0 and keyed != self.is_keyed(right):
            info = 0x80
        return info, (self.written(left) if info & 0x80 else b"") + (self.written(right) if info & 0x40 else b""), keyed

    def text(self, at: Id) -> tuple[bytes, int]:
        text = self.pick(TEXTS) if at[0] not in self.odd else "ab"
        return string(text), len(text.encode("utf-16-le")) // 2

    def any(self, deep: int = 0) -> bytes:
        chance = self.random()
        if chance < 0.6 or deep > 3:
            return self.pick(SCALARS)
        if chance < 0.75:
            return b"\x77" + string(self.pick(TEXTS))
        if chance < 0.86:
            count = self.below(4)
            return b"\x75" + number(count) + b"".join([self.any(deep + 1) for _ in range(count)])
        if chance < 0.97:
            count = self.below(3)
            pairs = [string(self.pick(KEYS)) + self.any(deep + 1) for _ in range(count)]
            return b"\x76" + number(count) + b"".join(pairs)
        depth = self.pick((63, 64, 65, 200))
        return self.pick((b"\x75\x01", b"\x76\x01\x01a")) * depth + b"\x7f"

    def content(self, kind: int, at: Id) -> tuple[bytes, int]:
        """The bytes of a content, and how many clocks it takes."""
        if kind == 4:
            return self.text(at)
        if kind == 7:
            ref = self.pick(TYPES)
            return bytes([ref]) + (string(self.pick(("p", "heading", "", "é"))) if ref in {3, 5} else b""), 1
        if kind == 1:
            length = self.pick((1, 1, 2, 5, 300, 2**20))
            return self.number(length), length
        if kind == 8:
            count = self.below(4)
            return number(count) + b"".join([self.any() for _ in range(count)]), count
        if kind == 2:
            count = self.below(3)
            return number(count) + b"".join([string(self.pick(JSONS)) for _ in range(count)]), count
        if kind == 3:
            return string(self.pick((b"", b"abc", bytes(200)))), 1
        if kind == 5:
            return string(self.pick(JSONS)), 1
        if kind == 6:
            return string(self.pick(KEYS)) + string(self.pick(JSONS)), 1
        if kind == 9:
            return string(self.pick(TEXTS)) + self.any(), 1
        return b"\0" * self.below(4), 1

    def struct(self, at: Id) -> tuple[bytes, int]:
        kind = self.pick(KINDS)
        if kind in {0, 10}:
            length = self.pick((1, 1, 2, 7, 2**20)) if self.random() < 0.97 else 0
            return bytes([kind]) + self.number(length), length
        is_there = self.state or self.made
        chance = self.random() if is_there else 1
        if chance < 0.6:
            flags, head, keyed = self.origins(at, self.pick((0x80,) * 6 + (0x40,) + (0xC0,) * 3))
            if keyed:
                kind = 7
        else:
            keyed = self.random() < 0.2
            named = chance > 0.88
            head = b"\1" + string(self.pick(ROOTS)) if named else b"\0" + self.written(self.parent(at))
            head += string(self.pick(KEYS)) if keyed else b""
            flags = 0x20 if keyed else 0
        content, length = self.content(kind, at)
        info = kind | flags
        if keyed:
            self.keyed.append((at[0], at[1], at[1] + length))
        if kind == 8 and flags == 0x20 and length > 1:
            self.several.setdefault(at[0], []).append(self.number(at[1]) + self.number(length))
        if self.random() < 0.01:
            info ^= self.pick((0x10, 0x20, 0x40, 0x80))
        self.made.append(at)
        if kind == 7:
            self.made_types.append(at)
        return bytes([info]) + head + content, length

    def keystroke(self) -> bytes:
        """One text of few letters, or one deletion: nearly all that editors write."""
        client = self.pick(list(self.state) if self.random() < 0.8 else CLIENTS)
        at = client, self.state.get(client, 0)
        if self.random() < 0.3:
            return b"\0\1" + number(client) + b"\1" + self.deletion(at[1] + 1, 4)
        flags, head, keyed = self.origins(at, self.pick((0x80, 0x80, 0x80, 0x40, 0xC0, 0xC0)))
        text = self.pick(("a", "b", "cd", "\0", "é"))
        if keyed:
            return b"\0\0"
        return b"\1\1" + self.written(at) + bytes([4 | flags]) + head + string(text) + b"\0"

    def update(self) -> bytes:
        """Write an update; where it is brought in, tell so by `accepted`."""
        self.keyed = list(self.known_keyed)
        self.made, self.made_types, self.odd, self.several = [], [], set(), {}
        chance = self.random()
        if chance < 0.25 and self.state:
            return self.keystroke()
        names = [self.pick(CLIENTS) for _ in range(self.pick((0, 1, 1, 1, 1, 1, 2, 2, 3)))]
        if self.random() < 0.99:
            names = list(dict.fromkeys(names))
        clients = []
        for name in names:
            begin = clock = self.state.get(name, 0) + (self.pick((1, 2)) if self.random() < 0.03 else 0)
            structs = []
            for _ in range(self.pick((1, 1, 1, 2, 2, 3, 5)) if self.random() < 0.99 else 0):
                struct, length = self.struct((name, clock))
                structs.append(struct)
                clock += length
            clients.append(number(len(structs)) + self.number(name) + self.number(begin) + b"".join(structs))
        return self.number(len(clients)) + b"".join(clients) + self.deletions()

    def deletions(self) -> bytes:
        if self.several and self.random() < 0.9:  # values of a key that an editor overwrote, and keeps for its undo
            clients = [self.number(name) + number(len(each)) + b"".join(each) for name, each in self.several.items()]
            return number(len(clients)) + b"".join(clients)
        if self.random() < 0.7 or not self.state:
            return b"\0"
        names = dict.fromkeys(self.pick(list(self.state)) for _ in range(self.pick((1, 1, 2))))
        clients = []
        for name in names:
            most = self.state.get(name, 0) + (1 if self.random() < 0.05 else 0)
            ranges = [self.deletion(most, self.pick((1, 3, 2**20))) for _ in range(self.pick((0, 1, 1, 2)))]
            clients.append(number(name) + number(len(ranges)) + b"".join(ranges))
        return number(len(clients)) + b"".join(clients)

    def deletion(self, end: int, most: int) -> bytes:
        """A range, mostly before `end`."""
        begin = self.below(end)
        stop = begin + 1 + self.below(min(max(end - begin, 1), most))
        return self.number(begin) + self.number(stop - begin)
