"""Fragments that statements share.

Reads are of an item `i`: its accounts `c` and `u`, its drive `d`, the user's membership `m` there, and its way up `p`.
`FACTS` is `domain.item.ItemFacts` as JSON, `ITEM` is `domain.item.Item`. Each field of an item is a column of its name, but for
its credits, which are two columns each.
"""

from typing import Final, get_type_hints

from domain.credit import MAX_AUTHORS, Credit
from domain.item import Item

# More steps than any tree is deep: only a cycle, which cannot exist either, would reach it.
GUARD = "256"

USER = "%(user_id)s::uuid"

ITEM_TYPES: Final = get_type_hints(Item)
ITEM_CREDITS: Final = tuple(name for name, kind in ITEM_TYPES.items() if kind is Credit)
ITEM_COLUMNS: Final = tuple(name for name in ITEM_TYPES if name not in ITEM_CREDITS)

_WHO = {"created_by": "c", "updated_by": "u"}
_CREDITS = [
    f"(select w from (select {_WHO[name]}.id as user_id, {_WHO[name]}.name, i.{name}_agent as agent) w) as {name}"
    for name in ITEM_CREDITS
]

ITEM = f"(select r from (select {', '.join([*(f'i.{name}' for name in ITEM_COLUMNS), *_CREDITS])}) r)"

CREDITED = " ".join(f"join account {_WHO[name]} on {_WHO[name]}.id = i.{name}_user" for name in ITEM_CREDITS)

DRIVE = """(select r from (select d.id, d.name, d.kind, d.organization_id, d.created_at, d.updated_at, d.depth) r)"""

FACTS = f"json_build_object('item', {ITEM}, 'drive', {DRIVE}, 'role', m.role, 'path', p.steps)"

# The way up from `i`: its steps with what the user was granted on each, and what they come to. The limit keeps each step to
# one look at the index: a plan that reads all grants of the user would do so for every item.
WAY_UP = f"""cross join lateral (
    with recursive path as (
        select i.id, i.parent_id, i.name, i.trashed_at is not null as trashed, 1 as step
        union all
        select a.id, a.parent_id, a.name, a.trashed_at is not null, path.step + 1
        from path join item a on a.id = path.parent_id where path.step < {GUARD})
    select i.id as item_id, bool_or(path.trashed) as trashed, count(g.permission) > 0 as granted,
        json_agg(json_build_object('id', path.id, 'trashed', path.trashed, 'permission', g.permission, 'name', path.name)
            order by path.step) as steps
    from path left join lateral (
        select permission from item_grant g where g.user_id = {USER} and g.item_id = path.id limit 1) g on true) p"""

MEMBERSHIP = f"left join drive_member m on m.drive_id = d.id and m.user_id = {USER}"

# Whether the user can see `i` at all: nothing costly is looked up of a hidden item.
SEEN = "(m.role is not null or p.granted)"

AS_MET = f"{CREDITED} join drive d on d.id = i.drive_id {MEMBERSHIP} {WAY_UP}"

THIS = "where i.id = %(item_id)s::uuid"

# The name of the item of an event `e`; of one that went to another drive it is not told.
ITEM_NAME = "(select i.name from item i where i.id = e.item_id and i.drive_id = e.drive_id) as item_name"

# Written with each change of an item's name, place or content.
TOUCHED = "updated_at = %(at)s, updated_by_user = %(by_user)s::uuid, updated_by_agent = %(by_agent)s"


def latest_authors(where: str) -> str:
    """Return the expression of the ten latest authors of documents, as JSON, whose rows `e` answer a condition."""
    return f"""(
    select coalesce(json_agg(r), '[]') from (
        select a.id as user_id, a.name, nullif(e.agent, '') as agent, e.edited_at
        from document_author e join account a on a.id = e.user_id
        where {where} order by e.edited_at desc, e.user_id desc, e.agent desc limit {MAX_AUTHORS}) r)"""


def item_with(**parts: str) -> str:
    """Return the statement of an item's facts with these parts beside them; the parts are empty where it is hidden."""
    named = "".join(f", '{name}', case when {SEEN} then {part} else '[]' end" for name, part in parts.items())
    return f"select json_build_object('facts', {FACTS}{named}) from item i {AS_MET} {THIS}"
