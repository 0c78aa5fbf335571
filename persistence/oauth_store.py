"""Stores connected applications: registrations, pending requests, approvals, and digests of codes and tokens.

A code or refresh token is spent in one serializable transaction, under the lock of its row, so that of two concurrent
uses one is always the second.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from domain.caller import Caller
from domain.credit import Credit
from domain.errors import Rejection
from domain.oauth import (
    APPROVAL_LASTS,
    REPEAT_LASTS,
    UNUSED_LASTS,
    AppConnected,
    AuthorizationRequest,
    Client,
    ConnectedApp,
    Exchanged,
    FamilyEnded,
    Outcome,
    PendingAuthorization,
    PresentedToken,
    StoredToken,
    disconnect,
)
from persistence.postgres.connections import Connection
from persistence.statements import canonical, storable
from persistence.store import PostgresStore, Transaction

_CLIENT: Final = """
select json_build_object('id', id, 'name', name, 'redirect_uris', redirect_uris, 'may_refresh', refreshes,
    'created_at', created_at) from oauth_client where id = %(client_id)s"""
_REGISTER: Final = """
insert into oauth_client (id, name, redirect_uris, refreshes, created_at)
values (%(id)s, %(name)s, %(redirect_uris)s, %(may_refresh)s, %(created_at)s)
on conflict (id) do update
    set name = excluded.name, redirect_uris = excluded.redirect_uris, refreshes = excluded.refreshes"""

_APP: Final = "select to_json(p) from connected_app p where p."
_APPROVED: Final = f"""{_APP}user_id = %(user_id)s::uuid and p.client_id = %(client_id)s and p.scope = %(scope)s
    and p.resource = %(resource)s"""
_APPS: Final = """
select json_agg(to_json(p) order by p.connected_at desc, p.id desc) from connected_app p
where p.user_id = %(user_id)s::uuid"""

_WAIT: Final = """
insert into oauth_request (digest, user_id, session_id, client_id, redirect_uri, state, scope, resource, challenge,
    expires_at)
values (%(digest)s, %(user_id)s::uuid, %(session_id)s::uuid, %(client_id)s, %(redirect_uri)s, %(state)s, %(scope)s,
    %(resource)s, %(challenge)s, %(expires_at)s)"""
_TAKE: Final = """
delete from oauth_request
where digest = %(digest)s and session_id = %(session_id)s::uuid and expires_at > %(now)s
returning json_build_object('asked', json_build_object('client_id', client_id, 'redirect_uri', redirect_uri,
    'state', state, 'scope', scope, 'resource', resource, 'challenge', challenge),
    'user_id', user_id, 'session_id', session_id, 'expires_at', expires_at)"""

_BEGIN: Final = """
insert into oauth_family (id, app_id, begun_at)
select %(family_id)s::uuid, id, %(now)s from connected_app
where user_id = %(user_id)s::uuid and client_id = %(client_id)s and scope = %(scope)s and resource = %(resource)s"""
_KEEP: Final = """
insert into oauth_secret (digest, family_id, kind, redirect_uri, challenge, expires_at)
values (%(digest)s, %(family_id)s::uuid, %(kind)s, %(redirect_uri)s, %(challenge)s, %(expires_at)s)"""
_PRESENTED: Final = """
select json_build_object('kind', s.kind, 'family_id', f.id, 'app_id', p.id, 'client_id', p.client_id, 'scope', p.scope,
    'resource', p.resource, 'begun_at', f.begun_at, 'expires_at', s.expires_at, 'spent_at', s.spent_at,
    'redirect_uri', s.redirect_uri, 'challenge', s.challenge, 'salt', s.salt)
from oauth_secret s join oauth_family f on f.id = s.family_id join connected_app p on p.id = f.app_id
join account a on a.id = p.user_id
where s.digest = %(digest)s and a.disabled_at is null for update of s, f"""
_SPEND: Final = """
update oauth_secret set spent_at = %(now)s, salt = %(salt)s where digest = %(digest)s and spent_at is null"""
_END: Final = "delete from oauth_family where id = %(family_id)s::uuid"

# Each request checks anew that the user is in the organization and the account is enabled.
_BEARER: Final = """
select json_build_object('user_id', a.id, 'name', a.name, 'email', a.email, 'agent', p.name,
    'organization_id', o.organization_id, 'credential', json_build_object('kind', 'bearer', 'id', p.id, 'digest', s.digest))
from oauth_secret s join oauth_family f on f.id = s.family_id join connected_app p on p.id = f.app_id
join account a on a.id = p.user_id
left join organization_member o on o.organization_id = p.organization_id and o.user_id = p.user_id
where s.digest = %(digest)s and s.kind = 'access' and s.expires_at > %(now)s and p.resource = %(resource)s
    and a.disabled_at is null"""

_USED: Final = (
    """
update connected_app set last_used_at = date_trunc('minute', %(now)s::timestamptz)
where id = any(%(ids)s::uuid[]) and last_used_at is distinct from date_trunc('minute', %(now)s::timestamptz)""",
    """
update oauth_client c set last_used_at = p.last_used_at from connected_app p
where p.client_id = c.id and p.id = any(%(ids)s::uuid[]) and c.last_used_at is distinct from p.last_used_at""",
)
# A spent secret stays as long as its family, which ends when none of its secrets can be used any more.
_OVER: Final = (
    "delete from oauth_request where expires_at <= %(now)s",
    "update oauth_secret set salt = null where salt is not null and spent_at <= %(repeatable)s",
    "delete from oauth_secret where kind = 'access' and expires_at <= %(now)s",
    """
delete from oauth_family f where not exists (
    select from oauth_secret s where s.family_id = f.id and s.spent_at is null and s.expires_at > %(now)s)""",
    "delete from connected_app where coalesce(last_used_at, connected_at) <= %(unapproved)s",
    """
delete from oauth_client c where coalesce(c.last_used_at, c.created_at) <= %(unused)s
    and not exists (select from connected_app p where p.client_id = c.id)""",
)

_caller: Final = msgspec.json.Decoder(Caller)
_client: Final = msgspec.json.Decoder(Client)
_app: Final = msgspec.json.Decoder(ConnectedApp)
_apps: Final = msgspec.json.Decoder(tuple[ConnectedApp, ...])
_waiting: Final = msgspec.json.Decoder(PendingAuthorization)
_presented: Final = msgspec.json.Decoder(PresentedToken)


class _Nothing:
    """Touches no drive, so takes no lock."""

    items = drives = organizations = documents = ()
    covers_reads = may_end_access = False


class _AppAlone(_Nothing):
    may_end_access = True


class OAuthStore:
    """One for each process; uses are noted at the most once a minute, by `tidy`."""

    def __init__(self, store: PostgresStore, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self._used: set[str] = set()

    async def register(self, client: Client) -> None:
        await self._do(_REGISTER, _fields(client))

    async def client(self, client_id: str) -> Client | None:
        return _decoded(_client, await self._value(_CLIENT, client_id=storable(client_id)))

    async def approved(self, user_id: str, asked: AuthorizationRequest) -> ConnectedApp | None:
        """Return the application as the user approved it for that resource, for whichever redirect URI."""
        given = {"client_id": asked.client_id, "scope": asked.scope, "resource": asked.resource}
        found = await self._value(_APPROVED, user_id=user_id, **given)
        return _decoded(_app, found)

    async def of(self, user_id: str) -> tuple[ConnectedApp, ...]:
        """Return the user's connected applications, newest first."""
        return _decoded(_apps, await self._value(_APPS, user_id=user_id)) or ()

    async def save_pending(self, digest: str, waiting: PendingAuthorization) -> None:
        about = _fields(waiting.asked) | {"user_id": waiting.user_id, "session_id": waiting.session_id}
        await self._do(_WAIT, {**about, "digest": digest, "expires_at": waiting.expires_at})

    async def pop_pending(self, digest: str, session_id: str) -> PendingAuthorization | None:
        """Return the request that waits, once, to the session that it waits for."""
        found = await self._value(_TAKE, digest=digest, session_id=session_id, now=self._clock())
        return _decoded(_waiting, found)

    async def connect(self, app: ConnectedApp, by: Credit, family_id: str, code: StoredToken) -> None:
        """Store an approval, and begin a token family with its code."""

        async def work(transaction: Transaction) -> None:
            await transaction.record((AppConnected(app),), by, app.connected_at)
            await transaction.write()
            await _begin(transaction.connection, app, family_id, code, self._clock())

        await self._store.transact(_Nothing, work)

    async def begin(self, app: ConnectedApp, family_id: str, code: StoredToken) -> None:
        """Begin another token family of an approved application."""

        async def work(transaction: Transaction) -> None:
            await _begin(transaction.connection, app, family_id, code, self._clock())

        await self._store.transact(_Nothing, work)

    async def present[Answer](
        self, digest: str, rule: Callable[[PresentedToken | None], tuple[Outcome, Answer]]
    ) -> Answer:
        """Apply what `rule` decides about a presented code or token, and return its answer."""

        async def work(transaction: Transaction) -> Answer:
            connection = transaction.connection
            found = _decoded(_presented, await _first(connection, _PRESENTED, {"digest": digest}))
            outcome, result = rule(found)
            if found and isinstance(outcome, FamilyEnded):
                await connection.execute(_END, {"family_id": found.family_id})
            elif found and isinstance(outcome, Exchanged):
                await connection.execute(_SPEND, {"digest": digest, "now": self._clock(), "salt": outcome.salt})
                await _keep(connection, found.family_id, outcome.given)
                self._used.add(found.app_id)
            return result

        return await self._store.transact(_Nothing, work)

    async def bearer(self, digest: str, resource: str) -> Caller | None:
        """Return the caller of an access token at `resource`; None where it is not valid there."""
        found = await self._value(_BEARER, digest=digest, resource=resource, now=self._clock())
        caller = _decoded(_caller, found)
        if caller and caller.app_id:
            self._used.add(caller.app_id)
        return caller

    async def disconnect(self, app_id: str, by: Credit) -> Rejection | None:
        """End all tokens and codes of one of the user's applications."""

        async def work(transaction: Transaction) -> Rejection | None:
            found = await _first(transaction.connection, f"{_APP}id = %(app_id)s::uuid", {"app_id": canonical(app_id)})
            decided = disconnect(_decoded(_app, found), by.user_id)
            if isinstance(decided, Rejection):
                return decided
            await transaction.record(decided, by, self._clock())
            return None

        return await self._store.transact(_AppAlone, work)

    async def tidy(self) -> None:
        """Record last uses, and delete what expired or was unused for too long."""
        await self.flush()
        now = self._clock()
        ends = {
            "now": now,
            "repeatable": now - REPEAT_LASTS,
            "unapproved": now - APPROVAL_LASTS,
            "unused": now - UNUSED_LASTS,
        }
        for statement in _OVER:
            await self._do(statement, ends)

    async def flush(self) -> None:
        used, self._used = self._used, set()
        if used:
            for statement in _USED:
                await self._do(statement, {"now": self._clock(), "ids": sorted(used)})

    async def _do(self, statement: str, values: dict[str, Any]) -> None:
        async def act(connection: Connection) -> None:
            await connection.execute(statement.encode(), values)

        await self._store.autocommit(act)

    async def _value(self, statement: str, **values: object) -> bytes | None:
        return await self._store.autocommit(lambda connection: _first(connection, statement, values))


async def _first(connection: Connection, statement: str, values: dict[str, Any]) -> bytes | None:
    """Return the JSON that the statement answers with, as it came."""
    cursor = connection.cursor(binary=True)
    await cursor.execute(statement.encode(), values, prepare=True)
    row = await cursor.fetchone()
    return row[0] if row else None


async def _begin(connection: Connection, app: ConnectedApp, family_id: str, code: StoredToken, now: datetime) -> None:
    about = {"user_id": app.user_id, "client_id": app.client_id, "scope": app.scope, "resource": app.resource}
    await connection.execute(_BEGIN, {**about, "family_id": family_id, "now": now})
    await _keep(connection, family_id, (code,))


async def _keep(connection: Connection, family_id: str, given: Sequence[StoredToken]) -> None:
    for kept in given:
        await connection.execute(_KEEP, {**_fields(kept), "family_id": family_id})


def _fields(value: Client | AuthorizationRequest | StoredToken) -> dict[str, Any]:
    made = {name: getattr(value, name) for name in value.__slots__}
    return {name: list(each) if isinstance(each, tuple) else each for name, each in made.items()}


def _decoded[Value](decoder: msgspec.json.Decoder[Value], found: bytes | None) -> Value | None:
    return None if found is None else decoder.decode(found)
