"""Items: reads of one item, its surroundings, the children of a folder and the trash, and what their events write.

The arguments of a write are the event's fields, those of what it carries under its name (`item_id` for an `item`'s id),
and `by_user`, `by_agent`, `at`, and for an event that gives a name, `sort_key` and `folded_name`.
"""

from datetime import datetime

import msgspec

from domain.access import Permission
from domain.item import Item, ItemCreated, ItemFacts, ItemRenamed, Place
from domain.move import ItemMoved, Subtree
from domain.questions import (
    AncestorsFor,
    Ancestry,
    ChildrenFor,
    ChildrenOfEach,
    ItemFor,
    Overview,
    OverviewFor,
    Page,
    PlaceFor,
    RootItemsFor,
    SubtreeOf,
    TrashFor,
)
from domain.trash import ItemDeleted, ItemRestored, ItemTrashed
from domain.values import ItemName
from persistence.fragments import (
    AS_MET,
    CREDITED,
    DRIVE,
    FACTS,
    GUARD,
    ITEM,
    ITEM_COLUMNS,
    ITEM_CREDITS,
    SEEN,
    THIS,
    TOUCHED,
    USER,
    item_with,
)
from persistence.shares import SHARES
from persistence.statements import NIL_UUID, Read, Reads, ResultRow, Writes, of_fields, one, page_of_list

_CHILD = f"json_build_array({ITEM}, g.permission)"

_GRANTED = f"left join item_grant g on g.user_id = {USER} and g.item_id = i.id"

_CHILDREN_OF = f"""(
    select coalesce(json_agg(child), '[]') from (
        select {_CHILD} as child from item i {CREDITED} {_GRANTED}
        where i.parent_id = p.item_id and i.trashed_at is null
        order by i.sort_key, i.id) r)"""

_ANCESTORS_OF = f"""(
    with recursive up as (
        select i.parent_id, 1 as step
        union all
        select a.parent_id, up.step + 1 from up join item a on a.id = up.parent_id where up.step < {GUARD})
    select coalesce(json_agg({ITEM} order by up.step), '[]')
    from up join item i on i.id = up.parent_id {CREDITED})"""

_BY_NAME = {"sort_key": ItemName, "id": str}

# Every key is greater than the empty text, so that the start is a place in the index, too.
_FROM_THERE = f"""i.trashed_at is null and (%(kinds)s::text[] is null or i.kind = any(%(kinds)s::text[]))
    and (i.sort_key, i.id) > (coalesce(%(sort_key)s::text, '') collate "C", coalesce(%(id)s::uuid, '{NIL_UUID}'))
    order by i.sort_key, i.id limit %(first)s::int + 1"""

_CHILDREN = f"""
select json_agg(child) from (
    select {_CHILD} as child from item i {CREDITED} {_GRANTED}
    where i.parent_id = %(item_id)s::uuid and {_FROM_THERE}) r"""

_CHILDREN_OF_EACH = f"""
select json_agg(json_build_array(asked.id, {FACTS}, below.children, case when %(kinds)s::text[] is null then i.children end))
from unnest(%(item_ids)s::uuid[]) asked (id) join item i on i.id = asked.id {AS_MET}
cross join lateral (
    select coalesce(json_agg(child), '[]') as children from (
        select {_CHILD} as child from item i {CREDITED} {_GRANTED}
        where i.parent_id = asked.id and {SEEN} and i.trashed_at is null
            and (%(kinds)s::text[] is null or i.kind = any(%(kinds)s::text[]))
        order by i.sort_key, i.id limit %(first)s::int + 1) r) below"""

_ROOT_ITEMS = f"""
select json_agg(item) from (
    select {ITEM} as item from item i {CREDITED}
    where i.drive_id = %(drive_id)s::uuid and i.parent_id is null and {_FROM_THERE}) r"""

# All items of the drive but those in the trash, which are the trashed ones and all below them: usually few.
_LIVE_ITEMS = f"""(d.items - (
    with recursive gone as (
        select t.id, 1 as step from item t where t.drive_id = d.id and t.trashed_at is not null
        union
        select b.id, gone.step + 1 from gone join item b on b.parent_id = gone.id where gone.step < {GUARD})
    select count(distinct gone.id) from gone))"""

_SEEN = f"""case when m.role is not null then true else exists (
    select from item_grant g join item i on i.id = g.item_id
    cross join lateral (
        with recursive path as (
            select i.parent_id, i.trashed_at is not null as trashed, 1 as step
            union all
            select a.parent_id, a.trashed_at is not null, path.step + 1
            from path join item a on a.id = path.parent_id where path.step < {GUARD})
        select bool_or(path.trashed) as trashed from path) up
    where g.user_id = {USER} and i.drive_id = d.id and not up.trashed) end"""

_PLACE = f"""
with parent as (select {FACTS} as facts, i.drive_id from item i {AS_MET} where i.id = %(parent_id)s::uuid)
select json_build_object(
    'drive', case when d.id is not null
        then json_build_object('drive', {DRIVE}, 'role', m.role, 'live_items', {_LIVE_ITEMS}) end,
    'drive_seen', d.id is not null and {_SEEN},
    'parent_id', %(parent_id)s::uuid,
    'parent', (select facts from parent),
    'children', coalesce((select i.children from item i where i.id = %(parent_id)s::uuid), 0))
from (values (coalesce(%(drive_id)s::uuid, (select drive_id from parent)))) asked (drive_id)
left join drive d on d.id = asked.drive_id
left join drive_member m on m.drive_id = d.id and m.user_id = {USER}"""

_SUBTREE = f"""
with recursive below as (
    select i.id, i.slug, true as counts, 1 as level from item i {THIS}
    union all
    select b.id, b.slug, below.counts and b.trashed_at is null, below.level + 1
    from below join item b on b.parent_id = below.id where below.level < {GUARD})
select json_build_object('height', coalesce(max(level), 0), 'items', count(*) filter (where counts),
    'published', count(slug) filter (where counts) > 0, 'bytes', coalesce(sum(s.bytes), 0))
from below left join document_storage s on s.item_id = below.id"""

_TRASH = f"""
with reached as (
    select drive_id from drive_member where user_id = {USER}
    union
    select i.drive_id from item_grant g join item i on i.id = g.item_id where g.user_id = {USER})
select json_agg(facts) from (
    select {FACTS} as facts
    from item i {AS_MET}
    where i.drive_id in (select drive_id from reached) and i.trashed_at is not null
        and (%(drive_id)s::uuid is null or i.drive_id = %(drive_id)s::uuid)
        and (%(at)s::timestamptz is null or (i.trashed_at, i.id) < (%(at)s::timestamptz, %(id)s::uuid))
        and (m.role is not null or p.granted)
    order by i.trashed_at desc, i.id desc limit %(first)s::int + 1) r"""

_BELOW = f"""
with recursive below as (
    select %(item_id)s::uuid as id, 1 as step
    union all
    select b.id, below.step + 1 from below join item b on b.parent_id = below.id where below.step < {GUARD})"""

_INSERTED = {
    **{name: f"%(item_{name})s{'::uuid' if name.endswith('id') else ''}" for name in ITEM_COLUMNS},
    "sort_key": "%(sort_key)s",
    "folded_name": "%(folded_name)s",
    **{f"{name}_user": "%(by_user)s::uuid" for name in ITEM_CREDITS},
    **{f"{name}_agent": "%(by_agent)s" for name in ITEM_CREDITS},
}

_ITEM_CREATED = (
    f"insert into item ({', '.join(_INSERTED)}) values ({', '.join(_INSERTED.values())})",
    f"""
with recursive up as (
    select %(item_parent_id)s::uuid as id, 1 as depth
    union all
    select a.parent_id, up.depth + 1 from up join item a on a.id = up.id where up.depth < {GUARD}),
counted as (update item set children = children + 1 where id = %(item_parent_id)s::uuid)
update drive set items = drive.items + 1, depth = greatest(drive.depth, deep.depth)
from (select max(depth) as depth from up) deep where drive.id = %(item_drive_id)s::uuid""",
)

_ITEM_RENAMED = (
    f"""
update item set name = %(name)s, sort_key = %(sort_key)s, folded_name = %(folded_name)s, {TOUCHED}
where id = %(item_id)s::uuid""",
)

# What is in the trash itself is counted nowhere.
_ITEM_MOVED = (
    f"""
with counted as (
    update item p set children = p.children
        + (p.id is not distinct from %(parent_id)s::uuid)::int - (p.id is not distinct from i.parent_id)::int
    from item i
    where i.id = %(item_id)s::uuid and i.trashed_at is null and p.id = any(array[i.parent_id, %(parent_id)s::uuid]))
update item set drive_id = %(drive_id)s::uuid, parent_id = %(parent_id)s::uuid, {TOUCHED}
where id = %(item_id)s::uuid""",
    "update drive set depth = %(deepest)s where id = %(drive_id)s::uuid and depth < %(deepest)s",
)

# Only for a move to another drive.
MOVED_TO_ANOTHER_DRIVE = f"""{_BELOW}, moved as (
    update item set drive_id = %(drive_id)s::uuid from below
    where item.id = below.id and item.drive_id <> %(drive_id)s::uuid)
update drive set items = drive.items + case when drive.id = %(drive_id)s::uuid then 1 else -1 end * counted.number
from (select count(*) as number from below) counted
where drive.id in (%(drive_id)s::uuid, %(from_drive_id)s::uuid)"""

_ITEM_TRASHED = (
    """
with trashed as (update item set trashed_at = %(at)s where id = %(item_id)s::uuid returning parent_id)
update item p set children = p.children - 1 from trashed where p.id = trashed.parent_id""",
)

_ITEM_RESTORED = (
    """
with restored as (
    update item set trashed_at = null, parent_id = %(parent_id)s::uuid where id = %(item_id)s::uuid returning parent_id)
update item p set children = p.children + 1 from restored where p.id = restored.parent_id""",
    f"{_BELOW} update item set slug = null from below where item.id = below.id and item.slug is not null",
)

# Documents, images and grants go with their items; the blobs of images are deleted afterwards. The folder that it was in
# has not counted it since it was trashed.
_ITEM_DELETED = (
    f"""{_BELOW}, removed as (
    insert into blob_removal (key)
    select distinct image.blob::text from below join image on image.item_id = below.id on conflict do nothing),
deleted as (delete from item using below where item.id = below.id)
update drive set items = drive.items - counted.number from (select count(*) as number from below) counted
where drive.id = %(drive_id)s::uuid""",
)

_children_for = page_of_list(
    ChildrenFor,
    tuple[Item, Permission | None],
    _BY_NAME,
    lambda child: (child[0].name, child[0].id),
    _CHILDREN,
)
_decode_each = msgspec.json.Decoder(list[tuple[str, ItemFacts, msgspec.Raw, int | None]]).decode


def _of_each(
    asked: ChildrenOfEach, row: ResultRow | None
) -> dict[str, tuple[ItemFacts, Page[tuple[Item, Permission | None]], int | None]]:
    found = _decode_each(row[0]) if row and row[0] is not None else []
    first = ChildrenFor(asked.user_id, "", asked.first, None)
    return {
        item_id: (facts, _children_for.answer(first, (bytes(children),)), number)
        for item_id, facts, children, number in found
    }


READS: Reads = {
    ItemFor: one(ItemFor, ItemFacts, f"select {FACTS} from item i {AS_MET} {THIS}"),
    OverviewFor: one(OverviewFor, Overview, item_with(children=_CHILDREN_OF, ancestors=_ANCESTORS_OF, shares=SHARES)),
    AncestorsFor: one(AncestorsFor, Ancestry, item_with(ancestors=_ANCESTORS_OF)),
    ChildrenFor: _children_for,
    ChildrenOfEach: Read(_CHILDREN_OF_EACH, _of_each, of_fields(ChildrenOfEach)),
    RootItemsFor: page_of_list(RootItemsFor, Item, _BY_NAME, lambda item: (item.name, item.id), _ROOT_ITEMS),
    PlaceFor: one(PlaceFor, Place, _PLACE),
    SubtreeOf: one(SubtreeOf, Subtree, _SUBTREE),
    TrashFor: page_of_list(
        TrashFor, ItemFacts, {"at": datetime, "id": str}, lambda f: (f.item.trashed_at, f.item.id), _TRASH
    ),
}

WRITES: Writes = {
    ItemCreated: _ITEM_CREATED,
    ItemDeleted: _ITEM_DELETED,
    ItemMoved: _ITEM_MOVED,
    ItemRenamed: _ITEM_RENAMED,
    ItemRestored: _ITEM_RESTORED,
    ItemTrashed: _ITEM_TRASHED,
}
