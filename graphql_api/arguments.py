"""Arguments that several fields take, with their descriptions."""

from typing import Annotated

import strawberry

from domain.values import Email, ItemName
from graphql_api.types import ID

ItemId = Annotated[ID, strawberry.argument(description="The item's id.")]
DocumentId = Annotated[ID, strawberry.argument(description="The document's id.")]
DriveId = Annotated[ID, strawberry.argument(description="The drive's id.")]
UserId = Annotated[ID, strawberry.argument(description="The user's id.")]
OrganizationId = Annotated[ID, strawberry.argument(description="The organization's id.")]
Name = Annotated[ItemName, strawberry.argument(description="The name, 1 to 255 characters.")]
Address = Annotated[Email, strawberry.argument(description="The e-mail address.")]
