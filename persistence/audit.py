"""The audit: one entry for each event, in each drive that it is about, and the read of a drive's entries."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

import msgspec

from domain.commit import AuditEntry, event_type
from domain.credit import Credit
from domain.events import Event
from domain.move import ItemMoved
from domain.questions import EventsOf, Recorded
from persistence.statements import Reads, bounded, many

_EVENTS = """
select json_agg((select r from (select e.sequence, e.type, e.drive_id, e.item_id, e.user_id, coalesce(a.name, '') as name,
    e.agent, e.at, e.details) r) order by e.sequence desc)
from (
    select * from event where drive_id = %(drive_id)s::uuid
        and sequence < coalesce(%(before)s::bigint, 9223372036854775807) order by sequence desc limit %(first)s::int) e
left join account a on a.id = e.user_id"""

WRITE_ENTRY = """
insert into event (type, drive_id, item_id, user_id, agent, at, details) values (
    %(entry_type)s, %(entry_drive)s::uuid, %(entry_item)s::uuid, %(by_user)s::uuid, %(by_agent)s, %(at)s,
    %(entry_details)s::jsonb)"""

# Fields that no entry holds: an entry names the author and the action, not content, secrets or our sums.
_WITHHELD = frozenset({"deepest", "digest", "password_hash", "sequence", "update"})


def entries(event: Event, by: Credit, at: datetime) -> Sequence[AuditEntry]:
    """Return the event's entries: a move to another drive has two, and neither drive sees the other's ids."""
    values = fields(event)
    item_id = values.get("item_id") or values.get("image_item_id")
    drive_id = values.get("drive_id") or values.get("item_drive_id")
    kind = event_type(type(event))
    if isinstance(event, ItemMoved) and event.from_drive_id != event.drive_id:
        left = {"item_id": event.item_id, "from_drive_id": event.from_drive_id, "from_parent_id": event.from_parent_id}
        arrived = {"item_id": event.item_id, "drive_id": event.drive_id, "parent_id": event.parent_id}
        return (
            AuditEntry(kind, event.from_drive_id, item_id, by, at, _camel(left)),
            AuditEntry(kind, event.drive_id, item_id, by, at, _camel(arrived)),
        )
    kept = {name: getattr(event, name) for name in event.__dataclass_fields__ if name not in _WITHHELD}
    return (AuditEntry(kind, drive_id, item_id, by, at, _camel(msgspec.to_builtins(kept))),)


def entry_arguments(entry: AuditEntry) -> dict[str, object]:
    return {
        "entry_type": entry.type,
        "entry_drive": entry.drive_id,
        "entry_item": entry.item_id,
        "entry_details": msgspec.json.encode(entry.details).decode(),
    }


def fields(event: Event) -> dict[str, Any]:
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


READS: Reads = {EventsOf: bounded(many(EventsOf, Recorded, _EVENTS), "before")}
