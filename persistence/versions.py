"""Versions of documents: reads, and what their events write.

Of a version that was compacted its own state is kept: all of it, or what it adds to the version before. What is still in
the log is read from there.
"""

from datetime import timedelta
from typing import Any

from domain.document import DocumentLog, DocumentLogSince, DocumentState, LoggedUpdate, VersionUpdate
from domain.history import SAMPLE_INTERVAL, History
from domain.questions import (
    AuthorNamesOf,
    AuthorsOf,
    HistoryOf,
    LastEditBy,
    LogOf,
    LogSinceOf,
    RevisionBefore,
    VersionOf,
    VersionsOf,
    VersionStateOf,
)
from domain.version import Version, VersionCut, VersionNamed, VersionRestored
from persistence.documents import STATE_ASKED
from persistence.statements import Read, Reads, ResultRow, Writes, bounded, many, of_fields, one

# Age of a version from which on the log is compacted up to it: other processes that have the document open have read its
# updates by then, and need not reload the snapshot.
REST = timedelta(minutes=10)

_KEPT = f"""
with kept as (
    insert into document_version (item_id, number, sequence, created_at, byte_size, restored_from)
    values (%(item_id)s::uuid, %(number)s, %(sequence)s, %(created_at)s, %(byte_size)s, {{restored_from}})
    returning item_id, number),
due as (
    insert into compaction_due (item_id, sequence, due_at)
    values (%(item_id)s::uuid, %(sequence)s, %(created_at)s::timestamptz + interval '{REST.seconds} seconds')
    on conflict (item_id) do update
        set sequence = excluded.sequence, due_at = least(compaction_due.due_at, excluded.due_at))
insert into document_version_author (item_id, number, user_id, agent, edited_at)
select kept.item_id, kept.number, a.user_id, coalesce(a.agent, ''), a.edited_at
from kept, jsonb_to_recordset(%(authors)s::jsonb) a (user_id uuid, agent text collate "C", edited_at timestamptz)"""

_VERSION_CUT = (_KEPT.format(restored_from="null"),)

_VERSION_RESTORED = (_KEPT.format(restored_from="%(restored_from)s"),)

_VERSION_NAMED = (
    "update document_version set name = %(name)s where item_id = %(item_id)s::uuid and number = %(number)s",
)

_VERSION = """(select r from (select v.number, v.name, v.created_at, (
    select coalesce(json_agg(r), '[]') from (
        select a.user_id, c.name, nullif(a.agent, '') as agent, a.edited_at
        from document_version_author a join account c on c.id = a.user_id
        where a.item_id = v.item_id and a.number = v.number
        order by a.edited_at desc, a.user_id desc, a.agent desc) r) as authors,
    v.byte_size, v.restored_from, v.sequence) r)"""

_VERSIONS = f"""
select json_agg({_VERSION} order by v.number desc) from (
    select * from document_version w
    where item_id = %(item_id)s::uuid and number < coalesce(%(before)s::bigint, 2147483648)
        and (coalesce(%(author_id)s::text, %(agent)s::text) is null or exists (
            select from document_version_author a where a.item_id = w.item_id and a.number = w.number
                and (%(author_id)s::uuid is null or a.user_id = %(author_id)s::uuid)
                and (%(agent)s::text is null or a.agent = %(agent)s::text)))
    order by number desc limit %(first)s::int) v"""

_ONE = f"select to_json({_VERSION}) from document_version v where v.item_id = %(item_id)s::uuid and v.number = %(number)s::bigint"

# A version's own states go from the last whole one up to it; the log goes from the snapshot up to it.
_STATE = """
with asked as (
    select * from document_version where item_id = %(item_id)s::uuid and number = %(number)s::bigint),
begun as (
    select max(v.number) as number from document_version v join asked on v.item_id = asked.item_id
    where v.number <= asked.number and v.whole)
select s.state, case when asked.state is null then (
        select array_agg(n.update order by n.sequence) from document_update n
        where n.item_id = asked.item_id and n.sequence > coalesce(s.sequence, 0) and n.sequence <= asked.sequence)
    else (
        select array_agg(v.state order by v.number) from document_version v, begun
        where v.item_id = asked.item_id and v.number between begun.number and asked.number) end,
    asked.number
from asked left join document_snapshot s
    on asked.state is null and s.item_id = asked.item_id and s.sequence <= asked.sequence"""

_HISTORY = f"""
select json_build_object('drive_id', i.drive_id, 'sequence', i.sequence,
    'number', coalesce(v.number, 0), 'cut', coalesce(v.sequence, 0),
    'edits', coalesce(e.edits, '[]'), 'recently_active', (
        select coalesce(json_agg(r), '[]') from (
            select a.user_id, nullif(a.agent, '') as agent, max(a.edited_at) as edited_at
            from document_version_author a
            where a.item_id = i.id and a.edited_at > e.began - interval '5 minutes'
            group by a.user_id, a.agent order by a.user_id, a.agent) r))
from item i
left join lateral (
    select number, sequence from document_version where item_id = i.id order by number desc limit 1) v on true
cross join lateral (
    with stretches as (
        select n.user_id, n.agent, min(n.sequence) as first, max(n.sequence) as last, min(n.at) as begun, max(n.at) as ended
        from document_update n where n.item_id = i.id and n.sequence > coalesce(v.sequence, 0)
        group by n.user_id, n.agent, date_bin('{SAMPLE_INTERVAL.seconds} seconds', n.at, 'epoch'))
    select json_agg(r order by r.sequence) as edits, min(r.at) as began from (
        select first as sequence, user_id, agent, begun as at from stretches
        union select last, user_id, agent, ended from stretches) r) e
where i.id = %(item_id)s::uuid"""

# Arrays of plain values, since the driver takes far longer to read rows within a row.
_LOG = f"""
with asked as ({STATE_ASKED})
select s.state, s.credits, n.updates, n.users, n.agents, n.ats, n.copied, asked.sequence, c.clients, c.owners, c.acting
from asked
left join document_snapshot s on s.item_id = asked.id and s.sequence > %(after)s::bigint
    and (%(after)s::bigint = 0 or s.rows_from is null or %(after)s::bigint < s.rows_from - 1)
cross join lateral (
    select array_agg(n.update order by n.sequence) as updates, array_agg(n.user_id::text order by n.sequence) as users,
        array_agg(n.agent order by n.sequence) as agents, array_agg(n.at order by n.sequence) as ats,
        array_agg(n.copied order by n.sequence) as copied
    from document_update n where n.item_id = asked.id
        and n.sequence > greatest(s.sequence, %(after)s::bigint) and n.sequence <= asked.sequence) n
cross join lateral (
    select array_agg(c.client) as clients, array_agg(c.user_id::text) as owners, array_agg(c.agent) as acting
    from shown_client_id c where c.item_id = asked.id and c.until >= now()) c"""

# The state at the revision is made as that of `RevisionOf`, or is the end of a compacted version. What follows comes from
# the versions up to the first stored row, and then from the rows.
_LOG_SINCE = """
with head as (
    select i.id, i.sequence, %(revision)s::bigint as wanted, coalesce(s.sequence, 0) as snapshot, s.state, s.credits,
        coalesce(s.rows_from, s.sequence + 1, 1) as rows_from
    from item i left join document_snapshot s on s.item_id = i.id where i.id = %(item_id)s::uuid),
asked as (
    select h.*, h.wanted < h.snapshot as is_before, v.number, greatest(h.wanted, h.rows_from - 1) as goes_on,
        case when h.wanted < h.snapshot then coalesce(v.sequence, 0) else h.snapshot end as begun
    from head h left join lateral (
        select v.number, v.sequence from document_version v
        where h.wanted < h.snapshot and v.item_id = h.id and v.state is not null and v.sequence <= h.wanted
            and (v.sequence >= h.rows_from - 1 or v.sequence = h.wanted)
        order by v.sequence desc limit 1) v on true
    where h.wanted between 0 and h.sequence
        and (h.wanted >= h.snapshot or h.wanted = 0 or h.rows_from = 1 or v.number is not null))
select case
    when not a.is_before then array_remove(array[a.state], null)
    else (
        select array_agg(v.state order by v.number) from document_version v
        where v.item_id = a.id and v.number <= a.number and v.number >= (
            select max(w.number) from document_version w where w.item_id = a.id and w.number <= a.number and w.whole)) end,
    (select array_agg(n.update order by n.sequence) from document_update n
        where n.item_id = a.id and n.sequence > a.begun and n.sequence <= a.wanted),
    c.states, c.ends, c.ats, a.goes_on, n.updates, n.users, n.agents, n.ats, n.copied, a.credits,
    (select array_agg(n.copied order by n.sequence) from document_update n
        where n.item_id = a.id and n.sequence > a.snapshot and n.sequence <= a.wanted and n.copied is not null),
    b.users, b.agents, b.ats
from asked a
cross join lateral (
    select array_agg(n.user_id::text order by n.sequence) as users, array_agg(n.agent order by n.sequence) as agents,
        array_agg(n.at order by n.sequence) as ats
    from document_update n where n.item_id = a.id and n.sequence > a.snapshot and n.sequence <= a.wanted) b
cross join lateral (
    select array_agg(case when v.state is null and v.sequence = a.snapshot then a.state else v.state end
            order by v.number) as states,
        array_agg(v.sequence order by v.number) as ends, array_agg(v.created_at order by v.number) as ats
    from document_version v where v.item_id = a.id and v.sequence > a.wanted and v.sequence < a.rows_from) c
cross join lateral (
    select array_agg(n.update order by n.sequence) as updates, array_agg(n.user_id::text order by n.sequence) as users,
        array_agg(n.agent order by n.sequence) as agents, array_agg(n.at order by n.sequence) as ats,
        array_agg(n.copied order by n.sequence) as copied
    from document_update n where n.item_id = a.id and n.sequence > a.goes_on and n.sequence <= a.sequence) n"""

_REVISION_BEFORE = """
select to_json(greatest(
    (select max(n.sequence) from document_update n
        where n.item_id = i.id and n.at < %(at)s and n.sequence >= coalesce(s.rows_from, s.sequence + 1, 1)),
    (select max(v.sequence) from document_version v where v.item_id = i.id and v.created_at < %(at)s),
    0))
from item i left join document_snapshot s on s.item_id = i.id where i.id = %(item_id)s::uuid"""

_LAST_EDIT = """
select to_json((
    select n.sequence from document_update n
    where n.item_id = i.id and n.sequence >= coalesce(s.rows_from, s.sequence + 1, 1) and n.sequence <= %(until)s::bigint
        and n.user_id = %(user_id)s::uuid and coalesce(n.agent, '') = %(agent)s::text
    order by n.sequence desc limit 1))
from item i left join document_snapshot s on s.item_id = i.id where i.id = %(item_id)s::uuid"""

_NAMES = """
select json_object_agg(a.id, a.name) from account a
where a.id in (select user_id from document_author where item_id = %(item_id)s::uuid)"""

_AUTHORS = """
select json_agg(user_id order by first_edited_at, user_id) from (
    select user_id, min(first_edited_at) as first_edited_at from document_author
    where item_id = %(item_id)s::uuid group by user_id order by 2, 1 limit %(first)s::int) a"""


def _log(_: Any, row: ResultRow | None) -> DocumentLog | None:
    if row is None:
        return None
    snapshot, whose, updates, users, agents, ats, copied, sequence, clients, owners, acting = row
    log = map(LoggedUpdate, updates, users, agents, ats, copied) if updates else ()
    shown = dict(zip(clients, zip(owners, acting, strict=True), strict=True)) if clients else {}
    return DocumentLog(snapshot, whose, tuple(log), sequence, shown)


def _log_since(asked: LogSinceOf, row: ResultRow | None) -> DocumentLogSince | None:
    if row is None:
        return None
    state, before, versions, ends, cut, goes_on, updates, users, agents, ats, copied, whose, copied_before, *by = row
    if None in (versions or ()) or (ends[-1] if ends else asked.revision) != goes_on:
        return None
    return DocumentLogSince(
        asked.revision,
        (*(state or ()), *(before or ())),
        tuple(map(VersionUpdate, ends or (), versions or (), cut or ())),
        tuple(map(LoggedUpdate, updates or (), users or (), agents or (), ats or (), copied or ())),
        whose,
        tuple(copied_before or ()),
        tuple(zip(*by, strict=True)) if by[0] else (),
    )


def _state(_: Any, row: ResultRow | None) -> DocumentState:
    if row is None:
        return DocumentState(None, (), 0)
    snapshot, updates, number = row
    return DocumentState(snapshot, tuple(updates or ()), number)


READS: Reads = {
    AuthorNamesOf: one(AuthorNamesOf, dict[str, str], _NAMES, {}),
    AuthorsOf: one(AuthorsOf, list[str], _AUTHORS, []),
    HistoryOf: one(HistoryOf, History, _HISTORY),
    LogOf: Read(_LOG, _log, of_fields(LogOf)),
    LogSinceOf: bounded(Read(_LOG_SINCE, _log_since, of_fields(LogSinceOf)), "revision"),
    LastEditBy: bounded(one(LastEditBy, int, _LAST_EDIT), "until"),
    RevisionBefore: one(RevisionBefore, int, _REVISION_BEFORE, 0),
    VersionOf: bounded(one(VersionOf, Version, _ONE), "number"),
    VersionStateOf: bounded(Read(_STATE, _state, of_fields(VersionStateOf)), "number"),
    VersionsOf: bounded(many(VersionsOf, Version, _VERSIONS), "before"),
}

WRITES: Writes = {
    VersionCut: _VERSION_CUT,
    VersionNamed: _VERSION_NAMED,
    VersionRestored: _VERSION_RESTORED,
}
