"""Parses the origins of the settings as browsers write them, and names the server's own ones."""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Any, Final
from urllib.parse import urlsplit

import click

from domain.values import host_name

DEFAULT_PORTS: Final = {"https": 443, "http": 80}
_AUTHORITY: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::([0-9]{1,5}))?")

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


def own_origins(origin: str) -> frozenset[str]:
    """Return the origin, which has no slash at its end, and what else this machine is called where it is this one's."""
    parts = urlsplit(origin)
    host, colon, port = parts.netloc.rpartition(":")
    name = host if port.isdecimal() else parts.netloc
    if name not in LOOPBACK:
        return frozenset({origin})
    return frozenset(f"{parts.scheme}://{each}{colon + port if name == host else ''}" for each in LOOPBACK)


def parse_origin(text: str) -> str:
    """Return an origin as browsers send it: lower case, A-labels, no default port; raises ValueError, whose text says why.

    A slash at the end is left out.
    """
    scheme, separator, rest = text.partition("://")
    scheme = scheme.lower()
    if not separator or scheme not in DEFAULT_PORTS:
        raise ValueError("an origin begins with `https://` or `http://`")
    authority = rest.removesuffix("/")
    if re.search(r"[/?#\\\s]", authority):
        raise ValueError("an origin has no path, query or fragment")
    if "@" in authority:
        raise ValueError("an origin has no user name and no password")
    found = _AUTHORITY.fullmatch(authority)
    host = _host(found[1]) if found else None
    port = int(found[2] or DEFAULT_PORTS[scheme]) if found else 0
    if host is None or not 0 < port < 65_536:
        raise ValueError("an origin is a scheme, a host and perhaps a port, such as `https://drive.example.com`")
    return f"{scheme}://{host}" if port == DEFAULT_PORTS[scheme] else f"{scheme}://{host}:{port}"


def parse_origins(text: str) -> list[str]:
    """Parse origins that are separated by commas; raises ValueError, as `parse_origin` does."""
    return [parse_origin(each.strip()) for each in text.split(",") if each.strip()]


def _host(text: str) -> str | None:
    try:
        if text.startswith("["):
            return f"[{IPv6Address(text[1:-1])}]"
        return str(IPv4Address(text)) if re.fullmatch(r"[0-9.]+", text) else host_name(text)
    except AddressValueError:
        return None


class Origin(click.ParamType[str]):
    """The click type of an origin, or of several where `many`; refuses what is none, and takes the rest as browsers write it."""

    name = "origin"

    def __init__(self, *, many: bool = False) -> None:
        self.many = many

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return ",".join(parse_origins(value)) if self.many else parse_origin(value)
        except ValueError as fault:
            self.fail(str(fault) if "@" in value else f"`{value}`: {fault}", param, ctx)  # no password in a log
