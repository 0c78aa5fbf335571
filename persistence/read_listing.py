"""How all drives of a user are answered with all their items at once.

A thousand items as JSON cost Postgres five times what the same items cost as lines of text, which names cannot break
since they hold no control characters; so here, and only here, items come as lines.
"""

from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec

from domain.access import Role
from domain.credit import Credit
from domain.cursor import Cursor as TextCursor
from domain.drive import Drive
from domain.item import Item, ItemKind
from domain.member import Member
from domain.questions import NOWHERE, DrivesFor, ListedDrive, Page
from domain.values import ItemName
from persistence.fragments import DRIVE, GUARD, USER
from persistence.read_drives import MEMBERS
from persistence.reading import Cursor, Read, Reads, Row, of_fields

_COLUMNS = ", ".join(
    f"i.{name}"
    for name in (
        *("id", "parent_id", "kind", "name", "sort_key", "created_at", "updated_at"),
        *("created_by_user", "created_by_agent", "updated_by_user", "updated_by_agent", "slug", "sequence"),
    )
)
_LINE = r"""concat(t.position, E'\t', t.depth, E'\t', t.id, E'\t', t.parent_id, E'\t', t.kind, E'\t', t.name, E'\t',
    t.created_at, E'\t', t.updated_at, E'\t', c.id, E'\t', c.name, E'\t', t.created_by_agent, E'\t',
    u.id, E'\t', u.name, E'\t', t.updated_by_agent, E'\t', t.slug, E'\t', t.sequence)"""

# Drive by drive, so that what is beyond the page is not walked; a document has nothing below it to look for.
_DRIVES = rf"""
with mine as materialized (
    select d.id, m.role, row_number() over (order by d.kind, d.sort_key, d.id) - 1 as position
    from drive_member m join drive d on d.id = m.drive_id
    where m.user_id = {USER} and (%(drive_id)s::uuid is null or (d.kind, d.sort_key, d.id)
        >= (%(kind)s::text collate "C", %(drive_sort_key)s::text collate "C", %(drive_id)s::uuid))
    order by position)
select
    (select json_agg(json_build_object('drive', {DRIVE}, 'role', mine.role, 'members', {MEMBERS})
        order by mine.position) from mine join drive d on d.id = mine.id),
    (select string_agg(line, E'\n') from (
        select {_LINE} as line
        from (
            select mine.position, tree.* from mine cross join lateral (
                with recursive tree as (
                    select 1 as depth, {_COLUMNS} from item i
                    where i.drive_id = mine.id and i.parent_id is null and i.trashed_at is null
                    union all
                    select tree.depth + 1, {_COLUMNS} from tree join item i on i.parent_id = tree.id
                    where tree.kind = 'folder' and i.trashed_at is null and tree.depth < {GUARD})
                select * from tree
                where %(drive_id)s::uuid is null or mine.id <> %(drive_id)s::uuid or (tree.depth, tree.sort_key, tree.id)
                    > (%(depth)s::int, %(sort_key)s::text collate "C", %(id)s::uuid)
                order by tree.depth, tree.sort_key, tree.id limit %(most_items)s::int + 1) tree
            order by mine.position, tree.depth, tree.sort_key, tree.id limit %(most_items)s::int + 1) t
        join account c on c.id = t.created_by_user join account u on u.id = t.updated_by_user
        order by t.position, t.depth, t.sort_key, t.id) lines)"""

_CURSOR = Cursor(
    {"kind": str, "drive_sort_key": ItemName, "drive_id": str, "depth": int, "sort_key": ItemName, "id": str}
)
_KINDS = {kind.value: kind for kind in ItemKind}
_fields = of_fields(DrivesFor, "after")


class _Heading(msgspec.Struct):
    drive: Drive
    role: Role
    members: tuple[Member, ...]


_HEADINGS = msgspec.json.Decoder(list[_Heading])


@lru_cache(maxsize=5_000)
def _item(drive_id: str, line: str) -> Item:
    """Return the item of a line; of those listed again most are as they were, and need not be made again."""
    _, _, id_, parent, kind, name, created, updated, *credits_, slug, sequence = line.split("\t")
    maker, maker_name, maker_agent, changer, changer_name, changer_agent = credits_
    return Item(
        id_,
        drive_id,
        parent or None,
        _KINDS[kind],
        name,
        datetime.fromisoformat(created),
        datetime.fromisoformat(updated),
        _credit(maker, maker_name, maker_agent),
        _credit(changer, changer_name, changer_agent),
        slug or None,
        sequence=int(sequence),
    )


@lru_cache(maxsize=1_000)
def _credit(user_id: str, name: str, agent: str) -> Credit:
    return Credit(user_id, name, agent or None)


@lru_cache(maxsize=8)
def _items(text: str, ids: tuple[str, ...], most: int) -> tuple[tuple[tuple[Item, ...], ...], str | None]:
    """Return the items of each drive, and the line after which a next page begins; nothing is cut twice in a row."""
    lines = text.split("\n") if text else []
    items: list[list[Item]] = [[] for _ in ids]
    for line in lines[:most]:
        position = int(line[: line.index("\t")])
        items[position].append(_item(ids[position], line))
    return tuple(map(tuple, items)), lines[most - 1] if len(lines) > most else None


def _answer(asked: Any, row: Row | None) -> Page[ListedDrive]:
    if row is None or row[0] is None:
        return Page((), None)
    headings = _HEADINGS.decode(row[0])
    items, last = _items(row[1] or "", tuple(heading.drive.id for heading in headings), asked.most_items)
    listed = tuple(
        ListedDrive(heading.drive, heading.role, its, heading.members)
        for heading, its in zip(headings, items, strict=True)
        if its or asked.after is None
    )
    return Page(listed, None if last is None else _cursor(headings, last))


def _cursor(headings: list[_Heading], line: str) -> TextCursor:
    position, depth, id_, _, _, name, *_ = line.split("\t")
    drive = headings[int(position)].drive
    return _CURSOR.closed((drive.kind, drive.name, drive.id, int(depth), name, id_))


def _arguments(asked: Any) -> dict[str, object]:
    return {**_fields(asked), **_CURSOR.opened(asked.after)}


LISTING_READS: Reads = {DrivesFor: Read(_DRIVES, _answer, _arguments, NOWHERE)}
