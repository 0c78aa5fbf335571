"""Stars: reads of what a user starred, and what its events write."""

from datetime import datetime

from domain.questions import StarredItem, StarredItemsFor, StarredOfEach, StarsFor
from domain.star import ItemStarred, ItemUnstarred, Stars
from persistence.fragments import AS_MET, FACTS, SEEN, USER
from persistence.statements import NIL_UUID, Reads, Writes, one, page_of_list

# What the user no longer sees, and could take no star from, is not counted.
_STARS = f"""
select json_build_object(
    'count', (
        select count(*) from item_star s join item i on i.id = s.item_id {AS_MET}
        where s.user_id = {USER} and {SEEN} and not p.trashed),
    'has', exists (select from item_star where user_id = {USER} and item_id = %(item_id)s::uuid))"""

_STARRED_OF_EACH = f"""
select json_object_agg(item_id, true) from item_star where user_id = {USER} and item_id = any(%(item_ids)s::uuid[])"""

# The index gives the stars in this order, so only the items of the page are walked up from, and hidden ones before.
_STARRED_ITEMS = f"""
select json_agg(starred) from (
    select json_build_object('facts', {FACTS}, 'starred_at', s.starred_at) as starred
    from item_star s join item i on i.id = s.item_id {AS_MET}
    where s.user_id = {USER} and {SEEN} and not p.trashed and (s.starred_at, s.item_id)
        < (coalesce(%(at)s::timestamptz, 'infinity'), coalesce(%(id)s::uuid, '{NIL_UUID}'))
    order by s.starred_at desc, s.item_id desc limit %(first)s::int + 1) r"""

_ITEM_STARRED = (
    """
insert into item_star (user_id, item_id, starred_at) values (%(user_id)s::uuid, %(starred_id)s::uuid, %(at)s)
on conflict do nothing""",
)

_ITEM_UNSTARRED = ("delete from item_star where user_id = %(user_id)s::uuid and item_id = %(starred_id)s::uuid",)

READS: Reads = {
    StarsFor: one(StarsFor, Stars, _STARS),
    StarredOfEach: one(StarredOfEach, dict[str, bool], _STARRED_OF_EACH, {}),
    StarredItemsFor: page_of_list(
        StarredItemsFor,
        StarredItem,
        {"at": datetime, "id": str},
        lambda starred: (starred.starred_at, starred.facts.item.id),
        _STARRED_ITEMS,
    ),
}

WRITES: Writes = {
    ItemStarred: _ITEM_STARRED,
    ItemUnstarred: _ITEM_UNSTARRED,
}
