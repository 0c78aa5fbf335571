"""Renames accounts."""

from collections.abc import Sequence

from accounts.ports import AccountPorts
from domain.account import rename
from domain.caller import Caller
from domain.events import Event
from domain.values import ItemName
from graphql_api.ports import StateReader


async def rename_account(ports: AccountPorts, caller: Caller, name: ItemName) -> None:
    async def decide(_: StateReader) -> Sequence[Event]:
        return rename(caller.user_id, caller.name, name)

    await ports.change(caller.credit, decide)
