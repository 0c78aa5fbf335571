"""Reads lib0, the encoding under Yjs, and writes its numbers; never past the end and never by recursion.

Reading past the end raises IndexError, bad text UnicodeDecodeError, everything else that is wrong Hostile.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

MAX_INTEGER = 2**53
MAX_VALUE_DEPTH = 64


class Hostile(Exception):  # noqa: N818  caught by the scan, never leaves this package
    """Bytes that no honest encoder writes."""


def uint(value: int) -> bytes:
    if value < 128:
        return bytes((value,))
    if value < 16_384:
        return bytes((value & 127 | 128, value >> 7))
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def utf16_length(text: str) -> int:
    """Length of a text in UTF-16 units, as Yjs counts clocks; half of a pair counts as one."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@dataclass(slots=True)
class Decoder:
    data: bytes
    at: int = 0

    def byte(self) -> int:
        at = self.at
        self.at = at + 1
        return self.data[at]

    def uint(self) -> int:
        data, at = self.data, self.at
        value = data[at]
        at += 1
        if value > 127:
            value &= 127
            shift = 7
            while True:
                part = data[at]
                at += 1
                value |= (part & 127) << shift
                if part < 128:
                    break
                shift += 7
                if shift > 56:
                    raise Hostile("a number is too long")
            if value > MAX_INTEGER:
                raise Hostile("a number is beyond 2^53")
        self.at = at
        return value

    def integer(self) -> None:
        """A signed number: one bit of the first byte is the sign, so 2^53 takes eight bytes at most."""
        for _ in range(8):
            if self.byte() < 128:
                return
        raise Hostile("a number is too long")

    def count(self, smallest: int) -> int:
        value = self.uint()
        if value * smallest > len(self.data) - self.at:
            raise Hostile("a count promises more than the bytes hold")
        return value

    def bytes(self) -> bytes:
        end = self.uint() + self.at
        if end > len(self.data):
            raise Hostile("a length runs past the end")
        piece = self.data[self.at : end]
        self.at = end
        return piece

    def text(self) -> str:
        return self.bytes().decode()

    def units(self) -> int:
        """Length of a string in UTF-16 units, as Yjs counts clocks."""
        piece = self.bytes()
        return len(piece) if piece.isascii() else len(piece.decode().encode("utf-16-le")) // 2

    def skip(self, size: int) -> None:
        self.at += size
        if self.at > len(self.data):
            raise IndexError


_IN_QUOTES = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")


def json(decoder: Decoder) -> None:
    raw = decoder.bytes()
    raw.decode()
    if raw.count(b"[") + raw.count(b"{") <= MAX_VALUE_DEPTH:
        return
    depth = 0
    for found in _BRACKET.finditer(_IN_QUOTES.sub(b"", raw)):
        depth += 1 if found[0] in b"[{" else -1
        if depth > MAX_VALUE_DEPTH:
            raise Hostile("a value is nested too deep")


def _nothing(_: Decoder) -> None:
    pass


# undefined, null, integer, two floats, a big integer, two booleans, text, bytes
_SCALARS: dict[int, Callable[[Decoder], object]] = {
    **dict.fromkeys((127, 126, 121, 120), _nothing),
    125: Decoder.integer,
    124: lambda decoder: decoder.skip(4),
    **dict.fromkeys((123, 122), lambda decoder: decoder.skip(8)),
    119: Decoder.text,
    116: Decoder.bytes,
}
OBJECT, _ARRAY = 118, 117


def any_value(decoder: Decoder) -> None:
    """One lib0 `Any`; `left` holds how many values each open array (positive) or object (negative) still expects."""
    left: list[int] = []
    while True:
        tag = decoder.byte()
        if tag in _SCALARS:
            _SCALARS[tag](decoder)
        elif tag in (_ARRAY, OBJECT):
            if len(left) >= MAX_VALUE_DEPTH:
                raise Hostile("a value is nested too deep")
            left.append(decoder.count(1) if tag == _ARRAY else -decoder.count(2))
        else:
            raise Hostile(f"`{tag}` is no kind of value")
        while left and not left[-1]:
            left.pop()
        if not left:
            return
        if left[-1] < 0:
            if (
                decoder.text() == "__proto__"
            ):  # Yjs makes it the prototype, and may be unable to encode the document then
                raise Hostile("a value has the key `__proto__`")
            left[-1] += 1
        else:
            left[-1] -= 1
