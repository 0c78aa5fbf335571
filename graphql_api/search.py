"""Object types of search: the items found, where the words were found, and an excerpt."""

from collections.abc import Sequence
from enum import StrEnum

import strawberry

from domain.credit import Author
from domain.cursor import Cursor
from domain.questions import Page, Part, SearchHit, SearchOrder
from graphql_api import views
from graphql_api.connections import NEXT_CURSOR, PageInfo, connection
from graphql_api.enums import describe
from graphql_api.object_types import DriveItem
from graphql_api.types import AuthorType, DriveItemFields, PathEntry


class SearchedPlace(StrEnum):
    name = "name"
    content = "content"


describe(
    SearchedPlace,
    "SearchedPlace",
    "Where in an item a word was found.",
    name="In its name.",
    content="In what is written in it.",
)


describe(
    SearchOrder,
    "SearchOrder",
    "The order of what a search finds.",
    relevance="The highest rank first, and of equals what was changed last.",
    date="What was changed last first.",
)


@strawberry.type(description="A stretch of an excerpt. It is plain text: whatever shows it, escapes it.")
class ExcerptPart:
    text: str = strawberry.field(description="What is written there.")
    hit: bool = strawberry.field(description="Whether it is what was searched for.")


@strawberry.type(description="An item that was found, and where.")
class SearchEdge:
    cursor: Cursor = strawberry.field(description="Its place in the list.")
    node: DriveItemFields = strawberry.field(graphql_type=DriveItem, description="The item.")
    found_in: list[SearchedPlace] = strawberry.field(description="Where the words were found.")
    excerpt: Sequence[Part] = strawberry.field(
        graphql_type=list[ExcerptPart],
        description="The part of the content with most of the words; empty where only the name was found.",
    )
    folders: list[PathEntry] = strawberry.field(description="The folders above it that you see, the root first.")
    rank: int = strawberry.field(
        description="How well it answers: 4 for each word in the name, 1 for each in the content, 1 more if whole there."
    )
    authors: Sequence[Author] = strawberry.field(
        graphql_type=list[AuthorType],
        description="Who wrote in it at `changedSince` or later, the last to write first, at most ten; nobody without it.",
    )


@strawberry.type(description="A part of what was found.")
class SearchConnection:
    edges: list[SearchEdge] = strawberry.field(description="The items with where and how well each was found.")
    nodes: list[DriveItemFields] = strawberry.field(graphql_type=list[DriveItem], description="The items alone.")
    page_info: PageInfo = strawberry.field(description="Where this part begins and ends.")
    next_cursor: Cursor | None = strawberry.field(description=NEXT_CURSOR)


def results(page: Page[SearchHit], after: str | None, origin: str) -> SearchConnection:
    nodes = [views.item_view(found.facts, origin) for found in page.rows]
    edges = [
        SearchEdge(
            cursor=cursor,
            node=node,
            found_in=_places(found),
            excerpt=found.excerpt,
            folders=[PathEntry(id=step.id, name=step.name) for step in reversed(node.above or ())],
            rank=found.rank,
            authors=found.authors,
        )
        for found, node, cursor in zip(page.rows, nodes, page.cursors, strict=True)
    ]
    plain = connection(nodes, page.cursors, after, more=page.next_cursor is not None)
    return SearchConnection(edges=edges, nodes=nodes, page_info=plain.page_info, next_cursor=plain.next_cursor)


def _places(found: SearchHit) -> list[SearchedPlace]:
    places = {SearchedPlace.name: found.in_name, SearchedPlace.content: bool(found.excerpt)}
    return [place for place, holds in places.items() if holds]
