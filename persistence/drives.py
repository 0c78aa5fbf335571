"""Drives and their members: reads, and what their events write."""

from domain.drive import DriveCreated, DriveDeleted, DriveFacts, DriveRenamed
from domain.member import Member, MemberRemoved, MemberSet, MembershipFacts
from domain.questions import DriveFor, DriveNames, MembershipFactsOf, MembersOf, StorageOfEach
from domain.values import ItemName
from persistence.fragments import DRIVE, MEMBERSHIP, USER
from persistence.statements import Reads, Writes, one, page_of_list

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

MEMBERS = """(
    select coalesce(json_agg((select r from (select a.id as user_id, m.role, a.name, a.email, m.added_at) r)
        order by m.added_at, a.id), '[]')
    from drive_member m join account a on a.id = m.user_id where m.drive_id = d.id)"""

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
    MembershipFactsOf: one(MembershipFactsOf, MembershipFacts, _STANDING),
}

WRITES: Writes = {
    DriveCreated: _DRIVE_CREATED,
    DriveDeleted: _DRIVE_DELETED,
    DriveRenamed: _DRIVE_RENAMED,
    MemberRemoved: _MEMBER_REMOVED,
    MemberSet: _MEMBER_SET,
}
