"""Sessions, passwords and links: reads, and what their events write."""

from domain.email_link import EmailLink, LinkMade, LinkUsed
from domain.questions import LinkByDigest, PasswordAt, PasswordOf, SessionsOf, SignedIn, WhoIsSignedIn
from domain.session import OrganizationChosen, PasswordSet, Session, SessionBegun, SessionEnded
from persistence.fragments import USER
from persistence.statements import Reads, Writes, many, one

_SESSION_BEGUN = (
    """
insert into web_session (id, user_id, digest, organization_id, device, created_at, last_seen_at)
values (%(session_id)s::uuid, %(session_user_id)s::uuid, %(digest)s, %(session_organization_id)s::uuid,
    %(session_device)s, %(session_created_at)s, %(session_last_seen_at)s)""",
)

_SESSION_ENDED = ("delete from web_session where id = %(session_id)s::uuid and user_id = %(user_id)s::uuid",)

_ORGANIZATION_CHOSEN = (
    """
update web_session set organization_id = %(organization_id)s::uuid
where id = %(session_id)s::uuid and user_id = %(user_id)s::uuid""",
)

_PASSWORD_SET = (
    "update account set password_hash = %(password_hash)s where id = %(user_id)s::uuid",
    "delete from link where user_id = %(user_id)s::uuid and purpose = 'reset_password'",
)

_LINK_MADE = (
    """
insert into link (id, digest, purpose, email, user_id, expires_at, mailed)
values (%(link_id)s::uuid, %(digest)s, %(link_purpose)s, %(link_email)s, %(link_user_id)s::uuid,
    %(link_expires_at)s, %(link_mailed)s)""",
)

_LINK_USED = ("delete from link where id = %(link_id)s::uuid",)

_SESSION = """(select r from (select s.id, s.user_id, s.organization_id, s.device, s.created_at, s.last_seen_at) r)"""

_WHO = f"""
select json_build_object('session', {_SESSION}, 'caller', json_build_object('user_id', a.id, 'name', a.name,
    'email', a.email, 'agent', null, 'organization_id', o.organization_id,
    'credential', json_build_object('kind', 'session', 'id', s.id)))
from web_session s join account a on a.id = s.user_id
left join organization_member o on o.organization_id = s.organization_id and o.user_id = s.user_id
where s.digest = %(digest)s and s.last_seen_at > %(seen_after)s and s.created_at > %(begun_after)s
    and a.disabled_at is null"""

_SESSIONS = f"""
select json_agg({_SESSION} order by s.created_at desc, s.id desc) from web_session s where s.user_id = {USER}"""

_LINK = """
select json_build_object('id', id, 'purpose', purpose, 'email', email, 'user_id', user_id, 'expires_at', expires_at,
    'mailed', mailed)
from link where digest = %(digest)s"""

_HELD_AGAINST = """
select json_build_object('user_id', id, 'password_hash', password_hash) from account
where email = %(email)s and disabled_at is null"""

READS: Reads = {
    WhoIsSignedIn: one(WhoIsSignedIn, SignedIn, _WHO),
    SessionsOf: many(SessionsOf, Session, _SESSIONS),
    LinkByDigest: one(LinkByDigest, EmailLink, _LINK),
    PasswordOf: one(PasswordOf, PasswordAt, _HELD_AGAINST),
}

WRITES: Writes = {
    LinkMade: _LINK_MADE,
    LinkUsed: _LINK_USED,
    OrganizationChosen: _ORGANIZATION_CHOSEN,
    PasswordSet: _PASSWORD_SET,
    SessionBegun: _SESSION_BEGUN,
    SessionEnded: _SESSION_ENDED,
}
