"""Reads an item with all that lies below it and is not in the trash, as its duplicate is made of it."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from domain.document import DocumentLog, Image, LoggedUpdate
from domain.duplicate import MAX_BYTES, MAX_ITEMS, LiveTree
from domain.item import Item
from domain.questions import LiveTreeOf
from persistence.fragments import CREDITED, GUARD, ITEM, THIS
from persistence.statements import Read, Reads, ResultRow, of_fields

# Of a document, the snapshot and the rows after it, as `LogOf` reads them. Nothing of any is read where they are too large.
_LIVE_TREE: Final = f"""
with recursive below as (
    select i.id, 1 as level from item i {THIS}
    union all
    select b.id, below.level + 1 from below join item b on b.parent_id = below.id and b.trashed_at is null
    where below.level < {GUARD}),
few as materialized (select id, level from below limit {MAX_ITEMS} + 1),
stored as (
    select s.item_id, s.sequence, octet_length(s.state) as size from few join document_snapshot s on s.item_id = few.id),
logged as (
    select n.item_id, n.sequence, octet_length(n.update) as size
    from few join document_update n on n.item_id = few.id
    where n.sequence > coalesce((select s.sequence from stored s where s.item_id = n.item_id), 0)),
total as (
    select coalesce((select sum(size) from stored), 0) + coalesce((select sum(size) from logged), 0) as size,
        (select count(*) from few) as items),
fitting as (select 1 from total where size <= {MAX_BYTES} and items <= {MAX_ITEMS})
select
    (select json_agg({ITEM} order by few.level, i.id) from few join item i on i.id = few.id {CREDITED}),
    (select size::bigint from total),
    s.ids, s.states, s.credits, n.ids, n.updates, n.users, n.agents, n.ats, n.copied,
    (select json_agg(r) from (
        select g.id, g.item_id, g.content_type, g.width, g.height, g.byte_size, g.created_at, g.blob
        from fitting, few join image g on g.item_id = few.id) r)
from (
    select array_agg(s.item_id::text) as ids, array_agg(s.state) as states, array_agg(s.credits) as credits
    from fitting, stored join document_snapshot s using (item_id)) s,
(
    select array_agg(n.item_id::text order by n.item_id, n.sequence) as ids,
        array_agg(n.update order by n.item_id, n.sequence) as updates,
        array_agg(n.user_id::text order by n.item_id, n.sequence) as users,
        array_agg(n.agent order by n.item_id, n.sequence) as agents,
        array_agg(n.at order by n.item_id, n.sequence) as ats,
        array_agg(n.copied order by n.item_id, n.sequence) as copied
    from fitting, logged join document_update n using (item_id, sequence)) n"""

_ITEMS: Final = msgspec.json.Decoder(tuple[Item, ...])
_IMAGES: Final = msgspec.json.Decoder(tuple[Image, ...])

type _Columns = Sequence[Any] | None


def _live_tree(_: Any, row: ResultRow | None) -> LiveTree | None:
    if row is None or row[0] is None:
        return None
    items, size, begun, states, whose, logged, *columns, images = row
    snapshots = {each: (state, written) for each, state, written in _rows(begun, states, whose)}
    updates = {
        each: tuple(LoggedUpdate(*fields) for _, *fields in rows)
        for each, rows in groupby(_rows(logged, *columns), key=lambda fields: fields[0])
    }
    found = _ITEMS.decode(items)
    logs = {
        each.id: DocumentLog(*snapshots.get(each.id, (None, None)), updates.get(each.id, ()), each.sequence)
        for each in found
        if each.id in snapshots or each.id in updates
    }
    return LiveTree(found, size, logs, _IMAGES.decode(images) if images else ())


def _rows(*columns: _Columns) -> Iterable[tuple[Any, ...]]:
    return zip(*(column or () for column in columns), strict=True)


READS: Reads = {LiveTreeOf: Read(_LIVE_TREE, _live_tree, of_fields(LiveTreeOf))}
