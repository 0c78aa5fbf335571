"""The read of a drive's entries in the audit, which `persistence.ledger` writes."""

from domain.questions import EventsOf, Recorded
from persistence.statements import Reads, bounded, many

_EVENTS = """
select json_agg((select r from (select e.sequence, e.type, e.drive_id, e.item_id, e.user_id, coalesce(a.name, '') as name,
    e.agent, e.at, e.details) r) order by e.sequence desc)
from (
    select * from event where drive_id = %(drive_id)s::uuid
        and sequence < coalesce(%(before)s::bigint, 9223372036854775807) order by sequence desc limit %(first)s::int) e
left join account a on a.id = e.user_id"""

READS: Reads = {EventsOf: bounded(many(EventsOf, Recorded, _EVENTS), "before")}
