"""Drives and their members: reads, and what their events write."""

from datetime import datetime

import msgspec

from domain.drive import DriveCreated, DriveDeleted, DriveFacts, DriveRenamed
from domain.member import Member, MemberRemoved, MemberSet, MembershipFacts
from domain.questions import (
    DriveFor,
    DriveNames,
    MembershipFactsOf,
    MembersOf,
    MembersOfEach,
    MembersPage,
    Page,
    StorageOfEach,
)
from domain.values import ItemName
from persistence.fragments import DRIVE, MEMBERSHIP, USER
from persistence.statements import NIL_UUID, Read, Reads, ResultRow, Writes, of_fields, one, page_of_list

# For a drive alone, only whether it holds live items matters: each live item is below a live root item.
_FACTS = f"""'drive', {DRIVE}, 'role', m.role, 'live_items', (
    select count(*) from (
        select from item i where i.drive_id = d.id and i.parent_id is null and i.trashed_at is null limit 1) r)"""

_TRASHED = "select count(*) from (select from item i where i.drive_id = d.id and i.trashed_at is not null limit 1) r"

_DRIVE = f"""
select json_build_object({_FACTS}, 'trashed_items', ({_TRASHED}))
from drive d {MEMBERSHIP} where d.id = %(drive_id)s::uuid"""

_NAMES = f"""
select json_agg(facts) from (
    select json_build_object({_FACTS}) as facts
    from drive_member m join drive d on d.id = m.drive_id
    where m.user_id = {USER} and (%(id)s::uuid is null or (d.kind, d.sort_key, d.id)
        > (%(kind)s::text collate "C", %(sort_key)s::text collate "C", %(id)s::uuid))
    order by d.kind, d.sort_key, d.id limit %(first)s::int + 1) r"""

_MEMBER = "(select r from (select a.id as user_id, m.role, a.name, a.email, m.added_at) r)"

MEMBERS = f"""(
    select coalesce(json_agg({_MEMBER} order by m.added_at, a.id), '[]')
    from drive_member m join account a on a.id = m.user_id where m.drive_id = d.id)"""

_MEMBERS_PAGE = f"""
select json_agg({_MEMBER} order by m.added_at, m.user_id) from (
    select * from drive_member
    where drive_id = %(drive_id)s::uuid and (added_at, user_id)
        > (coalesce(%(at)s::timestamptz, '-infinity'), coalesce(%(id)s::uuid, '{NIL_UUID}'))
    order by added_at, user_id limit %(first)s::int + 1) m
join account a on a.id = m.user_id"""

_MEMBERS_OF_EACH = f"""
select json_agg(json_build_array(d.id, page.members, (select count(*) from drive_member m where m.drive_id = d.id)))
from drive d cross join lateral (
    select coalesce(json_agg({_MEMBER} order by m.added_at, m.user_id), '[]') as members from (
        select * from drive_member where drive_id = d.id order by added_at, user_id limit %(first)s::int + 1) m
    join account a on a.id = m.user_id) page
where d.id = any(%(drive_ids)s::uuid[])"""

_STANDING = """
select json_build_object(
    'in_organization', count(o.user_id) > 0,
    'role', (select role from drive_member m where m.drive_id = %(drive_id)s::uuid and m.user_id = %(member_id)s::uuid),
    'owners', (select count(*) from drive_member m where m.drive_id = %(drive_id)s::uuid and m.role = 'owner'),
    'members', (select count(*) from drive_member m where m.drive_id = %(drive_id)s::uuid))
from drive d join organization_member o on o.organization_id = d.organization_id
where d.id = %(drive_id)s::uuid and o.user_id = %(member_id)s::uuid"""

_DRIVE_CREATED = (
    """
insert into drive (id, kind, name, sort_key, organization_id, created_at, updated_at, depth)
values (%(drive_id)s::uuid, %(drive_kind)s, %(drive_name)s, %(sort_key)s, %(drive_organization_id)s::uuid,
    %(drive_created_at)s, %(drive_updated_at)s, %(drive_depth)s)""",
    """
insert into drive_member (drive_id, user_id, role, added_at, given_by)
values (%(drive_id)s::uuid, %(owner_id)s::uuid, 'owner', %(at)s, %(by_user)s::uuid)""",
)

_DRIVE_RENAMED = (
    "update drive set name = %(name)s, sort_key = %(sort_key)s, updated_at = %(at)s where id = %(drive_id)s::uuid",
)

_DRIVE_DELETED = (
    """
insert into blob_removal (key)
select distinct image.blob::text from item join image on image.item_id = item.id where item.drive_id = %(drive_id)s::uuid
on conflict do nothing""",
    "delete from item where drive_id = %(drive_id)s::uuid",
    "delete from drive where id = %(drive_id)s::uuid",
)

_MEMBER_SET = (
    """
insert into drive_member (drive_id, user_id, role, added_at, given_by)
values (%(drive_id)s::uuid, %(user_id)s::uuid, %(role)s, %(at)s, %(by_user)s::uuid)
on conflict (drive_id, user_id) do update set role = excluded.role, given_by = excluded.given_by""",
)

_MEMBER_REMOVED = ("delete from drive_member where drive_id = %(drive_id)s::uuid and user_id = %(user_id)s::uuid",)

_STORAGE = """
select json_object_agg(drive_id, bytes) from drive_storage where drive_id = any(%(drive_ids)s::uuid[])"""

_members_page = page_of_list(
    MembersPage,
    Member,
    {"at": datetime, "id": str},
    lambda member: (member.added_at, member.user_id),
    _MEMBERS_PAGE,
)
_decode_each = msgspec.json.Decoder(list[tuple[str, msgspec.Raw, int]]).decode


def _of_each(asked: MembersOfEach, row: ResultRow | None) -> dict[str, tuple[Page[Member], int]]:
    found = _decode_each(row[0]) if row and row[0] is not None else []
    first = MembersPage("", asked.first, None)
    return {drive_id: (_members_page.answer(first, (bytes(members),)), total) for drive_id, members, total in found}


READS: Reads = {
    DriveFor: one(DriveFor, DriveFacts, _DRIVE),
    DriveNames: page_of_list(
        DriveNames,
        DriveFacts,
        {"kind": str, "sort_key": ItemName, "id": str},  # `personal` comes before `shared` as it is
        lambda facts: (facts.drive.kind, facts.drive.name, facts.drive.id),
        _NAMES,
    ),
    StorageOfEach: one(StorageOfEach, dict[str, int], _STORAGE, {}),
    MembersOf: one(MembersOf, tuple[Member, ...], f"select {MEMBERS} from drive d where d.id = %(drive_id)s::uuid", ()),
    MembersPage: _members_page,
    MembersOfEach: Read(_MEMBERS_OF_EACH, _of_each, of_fields(MembersOfEach)),
    MembershipFactsOf: one(MembershipFactsOf, MembershipFacts, _STANDING),
}

WRITES: Writes = {
    DriveCreated: _DRIVE_CREATED,
    DriveDeleted: _DRIVE_DELETED,
    DriveRenamed: _DRIVE_RENAMED,
    MemberRemoved: _MEMBER_REMOVED,
    MemberSet: _MEMBER_SET,
}
