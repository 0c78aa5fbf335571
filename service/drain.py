"""Hands the clients of a server that stops to the others on its database, so that nobody notices.

From the first moment `/readyz` answers 503, and each answer ends its connection, so that clients and proxies open another one.
Requests are served on. When a proxy had time to find that out, sockets are closed some at a time, each so that its client connects
again, and none is opened: a handshake is answered with 503.
"""

import asyncio
from collections.abc import Callable, Collection
from math import ceil
from typing import Any, Final

import structlog

from service.http_server import EnvelopeProtocol

SLICE_SECONDS: Final = 0.1  # between two
UNTIL_CLOSING: Final = 0.4  # of the time, in which a proxy finds out
UNTIL_CLOSED: Final = 0.9  # of the time
_log: Final = structlog.get_logger("service")


class Drain:
    """The drain of one server: `seconds` are those that it may take, and `has_others` says whether anybody serves on."""

    def __init__(self, seconds: float, has_others: Callable[[], bool]) -> None:
        self.is_on = False
        self.takes_sockets = True
        self._seconds = seconds
        self._has_others = has_others

    @property
    def seconds(self) -> float:
        """How long it would take now; nothing where it is on already."""
        return self._seconds if self._has_others() and not self.is_on else 0.0

    async def run(self, connections: Collection[Any]) -> None:
        """Return after `seconds`; `connections` are those that are open at any time."""
        seconds = self._seconds
        _log.info("handing clients to the other servers", seconds=seconds, connections=len(connections))
        self.is_on = True
        for each in connections:
            if isinstance(each, EnvelopeProtocol):
                each.answer_last()
        await asyncio.sleep(UNTIL_CLOSING * seconds)
        self.takes_sockets = False
        sockets = [each for each in connections if not isinstance(each, EnvelopeProtocol)]
        slices = max(1, round((UNTIL_CLOSED - UNTIL_CLOSING) * seconds / SLICE_SECONDS))
        size = ceil(len(sockets) / slices)
        for at in range(slices):
            for each in sockets[at * size : (at + 1) * size]:
                if each in connections:
                    each.shutdown()
            await asyncio.sleep(SLICE_SECONDS)
        await asyncio.sleep((1 - UNTIL_CLOSED) * seconds)
