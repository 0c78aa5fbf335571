"""Lists all drives of a user with their items.

A page is a range of an index: the drives in their order, and in each its items by id, which no rename and no move
within the drive changes. Trashed items lie between them; a row knows only its own state, so the folders above the
page's items are read beside them, each once, and items below a trashed one are removed here.

A thousand items as JSON objects cost Postgres twice as much as the columns of the same items, each as one JSON array; so
here, and only here, items are read by column.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

import msgspec

from domain.access import Role
from domain.credit import Credit
from domain.drive import Drive
from domain.item import Item
from domain.member import Member
from domain.questions import NOWHERE, DriveContents, DrivesFor, Page
from domain.sort_key import sort_key
from persistence.drives import MEMBERS
from persistence.fragments import DRIVE, ITEM_COLUMNS, ITEM_CREDITS, ITEM_TYPES, USER
from persistence.statements import NIL_UUID, Cursor, Reads, RepeatedRead, Steps, of_fields

MAX_PARTS: Final = 8  # of the statements' texts that were parsed last
MAX_STATEMENTS: Final = 10  # of one page, where what is in the trash lies between its items

# What is read of an item: the types of its columns by their names.
_COLUMNS: Final = {name: ITEM_TYPES[name] for name in ITEM_COLUMNS} | {
    f"{name}_{part}": kind for name in ITEM_CREDITS for part, kind in (("user", str), ("agent", str | None))
}
_SELECTED = ", ".join(f"i.{name}" for name in _COLUMNS)
_BY_COLUMN = f"json_build_array({', '.join(f'json_agg(l.{name})' for name in ('position', *_COLUMNS))})"

_LAST_ID: Final = "ffffffff-ffff-ffff-ffff-ffffffffffff"
_KEY = "(d.kind, d.sort_key, d.id)"
# The folder above `l`. A `limit 1` has a row looked up by its key, here and for drives and accounts, however many are asked
# for and whatever the plan expects.
_FOLDER = """cross join lateral (
    select i.id, i.parent_id, i.trashed_at is not null as trashed from item i where i.id = l.parent_id limit 1) i"""

# Items are asked for as a range of the index by drive and id: by the drive alone, where nearly all items seem to be in
# one, Postgres takes the primary key for the shorter way, and looks through the whole table for a small drive.
_PAGE = rf"""
with mine as materialized (
    select d.id, m.role, row_number() over (order by d.kind, d.sort_key, d.id) - 1 as position
    from drive_member m cross join lateral (
        select d.id, d.kind, d.sort_key from drive d where d.id = m.drive_id limit 1) d
    where m.user_id = {USER}
        and (%(drive_id)s::uuid is null or {_KEY}
            >= (%(kind)s::text collate "C", %(drive)s::text collate "C", %(drive_id)s::uuid))
        and (%(drive_id)s::uuid is null or %(item_id)s::uuid is not null or d.id <> %(drive_id)s::uuid)
        and (%(last_id)s::uuid is null or {_KEY}
            <= (%(last_kind)s::text collate "C", %(last)s::text collate "C", %(last_id)s::uuid))
    order by position limit case when %(item_id)s::uuid is null then %(max_drives)s::int + 1 end),
listed as materialized (
    select mine.position, i.* from mine cross join lateral (
        select {_SELECTED} from item i
        where (i.drive_id, i.id)
                > (mine.id, case when mine.id = %(drive_id)s::uuid then %(item_id)s::uuid else '{NIL_UUID}' end)
            and (i.drive_id, i.id) <= (mine.id, '{_LAST_ID}') and i.trashed_at is null
        order by i.drive_id, i.id limit %(max_items)s::int + 1) i
    where %(item_id)s::uuid is not null or mine.position < %(max_drives)s::int
    order by mine.position, i.id limit %(max_items)s::int + 1),
above as (
    with recursive up as (
        select i.* from (select parent_id from listed except select id from listed) l {_FOLDER}
        union
        select i.* from up l {_FOLDER} where not l.trashed)
    select * from up)
select
    (select json_agg(json_build_object('position', mine.position, 'drive', {DRIVE}, 'role', mine.role,
            'members', {MEMBERS}) order by mine.position)
        from mine cross join lateral (select * from drive d where d.id = mine.id limit 1) d
        where %(item_id)s::uuid is null or mine.position in (select position from listed)),
    (select {_BY_COLUMN} from listed l),
    (select json_agg(json_build_array(id, trashed, parent_id)) from above),
    (select json_agg(json_build_array(a.id, a.name) order by a.id)
        from (select created_by_user as id from listed union select updated_by_user from listed) l
        cross join lateral (select a.id, a.name from account a where a.id = l.id limit 1) a)"""


# The place of an item, or of a drive whose items were all listed (`item_id` null); and the drive at which those end
# whose headings were listed (`last_id` null: there are no others).
_CURSOR = Cursor(
    {
        "kind": str,
        "drive": str,
        "drive_id": str,
        "item_id": str | None,
        "last_kind": str,
        "last": str,
        "last_id": str | None,
    }
)
_HIDDEN: Final = -1
_fields = of_fields(DrivesFor, "after")

type _End = tuple[str, str, str | None]


class _Heading(msgspec.Struct):
    position: int
    drive: Drive
    role: Role
    members: tuple[Member, ...]


_HEADINGS = msgspec.json.Decoder(list[_Heading])
_ITEMS: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(
    cast("Any", tuple)[tuple(cast("Any", list)[kind] | None for kind in (int, *_COLUMNS.values()))]
)
_ABOVE = msgspec.json.Decoder(list[tuple[str, bool, str | None]])
_PEOPLE = msgspec.json.Decoder(list[tuple[str, str]])


@dataclass(frozen=True, slots=True)
class _Part:
    """The rows of one statement: its live items with their depths, by drive and id, and the last item, live or not.

    `arranged` has the live items by drive, in the order of a listing.
    """

    live: tuple[tuple[int, Item], ...]
    count: int
    last: Item | None
    arranged: dict[str, tuple[Item, ...]]


@lru_cache(maxsize=MAX_PARTS)
def _part(columns: bytes, above: bytes, people: bytes) -> _Part:
    """Return what a statement found."""
    items = _items(_ITEMS.decode(columns), dict(_PEOPLE.decode(people)))
    parents: dict[str, str | None] = {item.id: item.parent_id for item in items}
    depths: dict[str, int] = {}
    for id_, is_trashed, parent_id in _ABOVE.decode(above):
        parents[id_] = parent_id
        if is_trashed:
            depths[id_] = _HIDDEN
    placed = [(_depth(item.id, parents, depths), item) for item in items]
    live = tuple(each for each in placed if each[0] != _HIDDEN)
    return _Part(live, len(items), items[-1] if items else None, _arranged(live))


def _items(columns: tuple[list[Any] | None, ...], names: Mapping[str, str]) -> list[Item]:
    """Return the items of these columns in order; `names` are those of accounts."""
    positions, *fields = (each or () for each in columns)
    values = dict[str, Iterable[Any]](zip(_COLUMNS, fields, strict=True))
    credits_ = _Credits(names)
    for name in ITEM_CREDITS:
        pairs = zip(values[f"{name}_user"], values[f"{name}_agent"], strict=True)
        values[name] = map(credits_.__getitem__, pairs)
    items = map(Item, *(values[name] for name in ITEM_TYPES))
    return [item for *_, item in sorted(zip(positions, values["id"], items, strict=True))]


class _Credits(dict[tuple[str, str | None], Credit]):
    """Credits by the ids of users and the names of agents, each made once."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, key: tuple[str, str | None]) -> Credit:
        user_id, agent = key
        made = self[key] = Credit(user_id, self._names[user_id], agent)
        return made


def _depth(item_id: str | None, parents: dict[str, str | None], depths: dict[str, int]) -> int:
    """Return the depth of an item, 1 at the root; `depths` caches those known, and gets those of its ancestors."""
    way: list[str] = []
    while item_id is not None and item_id not in depths:
        way.append(item_id)
        item_id = parents[item_id]
    depth = 0 if item_id is None else depths[item_id]
    for each in reversed(way):
        depth = depths[each] = depth if depth == _HIDDEN else depth + 1
    return depth


def _arranged(live: Iterable[tuple[int, Item]]) -> dict[str, tuple[Item, ...]]:
    """Return the items by drive, in the order of a listing."""
    drives: dict[str, list[tuple[int, str, str, Item]]] = {}
    for depth, item in live:
        drives.setdefault(item.drive_id, []).append((depth, sort_key(item.name), item.id, item))
    return {drive_id: tuple(item for *_, item in sorted(its)) for drive_id, its in drives.items()}


def _steps(asked: DrivesFor) -> Steps:
    """Ask until the page is full, which takes another statement only where hidden items lie between."""
    place, most, headings = _CURSOR.opened(asked.after), asked.max_items, dict[str, _Heading]()
    begins = place["item_id"] is None
    end: _End = (str(place["last_kind"] or ""), str(place["last"] or ""), cast("str | None", place["last_id"]))
    parts: list[_Part] = []
    live, more = 0, True
    while more and live <= most and len(parts) < MAX_STATEMENTS:
        row = yield _fields(asked) | place | {name: sort_key(str(place[name] or "")) for name in ("drive", "last")}
        heads = _HEADINGS.decode(row[0]) if row and row[0] else []
        if place["item_id"] is None and len(heads) > asked.max_drives:
            heads = heads[: asked.max_drives]
            end = _key(heads[-1].drive)
        headings |= {each.drive.id: each for each in heads if each.drive.id not in headings}
        part = _part(row[1], row[2] or b"[]", row[3] or b"[]") if row else _Part((), 0, None, {})
        parts.append(part)
        live, more = live + len(part.live), part.count > most
        if part.last:
            drive = headings[part.last.drive_id].drive
            place = dict(zip(_CURSOR.keys, (*_key(drive), part.last.id, *end), strict=True))
    shown = [each for part in parts for each in part.live][:most]
    items = parts[0].arranged if len(parts) == 1 and live <= most else _arranged(shown)
    next_cursor = None
    if live > most:
        next_cursor = _CURSOR.closed((*_key(headings[shown[-1][1].drive_id].drive), shown[-1][1].id, *end))
    elif more:
        next_cursor = _CURSOR.closed(tuple(place.values()))
    elif end[2] is not None:
        next_cursor = _CURSOR.closed((*end, None, "", "", None))
    listed = tuple(
        DriveContents(each.drive, each.role, items.get(each.drive.id, ()), each.members)
        for each in headings.values()
        if begins or each.drive.id in items
    )
    return Page(listed, next_cursor)


def _key(drive: Drive) -> tuple[str, str, str]:
    return drive.kind, drive.name, drive.id


READS: Reads = {DrivesFor: RepeatedRead(_PAGE, _steps, NOWHERE)}
