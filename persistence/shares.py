"""Shares: reads of the grants on an item and of what is shared with a user, and what their events write.

Lists are filtered here, before they are cut into pages, by the same rules as `domain.access`; tests hold the two against
each other.
"""

from datetime import datetime

from domain.item import ItemFacts
from domain.questions import (
    Access,
    AccessOf,
    Holder,
    HoldersOf,
    Shared,
    SharedItem,
    SharedItemsFor,
    SharedWith,
    SharesFor,
    SharesOf,
    SharesOfEach,
    Suggestion,
    SuggestionsFor,
)
from domain.share import ItemShared, ShareChanged, ShareRemoved, Shares
from persistence.fragments import AS_MET, FACTS, GUARD, THIS, USER, item_with
from persistence.statements import NIL_UUID, Reads, Writes, many, one, page_of_list

SHARES = """(
    select coalesce(json_agg((select r from (
        select g.email, g.permission, a.id as user_id, a.name, g.created_at) r) order by g.created_at, g.email), '[]')
    from item_grant g
    left join organization_member o on o.organization_id = d.organization_id and o.user_id = g.user_id
    left join account a on a.id = o.user_id
    where g.item_id = p.item_id)"""

_SHARE_FACTS = """
select json_build_object('count', count(*), 'permission', max(permission) filter (where email = %(email)s),
    'inside', exists (
        select from item i join drive d on d.id = i.drive_id
        join organization_member o on o.organization_id = d.organization_id join account a on a.id = o.user_id
        where i.id = %(item_id)s::uuid and a.email = %(email)s))
from item_grant where item_id = %(item_id)s::uuid"""

_SHARES_OF_EACH = """
select json_object_agg(item_id, shares) from (
    select item_id, count(*) as shares from item_grant where item_id = any(%(item_ids)s::uuid[]) group by item_id) g"""

_WAY_UP = f"""with recursive path as (
    select i.id, i.parent_id, i.drive_id, i.name, 1 as step from item i {THIS}
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

_GIVER = "(select r from (select b.id as user_id, b.name) r)"

# `offset 0` keeps a path from being joined with all grants of the service, which is cheaper only while those are few.
_ACCESS = f"""
{_WAY_UP}
select json_build_object('role', m.role, 'role_given_by', case when b.id is not null then {_GIVER} end, 'grants', (
    select coalesce(json_agg((select r from (
        select path.id as item_id, path.name as item_name, g.permission, {_GIVER} as given_by, g.created_at as given_at) r)
        order by path.step), '[]')
    from path cross join lateral (
        select * from item_grant where item_id = path.id and email = %(email)s offset 0) g
    join account b on b.id = g.given_by))
from (values (%(email)s::text)) asked (email)
left join account a on a.email = asked.email
left join drive_member m on m.user_id = a.id and m.drive_id = (select drive_id from path where step = 1)
left join account b on b.id = m.given_by"""

# Roles are joined, and grants gathered, once for all addresses: a drive has hundreds of members, a path thousands of grants.
_HOLDERS = f"""
{_WAY_UP},
place as (select coalesce(%(drive_id)s::uuid, (select drive_id from path where step = 1)) as drive_id),
member as (
    select a.email, m.role, case when b.id is not null then {_GIVER} end as given_by
    from drive_member m join account a on a.id = m.user_id left join account b on b.id = m.given_by
    where m.drive_id = (select drive_id from place)),
granted as (
    select g.email, json_agg((select r from (
        select path.id as item_id, path.name as item_name, g.permission, {_GIVER} as given_by, g.created_at as given_at) r)
        order by path.step) as grants
    from path cross join lateral (select * from item_grant where item_id = path.id offset 0) g
    join account b on b.id = g.given_by group by g.email)
select json_agg(json_build_object('email', h.email, 'user_id', a.id, 'name', a.name, 'access', json_build_object(
    'role', member.role, 'role_given_by', member.given_by, 'grants', coalesce(granted.grants, '[]')))
    order by h.email)
from (
    select email from member union select email from granted
    union select %(email)s::text where %(email)s::text is not null) h
left join member on member.email = h.email
left join granted on granted.email = h.email
left join account a on a.email = h.email and (member.role is not null or exists (
    select from organization_member o join drive d on d.organization_id = o.organization_id
    where d.id = (select drive_id from place) and o.user_id = a.id))"""

_SHARED = f"""
select json_agg({FACTS} order by mine.created_at desc, i.id desc)
from item_grant mine join item i on i.id = mine.item_id {AS_MET}
where mine.user_id = {USER} and not p.trashed"""

# The index gives the grants in this order, so only those of the page are walked up from, and those in the trash before.
_SHARED_ITEMS = f"""
select json_agg(shared) from (
    select json_build_object('facts', {FACTS}, 'shared_at', mine.created_at,
        'shared_by', (select {_GIVER} from account b where b.id = mine.given_by)) as shared
    from item_grant mine join item i on i.id = mine.item_id {AS_MET}
    where mine.user_id = {USER} and not p.trashed and (mine.created_at, mine.item_id)
        < (coalesce(%(at)s::timestamptz, 'infinity'), coalesce(%(id)s::uuid, '{NIL_UUID}'))
    order by mine.created_at desc, mine.item_id desc limit %(first)s::int + 1) r"""

# Effective at once where an account has verified the address; else it waits.
_ITEM_SHARED = (
    """
insert into item_grant (item_id, email, user_id, permission, given_by, created_at)
values (%(item_id)s::uuid, %(email)s, (
        select a.id from account a where a.email = %(email)s and a.email_verified_at is not null),
    %(permission)s, %(by_user)s::uuid, %(at)s)""",
)

_SHARE_CHANGED = (
    "update item_grant set permission = %(permission)s where item_id = %(item_id)s::uuid and email = %(email)s",
)

_SHARE_REMOVED = ("delete from item_grant where item_id = %(item_id)s::uuid and email = %(email)s",)

READS: Reads = {
    SharesFor: one(SharesFor, Shared, item_with(shares=SHARES)),
    SharesOfEach: one(SharesOfEach, dict[str, int], _SHARES_OF_EACH, {}),
    SharesOf: one(SharesOf, Shares, _SHARE_FACTS),
    SuggestionsFor: many(SuggestionsFor, Suggestion, _SUGGESTIONS),
    AccessOf: one(AccessOf, Access, _ACCESS),
    HoldersOf: many(HoldersOf, Holder, _HOLDERS),
    SharedWith: many(SharedWith, ItemFacts, _SHARED),
    SharedItemsFor: page_of_list(
        SharedItemsFor,
        SharedItem,
        {"at": datetime, "id": str},
        lambda shared: (shared.shared_at, shared.facts.item.id),
        _SHARED_ITEMS,
    ),
}

WRITES: Writes = {
    ItemShared: _ITEM_SHARED,
    ShareChanged: _SHARE_CHANGED,
    ShareRemoved: _SHARE_REMOVED,
}
