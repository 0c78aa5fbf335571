"""Loads the locks and consequences of taking over an unverified account."""

from collections.abc import Sequence

from domain.account import Account
from domain.events import Event
from domain.questions import OrganizationMembershipsOf, PlantedIn
from domain.take_over import take_over
from graphql_api.ports import LockScope, StateReader


async def locks(reader: StateReader, account: Account | None) -> LockScope:
    """Return the organizations that a takeover of the account may change."""
    belongings = (
        await reader.read(OrganizationMembershipsOf(account.id)) if account and not account.email_verified else ()
    )
    return LockScope(organizations=tuple(of.id for of in belongings))


async def taken_over(reader: StateReader, account: Account) -> Sequence[Event]:
    return take_over(account, await reader.read(PlantedIn(account.id)))
