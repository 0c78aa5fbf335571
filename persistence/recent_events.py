"""Reads the latest events of everything that a user sees, over all drives, the newest first."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from domain.questions import RecentEvents, SeenEventPage
from persistence.audit import SLACK, filter_arguments, passes
from persistence.event_feed import REACHED, granted_before
from persistence.fragments import ITEM_NAME
from persistence.statements import MAX_NUMBER, Reads, bounded, canonical, one

MAX_SCANNED: Final = 500  # events of each drive that one part looks at, and at least as many as it may hold

# Of each drive so many are taken from the index. Where a drive has more, what is older than its last one is left to the next part.
_RECENT: Final = f"""
with {REACHED},
scanned as materialized (
    select part.*, r.member from reached r cross join lateral (
        select e.sequence, e.type, e.drive_id, e.item_id, e.user_id, e.agent, e.at from event e
        where e.drive_id = r.drive_id and e.sequence < coalesce(%(before)s::bigint, {MAX_NUMBER})
        order by e.sequence desc limit {MAX_SCANNED}) part),
horizon as materialized (
    select max(low) as sequence, max(low_at) as at from (
        select min(sequence) as low, min(at) as low_at from scanned group by drive_id having count(*) = {MAX_SCANNED}) full_),
found as materialized (
    select * from (select * from scanned offset 0) e
    where e.sequence >= coalesce((select sequence from horizon), 0) and {passes("e")}
        and (e.member or {granted_before("e.item_id", "e.type = 'itemTrashed'", "e.at")})
    order by sequence desc limit %(first)s::int),
last as (
    select case when (select count(*) from found) = %(first)s::int then (select min(sequence) from found) else (
        select h.sequence from horizon h
        where %(since)s::timestamptz is null or h.at >= %(since)s::timestamptz - {SLACK}) end as sequence)
select json_build_object('next', (select sequence from last), 'events', (
    select coalesce(json_agg(json_build_object('member', f.member, 'recorded', (select r from (
        select e.sequence, e.type, e.drive_id, e.item_id, e.user_id, coalesce(a.name, '') as name, e.agent, e.at, e.details,
            {ITEM_NAME}) r)) order by f.sequence desc), '[]')
    from found f join event e on e.sequence = f.sequence left join account a on a.id = e.user_id))"""


def _arguments(asked: Any) -> Mapping[str, object]:
    return {
        **filter_arguments(asked.wanted),
        "user_id": canonical(asked.user_id),
        "before": asked.before,
        "first": asked.first,
    }


READS: Reads = {
    RecentEvents: bounded(replace(one(RecentEvents, SeenEventPage, _RECENT), arguments=_arguments), "before"),
}
