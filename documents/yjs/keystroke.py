"""Scans single keystrokes, nearly all updates, without decoding them byte by byte."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import batched
from typing import NamedTuple

from documents.yjs.lib0 import MAX_INTEGER, uint
from documents.yjs.scan import MAX_CLOCK, DeletedRun, Refused, Scanned, Text, text_spans

_NUMBER = rb"([\x80-\xff]{0,7}[\x00-\x7f])"
_ID = _NUMBER + _NUMBER
# One text behind an item, before one, or between two; its length and the text itself follow.
_TYPED = re.compile(rb"\x01\x01" + _ID + rb"(?:\x84" + _ID + rb"|\x44" + _ID + rb"|\xc4" + _ID + _ID + rb")", re.DOTALL)
_ERASED = re.compile(rb"\x00\x01" + _NUMBER + rb"\x01" + _ID, re.DOTALL)
_EACH = re.compile(_NUMBER, re.DOTALL)
# What one client's letters are deleted: the client, how many runs of them, and the clock and length of each.
_DELETES = re.compile(rb"\x01" + _NUMBER + rb"([\x01-\x7f])((?:" + _ID + rb")+)", re.DOTALL)
MAX_KEYSTROKE_BYTES = 64
OVER = -1


@lru_cache(4096)
def _number(written: bytes) -> int:
    value = 0
    for part in reversed(written):
        value = value << 7 | part & 127
    return value


def keystroke(update: bytes) -> Scanned | None:
    """As `scan`, of a little ASCII put into a text or one run deleted; None of anything else."""
    if len(update) > MAX_KEYSTROKE_BYTES:
        return None
    typed = _TYPED.match(update)
    if typed is None:
        return _erased(update)
    size = len(_text(update, typed.end()))
    if not size:
        return None
    client, clock, behind, behind_at, before, before_at, *between = typed.groups()
    who, begins = _number(client), _number(clock)
    if behind:
        names = {_number(behind): _number(behind_at) + 1}
    elif before:
        names = {_number(before): _number(before_at) + 1}
    else:
        left, left_at, right, right_at = map(_number, between)
        names = {left: left_at + 1}
        if names.get(right, 0) <= right_at:
            names[right] = right_at + 1
    if begins + size > MAX_CLOCK or max(names.values()) > MAX_CLOCK or names.get(who, 0) > begins:
        return None
    if max(who, *names) > MAX_INTEGER:
        return None
    starts = {who: begins}
    return Scanned(starts, {who: begins + size}, names, 1, 0, 0, True, starts, len(update) - 1, 1)


def _text(update: bytes, at: int) -> bytes:
    """Return the text that is written at `at` and with which the update ends; an empty one where it is no short ASCII."""
    text = update[at + 1 : -1]
    whole = 0 < len(text) <= MAX_KEYSTROKE_BYTES and update[at] == len(text) and not update[-1] and text.isascii()
    return text if whole else b""


def _erased(update: bytes) -> Scanned | None:
    if erased := _ERASED.fullmatch(update):
        client, clock, length = map(_number, erased.groups())
        if length and clock + length <= MAX_CLOCK and client <= MAX_INTEGER:
            return Scanned({}, {}, {client: clock + length}, 0, 1, 0, True, {}, 1, 0)
    return None


class Contents(NamedTuple):
    """How far an update goes for each client, the places of its texts, and what it deletes."""

    ends: dict[int, int]
    texts: list[Text]
    deleted: list[DeletedRun]


def contents(update: bytes) -> Contents | Refused:
    """As `documents.yjs.scan.text_spans`, of an update that was accepted before; faster for a keystroke."""
    if len(update) <= MAX_KEYSTROKE_BYTES:
        typed = _TYPED.match(update)
        if typed is not None and (text := _text(update, typed.end())):
            client, clock, stop = _number(typed[1]), _number(typed[2]), len(update) - 1
            length = len(text)
            return Contents({client: clock + length}, [Text(client, clock, length, stop - 1 - length, stop)], [])
        if typed is not None and (over := _typed_over(update, typed)):
            return over
        if erased := _ERASED.fullmatch(update):
            return Contents({}, [], [DeletedRun(*map(_number, erased.groups()))])
    read = text_spans(update)
    return read if isinstance(read, Refused) else Contents(read.ends, read.texts, read.deleted)


def _typed_over(update: bytes, typed: re.Match[bytes]) -> Contents | None:
    """Return what an update contains that puts a little ASCII in the place of one client's letters; None of any other."""
    begin = typed.end()
    text = update[begin + 1 : begin + 1 + update[begin]] if begin < len(update) else b""
    deletes = _DELETES.fullmatch(update, begin + 1 + len(text))
    if not text or not text.isascii() or deletes is None:
        return None
    runs = [*batched(map(_number, _EACH.findall(deletes[3])), 2)]
    if len(runs) != deletes[2][0]:
        return None
    written = Text(_number(typed[1]), _number(typed[2]), len(text), begin, begin + 1 + len(text))
    deleted = [DeletedRun(_number(deletes[1]), clock, length) for clock, length in runs]
    return Contents({written.client: written.clock + written.units}, [written], deleted)


@dataclass(eq=False, slots=True)
class TypingRun:
    """Typing that goes on: each update puts its text behind that of the last one, or takes back some of it.

    `client` has typed all from the clock `begin` up to, and without, `end`; so everything is known of what comes but its
    text, and it is compared with how it would begin. What extends it is gathered here, to be applied as one text.
    """

    client: int
    begin: int
    end: int  # OVER where nothing goes on with it any more
    _head: bytes
    _left: bytes
    _right: bytes
    _begins: bytes = field(init=False)
    _texts: list[bytes] = field(default_factory=list)
    _taken_back: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._begins = self._beginning(self.end)

    @staticmethod
    def after(update: bytes) -> "TypingRun | None":
        """Return how a keystroke, which `update` must be, goes on; None after a deletion."""
        typed = _TYPED.match(update)
        if typed is None:
            return None
        client, clock, behind, _, before, before_at, _, _, right, right_at = typed.groups()
        begin = _number(clock)
        end = begin + len(update) - typed.end() - 2
        follows = (b"\x84", b"") if behind else (b"\xc4", before + before_at if before else right + right_at)
        return TypingRun(_number(client), begin, end, b"\1\1" + client, follows[0] + client, follows[1])

    def extend(self, update: bytes) -> bool:
        """Return whether the update continues or deletes the typing; if so, gather it."""
        begins = self._begins
        if not update.startswith(begins):
            return self._takes_back(update)
        text = _text(update, len(begins))
        if not text or self.end + len(text) > MAX_CLOCK:
            return False
        self.end += len(text)
        self._texts.append(text)
        self._begins = self._beginning(self.end)
        return True

    def stop(self) -> None:
        """Let nothing go on with it any more, once all is flushed."""
        self.end = OVER

    def flush(self) -> list[bytes]:
        """Return what went on since this was asked last, in as few updates as it takes."""
        text, back = b"".join(self._texts), self._taken_back
        self._texts, self._taken_back = [], []
        return [self._beginning(self.end - len(text)) + uint(len(text)) + text + b"\0", *back] if text else back

    def _takes_back(self, update: bytes) -> bool:
        if erased := _ERASED.fullmatch(update):
            client, clock, length = map(_number, erased.groups())
            if client == self.client and self.begin <= clock and 0 < length <= self.end - clock:
                self._taken_back.append(update)
                return True
        return False

    def _beginning(self, clock: int) -> bytes:
        return self._head + uint(clock) + self._left + uint(clock - 1) + self._right
