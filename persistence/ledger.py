"""Writes events: the statements of each, and with the last of them its entry in the audit of each drive it is about."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import msgspec

from documents.projection.search_text import folded_name
from domain.account import AccountCreated, AccountRenamed
from domain.commit import AuditEntry, event_type
from domain.credit import Credit
from domain.drive import DriveCreated, DriveRenamed
from domain.events import Event
from domain.item import ItemCreated, ItemRenamed
from domain.move import ItemMoved
from domain.organization import OrganizationCreated
from domain.sort_key import sort_key
from persistence import accounts, documents, drives, items, oauth, organizations, sessions, shares, stars, versions
from persistence.statements import Writes

type Write = tuple[str, Mapping[str, object]]

WRITES: Writes = {
    **accounts.WRITES,
    **documents.WRITES,
    **drives.WRITES,
    **items.WRITES,
    **oauth.WRITES,
    **organizations.WRITES,
    **sessions.WRITES,
    **shares.WRITES,
    **stars.WRITES,
    **versions.WRITES,
}

_TYPES: Mapping[type[Event], str] = {kind: event_type(kind) for kind in WRITES}

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


WRITE_ENTRY = """
insert into event (type, drive_id, item_id, user_id, agent, at, details) values (
    %(entry_type)s, %(entry_drive)s::uuid, %(entry_item)s::uuid, %(by_user)s::uuid, %(by_agent)s, %(at)s,
    %(entry_details)s::jsonb)"""

# Fields that no entry holds: an entry names the author and the action, not content, secrets or our sums.
_WITHHELD = frozenset(
    {"authors", "blob", "copied", "credits", "deepest", "digest", "password_hash", "sequence", "update"}
)


def writes(events: Sequence[Event], by: Credit, at: datetime) -> tuple[list[Write], list[AuditEntry]]:
    """Return the statements, with their arguments, that write the events and their audit entries; and those entries."""
    made: list[Write] = []
    written: list[AuditEntry] = []
    for event in events:
        values = _fields(event)
        arguments = {**values, "by_user": by.user_id, "by_agent": by.agent, "at": at}
        if named := _SORTED.get(type(event)):
            arguments["sort_key"] = sort_key(arguments[named])
            arguments["folded_name"] = folded_name(arguments[named])
        *others, last = WRITES[type(event)]
        if isinstance(event, ItemMoved) and event.leaves_drive:
            others, last = [*others, last], items.MOVED_TO_ANOTHER_DRIVE
        entries = _entries(event, values, by, at)
        written += entries
        first, *more = [
            {
                **arguments,
                "entry_type": entry.type,
                "entry_drive": entry.drive_id,
                "entry_item": entry.item_id,
                "entry_details": msgspec.json.encode(entry.details).decode(),
            }
            for entry in entries
        ]
        made += [(statement, arguments) for statement in others]
        made += [(statement, first) for statement in _with_entry(last)]
        made += [(WRITE_ENTRY, entry) for entry in more]
    return made, written


@cache
def _with_entry(statement: str) -> Sequence[str]:
    """Return the statement as one with the entry where it can be: each message costs as much as what is in it."""
    if statement.lstrip().startswith("with"):
        return statement, WRITE_ENTRY
    return (f"with written as ({statement}){WRITE_ENTRY}",)


def _entries(event: Event, values: Mapping[str, Any], by: Credit, at: datetime) -> Sequence[AuditEntry]:
    """Return the entries of an event with these `values`: a move to another drive has two, and neither drive sees the other's ids."""
    item_id = values.get("item_id") or values.get("image_item_id")
    drive_id = values.get("drive_id") or values.get("item_drive_id")
    kind = _TYPES[type(event)]
    if isinstance(event, ItemMoved) and event.leaves_drive:
        left = {"itemId": event.item_id, "fromDriveId": event.from_drive_id, "fromParentId": event.from_parent_id}
        arrived = {"itemId": event.item_id, "driveId": event.drive_id, "parentId": event.parent_id}
        return (
            AuditEntry(kind, event.from_drive_id, item_id, by, at, left),
            AuditEntry(kind, event.drive_id, item_id, by, at, arrived),
        )
    return (AuditEntry(kind, drive_id, item_id, by, at, _details(event)),)


def _fields(event: Event) -> dict[str, Any]:
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


def _details(value: Any) -> Any:
    """Return an event, or what it carries, as an entry holds it: by names in camel case, moments in whole milliseconds."""
    if hasattr(value, "__dataclass_fields__"):
        names = [name for name in value.__dataclass_fields__ if name not in _WITHHELD]
        return {_camel_name(name): _details(getattr(value, name)) for name in names}
    if isinstance(value, datetime):  # as every answer has it
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return msgspec.to_builtins(value)


@cache
def _camel_name(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
