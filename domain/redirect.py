"""Where an application may be sent back to: which addresses are redirect URIs, and when one is the registered one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

LENGTH = 2_000
# Applications that answer to a scheme of their own without a dot in it; any other scheme is a reversed domain name
# (RFC 8252, section 7.1), so that neither `javascript:` nor another program's scheme can ever be one.
KNOWN_SCHEMES = frozenset(
    {"claude", "cursor", "kiro", "raycast", "vscode", "vscode-insiders", "vscodium", "warp", "windsurf", "zed"}
)
THIS_COMPUTER = frozenset({"127.0.0.1", "[::1]", "localhost"})

# No fragment, wildcard, backslash, quote mark or white space is in any of these, and no `@` before the path.
_PART = r"(?:[A-Za-z0-9._~!$&'()+,;=:@/?-]|%[0-9A-Fa-f]{2})*"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_web = re.compile(
    rf"(?P<scheme>https?)://(?P<host>{_LABEL}(?:\.{_LABEL})*|\[::1\])(?::(?P<port>[0-9]{{1,5}}))?(?P<rest>(?:[/?]{_PART})?)"
)
_own = re.compile(rf"(?P<scheme>[a-z][a-z0-9.-]*):/(?:/(?P<host>[A-Za-z0-9._-]*)(?:[/?]{_PART})?|(?!/){_PART})")


# Where a client may say who it is (OAuth Client ID Metadata Document): a path that says nothing of where it leads.
_document = re.compile(
    rf"https://{_LABEL}(?:\.{_LABEL})+(?::[0-9]{{1,5}})?(?!/$)(?:/(?!\.\.?(?:/|$))[A-Za-z0-9._~!$&'()+,;=:@-]*)+"
)


class Kind(StrEnum):
    website = "website"
    this_computer = "this_computer"
    own_scheme = "own_scheme"


@dataclass(frozen=True, slots=True)
class Redirect:
    """`shown` is what people judge it by: a host, or a scheme of the application's own; `anywhere` has no port."""

    uri: str
    kind: Kind
    shown: str
    anywhere: str


def parse(uri: str) -> Redirect | None:
    """Return the redirect URI, or None where it is none that anybody may be sent to."""
    if len(uri) > LENGTH:
        return None
    if web := _web.fullmatch(uri):
        return _at_host(uri, web)
    own = _own.fullmatch(uri)
    if own is None or (own["scheme"] not in KNOWN_SCHEMES and not _is_reversed_domain(own["scheme"])):  # fmt: skip
        return None
    return Redirect(uri, Kind.own_scheme, f"{own['scheme']}:", uri)


def _at_host(uri: str, web: re.Match[str]) -> Redirect | None:
    host = web["host"].lower()
    local = host in THIS_COMPUTER
    if web["port"] and not 0 < int(web["port"]) < 65_536:
        return None
    if web["scheme"] == "https" and not host.startswith("["):
        return Redirect(uri, Kind.website, host + (f":{web['port']}" if web["port"] else ""), uri)
    if web["scheme"] == "https" or not local:
        return None
    return Redirect(uri, Kind.this_computer, host, f"http://{web['host']}{web['rest']}")


def is_document(text: str) -> bool:
    """Whether a client id is the address of a document that says who the client is."""
    return len(text) <= LENGTH and _document.fullmatch(text) is not None


def _is_reversed_domain(scheme: str) -> bool:
    return "." in scheme and all(re.fullmatch(_LABEL, label) for label in scheme.split("."))


def fits(asked: str, registered: Iterable[str]) -> bool:
    """Whether `asked` is one that was registered: to the letter, but for the port on the user's own computer.

    Programs there listen on whichever port is free (RFC 8252, section 7.3).
    """
    known = tuple(registered)
    if asked in known:
        return True
    wanted = parse(asked)
    if wanted is None or wanted.kind is not Kind.this_computer:
        return False
    others = [parse(each) for each in known]
    return any(other and other.kind is Kind.this_computer and other.anywhere == wanted.anywhere for other in others)
