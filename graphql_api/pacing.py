"""Execution of clients' documents that lets others run between the parts of a long list."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Any, Final

from graphql import GraphQLOutputType, GraphQLResolveInfo
from graphql.execution.collect_fields import FieldDetailsList
from graphql.pyutils import AwaitableOrValue, Path
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

MAX_AT_ONCE: Final = 200  # items of a list that are completed without a break: as many as a page may hold


class PacedExecutor(StrawberryGraphQLCoreExecutionContext):
    """Graphql-core's executor; the overridden method is private to it, and its version is pinned."""

    def complete_iterable_value(
        self,
        item_type: GraphQLOutputType,
        field_details_list: FieldDetailsList,
        info: GraphQLResolveInfo[Any],
        path: Path,
        items: Iterable[Any],
        position_context: Any,
    ) -> AwaitableOrValue[list[Any]]:
        if isinstance(items, Sequence) and len(items) > MAX_AT_ONCE:
            return self.complete_async_iterator_value(
                item_type, field_details_list, info, path, _with_breaks(items), position_context
            )
        return super().complete_iterable_value(item_type, field_details_list, info, path, items, position_context)


async def _with_breaks(items: Sequence[Any]) -> AsyncGenerator[Any]:
    for number, item in enumerate(items):
        if number % MAX_AT_ONCE == 0:
            await asyncio.sleep(0)
        yield item
