"""Lays the cells of a table out under its columns, where cells may cover several columns and rows."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

MAX_SPAN: Final = 1_000  # columns or rows of one cell, as browsers have it
MAX_COVERED: Final = 65_536  # places of a table; where cells cover more, each is taken for a single one


def grid(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return for each row what is at each column: a cell, or None where a cell above it or to its left goes on."""
    made: list[list[Any]] = []
    until: list[int] = []  # the row at which each column is free again
    covered = 0
    for at, cells in enumerate(rows):
        line: list[Any] = []
        for cell in cells:
            line += [None] * _covered_from(len(line), until, at)
            width, height = _span(cell, "colspan"), min(_span(cell, "rowspan"), len(rows) - at)
            covered += width * height - 1
            if covered > MAX_COVERED:
                return [[*each] for each in rows]
            start = len(line)
            line += [cell, *[None] * (width - 1)]
            until += [0] * (len(line) - len(until))
            until[start : len(line)] = [at + height] * width
        made.append(line + [None] * _covered_from(len(line), until, at))
    return made


def _covered_from(column: int, until: Sequence[int], row: int) -> int:
    stop = column
    while stop < len(until) and until[stop] > row:
        stop += 1
    return stop - column


def _span(cell: Any, name: str) -> int:
    attrs = cell.get("attrs") if isinstance(cell, dict) else None
    value = attrs.get(name) if isinstance(attrs, dict) else None
    return min(int(value), MAX_SPAN) if isinstance(value, int | float) and 1 <= value < MAX_SPAN**2 else 1


def has_merged(rows: Iterable[Iterable[Any]]) -> bool:
    return any(_span(cell, "colspan") > 1 or _span(cell, "rowspan") > 1 for row in rows for cell in row)
