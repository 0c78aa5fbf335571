"""Redirect URIs of OAuth clients: which are allowed, and which match a registered one (RFC 8252)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

MAX_LENGTH = 2_000
# Applications that answer to a scheme of their own without a dot in it; any other scheme is a reversed domain name
# (RFC 8252, section 7.1), so that neither `javascript:` nor another program's scheme can ever be one.
# fmt: off
KNOWN_SCHEMES = frozenset({
    "antigravity", "anythingllm", "boltai", "chatgpt", "chatwise", "cherrystudio", "claude", "cline",
    "code-oss", "codex", "cursor", "factory", "gemini", "goose", "jan", "jetbrains", "kiro", "lmstudio",
    "msty", "opencode", "positron", "raycast", "trae", "vscode", "vscode-insiders", "vscodium", "warp",
    "windsurf", "windsurf-next", "zed", "zed-preview",
})
# fmt: on
LOOPBACK_HOSTS = frozenset({"127.0.0.1", "[::1]", "localhost"})

# No fragment, wildcard, backslash, quote mark or white space is in any of these, and no `@` before the path.
_PART = r"(?:[A-Za-z0-9._~!$&'()+,;=:@/?-]|%[0-9A-Fa-f]{2})*"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_web = re.compile(
    rf"(?P<scheme>https?)://(?P<host>{_LABEL}(?:\.{_LABEL})*|\[::1\])(?::(?P<port>[0-9]{{1,5}}))?(?P<rest>(?:[/?]{_PART})?)"
)
_own = re.compile(rf"(?P<scheme>[a-z][a-z0-9.-]*):/(?:/(?P<host>[A-Za-z0-9._-]*)(?:[/?]{_PART})?|(?!/){_PART})")


# The address of an OAuth Client ID Metadata Document: https, with a path that has no dot segments.
_document = re.compile(
    rf"https://{_LABEL}(?:\.{_LABEL})+(?::[0-9]{{1,5}})?(?!/$)(?:/(?!\.\.?(?:/|$))[A-Za-z0-9._~!$&'()+,;=:@-]*)+"
)


class RedirectKind(StrEnum):
    website = "website"
    loopback = "loopback"
    own_scheme = "own_scheme"


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirect URI; `shown` is its host or its private scheme, by which people judge it."""

    uri: str
    kind: RedirectKind
    shown: str
    without_port: str


def parse(uri: str) -> Redirect | None:
    """Parse a redirect URI; None where it is not allowed."""
    if len(uri) > MAX_LENGTH:
        return None
    if web := _web.fullmatch(uri):
        return _at_host(uri, web)
    own = _own.fullmatch(uri)
    if own is None or (own["scheme"] not in KNOWN_SCHEMES and not _is_reversed_domain(own["scheme"])):  # fmt: skip
        return None
    return Redirect(uri, RedirectKind.own_scheme, f"{own['scheme']}:", uri)


def _at_host(uri: str, web: re.Match[str]) -> Redirect | None:
    host = web["host"].lower()
    local = host in LOOPBACK_HOSTS
    if web["port"] and not 0 < int(web["port"]) < 65_536:
        return None
    if web["scheme"] == "https" and not host.startswith("["):
        return Redirect(uri, RedirectKind.website, host + (f":{web['port']}" if web["port"] else ""), uri)
    if web["scheme"] == "https" or not local:
        return None
    return Redirect(uri, RedirectKind.loopback, host, f"http://{web['host']}{web['rest']}")


def is_document(text: str) -> bool:
    """Whether a client id is the address of a client's metadata document."""
    return len(text) <= MAX_LENGTH and _document.fullmatch(text) is not None


def _is_reversed_domain(scheme: str) -> bool:
    return "." in scheme and all(re.fullmatch(_LABEL, label) for label in scheme.split("."))


def matches(asked: str, registered: Iterable[str]) -> bool:
    """Whether `asked` equals a registered URI, except for the port of a loopback URI (RFC 8252, section 7.3)."""
    known = tuple(registered)
    if asked in known:
        return True
    wanted = parse(asked)
    if wanted is None or wanted.kind is not RedirectKind.loopback:
        return False
    others = [parse(each) for each in known]
    return any(
        other and other.kind is RedirectKind.loopback and other.without_port == wanted.without_port for other in others
    )
