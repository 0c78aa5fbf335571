"""Finds what a passage that is not in a document was likely meant to be, and where one stands that is there several times."""

import re
from collections.abc import Callable
from typing import Final

MAX_SHOWN: Final = 200  # characters of the document in a message
MAX_LINES: Final = 5  # that are named of those in which a passage stands
MAX_COUNTED: Final = 1_000
MAX_SEARCHED: Final = 2**20  # characters of a document
_MARKS: Final = "*_~`"
_SPACES: Final = re.compile(r"\s+")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_WORD: Final = re.compile(r"\w+")
_MARK: Final = re.compile(r"[*_~`\\]")


def nearest(present: str, passage: str) -> str:
    """Return the end of a sentence that says what is there instead and why it differs; empty where nothing is alike."""
    if len(present) > MAX_SEARCHED:
        return ""
    span = _loosely(present, passage)
    if span is None:
        line = _alike(present, passage)
        return f": the nearest line is `{_shown(line)}`" if line else ""
    start, stop = span
    return f": it has `{_shown(present[start:stop])}`, where {_difference(present[start:stop], passage)}"


def occurrences(present: str, passage: str) -> str:
    """Return how often a passage stands in a text, and in which lines, counted from 1."""
    places: list[int] = []
    at = present.find(passage)
    while at >= 0 and len(places) < MAX_COUNTED:
        places.append(at)
        at = present.find(passage, at + 1)
    lines = [present.count("\n", 0, place) + 1 for place in places[:MAX_LINES]]
    more = ", …" if len(places) > len(lines) else ""
    often = f"at least {MAX_COUNTED}" if len(places) == MAX_COUNTED else str(len(places))
    return f"{often} times, in the lines {', '.join(map(str, lines))}{more}"


def _loosely(present: str, passage: str) -> tuple[int, int] | None:
    """Return where a passage stands but for case, white space, escapes and marks; None where it does not."""
    wanted, _ = _plain(passage)
    wanted = wanted.strip()
    text, places = _plain(present)
    at = text.find(wanted) if wanted else -1
    if at < 0:
        return None
    start, stop = places[at], places[at + len(wanted) - 1] + 1
    while start and present[start - 1] in _MARKS + "\\":
        start -= 1
    while stop < len(present) and present[stop] in _MARKS:
        stop += 1
    return start, stop


def _plain(text: str) -> tuple[str, list[int]]:
    """Return a text in lower case, with single spaces and without escapes and marks, and where each letter of it stands."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        if letter in _MARKS or letter == "\\":
            continue
        if letter.isspace():
            if letters and letters[-1] == " ":
                continue
            letter = " "  # noqa: PLW2901
        low = letter.lower()
        letters.append(low if len(low) == 1 else letter)
        places.append(place)
    return "".join(letters), places


_STEPS: Final[tuple[tuple[str, Callable[[str], str]], ...]] = (
    ("the case differs", str.lower),
    ("white space differs", lambda text: _SPACES.sub(" ", text).strip()),
    ("characters are escaped by `\\`", lambda text: _ESCAPE.sub(r"\1", text)),
    ("marks such as `**` stand in it", lambda text: _MARK.sub("", text)),
)


def _difference(there: str, passage: str) -> str:
    """Return the first single reason by which two texts differ, else all that together make them alike."""
    for reason, plain in _STEPS:
        if plain(there) == plain(passage):
            return reason
    made, other, reasons = there, passage, []
    for reason, plain in reversed(_STEPS):
        if plain(made) != made or plain(other) != other:
            reasons.append(reason)
        made, other = plain(made), plain(other)
    return " and ".join(reasons[::-1]) or "it is written otherwise"


def _alike(present: str, passage: str) -> str:
    """Return the line with most of the words of a passage's first line; empty where none has half of them."""
    wanted = _words(next((line for line in passage.split("\n") if line.strip()), ""))
    best, most = "", 0
    for line in present.split("\n"):
        shared = len(wanted.intersection(_words(line)))
        if shared > most:
            best, most = line, shared
    return best if 2 * most >= len(wanted) else ""


def _words(line: str) -> set[str]:
    return {*_WORD.findall(line.lower())}


def _shown(text: str) -> str:
    cut = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" if each != "\n" else "\\n" for each in cut)
