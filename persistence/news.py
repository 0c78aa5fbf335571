"""Reading of the audit as a feed: what was committed since a place in it, each event once.

Numbers of events are given out before they are committed, so an event may appear after one with a higher number was
told. A reader therefore remembers a snapshot of the database and not a number: news is what is visible now and was not
visible then. It is read in the order of transactions, in parts that an index bounds, and no reader waits for a
transaction that has not ended.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from domain.questions import EventPlace, News, NewsOf, Recorded
from persistence.statements import Read, Reads, ResultRow, canonical

# The rows of a part. An event that was visible in the snapshot `since` has been told, one that was not visible in
# `until` is for the next time. Both bounds of the index are in the first line: no transaction before the oldest one
# that ran in `since` can be news.
PART: Final = """
select * from event e
where (e.transaction_id, e.sequence) > (%(transaction)s::xid8, %(number)s::bigint)
    and (%(since)s::pg_snapshot is null or not pg_visible_in_snapshot(e.transaction_id, %(since)s::pg_snapshot))
    and (%(until)s::pg_snapshot is null or pg_visible_in_snapshot(e.transaction_id, %(until)s::pg_snapshot))
    and not (e.transaction_id = %(known_transaction)s::xid8 and e.sequence <= %(known_number)s::bigint)"""
IN_ORDER: Final = "order by e.transaction_id, e.sequence limit %(first)s::int"


@dataclass(frozen=True, slots=True)
class FeedPosition:
    """A place in the feed: everything that was visible in the snapshot `since` has been told (None: nothing has).

    While news is read in parts, `until` is the snapshot of the first part, and `transaction` and `number` are those of
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

_NEWS: Final = f"""
with news as materialized ({PART} and e.drive_id = %(drive_id)s::uuid {IN_ORDER})
select json_build_object(
    'events', (
        select coalesce(json_agg((select r from (select e.sequence, e.type, e.drive_id, e.item_id, e.user_id,
            coalesce(a.name, '') as name, e.agent, e.at, e.details) r) order by e.transaction_id, e.sequence), '[]')
        from news e left join account a on a.id = e.user_id),
    'snapshot', pg_current_snapshot()::text,
    'last', (
        select json_build_array(e.transaction_id::text, e.sequence) from news e
        order by e.transaction_id desc, e.sequence desc limit 1))"""

# An event from before snapshots were kept has none, and the transaction 0: all after it goes by number, then.
_PLACE: Final = """
select json_build_object('snapshot', coalesce(e.snapshot, case when %(after)s::bigint is null
    then pg_current_snapshot() end)::text, 'last', json_build_array(coalesce(e.transaction_id, '0')::text, coalesce(e.sequence, -1)))
from (values (1)) v left join lateral (
    select * from event e where e.sequence <= %(after)s::bigint order by e.sequence desc limit 1) e on true"""
_LAST_NUMBER: Final = 2**63 - 1


class _Found(msgspec.Struct):
    snapshot: str | None
    last: tuple[str, int]


_decode_found = msgspec.json.Decoder(_Found).decode


def _news_arguments(asked: NewsOf) -> Mapping[str, object]:
    return {**_decode(asked.place).arguments(), "drive_id": canonical(asked.drive_id), "first": asked.first}


def _news(asked: NewsOf, row: ResultRow | None) -> News:
    assert row is not None, "it has no from"
    part = _decode_part(row[0])
    more = len(part.events) == asked.first
    last = (int(part.last[0]), part.last[1]) if part.last and more else None
    place = _decode(asked.place).after(part.snapshot, last)
    return News(part.events, _encode(place).decode(), more)


def _place_arguments(asked: EventPlace) -> Mapping[str, object]:
    return {"after": asked.after if asked.after is None else max(-1, min(asked.after, _LAST_NUMBER))}


def _place(_: Any, row: ResultRow | None) -> str:
    assert row is not None, "it is of one row"
    found = _decode_found(row[0])
    transaction, number = int(found.last[0]), found.last[1]
    place = FeedPosition(None, transaction, number)
    if found.snapshot is not None:
        place = FeedPosition.at(found.snapshot, (transaction, number))
    return _encode(place).decode()


READS: Reads = {
    EventPlace: Read(_PLACE, _place, _place_arguments),
    NewsOf: Read(_NEWS, _news, _news_arguments),
}
