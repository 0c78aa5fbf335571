"""The private parts of strawberry and graphql-core that the server uses, each with its reason.

No other module names one of them, and tests/graphql_api/test_strawberry_internals.py holds the versions and signatures
that they were checked against.
"""

from datetime import timedelta
from enum import Enum
from keyword import iskeyword
from typing import Any

import strawberry
from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLOutputType,
    GraphQLSchema,
)

# graphql-core collects fields anew in each execution; compiled execution does so once a document
from graphql.execution.collect_fields import (
    CollectedFields,
    FieldDetailsList,
    FragmentDetails,
    GroupedFieldSet,
    collect_fields,
    collect_subfields,
)
from graphql.pyutils import AwaitableOrValue, Path, gather_with_cancel

# the test of awaitables that strawberry gives graphql-core: executors have to agree about it
from strawberry.execution import optimized_is_awaitable

# strawberry's own executor, which alone builds the `info` that its resolvers take
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext as CoreExecutor

# strawberry's WebSocket protocol, whose public views are tied to one web framework each
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler
from strawberry.subscriptions.protocols.graphql_transport_ws.types import SubscribeMessage
from strawberry.types import ExecutionContext
from strawberry.types.enum import EnumValue
from strawberry.types.field import StrawberryField
from strawberry.types.unset import UNSET

__all__ = [
    "AwaitableOrValue",
    "CollectedFields",
    "CoreExecutor",
    "FieldDetailsList",
    "FragmentDetails",
    "GroupedFieldSet",
    "Path",
    "SubscribeMessage",
    "TransportWSHandler",
    "attribute_of",
    "collect_fields",
    "collect_subfields",
    "core_schema",
    "enum_class",
    "enum_values",
    "gather_with_cancel",
    "optimized_is_awaitable",
    "requested_operation_name",
    "strawberry_field",
]


def core_schema(schema: strawberry.Schema) -> GraphQLSchema:
    """Return the graphql-core schema that strawberry wraps: what validates, prints and compiles works on that."""
    return schema._schema  # noqa: SLF001


def requested_operation_name(context: ExecutionContext) -> str | None:
    """Return the name that the request gives; the public one is that of the first operation where it gives none."""
    return context._provided_operation_name  # noqa: SLF001


def enum_values(declared: Any) -> list[EnumValue]:
    """Return the values of a declared enumeration: `strawberry.enum` takes no descriptions of another module's."""
    values: list[EnumValue] = declared.__strawberry_definition__.values
    return values


def strawberry_field(field: GraphQLField) -> StrawberryField | None:
    """Return the declaration behind a field: its metadata, and whether its resolver is asynchronous."""
    declared = field.extensions.get("strawberry-definition")
    return declared if isinstance(declared, StrawberryField) else None


def attribute_of(field: GraphQLField) -> str | None:
    """Return the attribute that a field reads, or None if it has arguments or a resolver of its own."""
    declared = strawberry_field(field)
    if declared is None or not declared.is_basic_field or field.args or declared.default_resolver is not getattr:
        return None
    return None if iskeyword(declared.python_name) else declared.python_name


def enum_class(kind: GraphQLOutputType) -> type[Enum] | None:
    """Return the Python enumeration behind an enum of the schema."""
    return getattr(kind, "wrapped_cls", None) if isinstance(kind, GraphQLEnumType) else None


class TransportWSHandler(BaseGraphQLTransportWSHandler[Any, None]):
    """The messages of `graphql-transport-ws` over any socket that reads and writes JSON."""

    def __init__(self, socket: Any, schema: strawberry.Schema, greeting: timedelta, max_operations: int) -> None:
        view: Any = _View()
        super().__init__(view, socket, None, None, schema, greeting, max_operations)


class _View:
    async def on_ws_connect(self, _: Any) -> object:
        return UNSET  # acknowledge without a payload
