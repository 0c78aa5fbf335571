"""Connections of the Relay specification, with `nodes` beside `edges`."""

from collections.abc import Sequence
from typing import Annotated, Generic, TypeVar

import strawberry

from contract.bounds import MAX_PAGE
from contract.errors import unwrap
from domain.cursor import Cursor
from domain.errors import NOT_FOUND
from domain.questions import NOWHERE, Page
from domain.values import bad

Node = TypeVar("Node")

MAX_DIGITS = 19  # digits that always fit in 64 bits, and one
NEXT_CURSOR = "The cursor to go on after; null where the list ends."
First = Annotated[int, strawberry.argument(description="How many at most, from 1 to 200.")]
After = Annotated[Cursor | None, strawberry.argument(description="Go on after this cursor.")]


@strawberry.type(description="Where a part of a list begins and ends, and whether there is more.")
class PageInfo:
    has_next_page: bool = strawberry.field(description="Whether the list goes on.")
    has_previous_page: bool = strawberry.field(description="Whether this is not the list's beginning.")
    start_cursor: Cursor | None = strawberry.field(
        description="The cursor of the first entry; null where there is none."
    )
    end_cursor: Cursor | None = strawberry.field(
        description="The cursor of the last entry: pass it as `after` to go on."
    )


@strawberry.type(description="An entry of a list, with its place.")
class Edge(Generic[Node]):  # noqa: UP046 - strawberry reads the older form
    cursor: Cursor = strawberry.field(description="Its place in the list.")
    node: Node = strawberry.field(description="The entry.")


@strawberry.type(description="A part of a list.")
class Connection(Generic[Node]):  # noqa: UP046 - as above
    edges: list[Edge[Node]] = strawberry.field(description="The entries with their places.")
    nodes: list[Node] = strawberry.field(description="The entries alone.")
    page_info: PageInfo = strawberry.field(description="Where this part begins and ends.")
    next_cursor: Cursor | None = strawberry.field(description=NEXT_CURSOR)
    total_count: int | None = strawberry.field(
        description="How many entries the list has in all, where that is known without counting them; null elsewhere."
    )


def page_or_not_found[Row](page: Page[Row]) -> Page[Row]:
    """Return the page; raises RejectionError (NOT_FOUND) where its cursor names no place of the list."""
    return unwrap(page if page.found else NOT_FOUND)


def event_number(cursor: str | None) -> int | None:
    """Return the number that a cursor of events or versions holds; raises RejectionError (NOT_FOUND)."""
    if cursor is None:
        return None
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < MAX_DIGITS):
        page_or_not_found(NOWHERE)
    return int(cursor)


def page_size(first: int) -> int:
    """Return `first` where it is from 1 to MAX_PAGE; raises RejectionError (BAD_REQUEST)."""
    return unwrap(first if 1 <= first <= MAX_PAGE else bad("first", f"must be from 1 to {MAX_PAGE}"))


def connection[T](
    nodes: Sequence[T],
    cursors: Sequence[Cursor],
    after: str | None,
    *,
    more: bool,
    end: Cursor | None = None,
    total: int | None = None,
) -> Connection[T]:
    """Return the page after the cursor `after`; `cursors` are those of the nodes, `more` says whether others follow.

    `end` is where to go on, where that is not behind the last node. `total` is the number of all entries, where it is known.
    """
    is_whole = after is None and not more
    last = end or (cursors[-1] if cursors else None)
    return Connection(
        edges=[Edge(cursor=cursor, node=node) for cursor, node in zip(cursors, nodes, strict=True)],
        nodes=list(nodes),
        page_info=PageInfo(
            has_next_page=more,
            has_previous_page=after is not None,
            start_cursor=cursors[0] if cursors else None,
            end_cursor=last,
        ),
        next_cursor=last if more else None,
        total_count=len(nodes) if is_whole else total,
    )
