"""What the scan says of one keystroke: nearly all updates are that, so they are not decoded byte by byte."""

import re
from functools import lru_cache

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
    size = len(update) - at - 2
    if size < 1 or update[at] != size or update[-1] or not update[at + 1 :].isascii():
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


def _erased(update: bytes) -> Scanned | None:
    if erased := _ERASED.fullmatch(update):
        client, clock, length = map(_number, erased.groups())
        if length and clock + length <= MAX_CLOCK:
            return Scanned({}, {}, {client: clock + length}, 0, 1, 0, True)
    return None
