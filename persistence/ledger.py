"""Writes events: the statements of each, and its entry in the audit with the last of them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache

from domain.account import AccountCreated, AccountRenamed
from domain.commit import AuditEntry
from domain.credit import Credit
from domain.drive import DriveCreated, DriveRenamed
from domain.events import Event
from domain.item import ItemCreated, ItemRenamed
from domain.move import ItemMoved
from domain.organization import OrganizationCreated
from domain.sort_key import sort_key
from persistence import accounts, documents, drives, items, oauth, organizations, sessions, shares, versions
from persistence.audit import WRITE_ENTRY, entries, entry_arguments, fields
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
    **versions.WRITES,
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


def writes(events: Sequence[Event], by: Credit, at: datetime) -> tuple[list[Write], list[AuditEntry]]:
    """Return the statements, with their arguments, that write the events and their audit entries; and those entries."""
    made: list[Write] = []
    written: list[AuditEntry] = []
    for event in events:
        arguments = {**fields(event), "by_user": by.user_id, "by_agent": by.agent, "at": at}
        if named := _SORTED.get(type(event)):
            arguments["sort_key"] = sort_key(arguments[named])
        *others, last = _statements(event)
        of_event = entries(event, by, at)
        written += of_event
        first, *more = [{**arguments, **entry_arguments(entry)} for entry in of_event]
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


def _statements(event: Event) -> Sequence[str]:
    statements = WRITES[type(event)]
    if isinstance(event, ItemMoved) and event.from_drive_id != event.drive_id:
        return (*statements, items.MOVED_TO_ANOTHER_DRIVE)
    return statements
