"""Parses the trusted proxies, and finds the client address that they name."""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final

import click

ANYBODY: Final = "*"


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The trusted proxies; `networks` is None if every peer is trusted."""

    networks: tuple[IPv4Network | IPv6Network, ...] | None

    def trust(self, address: IPv4Address | IPv6Address) -> bool:
        return self.networks is None or any(address in network for network in self.networks)

    def origin_of(self, peer: str, forwarded: str) -> str:
        """Return the last address that is not a trusted proxy; its owner may have invented the ones before it.

        If every peer is trusted, that is the last one of `X-Forwarded-For`, which the proxy itself added.
        """
        found = peer
        for said in reversed(forwarded.split(",")):
            address = address_in(said)
            if address is None:
                break
            found = str(address)
            if self.networks is None or not self.trust(address):
                break
        return found


def proxies(text: str) -> TrustedProxies | None:
    """Parse the setting: addresses and networks, separated by commas, or `*`; raises ValueError."""
    named = [each.strip() for each in text.split(",") if each.strip()]
    if named == [ANYBODY]:
        return TrustedProxies(None)
    return TrustedProxies(tuple(ip_network(each) for each in named)) if named else None


class Written(click.ParamType[str]):
    """The click type of the setting; refuses malformed ones."""

    name = "addresses"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            proxies(value)
        except ValueError as fault:
            self.fail(f"{fault}: give addresses, networks such as 10.0.0.0/8, or * alone", param, ctx)
        return str(value)


def address_in(said: str) -> IPv4Address | IPv6Address | None:
    """Return an address as proxies write it, perhaps in brackets and with a port; None if it is malformed."""
    host = said.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        found = ip_address(host)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
