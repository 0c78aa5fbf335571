"""What each event changes in the store in memory: one function for each kind of event."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from domain.access import Role
from domain.account import Account, AccountCreated, AccountDisabled, AccountRenamed, EmailVerified
from domain.commit import AuditEntry
from domain.credit import Author, Credit
from domain.document import DocumentEdited, ImageUploaded
from domain.drive import Drive, DriveCreated, DriveDeleted, DriveKind, DriveRenamed
from domain.email_link import LinkMade, LinkUsed
from domain.events import Event
from domain.history import Edit
from domain.item import Item, ItemCreated, ItemRenamed
from domain.key import KeyCreated, KeyRevoked
from domain.member import MemberRemoved, MemberSet
from domain.move import ItemMoved
from domain.oauth import AppConnected, AppDisconnected
from domain.organization import (
    InvitationAccepted,
    InvitationRevoked,
    MemberInvited,
    OrganizationCreated,
    OrganizationMemberRemoved,
    OrganizationRole,
    OrganizationRoleSet,
)
from domain.publication import DocumentPublished, DocumentUnpublished
from domain.questions import Recorded
from domain.session import OrganizationChosen, PasswordSet, SessionBegun, SessionEnded
from domain.share import ItemShared, ShareChanged, ShareRemoved
from domain.trash import ItemDeleted, ItemRestored, ItemTrashed
from domain.version import VersionCut, VersionNamed, VersionRestored
from persistence import memory_sessions, memory_versions
from persistence.audit import entries
from persistence.memory_state import Belonged, Granted, Membership, State


@dataclass(frozen=True, slots=True)
class Stroke:
    """Where and on whose behalf something is written."""

    state: State
    by: Credit
    at: datetime

    def item(self, item_id: str, **changes: object) -> None:
        self.state.items[item_id] = replace(self.state.items[item_id], **changes)  # type: ignore[arg-type]

    def update(self, item_id: str, **changes: object) -> None:
        """Change what the item says was its last update, too."""
        self.item(item_id, **changes, updated_by=self.by, updated_at=self.at)


def record(state: State, events: Iterable[Event], by: Credit, at: datetime) -> list[AuditEntry]:
    """Write the events, each with its entries in the audit, and return those."""
    written: list[AuditEntry] = []
    for event in events:
        _WRITES[type(event)](Stroke(state, by, at), event)
        for entry in entries(event, by, at):
            number = len(state.lines) + 1
            state.lines[number] = Recorded(
                number, entry.type, entry.drive_id, entry.item_id, by.user_id, by.name, by.agent, at, {**entry.details}
            )
            written.append(entry)
    return written


def _account_created(to: Stroke, event: AccountCreated) -> None:
    account = event.account
    to.state.accounts[account.id] = account
    drive = Drive(event.drive_id, account.name, DriveKind.personal, None, account.created_at, account.created_at)
    to.state.drives[drive.id] = drive
    to.state.members[drive.id, account.id] = Membership(Role.owner, account.created_at, account.id)
    if account.email_verified:
        _bind(to.state, account)


def _account_disabled(to: Stroke, event: AccountDisabled) -> None:
    to.state.disabled[event.user_id] = event.disabled


def _email_verified(to: Stroke, event: EmailVerified) -> None:
    account = to.state.accounts[event.user_id]
    if account.email == event.email:
        to.state.accounts[account.id] = replace(account, email_verified=True)
        _bind(to.state, account)


def _bind(state: State, account: Account) -> None:
    """Let what waits for the account's address be effective."""
    for (item_id, address), grant in state.grants.items():
        if address == account.email and grant.user_id is None:
            state.grants[item_id, address] = replace(grant, user_id=account.id)


def _organization_created(to: Stroke, event: OrganizationCreated) -> None:
    to.state.organizations[event.organization.id] = event.organization
    to.state.belongings[event.organization.id, event.admin_id] = Belonged(OrganizationRole.admin, to.at)


def _invited(to: Stroke, event: MemberInvited) -> None:
    to.state.invitations[event.invitation.id] = event.invitation, event.digest


def _accepted(to: Stroke, event: InvitationAccepted) -> None:
    to.state.invitations.pop(event.invitation_id)
    place = event.organization_id, event.user_id
    known = to.state.belongings.get(place)
    to.state.belongings[place] = Belonged(event.role, known.joined_at if known else to.at)


def _invitation_revoked(to: Stroke, event: InvitationRevoked) -> None:
    to.state.invitations.pop(event.invitation_id)


def _session(write: Callable[[State, Any], None]) -> Callable[[Stroke, Any], None]:
    return lambda to, event: write(to.state, event)


def _app_connected(to: Stroke, event: AppConnected) -> None:
    """What applications hold is kept in Postgres alone (`persistence.oauth_store`)."""
    app = event.app
    place = app.user_id, app.client_id, app.scope
    known = to.state.apps.get(place)
    to.state.apps[place] = (
        replace(known, redirect_uri=app.redirect_uri, organization_id=app.organization_id) if known else app
    )


def _app_disconnected(to: Stroke, event: AppDisconnected) -> None:
    to.state.apps = {
        place: app for place, app in to.state.apps.items() if (app.id, app.user_id) != (event.app_id, event.user_id)
    }


def _organization_role(to: Stroke, event: OrganizationRoleSet) -> None:
    place = event.organization_id, event.user_id
    to.state.belongings[place] = replace(to.state.belongings[place], role=event.role)


def _organization_left(to: Stroke, event: OrganizationMemberRemoved) -> None:
    state, organization_id, user_id = to.state, event.organization_id, event.user_id
    state.belongings.pop((organization_id, user_id))
    heir = (
        event.heir_id
        or min(
            (known.joined_at, member_id)
            for (place, member_id), known in state.belongings.items()
            if place == organization_id and known.role is OrganizationRole.admin
        )[1]
    )
    drives = {drive.id for drive in state.drives.values() if drive.organization_id == organization_id}
    email = state.accounts[user_id].email
    for item_id, address in list(state.grants):
        grant = state.grants[item_id, address]
        ends = grant.user_id == user_id or address == email
        if ends and not event.grants_stay and state.items[item_id].drive_id in drives:
            state.grants.pop((item_id, address))
    for drive_id in drives:
        left = state.members.pop((drive_id, user_id), None)
        owners = [m for (place, _), m in state.members.items() if place == drive_id and m.role is Role.owner]
        if left and not owners:
            known = state.members.get((drive_id, heir))
            state.members[drive_id, heir] = Membership(Role.owner, known.added_at if known else to.at, to.by.user_id)


def _key_created(to: Stroke, event: KeyCreated) -> None:
    to.state.keys[event.key.id] = event.key, event.digest


def _key_revoked(to: Stroke, event: KeyRevoked) -> None:
    to.state.keys.pop(event.key_id)


def _drive_created(to: Stroke, event: DriveCreated) -> None:
    to.state.drives[event.drive.id] = event.drive
    to.state.members[event.drive.id, event.owner_id] = Membership(Role.owner, to.at, to.by.user_id)


def _drive_renamed(to: Stroke, event: DriveRenamed) -> None:
    drive = to.state.drives[event.drive_id]
    to.state.drives[drive.id] = replace(drive, name=event.name, updated_at=to.at)


def _drive_deleted(to: Stroke, event: DriveDeleted) -> None:
    for item in [item for item in to.state.items.values() if item.drive_id == event.drive_id]:
        _forget(to.state, item)
    for place in [place for place in to.state.members if place[0] == event.drive_id]:
        to.state.members.pop(place)
    to.state.drives.pop(event.drive_id)


def _member_set(to: Stroke, event: MemberSet) -> None:
    place = event.drive_id, event.user_id
    known = to.state.members.get(place)
    to.state.members[place] = Membership(event.role, known.added_at if known else to.at, to.by.user_id)


def _member_removed(to: Stroke, event: MemberRemoved) -> None:
    to.state.members.pop((event.drive_id, event.user_id))


def _deepen(state: State, drive_id: str, depth: int) -> None:
    drive = state.drives[drive_id]
    state.drives[drive_id] = replace(drive, depth=max(drive.depth, depth))


def _item_created(to: Stroke, event: ItemCreated) -> None:
    to.state.items[event.item.id] = event.item
    _deepen(to.state, event.item.drive_id, len(list(to.state.upwards(event.item.id))))


def _item_renamed(to: Stroke, event: ItemRenamed) -> None:
    to.update(event.item_id, name=event.name)


def _item_moved(to: Stroke, event: ItemMoved) -> None:
    for item, _ in list(to.state.subtree(event.item_id)):
        to.state.items[item.id] = replace(item, drive_id=event.drive_id)
    to.update(event.item_id, parent_id=event.parent_id)
    _deepen(to.state, event.drive_id, event.deepest)


def _item_trashed(to: Stroke, event: ItemTrashed) -> None:
    to.item(event.item_id, trashed_at=to.at)


def _item_restored(to: Stroke, event: ItemRestored) -> None:
    for item, _ in list(to.state.subtree(event.item_id)):
        to.state.items[item.id] = replace(item, slug=None)
    to.item(event.item_id, parent_id=event.parent_id, trashed_at=None)


def _item_deleted(to: Stroke, event: ItemDeleted) -> None:
    for item, _ in list(to.state.subtree(event.item_id)):
        _forget(to.state, item)


def _forget(state: State, item: Item) -> None:
    state.items.pop(item.id)
    state.updates.pop(item.id, None)
    memory_versions.forget(state, item.id)
    for key in [key for key in state.grants if key[0] == item.id]:
        state.grants.pop(key)
    for author in [author for author in state.authors if author[0] == item.id]:
        state.authors.pop(author)
    for image in [image for image in state.images.values() if image.item_id == item.id]:
        state.images.pop(image.id)


def _published(to: Stroke, event: DocumentPublished) -> None:
    to.item(event.item_id, slug=event.slug)


def _unpublished(to: Stroke, event: DocumentUnpublished) -> None:
    to.item(event.item_id, slug=None)


def _edited(to: Stroke, event: DocumentEdited) -> None:
    updates = to.state.updates[event.item_id] = (*to.state.updates.get(event.item_id, ()), event.update)
    to.update(event.item_id, sequence=len(updates))
    edits = to.state.edits.get(event.item_id, ())
    to.state.edits[event.item_id] = (*edits, Edit(len(edits) + 1, to.by.user_id, to.by.agent, to.at))
    place = event.item_id, to.by.user_id, to.by.agent
    known = to.state.authors.get(place)
    latest = max(known.edited_at, to.at) if known else to.at
    to.state.authors[place] = Author(to.by.user_id, to.by.name, to.by.agent, latest)


def _image_uploaded(to: Stroke, event: ImageUploaded) -> None:
    to.state.images[event.image.id] = event.image


def _shared(to: Stroke, event: ItemShared) -> None:
    holder = to.state.verified_holder(event.email)
    to.state.grants[event.item_id, event.email] = Granted(event.permission, to.by.user_id, to.at, holder)


def _share_changed(to: Stroke, event: ShareChanged) -> None:
    place = event.item_id, event.email
    to.state.grants[place] = replace(to.state.grants[place], permission=event.permission)


def _share_removed(to: Stroke, event: ShareRemoved) -> None:
    to.state.grants.pop((event.item_id, event.email))


def _version_kept(to: Stroke, event: VersionCut | VersionRestored) -> None:
    memory_versions.kept(to.state, event)


def _version_named(to: Stroke, event: VersionNamed) -> None:
    memory_versions.named(to.state, event)


_WRITES: dict[type, Callable[..., None]] = {
    AccountCreated: _account_created,
    AccountDisabled: _account_disabled,
    AccountRenamed: _session(memory_sessions.renamed),
    EmailVerified: _email_verified,
    AppConnected: _app_connected,
    AppDisconnected: _app_disconnected,
    DocumentEdited: _edited,
    DocumentPublished: _published,
    DocumentUnpublished: _unpublished,
    DriveCreated: _drive_created,
    DriveDeleted: _drive_deleted,
    DriveRenamed: _drive_renamed,
    ImageUploaded: _image_uploaded,
    InvitationAccepted: _accepted,
    InvitationRevoked: _invitation_revoked,
    ItemCreated: _item_created,
    ItemDeleted: _item_deleted,
    ItemMoved: _item_moved,
    ItemRenamed: _item_renamed,
    ItemRestored: _item_restored,
    ItemShared: _shared,
    ItemTrashed: _item_trashed,
    KeyCreated: _key_created,
    KeyRevoked: _key_revoked,
    LinkMade: _session(memory_sessions.link_made),
    LinkUsed: _session(memory_sessions.link_used),
    MemberInvited: _invited,
    MemberRemoved: _member_removed,
    MemberSet: _member_set,
    OrganizationChosen: _session(memory_sessions.chosen),
    OrganizationCreated: _organization_created,
    OrganizationMemberRemoved: _organization_left,
    OrganizationRoleSet: _organization_role,
    PasswordSet: _session(memory_sessions.password_set),
    SessionBegun: _session(memory_sessions.begun),
    SessionEnded: _session(memory_sessions.ended),
    ShareChanged: _share_changed,
    ShareRemoved: _share_removed,
    VersionCut: _version_kept,
    VersionNamed: _version_named,
    VersionRestored: _version_kept,
}
