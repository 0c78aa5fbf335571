"""What the events about accounts, keys, organizations, drives and their members write.

The arguments are as in `persistence.ledger_items`.
"""

ACCOUNT_CREATED = (
    """
insert into account (id, name, sort_key, email, email_proved_at, created_at)
values (%(account_id)s::uuid, %(account_name)s, %(sort_key)s, %(account_email)s,
    case when %(account_email_proved)s::bool then %(at)s::timestamptz end, %(account_created_at)s)""",
    """
insert into drive (id, kind, name, sort_key, created_at, updated_at)
values (%(drive_id)s::uuid, 'personal', %(account_name)s, %(sort_key)s, %(account_created_at)s,
    %(account_created_at)s)""",
    """
insert into drive_member (drive_id, user_id, role, added_at, given_by)
values (%(drive_id)s::uuid, %(account_id)s::uuid, 'owner', %(account_created_at)s, %(account_id)s::uuid)""",
    """
update item_grant set user_id = %(account_id)s::uuid
where email = %(account_email)s and user_id is null and %(account_email_proved)s::bool""",
)
ACCOUNT_DISABLED = (
    """
update account set disabled_at = case when %(disabled)s::bool then %(at)s::timestamptz end
where id = %(user_id)s::uuid""",
)
ACCOUNT_RENAMED = ("update account set name = %(name)s, sort_key = %(sort_key)s where id = %(user_id)s::uuid",)
ADDRESS_PROVED = (
    """
update account set email_proved_at = coalesce(email_proved_at, %(at)s)
where id = %(user_id)s::uuid and email = %(email)s""",
    """
update item_grant set user_id = a.id from account a
where a.id = %(user_id)s::uuid and a.email = %(email)s and item_grant.email = a.email and item_grant.user_id is null""",
)

KEY_CREATED = (
    """
insert into api_key (id, user_id, digest, name, agent, organization_id, prefix, last_four, created_at)
values (%(key_id)s::uuid, %(key_user_id)s::uuid, %(digest)s, %(key_name)s, %(key_agent)s, %(key_organization_id)s::uuid,
    %(key_prefix)s, %(key_last_four)s, %(key_created_at)s)""",
)
KEY_REVOKED = (
    """
update api_key set revoked_at = %(at)s
where id = %(key_id)s::uuid and user_id = %(user_id)s::uuid and revoked_at is null""",
)

ORGANIZATION_CREATED = (
    """
insert into organization (id, name, sort_key, created_at)
values (%(organization_id)s::uuid, %(organization_name)s, %(sort_key)s, %(organization_created_at)s)""",
    """
insert into organization_member (organization_id, user_id, role, joined_at)
values (%(organization_id)s::uuid, %(admin_id)s::uuid, 'admin', %(at)s)""",
)
MEMBER_INVITED = (
    """
insert into invitation (id, organization_id, digest, email, role, created_at, expires_at, mailed)
values (%(invitation_id)s::uuid, %(invitation_organization_id)s::uuid, %(digest)s, %(invitation_email)s,
    %(invitation_role)s, %(invitation_created_at)s, %(invitation_expires_at)s, %(invitation_mailed)s)""",
)
INVITATION_REVOKED = (
    """
delete from invitation where id = %(invitation_id)s::uuid and organization_id = %(organization_id)s::uuid""",
)
# INVARIANT: no statement here binds what was granted to the address: an invitation proves nothing.
INVITATION_ACCEPTED = (
    "delete from invitation where id = %(invitation_id)s::uuid",
    """
insert into organization_member (organization_id, user_id, role, joined_at)
values (%(organization_id)s::uuid, %(user_id)s::uuid, %(role)s, %(at)s)
on conflict (organization_id, user_id) do update set role = excluded.role""",
)
ORGANIZATION_ROLE_SET = (
    """
update organization_member set role = %(role)s
where organization_id = %(organization_id)s::uuid and user_id = %(user_id)s::uuid""",
)
# A drive left without an owner passes to whoever removed them, else to the admin who has been there longest.
ORGANIZATION_MEMBER_REMOVED = (
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

DRIVE_CREATED = (
    """
insert into drive (id, kind, name, sort_key, organization_id, created_at, updated_at, depth)
values (%(drive_id)s::uuid, %(drive_kind)s, %(drive_name)s, %(sort_key)s, %(drive_organization_id)s::uuid,
    %(drive_created_at)s, %(drive_updated_at)s, %(drive_depth)s)""",
    """
insert into drive_member (drive_id, user_id, role, added_at, given_by)
values (%(drive_id)s::uuid, %(owner_id)s::uuid, 'owner', %(at)s, %(by_user)s::uuid)""",
)
DRIVE_RENAMED = (
    "update drive set name = %(name)s, sort_key = %(sort_key)s, updated_at = %(at)s where id = %(drive_id)s::uuid",
)
DRIVE_DELETED = (
    """
insert into blob_removal (key)
select image.id::text from item join image on image.item_id = item.id where item.drive_id = %(drive_id)s::uuid""",
    "delete from item where drive_id = %(drive_id)s::uuid",
    "delete from drive where id = %(drive_id)s::uuid",
)
MEMBER_SET = (
    """
insert into drive_member (drive_id, user_id, role, added_at, given_by)
values (%(drive_id)s::uuid, %(user_id)s::uuid, %(role)s, %(at)s, %(by_user)s::uuid)
on conflict (drive_id, user_id) do update set role = excluded.role, given_by = excluded.given_by""",
)
MEMBER_REMOVED = ("delete from drive_member where drive_id = %(drive_id)s::uuid and user_id = %(user_id)s::uuid",)
