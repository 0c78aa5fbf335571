"""What the scan says of one keystroke: nearly all updates are that, so they are not decoded byte by byte."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from documents.lib0 import uint
from documents.scan import MAX_CLOCK, Scanned

_NUMBER = rb"([\x80-\xff]{0,4}[\x00-\x7f])"
_ID = _NUMBER + _NUMBER
# One text behind an item, before one, or between two; its length and the text itself follow.
_TYPED = re.compile(rb"\x01\x01" + _ID + rb"(?:\x84" + _ID + rb"|\x44" + _ID + rb"|\xc4" + _ID + _ID + rb")", re.DOTALL)
_ERASED = re.compile(rb"\x00\x01" + _NUMBER + rb"\x01" + _ID, re.DOTALL)
LONGEST = 64


@lru_cache(4096)
def _number(written: bytes) -> int:
    value = 0
    for part in reversed(written):
        value = value << 7 | part & 127
    return value


def keystroke(update: bytes) -> Scanned | None:
    """As `scan`, of a little ASCII put into a text or one run deleted; None of anything else."""
    if len(update) > LONGEST:
        return None
    typed = _TYPED.match(update)
    if typed is None:
        return _erased(update)
    at = typed.end()
    size = _length(update, at)
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
    if begins + size > MAX_CLOCK or max(names.values()) > MAX_CLOCK:
        return None
    return Scanned({who: begins}, {who: begins + size}, names, 1, 0, 0, True)


def _length(update: bytes, at: int) -> int:
    """Return how many characters the text at `at` has, with which the update ends; 0 where it is no short ASCII."""
    size = len(update) - at - 2
    whole = 0 < size <= LONGEST and update[at] == size and not update[-1]
    return size if whole and update[at + 1 :].isascii() else 0


def _erased(update: bytes) -> Scanned | None:
    if erased := _ERASED.fullmatch(update):
        client, clock, length = map(_number, erased.groups())
        if length and clock + length <= MAX_CLOCK:
            return Scanned({}, {}, {client: clock + length}, 0, 1, 0, True)
    return None


@dataclass(slots=True)
class Run:
    """Typing that goes on: each update puts its text behind that of the last one, or takes back some of it.

    `client` has typed all from the clock `begin` up to, and without, `end`; so everything is known of what comes but its
    text, and it is compared with how it would begin.
    """

    client: int
    begin: int
    end: int
    _head: bytes
    _left: bytes
    _right: bytes
    _begins: bytes = field(init=False)

    def __post_init__(self) -> None:
        self._expect()

    @staticmethod
    def after(update: bytes) -> "Run | None":
        """Return how a keystroke, which `update` must be, goes on; None after a deletion."""
        typed = _TYPED.match(update)
        if typed is None:
            return None
        client, clock, behind, _, before, before_at, _, _, right, right_at = typed.groups()
        begin = _number(clock)
        end = begin + len(update) - typed.end() - 2
        follows = (b"\x84", b"") if behind else (b"\xc4", before + before_at if before else right + right_at)
        return Run(_number(client), begin, end, b"\1\1" + client, follows[0] + client, follows[1])

    def goes_on(self, update: bytes) -> bool:
        """Whether the update types on, which is taken as typed by then, or takes back what was typed."""
        begins = self._begins
        if not update.startswith(begins):
            return self._takes_back(update)
        size = _length(update, len(begins))
        if not size or self.end + size > MAX_CLOCK:
            return False
        self.end += size
        self._expect()
        return True

    def _takes_back(self, update: bytes) -> bool:
        if erased := _ERASED.fullmatch(update):
            client, clock, length = map(_number, erased.groups())
            return client == self.client and self.begin <= clock and 0 < length <= self.end - clock
        return False

    def _expect(self) -> None:
        self._begins = self._head + uint(self.end) + self._left + uint(self.end - 1) + self._right
