"""The GraphQL schema: its root types, and its scalars from the table."""

from collections.abc import Callable
from typing import Any, Final

import strawberry
from strawberry.schema.config import StrawberryConfig
from strawberry.types.scalar import ScalarDefinition

from graphql_api.account_mutations import AccountMutations
from graphql_api.document_mutations import DocumentMutations
from graphql_api.drive_mutations import DriveMutations
from graphql_api.errors import unwrap
from graphql_api.item_mutations import ItemMutations
from graphql_api.key_mutations import KeyMutations
from graphql_api.organization_mutations import OrganizationMutations
from graphql_api.queries import Query
from graphql_api.query_limits import QueryLimits
from graphql_api.request_limits import LimitedSchema
from graphql_api.scalars import SCALARS, Scalar
from graphql_api.strawberry_internals import mark_one_of_inputs
from graphql_api.subscriptions import Subscription
from graphql_api.version_mutations import VersionMutations

DEFAULT_LIMITS: Final = QueryLimits()


@strawberry.type(description="Everything that can be changed.")
class Mutation(
    ItemMutations,
    DocumentMutations,
    VersionMutations,
    DriveMutations,
    OrganizationMutations,
    KeyMutations,
    AccountMutations,
):
    pass


def build(limits: QueryLimits = DEFAULT_LIMITS) -> LimitedSchema:
    """Return the schema; `limits` bound what a client's document may ask of it."""
    scalars = {each.python_type: _definition(each) for each in SCALARS.values() if each.python_type}
    config = StrawberryConfig(scalar_map=scalars, disable_field_suggestions=True)
    schema = LimitedSchema(Query, Mutation, Subscription, config=config, limits=limits)
    mark_one_of_inputs(schema)
    return schema


def _definition(scalar: Scalar) -> ScalarDefinition:
    return strawberry.scalar(
        name=scalar.name,
        description=scalar.description,
        serialize=scalar.serialize,
        parse_value=_parser(scalar),
    )


def _parser(scalar: Scalar) -> Callable[[Any], Any] | None:
    parse = scalar.parse
    return None if parse is None else lambda value: unwrap(parse(value, scalar.name))
