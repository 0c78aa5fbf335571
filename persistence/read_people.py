"""How the questions about accounts, keys and organizations are answered."""

from dataclasses import replace
from typing import Any

from domain.account import Account, Identity
from domain.idempotency import RecordedRequest
from domain.key import ApiKey
from domain.oauth import ConnectedApp
from domain.organization import (
    Invitation,
    OrganizationFacts,
    OrganizationMember,
    OrganizationMembership,
    OrganizationRole,
)
from domain.questions import (
    AccountByEmail,
    AccountOf,
    AppsOf,
    InvitationByDigest,
    InvitationsOf,
    KeysOf,
    OrganizationFor,
    OrganizationMembershipsOf,
    OrganizationMembersOf,
    OrganizationRoleOf,
    PlantedIn,
    RecordedRequestFor,
    WhoHoldsKey,
)
from domain.take_over import Planted
from persistence.fragments import USER
from persistence.reading import Reads, canonical, many, one, plain

_WHO = """
select json_build_object('user_id', a.id, 'name', a.name, 'email', a.email, 'agent', k.agent,
    'organization_id', o.organization_id, 'key_id', k.id)
from api_key k join account a on a.id = k.user_id
left join organization_member o on o.organization_id = k.organization_id and o.user_id = k.user_id
where k.digest = %(digest)s and k.revoked_at is null and a.disabled_at is null"""

_ACCOUNT = """
select json_build_object('id', a.id, 'name', a.name, 'email', a.email, 'email_proved', a.email_proved_at is not null,
    'created_at', a.created_at) from account a"""

_BELONGINGS = f"""
select json_agg((select r from (select o.id, o.name, b.role, o.created_at, b.joined_at) r) order by o.sort_key, o.id)
from organization_member b join organization o on o.id = b.organization_id where b.user_id = {USER}"""

_KEYS = f"""
select json_agg((select r from (select k.id, k.user_id, k.name, k.agent, k.organization_id, k.prefix, k.last_four,
    k.created_at, k.last_used_at) r) order by k.created_at desc, k.id desc)
from api_key k where k.user_id = {USER} and k.revoked_at is null"""

_APPS = f"""
select json_agg(to_json(p) order by p.connected_at desc, p.id desc) from connected_app p where p.user_id = {USER}"""

# An organization in which the account is alone stays its own, with what is in its drives.
_PLANTED = f"""
with belonging as (
    select b.organization_id, count(o.user_id) as others, (array_agg(o.user_id order by o.joined_at, o.user_id)
        filter (where o.user_id is not null))[1] as eldest, bool_or(o.role = 'admin') as administered
    from organization_member b
    left join organization_member o on o.organization_id = b.organization_id and o.user_id <> b.user_id
    where b.user_id = {USER} group by b.organization_id),
own as (
    select d.id from drive d join drive_member m on m.drive_id = d.id and m.user_id = {USER} and d.kind = 'personal'
    union all
    select d.id from drive d join belonging b on b.organization_id = d.organization_id and b.others = 0)
select json_build_object(
    'sessions', (select coalesce(json_agg(id order by id), '[]') from web_session where user_id = {USER}),
    'keys', (select coalesce(json_agg(id order by id), '[]') from api_key where user_id = {USER} and revoked_at is null),
    'links', (select coalesce(json_agg(id order by id), '[]') from link where user_id = {USER}),
    'apps', (
        select coalesce(json_agg(json_build_object('id', id, 'name', name) order by id), '[]')
        from connected_app where user_id = {USER}),
    'shares', (
        select coalesce(json_agg(json_build_object('item_id', i.id, 'drive_id', i.drive_id, 'email', g.email)
            order by i.id, g.email), '[]')
        from item_grant g join item i on i.id = g.item_id
        where g.given_by = {USER} or i.drive_id in (select id from own)),
    'pages', (
        select coalesce(json_agg(json_build_object('item_id', id, 'drive_id', drive_id) order by id), '[]')
        from item where slug is not null and drive_id in (select id from own)),
    'memberships', (
        select coalesce(json_agg(json_build_object('organization_id', organization_id,
            'successor_id', case when not administered then eldest end) order by organization_id), '[]')
        from belonging where others > 0),
    'invitations', (
        select coalesce(json_agg(json_build_object('id', v.id, 'organization_id', v.organization_id) order by v.id), '[]')
        from invitation v join belonging b on b.organization_id = v.organization_id and b.others = 0))"""

_REMEMBERED = f"""
select json_build_object('digest', digest, 'result_id', result_id) from idempotency
where user_id = {USER} and operation = %(operation)s and key = %(key)s"""

_ORGANIZATION = f"""
select json_build_object('organization', o, 'role', b.role, 'admins', (
    select count(*) from organization_member a where a.organization_id = o.id and a.role = 'admin'))
from organization o left join organization_member b on b.organization_id = o.id and b.user_id = {USER}
where o.id = %(organization_id)s::uuid"""

_MEMBERS = """
select json_agg((select r from (select b.user_id, b.role, a.name, a.email, b.joined_at) r) order by b.joined_at, a.id)
from organization_member b join account a on a.id = b.user_id
where b.organization_id = %(organization_id)s::uuid"""

_ROLE = """
select to_json(role) from organization_member
where organization_id = %(organization_id)s::uuid and user_id = %(member_id)s::uuid"""

_INVITATION = (
    "(select r from (select v.id, v.organization_id, v.email, v.role, v.created_at, v.expires_at, v.mailed) r)"
)
_INVITATIONS = f"""
select json_agg({_INVITATION} order by v.created_at, v.id) from invitation v
where v.organization_id = %(organization_id)s::uuid"""


def _remembered(asked: Any) -> dict[str, object]:
    key = asked.key
    return {"user_id": canonical(key.user_id), "operation": plain(key.operation), "key": plain(key.key)}


PEOPLE_READS: Reads = {
    WhoHoldsKey: one(WhoHoldsKey, Identity, _WHO),
    AccountOf: one(AccountOf, Account, f"{_ACCOUNT} where a.id = {USER}"),
    AccountByEmail: one(AccountByEmail, Account, f"{_ACCOUNT} where a.email = %(email)s"),
    OrganizationMembershipsOf: many(OrganizationMembershipsOf, OrganizationMembership, _BELONGINGS),
    KeysOf: many(KeysOf, ApiKey, _KEYS),
    AppsOf: many(AppsOf, ConnectedApp, _APPS),
    PlantedIn: one(PlantedIn, Planted, _PLANTED),
    RecordedRequestFor: replace(one(RecordedRequestFor, RecordedRequest, _REMEMBERED), arguments=_remembered),
    OrganizationFor: one(OrganizationFor, OrganizationFacts, _ORGANIZATION),
    OrganizationMembersOf: many(OrganizationMembersOf, OrganizationMember, _MEMBERS),
    OrganizationRoleOf: one(OrganizationRoleOf, OrganizationRole, _ROLE),
    InvitationByDigest: one(
        InvitationByDigest, Invitation, f"select to_json({_INVITATION}) from invitation v where v.digest = %(digest)s"
    ),
    InvitationsOf: many(InvitationsOf, Invitation, _INVITATIONS),
}
