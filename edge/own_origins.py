"""The server's own origins: its public address and, on this machine, its other names."""

from typing import Final
from urllib.parse import urlsplit

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


def own_origins(origin: str) -> frozenset[str]:
    """Return the origin, which has no slash at its end, and what else this machine is called where it is this one's."""
    parts = urlsplit(origin)
    host, colon, port = parts.netloc.rpartition(":")
    name = host if port.isdecimal() else parts.netloc
    if name not in LOOPBACK:
        return frozenset({origin})
    return frozenset(f"{parts.scheme}://{each}{colon + port if name == host else ''}" for each in LOOPBACK)
