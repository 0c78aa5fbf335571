"""What can be changed about items: each field loads facts, lets the domain decide, and records what it decided."""

import base64
import binascii
from collections.abc import Awaitable, Callable
from typing import Annotated

import strawberry

from domain import document, item, key, move, publication, share, trash
from domain.access import Permission
from domain.account import Account
from domain.credit import Credit
from domain.document import Computed, DocumentEdited
from domain.errors import Code, Rejection
from domain.events import Event
from domain.item import ItemFacts, ItemKind
from domain.questions import Both, ItemFor, PlaceFor, SharesOf, SubtreeOf
from domain.share import Shares
from domain.values import Email, ItemName, bad
from graphql_api import present
from graphql_api.context import (
    Asked,
    Changed,
    Context,
    Decide,
    Decision,
    acting,
    context_of,
    only_id_asked,
    upon,
    upon_both,
)
from graphql_api.edits import EditInput, form
from graphql_api.nodes import DriveItem
from graphql_api.ports import Reader, Touches
from graphql_api.queries import DriveId, ItemId
from graphql_api.refused import Refused, accepted
from graphql_api.types import ID, Deleted, DriveItemFields, RemovedShare

SLUG_LENGTH = 22

type ShownItem = DriveItemFields | Changed

Name = Annotated[ItemName, strawberry.argument(description="The name, 1 to 255 characters.")]
Address = Annotated[Email, strawberry.argument(description="The e-mail address.")]
Granted = Annotated[Permission, strawberry.argument(description="What the share allows.")]
ItemType = Annotated[ItemKind, strawberry.argument(description="What to make.")]


async def _item(context: Context, item_id: str) -> DriveItemFields:
    facts = accepted(trash.in_trash(await context.read(ItemFor(context.user_id, item_id))))
    return present.shown(facts, context.ports.origin)


async def _decided(info: Asked, item_id: str, decide: Decide) -> ShownItem:
    context = context_of(info)
    before = await context.change(Touches(items=(item_id,), documents=(item_id,)), decide, item_id)
    if before is None and only_id_asked(info):
        return Changed(item_id)
    return await _item(context, item_id)


async def _changed(info: Asked, item_id: str, rule: Callable[[ItemFacts | None], Decision]) -> ShownItem:
    return await _decided(info, item_id, upon(ItemFor(context_of(info).user_id, item_id), rule))


async def _reshared(
    info: Asked, item_id: str, email: Email, rule: Callable[[ItemFacts | None, Account, Shares], Decision]
) -> ShownItem:
    user_id = context_of(info).user_id

    async def decide(ask: Reader) -> Decision:
        facts, shares = await ask.read(Both(ItemFor(user_id, item_id), SharesOf(item_id, email)))
        return rule(facts, await acting(ask, user_id), shares)

    return await _decided(info, item_id, decide)


def _decoded(update: str, most: int) -> bytes:
    try:
        content = base64.b64decode(update, validate=True)
    except (binascii.Error, ValueError) as fault:
        raise Refused(Rejection(Code.BAD_REQUEST, "`update` must be base64")) from fault
    if len(content) > most:
        raise Refused(Rejection(Code.PAYLOAD_TOO_LARGE, f"`update` must have at most {most} bytes"))
    return content


async def _created(
    context: Context, touches: Touches, place: PlaceFor, name: ItemName, kind: ItemKind
) -> DriveItemFields:
    ports, new_id = context.ports, context.ports.ids()

    async def decide(ask: Reader) -> Decision:
        found = await ask.read(place)
        made = item.create(found, new_id, name, kind, context.caller.credit, ports.clock(), ports.limit.tree)
        if isinstance(made, Rejection):
            return made
        first = ports.documents.first_update(kind)
        begun: tuple[Event, ...] = (DocumentEdited(new_id, made[0].item.drive_id, first),) if first else ()
        return (*made, *begun)

    return await _item(context, await context.change(touches, decide, new_id) or new_id)


async def _computed(
    context: Context, document_id: str, compute: Callable[[Credit], Awaitable[Computed | Rejection]]
) -> DriveItemFields:
    """Add to a document what is computed of it as it is when somebody asks, outside of any transaction and lock.

    Rights are looked at before that, so that nothing is done for who may not edit, and again with the lock.
    """
    if await context.answered():
        return await _item(context, document_id)
    facts = ItemFor(context.user_id, document_id)
    accepted(document.editable(await context.ports.store.read(facts), "edit this document"))
    made = accepted(await compute(context.caller.credit))

    async def decide(ask: Reader) -> Decision:
        edited = document.edit(await ask.read(facts), made.update)
        if isinstance(edited, Rejection) or not made.update:
            return edited if isinstance(edited, Rejection) else ()
        return await context.ports.documents.fits(document_id, made, context.caller.credit, ask) or edited

    await context.change(Touches(items=(document_id,), documents=(document_id,)), decide)
    return await _item(context, document_id)


@strawberry.type
class ItemMutations:
    @strawberry.mutation(graphql_type=DriveItem, description="Give an item another name.")
    async def rename_item(self, info: Asked, item_id: ItemId, name: Name) -> ShownItem:
        return await _changed(info, item_id, lambda facts: item.rename(facts, name))

    @strawberry.mutation(
        graphql_type=DriveItem | None,
        description="Move an item, with all below it, into a folder or to the root of a drive.\n\n"
        "Null where the move took it out of your sight.",
    )
    async def move_item(
        self,
        info: Asked,
        item_id: ItemId,
        drive_id: Annotated[ID, strawberry.argument(description="The drive to move it to.")],
        parent_id: Annotated[
            ID | None, strawberry.argument(description="The folder; null for the root.")
        ] = strawberry.UNSET,
    ) -> DriveItemFields | None:
        if parent_id is strawberry.UNSET:
            raise Refused(bad("parentId", "is missing: send it, or `null` for the root"))
        context = context_of(info)
        limits = context.ports.limit.tree

        async def decide(ask: Reader) -> Decision:
            place_of = PlaceFor(context.user_id, drive_id, parent_id)
            facts, place = await ask.read(Both(ItemFor(context.user_id, item_id), place_of))
            walk = facts is not None and move.needs_walk(facts, place, limits)
            return move.move(facts, place, await ask.read(SubtreeOf(item_id)) if walk else None, limits)

        touched = (item_id, parent_id) if parent_id else (item_id,)
        await context.change(Touches(items=touched, drives=(drive_id,), documents=(item_id,)), decide, item_id)
        facts = item.visible(await context.read(ItemFor(context.user_id, item_id)))
        return None if isinstance(facts, Rejection) else present.shown(facts, context.ports.origin)

    @strawberry.mutation(graphql_type=DriveItem, description="Make an item in a folder.")
    async def create_child(
        self, info: Asked, item_id: ItemId, name: Name, drive_item_type: ItemType
    ) -> DriveItemFields:
        context = context_of(info)
        place = PlaceFor(context.user_id, None, item_id)
        return await _created(context, Touches(items=(item_id,)), place, name, drive_item_type)

    @strawberry.mutation(graphql_type=DriveItem, description="Make an item at the root of a drive.")
    async def create_item(
        self, info: Asked, drive_id: DriveId, name: Name, drive_item_type: ItemType
    ) -> DriveItemFields:
        context = context_of(info)
        place = PlaceFor(context.user_id, drive_id, None)
        return await _created(context, Touches(drives=(drive_id,)), place, name, drive_item_type)

    @strawberry.mutation(graphql_type=DriveItem, description="Share an item with an e-mail address.")
    async def share_item(self, info: Asked, item_id: ItemId, email: Address, permission: Granted) -> ShownItem:
        most = context_of(info).ports.limit.grants
        return await _reshared(
            info, item_id, email, lambda facts, by, shares: share.share(facts, email, permission, by, shares, most)
        )

    @strawberry.mutation(graphql_type=DriveItem, description="Change what a share allows.")
    async def update_share(self, info: Asked, item_id: ItemId, email: Address, permission: Granted) -> ShownItem:
        return await _reshared(
            info, item_id, email, lambda facts, by, shares: share.update(facts, email, permission, by, shares)
        )

    @strawberry.mutation(description="End a share; your own, or any where you may share the item.")
    async def remove_share(self, info: Asked, item_id: ItemId, email: Address) -> RemovedShare:
        context = context_of(info)
        decide = upon_both(
            ItemFor(context.user_id, item_id),
            SharesOf(item_id, email),
            lambda facts, shares: share.remove(facts, email, context.caller.email, shares),
        )
        await context.change(Touches(items=(item_id,)), decide)
        return RemovedShare(item_id=item_id, email=email)

    @strawberry.mutation(graphql_type=DriveItem, description="Give a document a public page, or take it away.")
    async def set_publication(
        self,
        info: Asked,
        item_id: ItemId,
        published: Annotated[bool, strawberry.argument(description="Whether it shall have one.")],
    ) -> ShownItem:
        slug, user_id = key.base62(context_of(info).ports.secrets(), SLUG_LENGTH), context_of(info).user_id

        async def decide(ask: Reader) -> Decision:
            facts, by = await ask.read(ItemFor(user_id, item_id)), await acting(ask, user_id)
            return publication.set_publication(facts, published=published, new_slug=slug, by=by)

        return await _decided(info, item_id, decide)

    @strawberry.mutation(
        graphql_type=DriveItem, description="Put an item, with all below it, in the trash for 30 days."
    )
    async def trash_item(self, info: Asked, item_id: ItemId) -> ShownItem:
        return await _changed(info, item_id, trash.trash)

    @strawberry.mutation(
        graphql_type=DriveItem,
        description="Bring an item back from the trash: to its folder, else to the nearest one above that is not in "
        "the trash, else to the root; `parentId` says where. There must be room for it, since what is in the trash "
        "takes none.",
    )
    async def restore_item(self, info: Asked, item_id: ItemId) -> ShownItem:
        context = context_of(info)
        limits = context.ports.limit.tree

        async def decide(ask: Reader) -> Decision:
            back = trash.restore_target(await ask.read(ItemFor(context.user_id, item_id)))
            if not isinstance(back, trash.ItemRestored):
                return back
            home = PlaceFor(context.user_id, back.drive_id, back.parent_id)
            return trash.restore(back, *await ask.read(Both(home, SubtreeOf(item_id))), limits)

        return await _decided(info, item_id, decide)

    @strawberry.mutation(description="Delete an item that is in the trash, with all below it, for ever.")
    async def delete_item_forever(self, info: Asked, item_id: ItemId) -> Deleted:
        context = context_of(info)
        decide = upon(ItemFor(context.user_id, item_id), trash.delete_forever)
        await context.change(Touches(items=(item_id,)), decide)
        return Deleted(id=item_id)

    @strawberry.mutation(
        graphql_type=DriveItem,
        description="Add a Yjs update made elsewhere to a document, such as the whole state of one that moves here.",
    )
    async def import_yjs_update(
        self,
        info: Asked,
        document_id: Annotated[ID, strawberry.argument(description="The document's id.")],
        update: Annotated[str, strawberry.argument(description="The update (Yjs, version 1) in base64.")],
    ) -> DriveItemFields:
        context = context_of(info)
        content = _decoded(update, context.ports.limit.update_bytes)
        return await _computed(
            context, document_id, lambda by: context.ports.documents.checked(document_id, content, by)
        )

    @strawberry.mutation(
        graphql_type=DriveItem,
        description="Edit a document in Markdown. Only what differs is changed, so what others write meanwhile stays, "
        "and so does all that Markdown cannot say.",
    )
    async def edit_document(
        self,
        info: Asked,
        document_id: Annotated[ID, strawberry.argument(description="The document's id.")],
        edit: Annotated[EditInput, strawberry.argument(description="What to do to its Markdown.")],
    ) -> DriveItemFields:
        context, wanted = context_of(info), form(edit)
        return await _computed(context, document_id, lambda by: context.ports.documents.edited(document_id, wanted, by))
