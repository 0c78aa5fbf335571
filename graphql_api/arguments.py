"""Arguments that several fields take, with their descriptions."""

from datetime import datetime
from typing import Annotated

import strawberry

from contract.errors import RejectionError
from domain.item import ItemKind
from domain.questions import EventFilter
from domain.values import Email, ItemName, bad
from graphql_api.enums import EventType
from graphql_api.types import ID

ItemId = Annotated[ID, strawberry.argument(description="The item's id.")]
DocumentId = Annotated[ID, strawberry.argument(description="The document's id.")]
DriveId = Annotated[ID, strawberry.argument(description="The drive's id.")]
# The folder tells its drive; only REST and `/mcp`, whose contract was there before, need both.
DestinationDrive = Annotated[ID | None, strawberry.argument(description="The drive to move it to.")]
DestinationFolder = Annotated[ID | None, strawberry.argument(description="The folder; null for the root.")]
UserId = Annotated[ID, strawberry.argument(description="The user's id.")]
OrganizationId = Annotated[ID, strawberry.argument(description="The organization's id.")]
Name = Annotated[ItemName, strawberry.argument(description="The name, 1 to 255 characters.")]
Address = Annotated[Email, strawberry.argument(description="The e-mail address.")]
By = Annotated[ID | None, strawberry.argument(description="Only what this user did.")]
ByAgent = Annotated[
    str | None, strawberry.argument(description="Only what this agent did; empty for what people did themselves.")
]
OfItem = Annotated[ID | None, strawberry.argument(description="Only what is about this item.")]
OfTypes = Annotated[
    list[EventType] | None, strawberry.argument(description="Only events of these types, such as `itemRenamed`.")
]
OfKinds = Annotated[list[ItemKind] | None, strawberry.argument(description="Only items of these types.")]
Since = Annotated[datetime | None, strawberry.argument(description="Only what happened at this moment or later.")]


def folder_of_move(parent_id: ID | None) -> ID | None:
    """Return the folder to move to, None for the root; raises RejectionError (BAD_REQUEST) where it was left out."""
    if parent_id is strawberry.UNSET:
        raise RejectionError(bad("parentId", "is missing: send it, or `null` for the root"))
    return parent_id


def kinds_of(types: list[ItemKind] | None) -> frozenset[ItemKind] | None:
    return None if types is None else frozenset(types)


def event_filter(
    by: str | None, agent: str | None, item_id: str | None, types: list[EventType] | None, since: datetime | None
) -> EventFilter:
    """Return the filter of these arguments; raises RejectionError (BAD_REQUEST) for too many types."""
    most = len(EventType)
    if types is not None and len(types) > most:
        raise RejectionError(bad("types", f"may name at most {most} types"))
    return EventFilter(by, agent, item_id, None if types is None else frozenset(each.value for each in types), since)
