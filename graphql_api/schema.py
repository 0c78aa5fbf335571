"""The GraphQL schema: its root types."""

from typing import Final

import strawberry
from strawberry.schema.config import StrawberryConfig

from graphql_api.account_mutations import AccountMutations
from graphql_api.change_mutations import ChangeMutations
from graphql_api.document_mutations import DocumentMutations
from graphql_api.drive_mutations import DriveMutations
from graphql_api.image_mutations import ImageMutations
from graphql_api.item_mutations import ItemMutations
from graphql_api.key_mutations import KeyMutations
from graphql_api.organization_mutations import OrganizationMutations
from graphql_api.queries import Query
from graphql_api.query_limits import QueryLimits
from graphql_api.request_limits import LimitedSchema
from graphql_api.scalar_types import scalar_map
from graphql_api.subscriptions import Subscription
from graphql_api.version_mutations import VersionMutations

DEFAULT_LIMITS: Final = QueryLimits()


@strawberry.type(description="Everything that can be changed.")
class Mutation(
    ItemMutations,
    ImageMutations,
    DocumentMutations,
    VersionMutations,
    ChangeMutations,
    DriveMutations,
    OrganizationMutations,
    KeyMutations,
    AccountMutations,
):
    pass


def build(limits: QueryLimits = DEFAULT_LIMITS) -> LimitedSchema:
    """Return the schema; `limits` bound what a client's document may ask of it."""
    config = StrawberryConfig(scalar_map=scalar_map())
    return LimitedSchema(Query, Mutation, Subscription, config=config, limits=limits)
