"""Everything that can happen: the events that decisions return and the ledger records."""

from collections.abc import Sequence

from domain.account import AccountCreated, AccountDisabled, AccountRenamed, EmailVerified
from domain.document import DocumentCopied, DocumentEdited, ImageUploaded
from domain.drive import DriveCreated, DriveDeleted, DriveRenamed
from domain.email_link import LinkMade, LinkUsed
from domain.errors import Rejection
from domain.item import ItemCreated, ItemRenamed
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
    OrganizationRoleSet,
)
from domain.publication import DocumentPublished, DocumentUnpublished
from domain.session import OrganizationChosen, PasswordSet, SessionBegun, SessionEnded
from domain.share import ItemShared, ShareChanged, ShareRemoved
from domain.star import ItemStarred, ItemUnstarred
from domain.trash import ItemDeleted, ItemRestored, ItemTrashed
from domain.version import VersionCut, VersionNamed, VersionRestored

type Event = (
    AccountCreated
    | AccountDisabled
    | AccountRenamed
    | EmailVerified
    | AppConnected
    | AppDisconnected
    | DocumentCopied
    | DocumentEdited
    | DocumentPublished
    | DocumentUnpublished
    | DriveCreated
    | DriveDeleted
    | DriveRenamed
    | ImageUploaded
    | InvitationAccepted
    | InvitationRevoked
    | ItemCreated
    | ItemDeleted
    | ItemMoved
    | ItemRenamed
    | ItemRestored
    | ItemShared
    | ItemStarred
    | ItemTrashed
    | ItemUnstarred
    | KeyCreated
    | KeyRevoked
    | LinkMade
    | LinkUsed
    | MemberInvited
    | MemberRemoved
    | MemberSet
    | OrganizationChosen
    | OrganizationCreated
    | OrganizationMemberRemoved
    | OrganizationRoleSet
    | PasswordSet
    | SessionBegun
    | SessionEnded
    | ShareChanged
    | ShareRemoved
    | VersionCut
    | VersionNamed
    | VersionRestored
)

type Decision = Sequence[Event] | Rejection
"""What a change decides: the events to record, or why nothing is done."""
