"""Counts and limits the connections that have not shown a credential, by address and in all."""

from dataclasses import dataclass, field
from typing import Final

MAX_UNIDENTIFIED: Final = 500
MAX_UNIDENTIFIED_PER_ADDRESS: Final = 20


@dataclass(slots=True)
class UnidentifiedConnections:
    _sockets: dict[object, str] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def add(self, socket: object, address: str) -> bool:
        """Count a socket; return false, and do not, where there are too many already."""
        count = self._counts.get(address, 0)
        if count >= MAX_UNIDENTIFIED_PER_ADDRESS or len(self._sockets) >= MAX_UNIDENTIFIED:
            return False
        self._sockets[socket] = address
        self._counts[address] = count + 1
        return True

    def discard(self, socket: object) -> None:
        """Count a socket no longer: it is gone, or its client has shown who it is."""
        address = self._sockets.pop(socket, None)
        if address is None:
            return
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]
