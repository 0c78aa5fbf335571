"""Execution of clients' documents that lets other tasks run between the parts of a long list."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Any, Final

from graphql import GraphQLOutputType, GraphQLResolveInfo

from graphql_api.strawberry_internals import AwaitableOrValue, CoreExecutor, FieldDetailsList, Path

ITEMS_BETWEEN_BREAKS: Final = 200  # of a list: as many as a page may hold


async def with_breaks[Each](items: Iterable[Each]) -> AsyncGenerator[Each]:
    """Yield the items, and let other tasks run before each `ITEMS_BETWEEN_BREAKS` of them."""
    for number, item in enumerate(items):
        if number % ITEMS_BETWEEN_BREAKS == 0:
            await asyncio.sleep(0)
        yield item


class CooperativeExecutor(CoreExecutor):
    """Graphql-core's executor, which completes a list longer than `ITEMS_BETWEEN_BREAKS` with breaks."""

    def complete_iterable_value(
        self,
        item_type: GraphQLOutputType,
        field_details_list: FieldDetailsList,
        info: GraphQLResolveInfo[Any],
        path: Path,
        items: Iterable[Any],
        position_context: Any,
    ) -> AwaitableOrValue[list[Any]]:
        if isinstance(items, Sequence) and len(items) > ITEMS_BETWEEN_BREAKS:
            return self.complete_async_iterator_value(
                item_type, field_details_list, info, path, with_breaks(items), position_context
            )
        return super().complete_iterable_value(item_type, field_details_list, info, path, items, position_context)
