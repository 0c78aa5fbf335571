"""Lays rows out as a table of plain text within 80 columns; longer values are folded, not cut."""

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import Final

WIDTH: Final = 80
GAP: Final = "  "


def plain_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, folded: Collection[str]) -> str:
    """Return the table's lines; of the columns named in `folded` the widest give way, the others keep their width."""
    cells = [list(header), *([_printable(cell) for cell in row] for row in rows)]
    widths = [max(_width(cell) for cell in column) for column in zip(*cells, strict=True)]
    giving = [column for column, name in enumerate(header) if name in folded]
    while sum(widths) + len(GAP) * (len(widths) - 1) > WIDTH:
        widths[max(giving, key=widths.__getitem__)] -= 1
    return "\n".join(line for row in cells for line in _lines(row, widths))


def _lines(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    folded = (_folded(cell, width) for cell, width in zip(row, widths, strict=True))
    for parts in zip_longest(*folded, fillvalue=""):
        padded = (part + " " * (width - _width(part)) for part, width in zip(parts, widths, strict=True))
        yield GAP.join(padded).rstrip()


def _folded(cell: str, width: int) -> Iterator[str]:
    line, taken = "", 0
    for letter in cell:
        wide = _width(letter)
        if taken + wide > width:
            yield line
            line, taken = "", 0
        line, taken = line + letter, taken + wide
    yield line


def _width(text: str) -> int:
    """Return how many columns of a terminal the text takes."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _printable(text: str) -> str:
    """Return the text without control sequences of terminals."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
