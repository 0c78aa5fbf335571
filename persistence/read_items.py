"""How the questions about one item, its surroundings and its grants are answered."""

from domain.access import Permission
from domain.item import Item, ItemFacts, Place
from domain.move import Subtree
from domain.questions import (
    Access,
    AccessOf,
    AncestorsFor,
    Ancestry,
    ChildrenFor,
    ItemFor,
    Overview,
    OverviewFor,
    PlaceFor,
    RootItemsFor,
    Shared,
    SharesFor,
    SharesOf,
    SubtreeOf,
    Suggestion,
    SuggestionsFor,
)
from domain.share import Shares
from domain.values import ItemName
from persistence.fragments import AS_MET, CREDITED, DRIVE, FACTS, GUARD, ITEM, SEEN, USER
from persistence.reading import NOBODY, Reads, many, one, page

_THIS = "where i.id = %(item_id)s::uuid"

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

_SHARES_OF = """(
    select coalesce(json_agg((select r from (
        select g.email, g.permission, a.id as user_id, a.name, g.created_at) r) order by g.created_at, g.email), '[]')
    from item_grant g
    left join organization_member o on o.organization_id = d.organization_id and o.user_id = g.user_id
    left join account a on a.id = o.user_id
    where g.item_id = p.item_id)"""


def _about(**parts: str) -> str:
    """Return the statement of an item as met, with these parts beside its facts; they are empty where it is hidden."""
    named = "".join(f", '{name}', case when {SEEN} then {part} else '[]' end" for name, part in parts.items())
    return f"select json_build_object('facts', {FACTS}{named}) from item i {AS_MET} {_THIS}"


_BY_NAME = {"sort_key": ItemName, "id": str}
# Every key is greater than the empty text, so that the start is a place in the index, too.
_FROM_THERE = f"""i.trashed_at is null
    and (i.sort_key, i.id) > (coalesce(%(sort_key)s::text, '') collate "C", coalesce(%(id)s::uuid, '{NOBODY}'))
    order by i.sort_key, i.id limit %(first)s::int + 1"""

_CHILDREN = f"""
select json_agg(child) from (
    select {_CHILD} as child from item i {CREDITED} {_GRANTED}
    where i.parent_id = %(item_id)s::uuid and {_FROM_THERE}) r"""

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
    select i.id, i.slug, true as counts, 1 as level from item i {_THIS}
    union all
    select b.id, b.slug, below.counts and b.trashed_at is null, below.level + 1
    from below join item b on b.parent_id = below.id where below.level < {GUARD})
select json_build_object('height', coalesce(max(level), 0), 'items', count(*) filter (where counts),
    'published', count(slug) filter (where counts) > 0) from below"""

_SHARES = """
select json_build_object('count', count(*), 'permission', max(permission) filter (where email = %(email)s),
    'inside', exists (
        select from item i join drive d on d.id = i.drive_id
        join organization_member o on o.organization_id = d.organization_id join account a on a.id = o.user_id
        where i.id = %(item_id)s::uuid and a.email = %(email)s))
from item_grant where item_id = %(item_id)s::uuid"""

_WAY_UP = f"""with recursive path as (
    select i.id, i.parent_id, i.drive_id, i.name, 1 as step from item i {_THIS}
    union all
    select a.id, a.parent_id, a.drive_id, a.name, path.step + 1
    from path join item a on a.id = path.parent_id where path.step < {GUARD})"""

_SUGGESTIONS = f"""
{_WAY_UP}
select json_agg(r) from (
    select a.id as user_id, a.email, a.name
    from organization_member o join account a on a.id = o.user_id
    where o.organization_id = %(organization_id)s::uuid and a.id <> {USER} and a.disabled_at is null
        and exists (select from path)
        and not exists (select from drive_member m join path on path.drive_id = m.drive_id where m.user_id = a.id)
        and not exists (select from item_grant g join path on path.id = g.item_id where g.email = a.email)
    order by a.sort_key, a.id limit 50) r"""

_ACCESS = f"""
{_WAY_UP}
select json_build_object('role', m.role, 'role_given_by', m.given_by, 'grants', (
    select coalesce(json_agg((select r from (
        select path.id as item_id, path.name as item_name, g.permission, g.given_by, g.created_at as given_at) r)
        order by path.step), '[]')
    from path join item_grant g on g.item_id = path.id and g.email = %(email)s))
from (values (%(email)s::text)) asked (email)
left join account a on a.email = asked.email
left join drive_member m on m.user_id = a.id and m.drive_id = (select drive_id from path where step = 1)"""


ITEM_READS: Reads = {
    ItemFor: one(ItemFor, ItemFacts, f"select {FACTS} from item i {AS_MET} {_THIS}"),
    OverviewFor: one(OverviewFor, Overview, _about(children=_CHILDREN_OF, ancestors=_ANCESTORS_OF, shares=_SHARES_OF)),
    AncestorsFor: one(AncestorsFor, Ancestry, _about(ancestors=_ANCESTORS_OF)),
    SharesFor: one(SharesFor, Shared, _about(shares=_SHARES_OF)),
    ChildrenFor: page(
        ChildrenFor,
        tuple[Item, Permission | None],
        _BY_NAME,
        lambda child: (child[0].name, child[0].id),
        _CHILDREN,
    ),
    RootItemsFor: page(RootItemsFor, Item, _BY_NAME, lambda item: (item.name, item.id), _ROOT_ITEMS),
    PlaceFor: one(PlaceFor, Place, _PLACE),
    SubtreeOf: one(SubtreeOf, Subtree, _SUBTREE),
    SharesOf: one(SharesOf, Shares, _SHARES),
    SuggestionsFor: many(SuggestionsFor, Suggestion, _SUGGESTIONS),
    AccessOf: one(AccessOf, Access, _ACCESS),
}
