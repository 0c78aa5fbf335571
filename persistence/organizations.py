"""Organizations, their members and invitations: reads, and what their events write."""

from datetime import datetime

from domain.organization import (
    Invitation,
    InvitationAccepted,
    InvitationRevoked,
    MemberInvited,
    OrganizationCreated,
    OrganizationFacts,
    OrganizationMember,
    OrganizationMemberRemoved,
    OrganizationMembership,
    OrganizationRole,
    OrganizationRoleSet,
)
from domain.questions import (
    InvitationByDigest,
    InvitationsOf,
    OrganizationFor,
    OrganizationMembershipsOf,
    OrganizationMembersOf,
    OrganizationMembersPage,
    OrganizationRoleOf,
)
from persistence.fragments import USER
from persistence.statements import NIL_UUID, Reads, Writes, many, one, page_of_list

_BELONGINGS = f"""
select json_agg((select r from (select o.id, o.name, b.role, o.created_at, b.joined_at) r) order by o.sort_key, o.id)
from organization_member b join organization o on o.id = b.organization_id where b.user_id = {USER}"""

_ORGANIZATION = f"""
select json_build_object('organization', o, 'role', b.role, 'admins', (
    select count(*) from organization_member a where a.organization_id = o.id and a.role = 'admin'))
from organization o left join organization_member b on b.organization_id = o.id and b.user_id = {USER}
where o.id = %(organization_id)s::uuid"""

_MEMBERS = """
select json_agg((select r from (select b.user_id, b.role, a.name, a.email, b.joined_at) r) order by b.joined_at, a.id)
from organization_member b join account a on a.id = b.user_id
where b.organization_id = %(organization_id)s::uuid"""

_MEMBERS_PAGE = f"""
select json_agg((select r from (select b.user_id, b.role, a.name, a.email, b.joined_at) r) order by b.joined_at, b.user_id)
from (
    select * from organization_member
    where organization_id = %(organization_id)s::uuid and (joined_at, user_id)
        > (coalesce(%(at)s::timestamptz, '-infinity'), coalesce(%(id)s::uuid, '{NIL_UUID}'))
    order by joined_at, user_id limit %(first)s::int + 1) b
join account a on a.id = b.user_id"""

_ROLE = """
select to_json(role) from organization_member
where organization_id = %(organization_id)s::uuid and user_id = %(member_id)s::uuid"""

_INVITATION = (
    "(select r from (select v.id, v.organization_id, v.email, v.role, v.created_at, v.expires_at, v.mailed) r)"
)

_INVITATIONS = f"""
select json_agg({_INVITATION} order by v.created_at, v.id) from invitation v
where v.organization_id = %(organization_id)s::uuid"""

_ORGANIZATION_CREATED = (
    """
insert into organization (id, name, sort_key, created_at)
values (%(organization_id)s::uuid, %(organization_name)s, %(sort_key)s, %(organization_created_at)s)""",
    """
insert into organization_member (organization_id, user_id, role, joined_at)
values (%(organization_id)s::uuid, %(admin_id)s::uuid, 'admin', %(at)s)""",
)

_MEMBER_INVITED = (
    """
insert into invitation (id, organization_id, digest, email, role, created_at, expires_at, mailed)
values (%(invitation_id)s::uuid, %(invitation_organization_id)s::uuid, %(digest)s, %(invitation_email)s,
    %(invitation_role)s, %(invitation_created_at)s, %(invitation_expires_at)s, %(invitation_mailed)s)""",
)

_INVITATION_REVOKED = (
    """
delete from invitation where id = %(invitation_id)s::uuid and organization_id = %(organization_id)s::uuid""",
)

# INVARIANT: no statement here binds what was granted to the address: an invitation verifies nothing.
_INVITATION_ACCEPTED = (
    "delete from invitation where id = %(invitation_id)s::uuid",
    """
insert into organization_member (organization_id, user_id, role, joined_at)
values (%(organization_id)s::uuid, %(user_id)s::uuid, %(role)s, %(at)s)
on conflict (organization_id, user_id) do update set role = excluded.role""",
)

_ORGANIZATION_ROLE_SET = (
    """
update organization_member set role = %(role)s
where organization_id = %(organization_id)s::uuid and user_id = %(user_id)s::uuid""",
)

# A drive left without an owner passes to the admin who removed them, else to the admin who has been there longest.
_ORGANIZATION_MEMBER_REMOVED = (
    """
delete from organization_member where organization_id = %(organization_id)s::uuid and user_id = %(user_id)s::uuid""",
    """
delete from item_grant using item i, drive d
where i.id = item_grant.item_id and d.id = i.drive_id and d.organization_id = %(organization_id)s::uuid
    and not %(grants_stay)s::bool and (item_grant.user_id = %(user_id)s::uuid
        or item_grant.email = (select email from account where id = %(user_id)s::uuid))""",
    """
delete from drive_member using drive d
where d.id = drive_member.drive_id and d.organization_id = %(organization_id)s::uuid
    and drive_member.user_id = %(user_id)s::uuid""",
    """
insert into drive_member (drive_id, user_id, role, added_at, given_by)
select d.id, heir.id, 'owner', %(at)s, %(by_user)s::uuid
from drive d, (select coalesce(%(heir_id)s::uuid, (
    select user_id from organization_member
    where organization_id = %(organization_id)s::uuid and role = 'admin'
    order by joined_at, user_id limit 1)) as id) heir
where d.organization_id = %(organization_id)s::uuid and heir.id is not null
    and not exists (select from drive_member m where m.drive_id = d.id and m.role = 'owner')
on conflict (drive_id, user_id) do update set role = 'owner', given_by = excluded.given_by""",
)

READS: Reads = {
    OrganizationMembershipsOf: many(OrganizationMembershipsOf, OrganizationMembership, _BELONGINGS),
    OrganizationFor: one(OrganizationFor, OrganizationFacts, _ORGANIZATION),
    OrganizationMembersOf: many(OrganizationMembersOf, OrganizationMember, _MEMBERS),
    OrganizationMembersPage: page_of_list(
        OrganizationMembersPage,
        OrganizationMember,
        {"at": datetime, "id": str},
        lambda member: (member.joined_at, member.user_id),
        _MEMBERS_PAGE,
    ),
    OrganizationRoleOf: one(OrganizationRoleOf, OrganizationRole, _ROLE),
    InvitationByDigest: one(
        InvitationByDigest, Invitation, f"select to_json({_INVITATION}) from invitation v where v.digest = %(digest)s"
    ),
    InvitationsOf: many(InvitationsOf, Invitation, _INVITATIONS),
}

WRITES: Writes = {
    InvitationAccepted: _INVITATION_ACCEPTED,
    InvitationRevoked: _INVITATION_REVOKED,
    MemberInvited: _MEMBER_INVITED,
    OrganizationCreated: _ORGANIZATION_CREATED,
    OrganizationMemberRemoved: _ORGANIZATION_MEMBER_REMOVED,
    OrganizationRoleSet: _ORGANIZATION_ROLE_SET,
}
