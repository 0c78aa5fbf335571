"""Fetches a client's metadata document from the public internet, and from no other network.

The name is resolved once, every address it has must be public, and the connection goes to the checked address.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

import httpx2

MAX_BODY: Final = 5 * 1024  # bytes
PATIENCE: Final = 5.0  # seconds for all of it
MAX_AT_ONCE: Final = 4

type Resolve = Callable[[str, int], Awaitable[list[str]]]


async def resolved(host: str, port: int) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


def is_public(address: str) -> bool:
    """Whether an address is of the public internet: not private, nor an IPv6 address that embeds an IPv4 one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        hidden = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo or (None, None))[1]
        in_nat64 = parsed in ipaddress.ip_network("64:ff9b::/96")
        if hidden or in_nat64:
            return False
    return parsed.is_global and not parsed.is_multicast


@dataclass(frozen=True, slots=True)
class ClientDocuments:
    """`trusted` and `public` are for tests, which have no public address and no certificate that others trust."""

    resolve: Resolve = resolved
    public: Callable[[str], bool] = is_public
    trusted: ssl.SSLContext | None = None
    patience: float = PATIENCE
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_AT_ONCE))

    async def fetch(self, address: str) -> bytes | None:
        """Return the JSON document at an https address, of at most 5 KiB; None for any failure."""
        try:
            async with self._room, asyncio.timeout(self.patience):
                return await self._fetched(address)
        except (OSError, TimeoutError, ValueError, httpx2.HTTPError, httpx2.InvalidURL):
            return None

    async def _fetched(self, address: str) -> bytes | None:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or 443
        found = await self.resolve(host, port)
        if parts.scheme != "https" or not found or not all(map(self.public, found)):
            return None
        at = f"[{found[0]}]" if ":" in found[0] else found[0]
        headers = {"host": parts.netloc, "accept": "application/json", "accept-encoding": "identity"}
        pinned = f"https://{at}:{port}{parts.path}"
        trusted = self.trusted or ssl.create_default_context()
        async with (
            httpx2.AsyncClient(verify=trusted, trust_env=False, follow_redirects=False) as client,
            client.stream("GET", pinned, headers=headers, extensions={"sni_hostname": host}) as answer,
        ):
            kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
            is_json = kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
            if answer.status_code != 200 or not is_json:
                return None
            return await _read(answer)


async def _read(answer: httpx2.Response) -> bytes | None:
    body = b""
    async for part in answer.aiter_raw():
        body += part
        if len(body) > MAX_BODY:
            return None
    return body
