"""Reads Markdown without its escapes, so that a text is found however it is escaped."""

import re
from array import array
from collections.abc import Sequence
from html import unescape
from typing import Final

_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])|(&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)")


_FENCE: Final = re.compile(r"^[ >]*(?:(?:[-+*]|[0-9]+[.)]) +)*(?:`{3,}|~{3,})", re.MULTILINE)
_TICKS: Final = re.compile(r"(?<!\\)`+")


def begins_in_escape(markdown: str, at: int) -> bool:
    """Whether a place in Markdown is between a backslash and what that escapes; in code, it escapes nothing."""
    before = markdown[max(0, at - 100) : at]
    escapes = (len(before) - len(before.rstrip("\\"))) % 2 == 1 and _ESCAPE.match(markdown, at - 1) is not None
    return escapes and not _is_in_code(markdown, at)


def _is_in_code(markdown: str, at: int) -> bool:
    paragraph = markdown.rfind("\n\n", 0, at) + 1
    return len(_FENCE.findall(markdown, 0, at)) % 2 == 1 or len(_TICKS.findall(markdown, paragraph, at)) % 2 == 1


def without_escapes(markdown: str) -> tuple[str, Sequence[int]]:
    """Return the text, and where each of its characters, and its end, begins in the Markdown.

    Backslashes before punctuation and references of characters are escapes wherever they stand, also in code.
    """
    parts: list[str] = []
    offsets = array("Q")
    end = 0
    for found in _ESCAPE.finditer(markdown):
        said = found[1] or unescape(found[2])
        if said == found[2]:
            continue
        parts += (markdown[end : found.start()], said)
        offsets.extend(range(end, found.start()))
        offsets.extend([found.start()] * len(said))
        end = found.end()
    parts.append(markdown[end:])
    offsets.extend(range(end, len(markdown) + 1))
    return "".join(parts), offsets
