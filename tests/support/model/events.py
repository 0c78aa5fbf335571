"""What each event changes in the tree."""

from dataclasses import replace
from datetime import datetime
from functools import singledispatch
from typing import Any

from domain.access import Role
from domain.account import Account, AccountCreated, AccountDisabled, AccountRenamed, EmailVerified
from domain.credit import Credit
from domain.document import DocumentCopied, DocumentEdited
from domain.drive import Drive, DriveCreated, DriveDeleted, DriveKind, DriveRenamed
from domain.item import Item, ItemCreated, ItemRenamed
from domain.member import MemberRemoved, MemberSet
from domain.move import ItemMoved
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
from domain.share import ItemShared, ShareChanged, ShareRemoved
from domain.star import ItemStarred, ItemUnstarred
from domain.trash import ItemDeleted, ItemRestored, ItemTrashed
from tests.support.model.tree import Grant, Membership, Tree


@singledispatch
def write(event: object, tree: Tree, by: Credit, at: datetime) -> None:
    """Change the tree; most events do not concern it."""


def _change(tree: Tree, item_id: str, **changes: Any) -> None:
    tree.items[item_id] = replace(tree.items[item_id], **changes)


def _update(tree: Tree, item_id: str, by: Credit, at: datetime, **changes: Any) -> None:
    _change(tree, item_id, **changes, updated_by=by, updated_at=at)


def _bind(tree: Tree, account: Account) -> None:
    """Make the grants that wait for the account's address effective."""
    for place, grant in tree.grants.items():
        if place[1] == account.email and grant.user_id is None:
            tree.grants[place] = replace(grant, user_id=account.id)


@write.register
def _account_created(event: AccountCreated, tree: Tree, by: Credit, at: datetime) -> None:
    account = event.account
    tree.accounts[account.id] = account
    tree.drives[event.drive_id] = Drive(
        event.drive_id, account.name, DriveKind.personal, None, account.created_at, account.created_at
    )
    tree.members[event.drive_id, account.id] = Membership(Role.owner, account.created_at, account.id)
    if account.email_verified:
        _bind(tree, account)


@write.register
def _account_disabled(event: AccountDisabled, tree: Tree, by: Credit, at: datetime) -> None:
    tree.disabled[event.user_id] = event.disabled


@write.register
def _account_renamed(event: AccountRenamed, tree: Tree, by: Credit, at: datetime) -> None:
    """Items name the account as it is named now."""

    def renamed(credit: Credit) -> Credit:
        return replace(credit, name=event.name) if credit.user_id == event.user_id else credit

    tree.accounts[event.user_id] = replace(tree.accounts[event.user_id], name=event.name)
    for item in list(tree.items.values()):
        _change(tree, item.id, created_by=renamed(item.created_by), updated_by=renamed(item.updated_by))


@write.register
def _email_verified(event: EmailVerified, tree: Tree, by: Credit, at: datetime) -> None:
    account = tree.accounts[event.user_id]
    if account.email == event.email:
        tree.accounts[account.id] = replace(account, email_verified=True)
        _bind(tree, account)


@write.register
def _organization_created(event: OrganizationCreated, tree: Tree, by: Credit, at: datetime) -> None:
    tree.organizations[event.organization.id] = event.organization
    tree.belongings[event.organization.id, event.admin_id] = Membership(OrganizationRole.admin, at)


@write.register
def _member_invited(event: MemberInvited, tree: Tree, by: Credit, at: datetime) -> None:
    tree.invitations[event.invitation.id] = event.invitation, event.digest


@write.register
def _invitation_revoked(event: InvitationRevoked, tree: Tree, by: Credit, at: datetime) -> None:
    tree.invitations.pop(event.invitation_id)


@write.register
def _invitation_accepted(event: InvitationAccepted, tree: Tree, by: Credit, at: datetime) -> None:
    tree.invitations.pop(event.invitation_id)
    place = event.organization_id, event.user_id
    tree.belongings[place] = replace(tree.belongings.get(place, Membership(event.role, at)), role=event.role)


@write.register
def _organization_role_set(event: OrganizationRoleSet, tree: Tree, by: Credit, at: datetime) -> None:
    place = event.organization_id, event.user_id
    tree.belongings[place] = replace(tree.belongings[place], role=event.role)


@write.register
def _organization_member_removed(event: OrganizationMemberRemoved, tree: Tree, by: Credit, at: datetime) -> None:
    """A drive left without an owner passes to the heir, else to the admin who has been there longest."""
    organization_id, user_id = event.organization_id, event.user_id
    tree.belongings.pop((organization_id, user_id))
    admins = [
        (known.since, member_id)
        for (place, member_id), known in tree.belongings.items()
        if (place, known.role) == (organization_id, OrganizationRole.admin)
    ]
    heir = event.heir_id or min(admins)[1]
    drives = {drive.id for drive in tree.drives.values() if drive.organization_id == organization_id}
    for (item_id, address), grant in list(tree.grants.items()):
        ends = grant.user_id == user_id or address == tree.accounts[user_id].email
        if ends and not event.grants_stay and tree.items[item_id].drive_id in drives:
            tree.grants.pop((item_id, address))
    for drive_id in drives:
        left = tree.members.pop((drive_id, user_id), None)
        owned = any(place == drive_id and known.role is Role.owner for (place, _), known in tree.members.items())
        if left and not owned:
            known = tree.members.get((drive_id, heir), Membership(Role.owner, at))
            tree.members[drive_id, heir] = Membership(Role.owner, known.since, by.user_id)


@write.register
def _drive_created(event: DriveCreated, tree: Tree, by: Credit, at: datetime) -> None:
    tree.drives[event.drive.id] = event.drive
    tree.members[event.drive.id, event.owner_id] = Membership(Role.owner, at, by.user_id)


@write.register
def _drive_renamed(event: DriveRenamed, tree: Tree, by: Credit, at: datetime) -> None:
    tree.drives[event.drive_id] = replace(tree.drives[event.drive_id], name=event.name, updated_at=at)


@write.register
def _drive_deleted(event: DriveDeleted, tree: Tree, by: Credit, at: datetime) -> None:
    for item in [item for item in tree.items.values() if item.drive_id == event.drive_id]:
        _forget(tree, item)
    for place in [place for place in tree.members if place[0] == event.drive_id]:
        tree.members.pop(place)
    tree.drives.pop(event.drive_id)


@write.register
def _member_set(event: MemberSet, tree: Tree, by: Credit, at: datetime) -> None:
    place = event.drive_id, event.user_id
    tree.members[place] = Membership(event.role, tree.members.get(place, Membership("", at)).since, by.user_id)


@write.register
def _member_removed(event: MemberRemoved, tree: Tree, by: Credit, at: datetime) -> None:
    tree.members.pop((event.drive_id, event.user_id))


def _deepen(tree: Tree, drive_id: str, depth: int) -> None:
    drive = tree.drives[drive_id]
    tree.drives[drive_id] = replace(drive, depth=max(drive.depth, depth))


@write.register
def _item_created(event: ItemCreated, tree: Tree, by: Credit, at: datetime) -> None:
    tree.items[event.item.id] = event.item
    _deepen(tree, event.item.drive_id, len(list(tree.upwards(event.item.id))))


@write.register
def _item_renamed(event: ItemRenamed, tree: Tree, by: Credit, at: datetime) -> None:
    _update(tree, event.item_id, by, at, name=event.name)


@write.register
def _item_moved(event: ItemMoved, tree: Tree, by: Credit, at: datetime) -> None:
    for item, _ in list(tree.subtree(event.item_id)):
        _change(tree, item.id, drive_id=event.drive_id)
    _update(tree, event.item_id, by, at, parent_id=event.parent_id)
    _deepen(tree, event.drive_id, event.deepest)


@write.register
def _item_trashed(event: ItemTrashed, tree: Tree, by: Credit, at: datetime) -> None:
    _change(tree, event.item_id, trashed_at=at)


@write.register
def _item_restored(event: ItemRestored, tree: Tree, by: Credit, at: datetime) -> None:
    for item, _ in list(tree.subtree(event.item_id)):
        _change(tree, item.id, slug=None)
    _change(tree, event.item_id, parent_id=event.parent_id, trashed_at=None)


@write.register
def _item_deleted(event: ItemDeleted, tree: Tree, by: Credit, at: datetime) -> None:
    for item, _ in list(tree.subtree(event.item_id)):
        _forget(tree, item)


def _forget(tree: Tree, item: Item) -> None:
    tree.items.pop(item.id)
    for place in [place for place in tree.grants if place[0] == item.id]:
        tree.grants.pop(place)


@write.register
def _document_published(event: DocumentPublished, tree: Tree, by: Credit, at: datetime) -> None:
    _change(tree, event.item_id, slug=event.slug)


@write.register
def _document_unpublished(event: DocumentUnpublished, tree: Tree, by: Credit, at: datetime) -> None:
    _change(tree, event.item_id, slug=None)


@write.register
def _document_copied(event: DocumentCopied, tree: Tree, by: Credit, at: datetime) -> None:
    _update(tree, event.item_id, by, at, sequence=1)


@write.register
def _document_edited(event: DocumentEdited, tree: Tree, by: Credit, at: datetime) -> None:
    _update(tree, event.item_id, by, at, sequence=tree.items[event.item_id].sequence + 1)


@write.register
def _item_shared(event: ItemShared, tree: Tree, by: Credit, at: datetime) -> None:
    holder = tree.account_by_email(event.email)
    proved = holder.id if holder and holder.email_verified else None
    tree.grants[event.item_id, event.email] = Grant(event.permission, by.user_id, at, proved)


@write.register
def _share_changed(event: ShareChanged, tree: Tree, by: Credit, at: datetime) -> None:
    place = event.item_id, event.email
    tree.grants[place] = replace(tree.grants[place], permission=event.permission)


@write.register
def _share_removed(event: ShareRemoved, tree: Tree, by: Credit, at: datetime) -> None:
    tree.grants.pop((event.item_id, event.email))


@write.register
def _item_starred(event: ItemStarred, tree: Tree, by: Credit, at: datetime) -> None:
    tree.stars[event.user_id, event.starred_id] = at


@write.register
def _item_unstarred(event: ItemUnstarred, tree: Tree, by: Credit, at: datetime) -> None:
    tree.stars.pop((event.user_id, event.starred_id))
