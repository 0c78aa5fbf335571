"""How what was loaded is shown to whoever asks: their rights beside it, what they may not see left out."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Final, cast

import msgspec

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
from domain.credit import Credit
from domain.document import Image as StoredImage
from domain.drive import Drive, DriveKind
from domain.item import Item, ItemFacts, ItemKind
from domain.organization import OrganizationMembership
from domain.questions import Access, Ancestry, DriveContents, Grant, Overview, Recorded
from domain.session import Session
from graphql_api.kept import Kept, Lasting
from graphql_api.types import (
    AccessExplanation,
    AccessReason,
    BrowserSession,
    DriveEvent,
    DriveFields,
    DriveItemFields,
    Image,
    Json,
    OrganizationFields,
)

_FOLDERS_ONLY = {Can.createChild}
_DOCUMENTS_ONLY = {Can.publish, Can.versions}
_TRASHED_ONLY = frozenset({Can.trash, Can.deleteForever})
_PAGES = {ItemKind.folder: "folder", ItemKind.docs_workbook: "doc", ItemKind.viz_workbook: "doc"}
_SHARED_ONLY = {DriveCan.manageMembers, DriveCan.manageOwners, DriveCan.delete}
MAX_LISTED: Final = 5_000


@cache
def offered(can: frozenset[Can], kind: ItemKind) -> tuple[Can, ...]:
    """Return what may be done to an item of this kind, in the order in which capabilities are declared."""
    never = _DOCUMENTS_ONLY if kind is ItemKind.folder else _FOLDERS_ONLY
    return tuple(capability for capability in Can if capability in can and capability not in never)


@cache
def drive_offered(can: frozenset[DriveCan], kind: DriveKind) -> tuple[DriveCan, ...]:
    never = _SHARED_ONLY if kind is DriveKind.personal else set()
    return tuple(capability for capability in DriveCan if capability in can and capability not in never)


class ShownItem(msgspec.Struct, frozen=True, gc=False):
    """The fields of `DriveItemFields`, which a test holds it to: long lists are made of these in half the time."""

    id: str
    drive_id: str
    parent_id: str | None
    drive_item_type: ItemKind
    name: str
    created_at: datetime
    updated_at: datetime
    created_by: Credit
    updated_by: Credit
    published: bool
    public_url: str | None
    role: Role | None
    permission: Permission
    capabilities: Sequence[Can]
    trashed_at: datetime | None
    revision: int | None
    url: str


class ListedItem(ShownItem, Lasting, frozen=True, gc=False):
    """An item that is shown as the same object whenever it is listed again, so that it is answered as it was."""


def drive_item(
    item: Item,
    role: Role | None,
    rights: Authority,
    *,
    parent_seen: bool,
    origin: str,
    kind: type[ShownItem] = ShownItem,
) -> DriveItemFields:
    made = kind(
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
        capabilities=offered(rights.can & _TRASHED_ONLY if item.trashed_at else rights.can, item.kind),
        trashed_at=item.trashed_at,
        revision=None if item.kind is ItemKind.folder else item.sequence,
        url=item_url(item, origin),
    )
    return cast("DriveItemFields", made)


def item_url(item: Item, origin: str) -> str:
    """Return the address of the item's page; `origin` has no slash at its end."""
    return f"{origin}/{_PAGES[item.kind]}/{item.id}"


def shown(facts: ItemFacts, origin: str) -> DriveItemFields:
    rights = authority(facts.role, facts.path)
    parent_seen = visible_length(facts.role, facts.path) > 1
    return drive_item(facts.item, facts.role, rights, parent_seen=parent_seen, origin=origin)


def may_share(facts: ItemFacts) -> bool:
    return Can.share in facts.authority.can


def children(facts: ItemFacts, rows: Iterable[tuple[Item, Permission | None]], origin: str) -> list[DriveItemFields]:
    """Show the children of an item that the caller sees: they inherit its rights, and have their own grants."""
    inherited = live_authority(facts.role, (Step(""), *facts.path))
    return [
        drive_item(
            item,
            facts.role,
            live_authority(facts.role, (Step(item.id, permission=own), *facts.path)) if own else inherited,
            parent_seen=True,
            origin=origin,
        )
        for item, own in rows
    ]


def ancestors(overview: Ancestry | Overview, origin: str) -> list[DriveItemFields]:
    """Show the ancestors that the caller sees, the root first."""
    facts = overview.facts
    seen = visible_length(facts.role, facts.path)
    return [
        drive_item(
            ancestor,
            facts.role,
            authority(facts.role, facts.path[place:]),
            parent_seen=place + 1 < seen,
            origin=origin,
        )
        for place, ancestor in reversed([*enumerate(overview.ancestors, start=1)][: seen - 1])
    ]


def drive(drive: Drive, role: Role | None) -> DriveFields:
    """Show a drive to a member; to whoever sees only single items of it, no more than that it is there."""
    member = role is not None
    return DriveFields(
        id=drive.id,
        name=drive.name if member else "",
        kind=drive.kind,
        organization_id=drive.organization_id if member else None,
        role=role,
        capabilities=drive_offered(drive_authority(role), drive.kind),
        created_at=drive.created_at,
        updated_at=drive.updated_at,
    )


@lru_cache(maxsize=8)
def _listed(_role: Role, _origin: str) -> Kept[Item, DriveItemFields]:
    """Return how members of this role were shown the items that were listed last."""
    return Kept(MAX_LISTED)


def drive_items(listed: DriveContents, origin: str) -> list[DriveItemFields]:
    """Show the items of a drive to a member, whose role says all: no grant reaches further than a role."""
    role, rights = listed.role, authority(listed.role, ())
    return _listed(role, origin).each(
        listed.items,
        lambda items: [
            drive_item(item, role, rights, parent_seen=True, origin=origin, kind=ListedItem) for item in items
        ],
    )


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


def image(stored: StoredImage, origin: str) -> Image:
    return Image(
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
        type=recorded.type,
        drive_id=recorded.drive_id,
        item_id=recorded.item_id,
        by=Credit(recorded.user_id, recorded.name, recorded.agent),
        at=recorded.at,
        details=Json(recorded.details),
    )


def explanation(email: str, facts: ItemFacts, access: Access) -> AccessExplanation:
    """Say what an address may do to the item of `facts`, and because of what."""
    granted = {grant.item_id: grant for grant in access.grants}
    path = [
        Step(step.id, step.trashed, granted[step.id].permission if step.id in granted else None) for step in facts.path
    ]
    rights = authority(access.role, path)
    return AccessExplanation(
        email=email,
        permission=rights.permission if rights.can else None,
        capabilities=offered(rights.can, facts.item.kind),
        because=[_because(reason, access, granted) for reason in rights.because],
    )


def _because(reason: Reason, access: Access, granted: dict[str, Grant]) -> AccessReason:
    if reason.item_id is None:
        return AccessReason(
            role=access.role,
            permission=None,
            item_id=None,
            item_name=None,
            given_by=access.role_given_by,
            given_at=None,
        )
    grant = granted[reason.item_id]
    return AccessReason(
        role=None,
        permission=grant.permission,
        item_id=grant.item_id,
        item_name=grant.item_name,
        given_by=grant.given_by,
        given_at=grant.given_at,
    )
