"""Reads the audit as a feed: the events committed since a position, each once.

PostgreSQL assigns the numbers of events before their transactions commit, so an event may become visible after one with a
higher number was delivered. A reader therefore remembers a snapshot of the database and not a number: the new events are
those visible now that were not visible then. They are read in the order of transactions, in parts that an index bounds,
and no reader waits for a transaction that has not ended.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, Final

import msgspec

from domain.cursor import Cursor, decode_cursor, encode_cursor
from domain.questions import (
    EventBatch,
    EventsSince,
    FeedPositionAfter,
    Recorded,
    VisibleEvent,
    VisibleEventBatch,
    VisibleEventCount,
    VisibleEventsSince,
)
from persistence.fragments import AS_MET, GUARD, ITEM_NAME, SEEN, USER
from persistence.statements import MAX_NUMBER, InvalidCursor, Read, Reads, ResultRow, canonical

# The rows of a part. An event that was visible in the snapshot `since` has been delivered, one that was not visible in
# `until` belongs to the next read. Both bounds of the index are in the first line: every transaction before the oldest
# one that ran in `since` was visible there.
PART: Final = """
select * from event e
where (e.transaction_id, e.sequence) > (%(transaction)s::xid8, %(number)s::bigint)
    and (%(since)s::pg_snapshot is null or not pg_visible_in_snapshot(e.transaction_id, %(since)s::pg_snapshot))
    and (%(until)s::pg_snapshot is null or pg_visible_in_snapshot(e.transaction_id, %(until)s::pg_snapshot))
    and not (e.transaction_id = %(known_transaction)s::xid8 and e.sequence <= %(known_number)s::bigint)"""
IN_ORDER: Final = "order by e.transaction_id, e.sequence limit %(first)s::int"
# The snapshot up to which a statement reads events, as text. What came after the last event is not seen in it.
# INVARIANT: an event is seen once it is stored, where a standby has to have it once that has it, too. A number that was given out
# after the last one need not be: after a crash it is given out again, maybe to an event, which was not read.
READ_UP_TO: Final = """(
select concat(least(pg_snapshot_xmin(s), after_last), ':', least(pg_snapshot_xmax(s), after_last), ':',
    (select string_agg(x::text, ',' order by x) from pg_snapshot_xip(s) x where x < after_last))
from (
    select pg_current_snapshot() as s, (coalesce(
        (select e.transaction_id from event e order by e.transaction_id desc, e.sequence desc limit 1), '0')::text::bigint + 1
    )::text::xid8 as after_last offset 0) now)"""


@dataclass(frozen=True, slots=True)
class FeedPosition:
    """A position in the feed: everything that was visible in the snapshot `since` has been delivered (None: nothing has).

    While events are read in parts, `until` is the snapshot of the first part, and `transaction` and `number` are those of
    the last event that was read. `known` is the transaction and the number of the event that a reader begins after.
    """

    since: str | None
    transaction: int
    number: int = -1
    until: str | None = None
    known: tuple[int, int] = (0, -1)

    @staticmethod
    def at(snapshot: str, known: tuple[int, int] = (0, -1)) -> "FeedPosition":
        """Return the place behind all that is visible in a snapshot, which Postgres spells xmin:xmax:running."""
        return FeedPosition(snapshot, int(snapshot.partition(":")[0]), known=known)

    def arguments(self) -> dict[str, object]:
        transaction, number = self.known
        return {
            "since": self.since,
            "until": self.until,
            "transaction": str(self.transaction),
            "number": self.number,
            "known_transaction": str(transaction),
            "known_number": number,
        }

    def after(self, snapshot: str, last: tuple[int, int] | None) -> "FeedPosition":
        """Return where to go on: `last` is the last event of a part that may have a next one, None where it has none."""
        until = self.until or snapshot
        if last is None:
            return FeedPosition.at(until)
        transaction, number = last
        return replace(self, until=until, transaction=transaction, number=number)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(FeedPosition).decode


class _Part(msgspec.Struct):
    events: tuple[Recorded, ...]
    snapshot: str
    last: tuple[str, int] | None


_decode_part = msgspec.json.Decoder(_Part).decode

_EVENTS_SINCE: Final = f"""
with found as materialized ({PART} and e.drive_id = %(drive_id)s::uuid {IN_ORDER})
select json_build_object(
    'events', (
        select coalesce(json_agg((select r from (select e.sequence, e.type, e.drive_id, e.item_id, e.user_id,
            coalesce(a.name, '') as name, e.agent, e.at, e.details, {ITEM_NAME}) r) order by e.transaction_id, e.sequence), '[]')
        from found e left join account a on a.id = e.user_id),
    'snapshot', {READ_UP_TO},
    'last', (
        select json_build_array(e.transaction_id::text, e.sequence) from found e
        order by e.transaction_id desc, e.sequence desc limit 1))"""

# An event from before snapshots were kept has none, and the transaction 0: all after it goes by number, then.
_PLACE: Final = f"""
select json_build_object('snapshot', coalesce(e.snapshot::text, case when %(after)s::bigint is null
    then {READ_UP_TO} end), 'last', json_build_array(coalesce(e.transaction_id, '0')::text, coalesce(e.sequence, -1)))
from (values (1)) v left join lateral (
    select * from event e where e.sequence <= %(after)s::bigint order by e.sequence desc limit 1) e on true"""
_LAST_NUMBER: Final = 2**63 - 1


class _EventAt(msgspec.Struct):
    snapshot: str | None
    last: tuple[str, int]


_decode_event_at = msgspec.json.Decoder(_EventAt).decode


def _since_arguments(asked: EventsSince) -> Mapping[str, object]:
    return {**_decode(asked.place).arguments(), "drive_id": canonical(asked.drive_id), "first": asked.first}


def _since(asked: EventsSince, row: ResultRow | None) -> EventBatch:
    assert row is not None, "it has no from"
    part = _decode_part(row[0])
    more = len(part.events) == asked.first
    last = (int(part.last[0]), part.last[1]) if part.last and more else None
    place = _decode(asked.place).after(part.snapshot, last)
    return EventBatch(part.events, _encode(place).decode(), more)


def _place_arguments(asked: FeedPositionAfter) -> Mapping[str, object]:
    return {"after": asked.after if asked.after is None else max(-1, min(asked.after, _LAST_NUMBER))}


def _place(_: Any, row: ResultRow | None) -> str:
    assert row is not None, "it is of one row"
    found = _decode_event_at(row[0])
    transaction, number = int(found.last[0]), found.last[1]
    place = FeedPosition(None, transaction, number)
    if found.snapshot is not None:
        place = FeedPosition.at(found.snapshot, (transaction, number))
    return _encode(place).decode()


# In all drives where the user has a role, or a share that reaches anything.
REACHED: Final = f"""
mine as materialized (select drive_id, role, added_at from drive_member where user_id = {USER}),
reached as materialized (
    select drive_id, true as member, added_at as since from mine
    union all
    select distinct i.drive_id, false, null::timestamptz from item_grant g join item i on i.id = g.item_id
    where g.user_id = {USER} and i.drive_id not in (select drive_id from mine))"""


def granted_before(item_id: str, live: str, since: str) -> str:
    """Return the condition that a share reaches an item, that it is live, and that it was given before a moment."""
    return f"""exists (
        with recursive path as (
            select i.id, i.parent_id, i.trashed_at is not null as trashed, 1 as step from item i where i.id = {item_id}
            union all
            select o.id, o.parent_id, o.trashed_at is not null, path.step + 1
            from path join item o on o.id = path.parent_id where path.step < {GUARD})
        select from path left join item_grant g on g.user_id = {USER} and g.item_id = path.id
        having min(g.created_at) <= {since} and ({live} or not bool_or(path.trashed)))"""


# INVARIANT: the rights are those of the snapshot in which the events are read. What is in the trash is seen there.
_VISIBLE_EVENTS: Final = f"""
with {REACHED},
found as materialized (
    select part.*, r.member, r.since from reached r cross join lateral ({PART} and e.drive_id = r.drive_id {IN_ORDER}) part
    order by part.transaction_id, part.sequence limit %(first)s::int),
met as materialized (
    select e.*, case when e.member then e.since <= e.at
        else {granted_before("e.item_id", "e.type = 'itemTrashed'", "e.at")} end as seen from found e)
select json_build_object(
    'events', (
        select coalesce(json_agg(json_build_object(
            'recorded', (select r from (select e.sequence, e.type, e.drive_id, e.item_id, e.user_id,
                coalesce(a.name, '') as name, e.agent, e.at, e.details, {ITEM_NAME}) r),
            'member', e.member, 'transaction', e.transaction_id::text) order by e.transaction_id, e.sequence), '[]')
        from met e left join account a on a.id = e.user_id where e.seen),
    'snapshot', {READ_UP_TO},
    'number', (select count(*) from found),
    'last', (
        select json_build_array(e.transaction_id::text, e.sequence) from found e
        order by e.transaction_id desc, e.sequence desc limit 1),
    'drives', (select coalesce(json_agg(drive_id), '[]') from reached),
    'access', md5(concat(
        (select string_agg(drive_id::text || role, ',' order by drive_id) from mine),
        (select string_agg(item_id::text || permission, ',' order by item_id) from item_grant where user_id = {USER}))),
    'seen', (
        select coalesce(json_agg(i.id), '[]') from unnest(%(item_ids)s::uuid[]) asked (id) join item i on i.id = asked.id
        {AS_MET} where {SEEN} and not p.trashed),
    'left', exists (
        select from met e where not e.member and not e.seen and e.type = 'itemMoved'
            and {granted_before("(e.details->>'fromParentId')::uuid", "false", "e.at")}),
    'hid', exists (
        select from met e
        where not e.member and not e.seen and e.type in ('itemMoved', 'itemTrashed', 'itemRestored', 'itemDeleted')))"""

# A snapshot of a database that was restored into this one means nothing here: what it calls running may not have begun.
_COUNT: Final = f"""
with {REACHED}
select case when pg_snapshot_xmax(coalesce(%(until)s::pg_snapshot, %(since)s::pg_snapshot))
    <= pg_snapshot_xmax(pg_current_snapshot()) then (
        select count(*) from (
            select from reached r cross join lateral (
                select from event e where e.drive_id = r.drive_id
                    and (e.transaction_id, e.sequence) > (%(transaction)s::xid8, %(number)s::bigint)
                order by e.transaction_id, e.sequence limit %(most)s::int) part
            limit %(most)s::int) counted) end"""

_Number = Annotated[int, msgspec.Meta(ge=0, le=MAX_NUMBER)]
_SNAPSHOT: Final = re.compile(r"([0-9]{1,19}):([0-9]{1,19}):((?:[0-9]{1,19}(?:,[0-9]{1,19})*)?)", re.ASCII)
_MAX_RUNNING: Final = 10_000  # transactions in a snapshot


class _VisibleRow(msgspec.Struct):
    recorded: Recorded
    member: bool
    transaction: str


class _VisiblePart(msgspec.Struct):
    events: tuple[_VisibleRow, ...]
    snapshot: str
    number: int
    last: tuple[str, int] | None
    drives: frozenset[str]
    access: str
    seen: frozenset[str]
    left: bool
    hid: bool


_decode_visible_part = msgspec.json.Decoder(_VisiblePart).decode
_decode_place = msgspec.json.Decoder(
    tuple[str, str | None, _Number, Annotated[int, msgspec.Meta(ge=-1, le=MAX_NUMBER)], str]
)


def _closed(place: FeedPosition, access: str) -> Cursor:
    return encode_cursor(msgspec.json.encode((place.since, place.until, place.transaction, place.number, access)))


def _opened(text: Cursor) -> tuple[FeedPosition, str]:
    """Return the place of a cursor that a client sent, and their access then; raises InvalidCursor."""
    try:
        since, until, transaction, number, access = _decode_place.decode(decode_cursor(text) or b"")
    except (ValueError, msgspec.DecodeError) as broken:
        raise InvalidCursor from broken
    if not _is_snapshot(since) or not (until is None or _is_snapshot(until)):
        raise InvalidCursor
    return FeedPosition(since, transaction, number, until), access


def _is_snapshot(text: str) -> bool:
    """Whether Postgres takes a text as a snapshot: `xmin:xmax:` and the running transactions between, in order."""
    form = _SNAPSHOT.fullmatch(text)
    if form is None:
        return False
    first, end = int(form[1]), int(form[2])
    running = [int(each) for each in form[3].split(",")] if form[3] else []
    ordered = all(one < other for one, other in pairwise(running))
    within = not running or (first <= running[0] and running[-1] < end)
    return 0 < first <= end <= MAX_NUMBER and len(running) <= _MAX_RUNNING and ordered and within


def _visible_arguments(asked: VisibleEventsSince) -> Mapping[str, object]:
    place = FeedPosition("1:1:", MAX_NUMBER) if asked.place is None else _opened(asked.place)[0]
    return {
        **place.arguments(),
        "user_id": canonical(asked.user_id),
        "first": asked.first,
        "item_ids": [canonical(each) for each in asked.item_ids],
    }


def _visible(asked: VisibleEventsSince, row: ResultRow | None) -> VisibleEventBatch:
    assert row is not None, "it has no from"
    part = _decode_visible_part(row[0])
    now = FeedPosition.at(part.snapshot), part.access
    before, access = now if asked.place is None else _opened(asked.place)
    # A place within a part ends where that part ended, and what came afterwards is read next.
    more = part.number == asked.first or before.until is not None
    last = (int(part.last[0]), part.last[1]) if part.last and part.number == asked.first else None

    def behind(row: _VisibleRow) -> Cursor:
        return _closed(before.after(part.snapshot, (int(row.transaction), row.recorded.sequence)), access)

    return VisibleEventBatch(
        events=tuple(VisibleEvent(each.recorded, each.member, behind(each)) for each in part.events),
        place=_closed(before.after(part.snapshot, last), part.access),
        more=more,
        drives=part.drives,
        seen=part.seen,
        regranted=access != part.access,
        left=part.left,
        hid=part.hid,
    )


def _count_arguments(asked: VisibleEventCount) -> Mapping[str, object]:
    place = _opened(asked.place)[0].arguments()
    return {**place, "user_id": canonical(asked.user_id), "most": asked.most}


def _count(_: Any, row: ResultRow | None) -> int | None:
    return row[0] if row else None


READS: Reads = {
    VisibleEventsSince: Read(_VISIBLE_EVENTS, _visible, _visible_arguments),
    VisibleEventCount: Read(_COUNT, _count, _count_arguments),
    FeedPositionAfter: Read(_PLACE, _place, _place_arguments),
    EventsSince: Read(_EVENTS_SINCE, _since, _since_arguments),
}
