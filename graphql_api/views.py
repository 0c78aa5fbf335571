"""Views of loaded facts for one caller: with the caller's rights, and without what the caller may not see."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from contract.scalars import Json
from domain.access import (
    Authority,
    Can,
    DriveCan,
    Permission,
    Reason,
    Role,
    Step,
    authority,
    drive_authority,
    live_authority,
    visible_length,
)
from domain.commit import event_type
from domain.cursor import Cursor
from domain.document import DocumentEdited, Image
from domain.drive import Drive, DriveKind
from domain.item import Item, ItemCreated, ItemFacts, ItemKind, ItemRenamed
from domain.move import ItemMoved
from domain.organization import OrganizationMembership
from domain.preview import AccessChange, AccessLevel, AccessPreview, People, rights_of
from domain.publication import DocumentPublished, DocumentUnpublished
from domain.questions import Access, Ancestry, DriveContents, Overview, Recorded, SeenEvent, VisibleEvent
from domain.session import Session
from domain.share import ItemShared, ShareChanged, ShareRemoved
from domain.trash import ItemRestored, ItemTrashed
from domain.values import Email
from graphql_api.drive_feed import LiveEdit
from graphql_api.enums import EventType
from graphql_api.types import (
    AccessChangeType,
    AccessExplanation,
    AccessLevelType,
    AccessPreviewType,
    AccessReason,
    BrowserSession,
    DriveEvent,
    DriveFields,
    DriveItemFields,
    ImageType,
    OrganizationFields,
    ViewerEvent,
)

_FOLDERS_ONLY = {Can.createChild}
_DOCUMENTS_ONLY = {Can.publish, Can.versions}
_TRASHED_ONLY = frozenset({Can.trash, Can.deleteForever})
_PAGES = {ItemKind.folder: "folder", ItemKind.docs_workbook: "doc", ItemKind.viz_workbook: "doc"}
_OF_SHARES = frozenset(map(event_type, (ItemShared, ShareChanged, ShareRemoved)))
_SENT_TO_GRANTEES = _OF_SHARES | set(
    map(
        event_type,
        (
            DocumentEdited,
            DocumentPublished,
            DocumentUnpublished,
            ItemCreated,
            ItemMoved,
            ItemRenamed,
            ItemRestored,
            ItemTrashed,
        ),
    )
)
_DETAILS_FOR_GRANTEES = {"itemId", "driveId", "name", "email", "permission"}
_SHARED_ONLY = {DriveCan.manageMembers, DriveCan.manageOwners, DriveCan.delete}


@cache
def capabilities(can: frozenset[Can], kind: ItemKind) -> tuple[Can, ...]:
    """Return the capabilities of an item of this kind, in the order of their declaration."""
    never = _DOCUMENTS_ONLY if kind is ItemKind.folder else _FOLDERS_ONLY
    return tuple(capability for capability in Can if capability in can and capability not in never)


@cache
def drive_capabilities(can: frozenset[DriveCan], kind: DriveKind) -> tuple[DriveCan, ...]:
    never = _SHARED_ONLY if kind is DriveKind.personal else set()
    return tuple(capability for capability in DriveCan if capability in can and capability not in never)


def item_view_of(
    item: Item,
    role: Role | None,
    rights: Authority,
    *,
    parent_seen: bool,
    origin: str,
    above: Sequence[Step] | None = None,
) -> DriveItemFields:
    return DriveItemFields(
        id=item.id,
        drive_id=item.drive_id,
        parent_id=item.parent_id if parent_seen else None,
        drive_item_type=item.kind,
        name=item.name,
        created_at=item.created_at,
        updated_at=item.updated_at,
        created_by=item.created_by,
        updated_by=item.updated_by,
        published=item.slug is not None,
        public_url=None if item.slug is None else f"{origin}/p/{item.slug}",
        role=role,
        permission=rights.permission,
        capabilities=capabilities(rights.can & _TRASHED_ONLY if item.trashed_at else rights.can, item.kind),
        trashed_at=item.trashed_at,
        revision=None if item.kind is ItemKind.folder else item.sequence,
        url=item_url(item, origin),
        above=above,
    )


def item_url(item: Item, origin: str) -> str:
    """Return the address of the item's page; `origin` has no slash at its end."""
    return f"{origin}/{_PAGES[item.kind]}/{item.id}"


def item_view(facts: ItemFacts, origin: str) -> DriveItemFields:
    rights, seen = authority(facts.role, facts.path), visible_length(facts.role, facts.path)
    above = facts.path[1:seen]
    return item_view_of(facts.item, facts.role, rights, parent_seen=seen > 1, origin=origin, above=above)


def may_share(facts: ItemFacts) -> bool:
    return Can.share in facts.authority.can


def children(facts: ItemFacts, rows: Iterable[tuple[Item, Permission | None]], origin: str) -> list[DriveItemFields]:
    """Return views of an item's children: they inherit the caller's rights to it, and have their own grants."""
    inherited = live_authority(facts.role, (Step(""), *facts.path))
    above = facts.path[: visible_length(facts.role, facts.path)]
    return [
        item_view_of(
            item,
            facts.role,
            live_authority(facts.role, (Step(item.id, permission=own), *facts.path)) if own else inherited,
            parent_seen=True,
            origin=origin,
            above=above,
        )
        for item, own in rows
    ]


def ancestors(overview: Ancestry | Overview, origin: str) -> list[DriveItemFields]:
    """Return views of the ancestors that the caller sees, the root first."""
    facts = overview.facts
    seen = visible_length(facts.role, facts.path)
    return [
        item_view_of(
            ancestor,
            facts.role,
            authority(facts.role, facts.path[place:]),
            parent_seen=place + 1 < seen,
            origin=origin,
            above=facts.path[place + 1 : seen],
        )
        for place, ancestor in reversed([*enumerate(overview.ancestors, start=1)][: seen - 1])
    ]


def drive(drive: Drive, role: Role | None) -> DriveFields:
    """Return a view of a drive; without its name for callers who are no members, and see only single items of it."""
    member = role is not None
    return DriveFields(
        id=drive.id,
        name=drive.name if member else "",
        kind=drive.kind,
        organization_id=drive.organization_id if member else None,
        role=role,
        capabilities=drive_capabilities(drive_authority(role), drive.kind),
        created_at=drive.created_at,
        updated_at=drive.updated_at,
    )


def drive_items(listed: DriveContents, origin: str) -> list[DriveItemFields]:
    """Return views of a drive's items for a member: no grant reaches further than a role."""
    role, rights = listed.role, authority(listed.role, ())
    return [item_view_of(item, role, rights, parent_seen=True, origin=origin) for item in listed.items]


def organization(of: OrganizationMembership) -> OrganizationFields:
    return OrganizationFields(id=of.id, name=of.name, role=of.role, created_at=of.created_at)


def session(one: Session, asking_id: str | None) -> BrowserSession:
    return BrowserSession(
        id=one.id,
        device=one.device,
        current=one.id == asking_id,
        created_at=one.created_at,
        last_seen_at=one.last_seen_at,
    )


def image_view(stored: Image, origin: str) -> ImageType:
    return ImageType(
        id=stored.id,
        url=f"{origin}/images/{stored.id}",
        content_type=stored.content_type,
        width=stored.width,
        height=stored.height,
        byte_size=stored.byte_size,
        created_at=stored.created_at,
    )


def event(recorded: Recorded) -> DriveEvent:
    return DriveEvent(
        id=str(recorded.sequence),
        type=EventType(recorded.type),
        drive_id=recorded.drive_id,
        item_id=recorded.item_id,
        by=recorded.by,
        at=recorded.at,
        details=Json(recorded.details),
        item_name=recorded.item_name,
    )


def viewer_event(seen: VisibleEvent, own: Email) -> ViewerEvent | None:
    """Return a view of an event for a member of its drive, or for somebody who has shares; None where those see none.

    Of an item that is shared with them, callers see its edits, its name and its place in what they see, and their own shares.
    """
    recorded, details = seen.recorded, _details_seen(seen, own)
    if details is None:
        return None
    return ViewerEvent(
        id=seen.place,
        type=EventType(recorded.type),
        drive_id=recorded.drive_id,
        item_id=recorded.item_id,
        by=recorded.by,
        at=recorded.at,
        details=Json(details),
    )


def seen_event(seen: SeenEvent, own: Email) -> DriveEvent | None:
    """As `viewer_event`, for a list."""
    details = _details_seen(seen, own)
    return None if details is None else replace(event(seen.recorded), details=Json(details))


def _details_seen(seen: SeenEvent | VisibleEvent, own: Email) -> Mapping[str, object] | None:
    kind, details = seen.recorded.type, seen.recorded.details
    if seen.member:
        return details
    if kind not in _SENT_TO_GRANTEES or (kind in _OF_SHARES and details.get("email") != own):
        return None
    return {name: value for name, value in details.items() if name in _DETAILS_FOR_GRANTEES}


def viewer_notice(kind: EventType, place: Cursor) -> ViewerEvent:
    return ViewerEvent(id=place, type=kind, drive_id=None, item_id=None, by=None, at=None, details=Json({}))


def live_edit(edit: LiveEdit, last_id: str) -> DriveEvent:
    """Return the notice of an edit that has no entry in the audit; `last_id` is that of the event before it."""
    return DriveEvent(id=last_id, type=EventType.documentEdited, **_of_live_edit(edit))


def viewer_live_edit(edit: LiveEdit, place: Cursor) -> ViewerEvent:
    return ViewerEvent(id=place, type=EventType.documentEdited, **_of_live_edit(edit))


def _of_live_edit(edit: LiveEdit) -> dict[str, Any]:
    details: dict[str, object] = {"itemId": edit.item_id, "driveId": edit.drive_id, "live": True}
    if edit.is_unseen:
        who = edit.deleted_by
        details["unseen"] = {"deletedBy": who and {"userId": who.user_id, "name": who.name, "agent": who.agent}}
    return {
        "drive_id": edit.drive_id,
        "item_id": edit.item_id,
        "by": edit.by,
        "at": edit.at,
        "details": Json(details),
    }


def explanation(email: str, facts: ItemFacts, access: Access) -> AccessExplanation:
    """Return what an address may do to the item of `facts`, and why."""
    rights = rights_of(access, facts.path)
    return AccessExplanation(
        email=email,
        permission=rights.permission if rights.can else None,
        capabilities=capabilities(rights.can, facts.item.kind),
        because=[_because(reason, access) for reason in rights.because],
    )


def access_preview(preview: AccessPreview) -> AccessPreviewType:
    def changes(people: People) -> list[AccessChangeType]:
        return [_access_change(each, preview.facts.item.kind) for each in people.named]

    return AccessPreviewType(
        gains=changes(preview.gains),
        loses=changes(preview.loses),
        keeps=changes(preview.keeps),
        other_gains=preview.gains.others,
        other_loses=preview.loses.others,
        other_keeps=preview.keeps.others,
    )


def _access_change(change: AccessChange, kind: ItemKind) -> AccessChangeType:
    before, after = change.before, change.after
    level, other = (before, after) if before.rights.can > after.rights.can else (after, before)
    kept = before.rights.can == after.rights.can
    return AccessChangeType(
        email=change.email,
        user_id=change.user_id,
        name=change.name,
        before=_access_level(before, kind),
        after=_access_level(after, kind),
        because=[
            _because(reason, level.access)
            for reason in level.rights.because
            if kept or reason not in other.rights.because
        ],
    )


def _access_level(level: AccessLevel, kind: ItemKind) -> AccessLevelType:
    return AccessLevelType(
        permission=level.rights.permission if level.rights.can else None,
        role=level.access.role,
        capabilities=capabilities(level.rights.can, kind),
    )


def _because(reason: Reason, access: Access) -> AccessReason:
    if reason.item_id is None:
        giver = access.role_given_by
        return AccessReason(
            role=access.role,
            permission=None,
            item_id=None,
            item_name=None,
            given_by=giver.user_id if giver else None,
            given_by_name=giver.name if giver else None,
            given_at=None,
        )
    grant = next(grant for grant in access.grants if grant.item_id == reason.item_id)
    return AccessReason(
        role=None,
        permission=grant.permission,
        item_id=grant.item_id,
        item_name=grant.item_name,
        given_by=grant.given_by.user_id,
        given_by_name=grant.given_by.name,
        given_at=grant.given_at,
    )
