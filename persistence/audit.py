"""The read of a drive's entries in the audit, which `persistence.ledger` writes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from domain.questions import EventFilter, EventPage, EventsOf, FilteredEvents, Recorded
from persistence.fragments import ITEM_NAME
from persistence.statements import MAX_NUMBER, Reads, agent_sought, bounded, canonical, many, one, storable

_EVENTS = f"""
select json_agg((select r from (select e.sequence, e.type, e.drive_id, e.item_id, e.user_id, coalesce(a.name, '') as name,
    e.agent, e.at, e.details, {ITEM_NAME}) r) order by e.sequence desc)
from (
    select * from event where drive_id = %(drive_id)s::uuid
        and sequence < coalesce(%(before)s::bigint, {MAX_NUMBER}) order by sequence desc limit %(first)s::int) e
left join account a on a.id = e.user_id"""

MAX_SCANNED: Final = 10_000  # events that one part of a filtered list looks at
# An event's number and its moment come about together, so this much earlier than asked for nothing is left to find.
SLACK: Final = "interval '1 hour'"


def passes(event: str) -> str:
    """Return the condition that an event passes a filter, see `filter_arguments`."""
    return f"""(%(by)s::uuid is null or {event}.user_id = %(by)s::uuid)
        and (%(agent)s::text is null or coalesce({event}.agent, '') = %(agent)s::text)
        and (%(item_id)s::uuid is null or {event}.item_id = %(item_id)s::uuid)
        and (%(types)s::text[] is null or {event}.type = any(%(types)s::text[]))
        and (%(since)s::timestamptz is null or {event}.at >= %(since)s::timestamptz)"""


# The inner rows are taken one by one from the index until there are enough of those that pass.
_FOUND = f"""
with scanned as not materialized (
    select * from event where drive_id = %(drive_id)s::uuid
        and sequence < coalesce(%(before)s::bigint, {MAX_NUMBER}) order by sequence desc limit {MAX_SCANNED}),
found as materialized (
    select * from (select * from scanned offset 0) e
    where {passes("e")}
    order by sequence desc limit %(first)s::int),
last as (
    select case when (select count(*) from found) = %(first)s::int then (select min(sequence) from found) else (
        select sequence from (select sequence, at from scanned offset {MAX_SCANNED - 1}) s
        where %(since)s::timestamptz is null or s.at >= %(since)s::timestamptz - {SLACK}) end as sequence)
select json_build_object('next', (select sequence from last), 'events', (
    select coalesce(json_agg((select r from (select e.sequence, e.type, e.drive_id, e.item_id, e.user_id,
        coalesce(a.name, '') as name, e.agent, e.at, e.details, {ITEM_NAME}) r) order by e.sequence desc), '[]')
    from found e left join account a on a.id = e.user_id))"""


def _found_arguments(asked: FilteredEvents) -> Mapping[str, object]:
    return {
        **filter_arguments(asked.wanted),
        "drive_id": canonical(asked.drive_id),
        "before": asked.before,
        "first": asked.first,
    }


def filter_arguments(wanted: EventFilter) -> Mapping[str, object]:
    return {
        "by": wanted.by if wanted.by is None else canonical(wanted.by),
        "agent": agent_sought(wanted.agent),
        "item_id": wanted.item_id if wanted.item_id is None else canonical(wanted.item_id),
        "types": wanted.types if wanted.types is None else [storable(each) for each in sorted(wanted.types)],
        "since": wanted.since,
    }


READS: Reads = {
    EventsOf: bounded(many(EventsOf, Recorded, _EVENTS), "before"),
    FilteredEvents: bounded(replace(one(FilteredEvents, EventPage, _FOUND), arguments=_found_arguments), "before"),
}
