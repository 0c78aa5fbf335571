"""Closes GraphQL sockets when their session or key ends, like connections to live documents."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from domain.caller import Caller
from graphql_adapter.endpoint import Close, Watch
from live.connection_registry import ConnectionRegistry, credential_is_valid
from live.protocol import CloseCode
from live.store_reader import StoreReader


@dataclass(frozen=True, slots=True, eq=False)
class WatchedSocket:
    """One socket, as `live.connection_registry` watches it."""

    caller: Caller
    close: Close

    def touches(self, drives: set[str], users: set[str]) -> bool:
        del drives
        return self.caller.user_id in users

    async def recheck_access(self, reader: StoreReader) -> None:
        if not await credential_is_valid(reader, self.caller):
            await self._close(CloseCode.UNAUTHORIZED)

    async def reset(self) -> None:
        await self._close(CloseCode.RESET)

    async def _close(self, code: CloseCode) -> None:
        await self.close(code, code.reason)

    def check_idle(self, now: float) -> None:
        """Do nothing: the socket has its own pings."""


def socket_watch(registry: ConnectionRegistry) -> Watch:
    """Return the tracking of a socket for as long as it is open."""

    @contextmanager
    def watch(caller: Caller, close: Close) -> Iterator[None]:
        watched = WatchedSocket(caller, close)
        registry.connections.add(watched)
        try:
            yield
        finally:
            registry.connections.discard(watched)

    return watch
