"""Mutations of folders and documents as items of a drive: their names, places, shares and public pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated

import strawberry

from contract.errors import RejectionError, unwrap
from documents.editing.edit import Whole
from documents.editing.edit_report import Lost
from domain import item, key, move, publication, share, star, trash
from domain.access import Permission
from domain.account import Account
from domain.document import DocumentEdited
from domain.errors import Rejection
from domain.events import Decision
from domain.item import ItemFacts, ItemKind
from domain.mail import Mail, ShareMail
from domain.questions import AccountOf, Both, ItemFor, PlaceFor, SharesOf, StarsFor, SubtreeOf
from domain.share import Shares
from domain.star import Stars
from domain.values import Email, ItemName, bad
from graphql_api import views
from graphql_api.arguments import Address, DestinationDrive, DestinationFolder, DriveId, ItemId, Name, folder_of_move
from graphql_api.context import (
    ChangedItem,
    Context,
    Decide,
    Info,
    context_of,
    decide_with,
    only_id_asked,
    require_account,
    unless_written_meanwhile,
)
from graphql_api.copied_images import CopiedImages, copied_images, named_images
from graphql_api.duplicates import duplicated_item
from graphql_api.object_types import DriveItem
from graphql_api.ports import LockScope, StateReader
from graphql_api.types import ID, DeletedType, DriveItemFields, RemovedShare

SLUG_LENGTH = 22

CopyDrive = Annotated[
    ID | None, strawberry.argument(description="The drive of the copy, at its root unless a folder is named.")
]
CopyFolder = Annotated[ID | None, strawberry.argument(description="The folder of the copy.")]
CopyName = Annotated[
    ItemName | None,
    strawberry.argument(description="The name of the copy; left out, `Copy of` and the name of the item."),
]

type ItemOrId = DriveItemFields | ChangedItem

Granted = Annotated[Permission, strawberry.argument(description="What the share allows.")]
ShareMessage = Annotated[
    str,
    strawberry.argument(
        description=f"What the e-mail about the share says beside its link, at most {share.MAX_MESSAGE} characters; it is deleted "
        "once that was sent, and without a mail server nobody gets it."
    ),
]
ItemType = Annotated[ItemKind, strawberry.argument(description="What to make.")]
Content = Annotated[
    str | None,
    strawberry.argument(
        description="What a document says from the beginning, as Markdown; not of a folder. Images of other documents that you "
        "may read are copied; `lost` tells what was left out."
    ),
]


async def item_of(context: Context, item_id: str) -> DriveItemFields:
    facts = unwrap(trash.in_trash(await context.read(ItemFor(context.user_id, item_id))))
    return views.item_view(facts, context.ports.origin)


async def drive_of_folder(context: Context, folder_id: str | None) -> str:
    """Return the drive of the folder to move to; raises RejectionError where there is no folder, or the caller sees none."""
    if folder_id is None:
        raise RejectionError(bad("driveId", "is missing: send it to move something to the root of a drive"))
    return unwrap(item.visible(await context.read(ItemFor(context.user_id, folder_id)))).item.drive_id


async def _decided(info: Info, item_id: str, decide: Decide, mail: Mail | None = None) -> ItemOrId:
    context = context_of(info)
    scope = LockScope(items=(item_id,), documents=(item_id,), may_end_access=True)
    before = await context.change(scope, decide, item_id, mail)
    if before is None and only_id_asked(info):
        return ChangedItem(item_id)
    return await item_of(context, item_id)


async def _changed(info: Info, item_id: str, rule: Callable[[ItemFacts | None], Decision]) -> ItemOrId:
    return await _decided(info, item_id, decide_with(ItemFor(context_of(info).user_id, item_id), rule))


async def _reshared(
    info: Info,
    item_id: str,
    email: Email,
    rule: Callable[[ItemFacts | None, Account, Shares], Decision],
    mail: Mail | None = None,
) -> ItemOrId:
    user_id = context_of(info).user_id

    async def decide(ask: StateReader) -> Decision:
        known = Both(ItemFor(user_id, item_id), SharesOf(item_id, email))
        (facts, shares), account = await ask.read(Both(known, AccountOf(user_id)))
        return rule(facts, require_account(account), shares)

    return await _decided(info, item_id, decide, mail)


async def _starred(info: Info, item_id: str, rule: Callable[[ItemFacts | None, str, Stars], Decision]) -> ItemOrId:
    user_id = context_of(info).user_id
    facts, stars = ItemFor(user_id, item_id), StarsFor(user_id, item_id)
    decide = decide_with(facts, stars, lambda facts, stars: rule(facts, user_id, stars))
    await context_of(info).change(LockScope(items=(item_id,)), decide, item_id)
    return await item_of(context_of(info), item_id)


@dataclass(frozen=True, slots=True)
class _Content:
    """What a new item begins with: an update, if any; the images that it brings; what of its text was left out."""

    update: bytes | None
    images: CopiedImages = field(default_factory=CopiedImages)
    lost: Sequence[Lost] | None = None


async def _content_of(context: Context, new_id: str, kind: ItemKind, content: str | None) -> _Content:
    """Return what a new item begins with; raises RejectionError where its content cannot be made."""
    ports = context.ports
    if content is None:
        return _Content(ports.documents.first_update(kind))
    if kind is ItemKind.folder:
        raise RejectionError(bad("content", "is for documents: leave it out for a folder"))
    named = named_images(Whole(content))
    images = await copied_images(ports.store, context.user_id, new_id, named, ports.clock())
    made = await ports.documents.written(content, images.ids, context.caller.credit)
    if isinstance(made, Rejection):
        raise RejectionError(replace(made, message=made.message.replace("`replace`", "`content`", 1)))
    return _Content(made.update, images, [*images.lost(), *made.lost])


async def _created(
    context: Context, touches: LockScope, place: PlaceFor, name: ItemName, kind: ItemKind, content: str | None
) -> DriveItemFields:
    ports, new_id = context.ports, context.ports.ids()

    async def attempt() -> DriveItemFields:
        begins = await _content_of(context, new_id, kind, content)

        async def decide(ask: StateReader) -> Decision:
            found = await ask.read(place)
            made = item.create(found, new_id, name, kind, context.caller.credit, ports.clock(), ports.limit.tree)
            if isinstance(made, Rejection) or not begins.update:
                return made
            drive_id = made[0].item.drive_id
            copies = await begins.images.recorded(ask, context.user_id, begins.update, drive_id)
            if isinstance(copies, Rejection):
                return copies
            return (*made, DocumentEdited(new_id, drive_id, begins.update), *copies)

        # the images are read in places that the locks do not cover
        scope = replace(touches, covers_reads=not begins.images.new)
        made = await item_of(context, await context.change(scope, decide, new_id) or new_id)
        return replace(made, lost=begins.lost)

    return await unless_written_meanwhile(attempt)


@strawberry.type
class ItemMutations:
    @strawberry.mutation(graphql_type=DriveItem, description="Give an item another name.")
    async def rename_item(self, info: Info, item_id: ItemId, name: Name) -> ItemOrId:
        return await _changed(info, item_id, partial(item.rename, name=name))

    @strawberry.mutation(
        graphql_type=DriveItem | None,
        description="Move an item, with all below it, into a folder or to the root of a drive.\n\n"
        "Null where the move took it out of your sight.",
    )
    async def move_item(
        self,
        info: Info,
        item_id: ItemId,
        drive_id: DestinationDrive = None,
        parent_id: DestinationFolder = strawberry.UNSET,
    ) -> DriveItemFields | None:
        context = context_of(info)
        parent_id = folder_of_move(parent_id)
        to_drive = drive_id or await drive_of_folder(context, parent_id)
        limits = context.ports.limit.tree

        async def decide(ask: StateReader) -> Decision:
            place_of = PlaceFor(context.user_id, to_drive, parent_id)
            facts, place = await ask.read(Both(ItemFor(context.user_id, item_id), place_of))
            walk = facts is not None and move.needs_walk(facts, place, limits)
            below = await ask.read(SubtreeOf(item_id)) if walk else None
            return move.move(facts, place, below, limits, context.ports.quotas.left(to_drive))

        touched = (item_id, parent_id) if parent_id else (item_id,)
        scope = LockScope(
            items=touched, drives=(to_drive,), documents=(item_id,), covers_reads=True, may_end_access=True
        )
        await context.change(scope, decide, item_id)
        facts = item.visible(await context.read(ItemFor(context.user_id, item_id)))
        return None if isinstance(facts, Rejection) else views.item_view(facts, context.ports.origin)

    @strawberry.mutation(graphql_type=DriveItem, description="Make an item in a folder.")
    async def create_child(
        self, info: Info, item_id: ItemId, name: Name, drive_item_type: ItemType, content: Content = None
    ) -> DriveItemFields:
        context = context_of(info)
        place = PlaceFor(context.user_id, None, item_id)
        touches = LockScope(items=(item_id,), covers_reads=True)
        return await _created(context, touches, place, name, drive_item_type, content)

    @strawberry.mutation(graphql_type=DriveItem, description="Make an item at the root of a drive.")
    async def create_item(
        self, info: Info, drive_id: DriveId, name: Name, drive_item_type: ItemType, content: Content = None
    ) -> DriveItemFields:
        context = context_of(info)
        place = PlaceFor(context.user_id, drive_id, None)
        touches = LockScope(drives=(drive_id,), covers_reads=True)
        return await _created(context, touches, place, name, drive_item_type, content)

    @strawberry.mutation(
        graphql_type=DriveItem,
        description="Copy an item, with all below it that is not in the trash, as of one moment: into a folder, to the root of a "
        "drive, or else beside it. Who wrote the text stays; shares, public pages and history are not copied. Links inside "
        "what is copied lead to the copies.",
    )
    async def duplicate_item(
        self,
        info: Info,
        item_id: ItemId,
        drive_id: CopyDrive = None,
        parent_id: CopyFolder = None,
        name: CopyName = None,
    ) -> DriveItemFields:
        context = context_of(info)
        return await item_of(context, await duplicated_item(context, item_id, drive_id, parent_id, name))

    @strawberry.mutation(graphql_type=DriveItem, description="Share an item with an e-mail address.")
    async def share_item(
        self, info: Info, item_id: ItemId, email: Address, permission: Granted, message: ShareMessage = ""
    ) -> ItemOrId:
        if len(message) > share.MAX_MESSAGE:
            raise RejectionError(bad("message", f"must have at most {share.MAX_MESSAGE} characters"))
        context = context_of(info)
        most, caller = context.ports.limit.grants, context.caller
        mail = ShareMail(email, item_id, caller.user_id, caller.name, message)
        return await _reshared(
            info,
            item_id,
            email,
            lambda facts, by, shares: share.share(facts, email, permission, by, shares, most),
            mail if context.ports.mail.delivers else None,
        )

    @strawberry.mutation(graphql_type=DriveItem, description="Change what a share allows.")
    async def update_share(self, info: Info, item_id: ItemId, email: Address, permission: Granted) -> ItemOrId:
        return await _reshared(
            info, item_id, email, lambda facts, by, shares: share.update(facts, email, permission, by, shares)
        )

    @strawberry.mutation(description="End a share; your own, or any where you may share the item.")
    async def remove_share(self, info: Info, item_id: ItemId, email: Address) -> RemovedShare:
        context = context_of(info)
        decide = decide_with(
            ItemFor(context.user_id, item_id),
            SharesOf(item_id, email),
            lambda facts, shares: share.remove(facts, email, context.caller.email, shares),
        )
        await context.change(LockScope(items=(item_id,), may_end_access=True), decide)
        return RemovedShare(item_id=item_id, email=email)

    @strawberry.mutation(
        graphql_type=DriveItem,
        description=f"Star an item that you see, to find it again in `viewer {{ starred }}`: at most {star.MAX_STARS}. Nobody else is told.",
    )
    async def star_item(self, info: Info, item_id: ItemId) -> ItemOrId:
        return await _starred(info, item_id, star.star)

    @strawberry.mutation(graphql_type=DriveItem, description="Take your star from an item.")
    async def unstar_item(self, info: Info, item_id: ItemId) -> ItemOrId:
        return await _starred(info, item_id, star.unstar)

    @strawberry.mutation(graphql_type=DriveItem, description="Give a document a public page, or take it away.")
    async def set_publication(
        self,
        info: Info,
        item_id: ItemId,
        published: Annotated[bool, strawberry.argument(description="Whether it shall have one.")],
    ) -> ItemOrId:
        slug, user_id = key.base62(context_of(info).ports.secrets(), SLUG_LENGTH), context_of(info).user_id

        async def decide(ask: StateReader) -> Decision:
            facts, account = await ask.read(Both(ItemFor(user_id, item_id), AccountOf(user_id)))
            by = require_account(account)
            return publication.set_publication(facts, published=published, new_slug=slug, by=by)

        return await _decided(info, item_id, decide)

    @strawberry.mutation(
        graphql_type=DriveItem, description="Put an item, with all below it, in the trash for 30 days."
    )
    async def trash_item(self, info: Info, item_id: ItemId) -> ItemOrId:
        return await _changed(info, item_id, trash.trash)

    @strawberry.mutation(
        graphql_type=DriveItem,
        description="Bring an item back from the trash: to its folder, else to the nearest one above that is not in "
        "the trash, else to the root; `parentId` says where. There must be room for it, since what is in the trash "
        "takes none.",
    )
    async def restore_item(self, info: Info, item_id: ItemId) -> ItemOrId:
        context = context_of(info)
        limits = context.ports.limit.tree

        async def decide(ask: StateReader) -> Decision:
            back = trash.restore_target(await ask.read(ItemFor(context.user_id, item_id)))
            if not isinstance(back, trash.ItemRestored):
                return back
            home = PlaceFor(context.user_id, back.drive_id, back.parent_id)
            return trash.restore(back, *await ask.read(Both(home, SubtreeOf(item_id))), limits)

        return await _decided(info, item_id, decide)

    @strawberry.mutation(description="Delete an item that is in the trash, with all below it, for ever.")
    async def delete_item_forever(self, info: Info, item_id: ItemId) -> DeletedType:
        context = context_of(info)
        decide = decide_with(ItemFor(context.user_id, item_id), trash.delete_forever)
        await context.change(LockScope(items=(item_id,), may_end_access=True), decide)
        return DeletedType(id=item_id)
