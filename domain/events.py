"""Everything that can happen: the events that decisions return and the ledger records."""

from domain.account import AccountCreated, AccountDisabled, AddressProved
from domain.document import DocumentEdited, ImageUploaded
from domain.drive import DriveCreated, DriveDeleted, DriveRenamed
from domain.item import ItemCreated, ItemRenamed
from domain.key import KeyCreated, KeyRevoked
from domain.member import MemberRemoved, MemberSet
from domain.move import ItemMoved
from domain.organization import (
    InvitationAccepted,
    MemberInvited,
    OrganizationCreated,
    OrganizationMemberRemoved,
    OrganizationRoleSet,
)
from domain.publication import DocumentPublished, DocumentUnpublished
from domain.share import ItemShared, ShareChanged, ShareRemoved
from domain.trash import ItemDeleted, ItemRestored, ItemTrashed

type Event = (
    AccountCreated
    | AccountDisabled
    | AddressProved
    | DocumentEdited
    | DocumentPublished
    | DocumentUnpublished
    | DriveCreated
    | DriveDeleted
    | DriveRenamed
    | ImageUploaded
    | InvitationAccepted
    | ItemCreated
    | ItemDeleted
    | ItemMoved
    | ItemRenamed
    | ItemRestored
    | ItemShared
    | ItemTrashed
    | KeyCreated
    | KeyRevoked
    | MemberInvited
    | MemberRemoved
    | MemberSet
    | OrganizationCreated
    | OrganizationMemberRemoved
    | OrganizationRoleSet
    | ShareChanged
    | ShareRemoved
)
