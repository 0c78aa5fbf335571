"""Duplicates an item with all below it: reads it in one snapshot, computes its documents, and records them in one transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from contract.errors import RejectionError, unwrap
from documents.history.credits import Source
from documents.history.duplicate import Duplication
from domain import item
from domain.document import DocumentCopied, Image, ImageUploaded, copied_image
from domain.duplicate import Destination, LiveTree, destination, duplicate, first_version, name_of_copy, too_much
from domain.errors import NOT_FOUND, Rejection
from domain.events import Decision, Event
from domain.item import Item, ItemCreated
from domain.questions import ItemFor, LiveTreeOf, PlaceFor
from domain.values import ItemName
from graphql_api.context import Context, item_for_caller
from graphql_api.ports import LockScope, StateReader


@dataclass(frozen=True, slots=True)
class _Copies:
    """What is made of a tree: its items in their order, the ids of the copies, and the images and documents of these."""

    items: tuple[Item, ...]
    ids: Mapping[str, str]
    images: tuple[Image, ...] = ()
    documents: tuple[DocumentCopied, ...] = ()

    def events(self, created: tuple[ItemCreated, ...]) -> tuple[Event, ...]:
        drive_id = created[0].item.drive_id
        written = b"".join(each.update for each in self.documents)
        images = (ImageUploaded(each, drive_id) for each in self.images if each.id.encode() in written)
        documents = (
            event for each in self.documents for event in first_version(replace(each, drive_id=drive_id), created[0])
        )
        return (*created, *images, *documents)


async def duplicated_item(
    context: Context, item_id: str, drive_id: str | None, parent_id: str | None, name: ItemName | None
) -> str:
    """Duplicate an item once for each idempotency key, and return the id of its copy."""
    if known := await context.first_result():
        return known
    found = await context.read(ItemFor(context.user_id, item_id))
    original = unwrap(item.visible(found)).item
    where = destination(original, drive_id, parent_id)
    named = name_of_copy(original) if name is None else name
    unwrap(await _decided(context, context.ports.store, where, _Copies((original,), {item_id: item_id}), named))
    async with context.ports.reads.slot(context.user_id):
        tree = await context.ports.store.read(LiveTreeOf(item_id))
        if tree is None:
            raise RejectionError(NOT_FOUND)
        copies = await _copies(context, tree)
    copy_id = copies.ids[item_id]

    async def decide(ask: StateReader) -> Decision:
        created = await _decided(context, ask, where, copies, named)
        return created if isinstance(created, Rejection) else copies.events(created)

    touches = (
        LockScope(items=(where.parent_id,))
        if where.parent_id
        else LockScope(drives=(where.drive_id or original.drive_id,))
    )
    return await context.change(touches, decide, copy_id) or copy_id


async def _decided(
    context: Context, ask: StateReader, where: Destination, copies: _Copies, name: ItemName
) -> tuple[ItemCreated, ...] | Rejection:
    ports, original = context.ports, copies.items[0]
    found = await item_for_caller(context, original.id, ask)
    place = await ask.read(PlaceFor(context.user_id, where.drive_id, where.parent_id))
    by, now, limits = context.caller.credit, ports.clock(), ports.limit.tree
    return duplicate(found, place, where, copies.items, copies.ids, name, by, now, limits)


async def _copies(context: Context, tree: LiveTree) -> _Copies:
    """Return the copies of a tree; raises RejectionError where it is too large."""
    if refused := too_much(tree):
        raise RejectionError(refused)
    ports, now = context.ports, context.ports.clock()
    ids = {each.id: ports.ids() for each in tree.items}
    images = {each.id: copied_image(each, ids[each.item_id], now) for each in tree.images}
    by, made = context.caller.credit, list[DocumentCopied]()
    copied = ids | {source: copy.id for source, copy in images.items()}
    asked = Duplication(Source.of(by.user_id, by.agent, now), copied, ports.origin)
    for document_id, log in tree.logs.items():
        copy = await ports.documents.duplicated(document_id, log, asked, by)
        authors = tuple((each.user_id, each.agent or "", each.at.isoformat()) for each in copy.authors)
        made.append(DocumentCopied(ids[document_id], tree.items[0].drive_id, copy.update, copy.credits, authors))
    return _Copies(tree.items, ids, tuple(images.values()), tuple(made))
