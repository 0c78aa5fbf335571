"""Reads from the audit who took away what a user could see."""

from typing import Final

from domain.questions import AccessEnd, AccessEndFor
from persistence.fragments import AS_MET, SEEN, THIS, USER
from persistence.statements import Reads, one

MAX_SCANNED: Final = 500  # of the drive's latest events

# INVARIANT: an event names the user, or their verified address, as the one whose role or share it took away. Where anything that
# could have given or ended access came later, what it came to is unknown, and nothing is told.
_ACCESS_END: Final = f"""
select json_build_object('at', e.at, 'by', json_build_object(
    'user_id', e.user_id, 'name', coalesce(a.name, ''), 'agent', e.agent))
from (
    select e.* from item i {AS_MET} join account me on me.id = {USER}
    cross join lateral (
        select * from event e where e.drive_id = i.drive_id order by e.sequence desc limit {MAX_SCANNED}) e
    cross join lateral (select e.item_id::text in (select step->>'id' from json_array_elements(p.steps) step) as above) o
    {THIS} and not {SEEN} and (
        e.type in ('memberSet', 'memberRemoved') and e.details->>'userId' = me.id::text
        or e.type in ('itemShared', 'shareChanged') and e.details->>'email' = me.email
        or e.type = 'shareRemoved' and e.details->>'email' = me.email and me.email_verified_at is not null and o.above
        or e.type = 'itemMoved' and o.above)
    order by e.sequence desc limit 1) e
left join account a on a.id = e.user_id
where e.type in ('memberRemoved', 'shareRemoved')"""

READS: Reads = {AccessEndFor: one(AccessEndFor, AccessEnd, _ACCESS_END)}
