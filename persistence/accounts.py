"""Accounts, their API keys and the validity of their credentials: reads, and what their events write."""

from collections.abc import Mapping
from dataclasses import replace

from domain.account import Account, AccountCreated, AccountDisabled, AccountRenamed, EmailVerified
from domain.caller import Caller, Credential
from domain.key import ApiKey, KeyCreated, KeyRevoked
from domain.questions import (
    AccountByEmail,
    AccountOf,
    AgentSeen,
    AgentsOf,
    CredentialIsValid,
    FollowerRights,
    KeysOf,
    PlantedIn,
    RightsOfFollowers,
    WhoHoldsKey,
)
from domain.take_over import Planted
from persistence.fragments import USER
from persistence.statements import Reads, Writes, canonical, many, one

_WHO = """
select json_build_object('user_id', a.id, 'name', a.name, 'email', a.email, 'agent', k.agent,
    'organization_id', o.organization_id, 'credential', json_build_object('kind', 'key', 'id', k.id, 'digest', k.digest))
from api_key k join account a on a.id = k.user_id
left join organization_member o on o.organization_id = k.organization_id and o.user_id = k.user_id
where k.digest = %(digest)s and k.revoked_at is null and a.disabled_at is null"""

_ACCOUNT = """
select json_build_object('id', a.id, 'name', a.name, 'email', a.email, 'email_verified', a.email_verified_at is not null,
    'created_at', a.created_at) from account a"""

_KEYS = f"""
select json_agg((select r from (select k.id, k.user_id, k.name, k.agent, k.organization_id, k.prefix, k.last_four,
    k.created_at, k.last_used_at) r) order by k.created_at desc, k.id desc)
from api_key k join account a on a.id = k.user_id
where k.user_id = {USER} and k.revoked_at is null and a.disabled_at is null"""

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

_ACCOUNT_CREATED = (
    """
insert into account (id, name, sort_key, email, email_verified_at, created_at)
values (%(account_id)s::uuid, %(account_name)s, %(sort_key)s, %(account_email)s,
    case when %(account_email_verified)s::bool then %(at)s::timestamptz end, %(account_created_at)s)""",
    """
insert into drive (id, kind, name, sort_key, created_at, updated_at)
values (%(drive_id)s::uuid, 'personal', %(account_name)s, %(sort_key)s, %(account_created_at)s,
    %(account_created_at)s)""",
    """
insert into drive_member (drive_id, user_id, role, added_at, given_by)
values (%(drive_id)s::uuid, %(account_id)s::uuid, 'owner', %(account_created_at)s, %(account_id)s::uuid)""",
    """
update item_grant set user_id = %(account_id)s::uuid
where email = %(account_email)s and user_id is null and %(account_email_verified)s::bool""",
)

_ACCOUNT_DISABLED = (
    """
update account set disabled_at = case when %(disabled)s::bool then %(at)s::timestamptz end
where id = %(user_id)s::uuid""",
)

_ACCOUNT_RENAMED = ("update account set name = %(name)s, sort_key = %(sort_key)s where id = %(user_id)s::uuid",)

_EMAIL_VERIFIED = (
    """
update account set email_verified_at = coalesce(email_verified_at, %(at)s)
where id = %(user_id)s::uuid and email = %(email)s""",
    """
update item_grant set user_id = a.id from account a
where a.id = %(user_id)s::uuid and a.email = %(email)s and item_grant.email = a.email and item_grant.user_id is null""",
)

_KEY_CREATED = (
    """
insert into api_key (id, user_id, digest, name, agent, organization_id, prefix, last_four, created_at)
values (%(key_id)s::uuid, %(key_user_id)s::uuid, %(digest)s, %(key_name)s, %(key_agent)s, %(key_organization_id)s::uuid,
    %(key_prefix)s, %(key_last_four)s, %(key_created_at)s)""",
)

_KEY_REVOKED = (
    """
update api_key set revoked_at = %(at)s
where id = %(key_id)s::uuid and user_id = %(user_id)s::uuid and revoked_at is null""",
)

# The index is of the edits of agents alone, and gives the last one.
_AGENTS = f"""
select json_agg(json_build_object('name', n.name, 'item_id', e.item_id, 'edited_at', e.at) order by n.name)
from (
    select agent as name from api_key where user_id = {USER} and revoked_at is null and agent is not null
    union
    select name from connected_app where user_id = {USER}) n
left join lateral (
    select item_id, at from event
    where user_id = {USER} and agent = n.name and type = 'documentEdited' order by sequence desc limit 1) e on true"""

# Whether the credential `c` is valid; one without a kind always is.
_IS_VALID = """
case c.kind
    when 'key' then exists (
        select from api_key k join account a on a.id = k.user_id
        where k.id = c.id and k.revoked_at is null and a.disabled_at is null)
    when 'session' then exists (
        select from web_session s join account a on a.id = s.user_id where s.id = c.id and a.disabled_at is null)
    when 'bearer' then exists (
        select from oauth_secret s join oauth_family f on f.id = s.family_id join connected_app p on p.id = f.app_id
        join account a on a.id = p.user_id where s.digest = c.digest and p.id = c.id and a.disabled_at is null)
    else true end"""

_CREDENTIAL = f"""
select to_json({_IS_VALID})
from (select %(kind)s::text as kind, %(id)s::uuid as id, %(digest)s::text as digest) c"""

_FOLLOWERS = f"""
select json_agg(json_build_object('is_member', m.user_id is not null, 'is_valid', {_IS_VALID}) order by c.place)
from unnest(%(user_ids)s::uuid[], %(kinds)s::text[], %(ids)s::uuid[], %(digests)s::text[])
    with ordinality c (user_id, kind, id, digest, place)
left join drive_member m on m.drive_id = %(drive_id)s::uuid and m.user_id = c.user_id"""


def _of_credential(asked: CredentialIsValid) -> Mapping[str, object]:
    kind, id_, digest = _columns(asked.credential)
    return {"kind": kind, "id": id_, "digest": digest}


def _of_followers(asked: RightsOfFollowers) -> Mapping[str, object]:
    columns = [_columns(each.credential) for each in asked.followers]
    return {
        "drive_id": canonical(asked.drive_id),
        "user_ids": [canonical(each.user_id) for each in asked.followers],
        "kinds": [kind for kind, _, _ in columns],
        "ids": [id_ for _, id_, _ in columns],
        "digests": [digest for _, _, digest in columns],
    }


def _columns(of: Credential | None) -> tuple[object, object, object]:
    return (None, None, None) if of is None else (of.kind.value, canonical(of.id), of.digest)


READS: Reads = {
    CredentialIsValid: replace(one(CredentialIsValid, bool, _CREDENTIAL), arguments=_of_credential),
    RightsOfFollowers: replace(many(RightsOfFollowers, FollowerRights, _FOLLOWERS), arguments=_of_followers),
    AgentsOf: many(AgentsOf, AgentSeen, _AGENTS),
    WhoHoldsKey: one(WhoHoldsKey, Caller, _WHO),
    AccountOf: one(AccountOf, Account, f"{_ACCOUNT} where a.id = {USER}"),
    AccountByEmail: one(AccountByEmail, Account, f"{_ACCOUNT} where a.email = %(email)s"),
    KeysOf: many(KeysOf, ApiKey, _KEYS),
    PlantedIn: one(PlantedIn, Planted, _PLANTED),
}

WRITES: Writes = {
    AccountCreated: _ACCOUNT_CREATED,
    AccountDisabled: _ACCOUNT_DISABLED,
    AccountRenamed: _ACCOUNT_RENAMED,
    EmailVerified: _EMAIL_VERIFIED,
    KeyCreated: _KEY_CREATED,
    KeyRevoked: _KEY_REVOKED,
}
