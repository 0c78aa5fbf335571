"""What a question is: a value that says what its answer is."""

from dataclasses import dataclass
from typing import Any

from domain.cursor import Cursor


class Question[Answer]:
    """A question whose answer has the type it is written with."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Both[One, Other](Question[tuple[One, Other]]):
    """Two questions, answered from one snapshot; each may be of this kind itself. None is for a page of a list."""

    one: Question[One]
    other: Question[Other]


@dataclass(frozen=True, slots=True)
class Page[Row]:
    """A part of a list, where the next part begins (None at the end), and the place of each row where it has one.

    Not `found`: the cursor that was asked with is none of such a list.
    """

    rows: tuple[Row, ...]
    next_cursor: Cursor | None
    cursors: tuple[Cursor, ...] = ()
    found: bool = True


NOWHERE: Page[Any] = Page((), None, found=False)
