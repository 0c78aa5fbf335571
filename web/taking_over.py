"""Takes over accounts that nobody has proved the address of, for whoever reads its mail."""

from collections.abc import Sequence

from domain.account import Account
from domain.events import Event
from domain.questions import OrganizationMembershipsOf, PlantedIn
from domain.take_over import take_over
from graphql_api.ports import LockScope, StateReader


async def touched(ask: StateReader, account: Account | None) -> LockScope:
    """Return what is locked before an account is taken over: the organizations that it may leave."""
    belongings = await ask.read(OrganizationMembershipsOf(account.id)) if account and not account.email_proved else ()
    return LockScope(organizations=tuple(of.id for of in belongings))


async def taken_over(ask: StateReader, account: Account) -> Sequence[Event]:
    """Return what proves the address of an account and ends all that was planted in it, its links included."""
    return take_over(account, await ask.read(PlantedIn(account.id)))
