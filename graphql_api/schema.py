"""The schema itself: what can be asked, changed and followed, and how scalars are read and written."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, cast

import strawberry
from graphql import GraphQLError, is_input_object_type
from strawberry.schema.config import StrawberryConfig
from strawberry.types.scalar import ScalarDefinition

from domain import values
from domain.cursor import CURSOR_PATTERN, MAX_CURSOR_LENGTH, Cursor, cursor
from domain.errors import Code, Rejection
from domain.values import AgentName, Email, ItemName
from graphql_api.account_mutations import AccountMutations
from graphql_api.group_mutations import GroupMutations
from graphql_api.guard import GuardedSchema
from graphql_api.limits import Limits
from graphql_api.live_mutations import LiveMutations
from graphql_api.mutations import ItemMutations
from graphql_api.queries import Query
from graphql_api.refused import accepted
from graphql_api.subscriptions import Subscription
from graphql_api.timestamp import timestamp_text
from graphql_api.types import Json
from graphql_api.version_mutations import VersionMutations


@strawberry.type(description="Everything that can be changed.")
class Mutation(ItemMutations, GroupMutations, AccountMutations, LiveMutations, VersionMutations):
    pass


def _text(name: str, description: str, parse: Callable[[str, str], str | Rejection]) -> ScalarDefinition:
    def parse_value(value: object) -> str:
        if not isinstance(value, str):
            raise GraphQLError(f"{name} must be a string", extensions={"code": Code.BAD_REQUEST.value})
        return accepted(parse(value, name))

    return strawberry.scalar(name=name, description=description, parse_value=cast("Any", parse_value))


DEFAULT_LIMITS: Final = Limits()
SCALARS: dict[object, ScalarDefinition] = {
    ItemName: _text("ItemName", "A name: 1 to 255 characters, one of them visible, none a control.", values.item_name),
    Email: _text("EmailAddress", "An e-mail address, compared in lower case and by IDNA A-labels.", values.email),
    AgentName: _text("AgentName", "The name of an agent: 1 to 64 printable characters.", values.agent_name),
    Cursor: _text(
        "Cursor",
        "A place in a list, as an answer gave it. It is opaque: at most "
        f"{MAX_CURSOR_LENGTH:,} characters of `{CURSOR_PATTERN}`. Anything else is BAD_REQUEST; one that names no place "
        "of the list is NOT_FOUND.",
        cursor,
    ),
    Json: strawberry.scalar(name="JSON", description="Any JSON value."),
    datetime: strawberry.scalar(
        name="Timestamp", description="A moment, as `2026-01-02T03:04:05.678Z`.", serialize=timestamp_text
    ),
}


def build(limits: Limits = DEFAULT_LIMITS) -> GuardedSchema:
    """Return the schema, guarded by limits on what a document may ask."""
    config = StrawberryConfig(scalar_map=SCALARS, disable_field_suggestions=True)
    schema = GuardedSchema(Query, Mutation, Subscription, config=config, limits=limits)
    for each in schema._schema.type_map.values():  # noqa: SLF001 - strawberry checks `@oneOf` but does not pass it on
        if is_input_object_type(each):
            each.is_one_of = each.extensions["strawberry-definition"].is_one_of
    return schema
