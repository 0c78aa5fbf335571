"""What each event writes: its statements, in one table, and its line in the audit, with them or not at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

import msgspec

from domain.account import AccountCreated, AccountDisabled, AccountRenamed, AddressProved
from domain.credit import Credit
from domain.document import DocumentEdited, ImageUploaded
from domain.drive import DriveCreated, DriveDeleted, DriveRenamed
from domain.events import Event
from domain.item import ItemCreated, ItemRenamed
from domain.key import KeyCreated, KeyRevoked
from domain.link import LinkMade, LinkUsed
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
from domain.sort_key import sort_key
from domain.trash import ItemDeleted, ItemRestored, ItemTrashed
from domain.version import VersionCut, VersionNamed, VersionRestored
from persistence import ledger_apps, ledger_items, ledger_people, sessions, versions

type Write = tuple[str, Mapping[str, object]]

# What no line of the audit holds: it tells who did what, not what was written, what a secret looks like, or our sums.
_UNTOLD = frozenset({"deepest", "digest", "password_hash", "sequence", "update"})

_LINE = """
insert into event (type, drive_id, item_id, user_id, agent, at, details) values (
    %(line_type)s, %(line_drive)s::uuid, %(line_item)s::uuid, %(by_user)s::uuid, %(by_agent)s, %(at)s,
    %(line_details)s::jsonb)"""

STATEMENTS: Mapping[type[Event], Sequence[str]] = {
    AccountCreated: ledger_people.ACCOUNT_CREATED,
    AccountDisabled: ledger_people.ACCOUNT_DISABLED,
    AccountRenamed: ledger_people.ACCOUNT_RENAMED,
    AddressProved: ledger_people.ADDRESS_PROVED,
    AppConnected: ledger_apps.APP_CONNECTED,
    AppDisconnected: ledger_apps.APP_DISCONNECTED,
    DocumentEdited: ledger_items.DOCUMENT_EDITED,
    DocumentPublished: ledger_items.DOCUMENT_PUBLISHED,
    DocumentUnpublished: ledger_items.DOCUMENT_UNPUBLISHED,
    DriveCreated: ledger_people.DRIVE_CREATED,
    DriveDeleted: ledger_people.DRIVE_DELETED,
    DriveRenamed: ledger_people.DRIVE_RENAMED,
    ImageUploaded: ledger_items.IMAGE_UPLOADED,
    InvitationAccepted: ledger_people.INVITATION_ACCEPTED,
    InvitationRevoked: ledger_people.INVITATION_REVOKED,
    ItemCreated: ledger_items.ITEM_CREATED,
    ItemDeleted: ledger_items.ITEM_DELETED,
    ItemMoved: ledger_items.ITEM_MOVED,
    ItemRenamed: ledger_items.ITEM_RENAMED,
    ItemRestored: ledger_items.ITEM_RESTORED,
    ItemShared: ledger_items.ITEM_SHARED,
    ItemTrashed: ledger_items.ITEM_TRASHED,
    KeyCreated: ledger_people.KEY_CREATED,
    KeyRevoked: ledger_people.KEY_REVOKED,
    LinkMade: sessions.LINK_MADE,
    LinkUsed: sessions.LINK_USED,
    MemberInvited: ledger_people.MEMBER_INVITED,
    MemberRemoved: ledger_people.MEMBER_REMOVED,
    MemberSet: ledger_people.MEMBER_SET,
    OrganizationChosen: sessions.ORGANIZATION_CHOSEN,
    OrganizationCreated: ledger_people.ORGANIZATION_CREATED,
    OrganizationMemberRemoved: ledger_people.ORGANIZATION_MEMBER_REMOVED,
    OrganizationRoleSet: ledger_people.ORGANIZATION_ROLE_SET,
    PasswordSet: sessions.PASSWORD_SET,
    SessionBegun: sessions.SESSION_BEGUN,
    SessionEnded: sessions.SESSION_ENDED,
    ShareChanged: ledger_items.SHARE_CHANGED,
    ShareRemoved: ledger_items.SHARE_REMOVED,
    VersionCut: versions.VERSION_CUT,
    VersionNamed: versions.VERSION_NAMED,
    VersionRestored: versions.VERSION_RESTORED,
}

# The name that each of these events gives to what lists are ordered by.
_SORTED: Mapping[type[Event], str] = {
    AccountCreated: "account_name",
    AccountRenamed: "name",
    DriveCreated: "drive_name",
    DriveRenamed: "name",
    ItemCreated: "item_name",
    ItemRenamed: "name",
    OrganizationCreated: "organization_name",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the audit: of a move to another drive there are two, and neither drive is told the other's ids."""

    drive_id: str | None
    item_id: str | None
    details: dict[str, object]


def writes(events: Sequence[Event], by: Credit, at: datetime) -> list[Write]:
    """Return the statements, with their arguments, that write the events and their lines."""
    made: list[Write] = []
    for event in events:
        arguments = {**flat(event), "by_user": by.user_id, "by_agent": by.agent, "at": at}
        if named := _SORTED.get(type(event)):
            arguments["sort_key"] = sort_key(arguments[named])
        *others, last = _needed(event)
        line, *more = [{**arguments, **_line_arguments(event, line)} for line in lines(event)]
        made += [(statement, arguments) for statement in others]
        made += [(statement, line) for statement in _with_line(last)]
        made += [(_LINE, line) for line in more]
    return made


@cache
def _with_line(statement: str) -> Sequence[str]:
    """Return the statement as one with the line where it can be: each message costs as much as what is in it."""
    if statement.lstrip().startswith("with"):
        return statement, _LINE
    return (f"with written as ({statement}){_LINE}",)


def drives(written: Sequence[Write]) -> set[str]:
    """Return the drives that are written about."""
    return {drive_id for _, arguments in written if isinstance(drive_id := arguments.get("line_drive"), str)}


def _needed(event: Event) -> Sequence[str]:
    statements = STATEMENTS[type(event)]
    if isinstance(event, ItemMoved) and event.from_drive_id != event.drive_id:
        return (*statements, ledger_items.TO_ANOTHER_DRIVE)
    return statements


def flat(event: Event) -> dict[str, Any]:
    """Return the fields of an event, and of what it carries (`item`, `drive`, `account`, …), by name; a list as JSON."""
    made: dict[str, Any] = {}
    for name in event.__dataclass_fields__:
        value = getattr(event, name)
        if hasattr(value, "__dataclass_fields__"):
            made |= {f"{name}_{each}": getattr(value, each) for each in value.__dataclass_fields__}
        elif isinstance(value, tuple):
            made[name] = msgspec.json.encode(value).decode()
        else:
            made[name] = value
    return made


def lines(event: Event) -> Sequence[Line]:
    values = flat(event)
    item_id = values.get("item_id") or values.get("image_item_id")
    drive_id = values.get("drive_id") or values.get("item_drive_id")
    if isinstance(event, ItemMoved) and event.from_drive_id != event.drive_id:
        left = {"item_id": event.item_id, "from_drive_id": event.from_drive_id, "from_parent_id": event.from_parent_id}
        came = {"item_id": event.item_id, "drive_id": event.drive_id, "parent_id": event.parent_id}
        return (
            Line(event.from_drive_id, item_id, _camel(left)),
            Line(event.drive_id, item_id, _camel(came)),
        )
    told = {name: getattr(event, name) for name in event.__dataclass_fields__ if name not in _UNTOLD}
    return (Line(drive_id, item_id, _camel(msgspec.to_builtins(told))),)


def _line_arguments(event: Event, line: Line) -> dict[str, object]:
    kind = type(event).__name__
    return {
        "line_type": kind[0].lower() + kind[1:],
        "line_drive": line.drive_id,
        "line_item": line.item_id,
        "line_details": msgspec.json.encode(line.details).decode(),
    }


def _camel(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_camel(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {_camel_name(name): _camel(each) for name, each in value.items()}


@cache
def _camel_name(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
