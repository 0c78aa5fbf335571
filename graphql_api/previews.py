"""Queries that say who would gain, lose and keep access, with the rights and refusals of the changes themselves."""

from typing import Annotated

import strawberry

from contract.errors import unwrap
from domain import move, preview, share
from domain.access import Permission
from domain.errors import NOT_FOUND
from domain.item import ItemFacts, Place
from domain.questions import AccountOf, Both, Giver, HoldersOf, ItemFor, PlaceFor, SharesOf, SubtreeOf
from domain.share import Shares
from graphql_api import views
from graphql_api.arguments import Address, DestinationDrive, DestinationFolder, ItemId, folder_of_move
from graphql_api.context import Context, Info, context_of
from graphql_api.item_mutations import drive_of_folder
from graphql_api.types import AccessPreviewType


@strawberry.type
class PreviewQueries:
    @strawberry.field(
        description="Who would gain, lose and keep access if an item were moved; needs what the move needs, and is "
        "refused as it would be."
    )
    async def move_preview(
        self,
        info: Info,
        item_id: ItemId,
        drive_id: DestinationDrive = None,
        parent_id: DestinationFolder = strawberry.UNSET,
    ) -> AccessPreviewType | None:
        context = context_of(info)
        parent_id = folder_of_move(parent_id)
        to_drive = drive_id or await drive_of_folder(context, parent_id)
        asked = Both(ItemFor(context.user_id, item_id), PlaceFor(context.user_id, to_drive, parent_id))
        # Refused before anything is read that takes the longer the more people there are.
        await _may_move(context, *await context.read(asked))
        holders = Both(HoldersOf(None, item_id), HoldersOf(to_drive, parent_id))
        met, (here, there) = await context.read(Both(asked, holders))
        facts, place = await _may_move(context, *met)
        return views.access_preview(preview.of_move(facts, place, here, there, context.caller.email))

    @strawberry.field(
        description="Who would gain and keep access if an item were shared with an address; needs what sharing needs, "
        "and is refused as it would be. An address that nobody has answers as any without access."
    )
    async def share_preview(
        self,
        info: Info,
        item_id: ItemId,
        email: Address,
        permission: Annotated[Permission, strawberry.argument(description="What the share would allow.")],
    ) -> AccessPreviewType | None:
        context = context_of(info)
        own = context.caller.email
        account = await context.read(AccountOf(context.user_id))
        by = unwrap(NOT_FOUND if account is None else account)

        def may_share(facts: ItemFacts | None, shares: Shares) -> ItemFacts:
            unwrap(share.share(facts, email, permission, by, shares, context.ports.limit.grants))
            assert facts is not None
            return facts

        asked = Both(ItemFor(context.user_id, item_id), SharesOf(item_id, email))
        may_share(*await context.read(asked))  # as above
        met, holders = await context.read(Both(asked, HoldersOf(None, item_id, email)))
        return views.access_preview(
            preview.of_share(may_share(*met), holders, email, permission, Giver(by.id, by.name), own)
        )


async def _may_move(context: Context, facts: ItemFacts | None, place: Place) -> tuple[ItemFacts, Place]:
    limits = context.ports.limit.tree
    walk = facts is not None and move.needs_walk(facts, place, limits)
    below = await context.read(SubtreeOf(facts.item.id)) if facts and walk else None
    left = context.ports.quotas.left(place.drive.drive.id) if place.drive else 0
    unwrap(move.move(facts, place, below, limits, left))
    assert facts is not None
    return facts, place
