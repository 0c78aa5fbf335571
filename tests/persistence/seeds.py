"""A small world that tests start from: Ada and Ben of Acme, who own one drive together."""

from datetime import UTC, datetime

from domain.access import Role
from domain.account import Account, AccountCreated
from domain.credit import Credit
from domain.drive import Drive, DriveCreated, DriveKind
from domain.item import Item, ItemCreated, ItemKind
from domain.member import MemberSet
from domain.organization import (
    Invitation,
    InvitationAccepted,
    MemberInvited,
    Organization,
    OrganizationCreated,
    OrganizationRole,
)
from graphql_api.ports import LockScope


def new_id(number):
    return f"0190{number:04x}-{number:04x}-7000-8000-{number:012x}"


NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
ADA, BEN = Credit(new_id(1), "Ada"), Credit(new_id(2), "Ben", "claude")
ADAS, BENS, ACME, DRIVE = new_id(3), new_id(4), new_id(5), new_id(6)


A, B, UNDER_A, UNDER_B = (new_id(number) for number in (10, 11, 12, 13))


def folder(item_id, parent_id=None, drive_id=DRIVE, kind=ItemKind.folder, by=ADA):
    return ItemCreated(Item(item_id, drive_id, parent_id, kind, "Folder", NOW, NOW, by, by))


def account(who, email, drive_id):
    return AccountCreated(Account(who.user_id, who.name, email, True, NOW), drive_id)


PEOPLE = (
    account(ADA, "ada@example.com", ADAS),
    account(BEN, "ben@example.com", BENS),
    OrganizationCreated(Organization(ACME, "Acme", NOW), ADA.user_id),
    MemberInvited(Invitation(new_id(7), ACME, "ben@example.com", OrganizationRole.member, NOW, NOW), "digest"),
    InvitationAccepted(new_id(7), ACME, BEN.user_id, OrganizationRole.member),
    DriveCreated(Drive(DRIVE, "Acme", DriveKind.shared, ACME, NOW, NOW), ADA.user_id),
    MemberSet(DRIVE, BEN.user_id, Role.owner, None),
)
FOLDERS = (folder(A), folder(B), folder(UNDER_A, A), folder(UNDER_B, B))


async def write(store, *events, by=ADA, at=NOW):
    await store.transact(LockScope(), lambda transaction: transaction.record(events, by, at))
