"""Finds the hunks in which new Markdown differs from the Markdown of a document's blocks, and parses only these.

All hunks are parsed as one text, so that a reference defined in one of them is known in the others; in the place of the
blocks between two hunks stands a separator, a paragraph of its own. Blocks end where a blank line follows, except
lists, which may go on: lists beside a hunk belong to it. Where a separator is not found again, something that was left
open swallowed it, such as a code fence: then all of the Markdown is one hunk.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final
from uuid import uuid4

from documents.editing.sequence_alignment import equal_pairs
from documents.markdown.markdown_in import MAX_TOKENS, parse
from documents.markdown.markdown_out import markdown
from documents.markdown.unsupported_markup import UnsupportedMarkup
from documents.tree.tree import Json, shaped

_BLANK: Final = "\n\n"
_SEPARATOR: Final = uuid4().hex  # nobody can have written it
_SEPARATOR_BLOCK: Final = {"type": "paragraph", "content": [{"type": "text", "text": _SEPARATOR}]}


@dataclass(frozen=True, slots=True)
class WrittenBlock:
    """A block's Markdown, which is not empty."""

    text: str
    is_list: bool


@dataclass(frozen=True, slots=True)
class Hunk:
    """The blocks from `start` to before `stop` become the blocks `new`."""

    start: int
    stop: int
    new: list[Json]


def hunks(blocks: Sequence[WrittenBlock], wanted: str, unsupported: UnsupportedMarkup) -> list[Hunk]:
    """Return the hunks in their order, with at least one block that stays between two; raises TooComplexError."""
    text = wanted.lstrip("\n")
    if text.count(_BLANK) > MAX_TOKENS:
        return _whole(blocks, text, unsupported)
    ends = len(text.rstrip("\n"))
    paragraphs = text[:ends].split(_BLANK)
    stays = _stretches(blocks, paragraphs)
    befores = [_Stretch(0, 0, 0, 0), *stays]
    afters = [*stays, _Stretch(len(blocks), 0, len(paragraphs), 0)]
    between = list(zip(befores, afters, strict=True))
    texts = [_BLANK.join(paragraphs[before.last : after.first]) for before, after in between]
    read = _split(_normal(parse(_separated(texts) + text[ends:], unsupported)["content"]), len(texts))
    if read is None:
        return _whole(blocks, text, unsupported)
    found = [Hunk(before.stop, after.start, new) for (before, after), new in zip(between, read, strict=True)]
    return [hunk for hunk in found if hunk.start < hunk.stop or hunk.new]


def _whole(blocks: Sequence[WrittenBlock], text: str, unsupported: UnsupportedMarkup) -> list[Hunk]:
    return [Hunk(0, len(blocks), _normal(parse(text, unsupported)["content"]))]


def parse_apart(texts: Sequence[str]) -> list[list[Json]] | None:
    """Return the blocks of each of these texts; None where one of them does not end by itself. Raises TooComplexError."""
    return _split(parse(_separated(texts))["content"], len(texts))


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Blocks that stay, `start` to before `stop`, and the paragraphs that say them, `first` to before `last`."""

    start: int
    stop: int
    first: int
    last: int


def _stretches(blocks: Sequence[WrittenBlock], paragraphs: Sequence[str]) -> list[_Stretch]:
    """Return the stretches of blocks that stay, with no list beside what changes."""
    texts_of = [block.text.split(_BLANK) for block in blocks]
    starts = list(accumulate(map(len, texts_of), initial=0))
    places = dict(equal_pairs([text for texts in texts_of for text in texts], paragraphs))
    found: list[_Stretch] = []
    for at, (low, high) in enumerate(pairwise(starts)):
        first = places.get(low)
        if first is None or any(places.get(low + step) != first + step for step in range(high - low)):
            continue
        last = first + high - low
        if found and (found[-1].stop, found[-1].last) == (at, first):
            found[-1] = _Stretch(found[-1].start, at + 1, found[-1].first, last)
        else:
            found.append(_Stretch(at, at + 1, first, last))
    trimmed = (_without_lists(each, blocks, texts_of, len(paragraphs)) for each in found)
    return [each for each in trimmed if each.start < each.stop]


def _without_lists(
    stretch: _Stretch, blocks: Sequence[WrittenBlock], texts_of: Sequence[Sequence[str]], paragraphs: int
) -> _Stretch:
    """Return the stretch without the lists at its ends, but for those at the ends of both texts."""
    start, stop, first, last = stretch.start, stretch.stop, stretch.first, stretch.last
    while (start, first) != (0, 0) and start < stop and blocks[start].is_list:
        first += len(texts_of[start])
        start += 1
    while (stop, last) != (len(blocks), paragraphs) and start < stop and blocks[stop - 1].is_list:
        stop -= 1
        last -= len(texts_of[stop])
    return _Stretch(start, stop, first, last)


def _separated(texts: Sequence[str]) -> str:
    return f"{_BLANK}{_SEPARATOR}{_BLANK}".join(texts)


def _split(blocks: Sequence[Json], count: int) -> list[list[Json]] | None:
    """Return the blocks between the separators; None where there are not `count` parts."""
    parts: list[list[Json]] = [[]]
    for block in blocks:
        if block == _SEPARATOR_BLOCK:
            parts.append([])
        else:
            parts[-1].append(block)
    return parts if len(parts) == count else None


def _normal(blocks: list[Json]) -> list[Json]:
    """Return the blocks as they are read again once they are written."""
    again: list[Json] = parse(markdown(shaped({"type": "doc", "content": blocks})))["content"]
    return again
