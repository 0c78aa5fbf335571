"""Lists and ends what acts for an account without a browser: its API keys and connected applications."""

from collections.abc import Sequence

from accounts.ports import AccountPorts
from domain.caller import Caller
from domain.events import Decision
from domain.key import ApiKey, KeyRevoked
from domain.oauth import AppDisconnected, ConnectedApp
from domain.questions import AppsOf, KeysOf, OrganizationMembershipsOf
from graphql_api.ports import StateReader

type AccountAccess = tuple[Sequence[ApiKey], Sequence[ConnectedApp]]


async def read_access(ports: AccountPorts, user_id: str, reader: StateReader | None = None) -> AccountAccess:
    ask = reader or ports.store
    return await ask.read(KeysOf(user_id)), await ask.read(AppsOf(user_id))


async def end_access(ports: AccountPorts, caller: Caller) -> None:
    """Revoke all keys and disconnect all applications."""

    async def decide(reader: StateReader) -> Decision:
        keys, apps = await read_access(ports, caller.user_id, reader)
        revoked = [KeyRevoked(each.id, caller.user_id) for each in keys]
        return [*revoked, *(AppDisconnected(each.id, caller.user_id, each.name) for each in apps)]

    await ports.change(caller.credit, decide)


async def organization_names(ports: AccountPorts, user_id: str) -> dict[str, str]:
    """Return the names of the account's organizations by their ids."""
    return {each.id: each.name for each in await ports.store.read(OrganizationMembershipsOf(user_id))}
