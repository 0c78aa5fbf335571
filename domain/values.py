"""Names, e-mail addresses, agents and ids, parsed once into a value or a Rejection."""

import re
import unicodedata
from typing import NewType

from domain.errors import Code, Rejection

ItemName = NewType("ItemName", str)
Email = NewType("Email", str)
AgentName = NewType("AgentName", str)

_CONTROL = r"\u0000-\u001f\u007f-\u009f"
_SPACE = r"\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
NAME_LENGTH = 255
# OpenAPI publishes exactly the accepted pattern, so it is written in the common part of all dialects.
NAME_PATTERN = rf"^[^{_CONTROL}]*[^{_CONTROL}{_SPACE}][^{_CONTROL}]*$"
AGENT_LENGTH = 64
AGENT_PATTERN = r"^[\u0020-\u007e]*[\u0021-\u007e][\u0020-\u007e]*$"
EMAIL_LENGTH = 254

# Fillers of Hangul, the empty pattern of Braille, and a note without a head: letters and symbols that draw nothing.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159")

_unstorable = re.compile("[\0\ud800-\udfff]")
_name = re.compile(NAME_PATTERN)
_agent_header = re.compile(AGENT_PATTERN)
_id = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_local = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_label = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
# IDNA 2003 and 2008 read these differently, so one spelling could name two domains: they are refused.
_ambiguous = frozenset("\u00df\u03c2\u200c\u200d")
_UPPER_TO_LOWER = {ord(c): ord(c) + 32 for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def text_fault(text: str) -> str | None:
    """Why `text` cannot be stored as text at all, or None: NUL and lone surrogates have no place in PostgreSQL."""
    found = _unstorable.search(text)
    if found is None:
        return None
    return "holds a NUL character" if found[0] == "\0" else "holds a lone surrogate"


def bad(field: str, what: str) -> Rejection:
    return Rejection(Code.BAD_REQUEST, f"`{field}` {what}")


def item_name(text: str, field: str = "name") -> ItemName | Rejection:
    """Return `text` as sent: 1 to 255 code points, one of them visible, no controls or lone surrogates."""
    if not 1 <= len(text) <= NAME_LENGTH:
        return bad(field, f"must have 1 to {NAME_LENGTH} characters")
    if fault := text_fault(text):
        return bad(field, fault)
    if _name.fullmatch(text) is None:
        return bad(field, "must have a visible character and no control characters")
    return ItemName(text)


def agent_name(text: str, field: str = "agent") -> AgentName | Rejection:
    """Return the name of an agent or a client: 1 to 64 printable characters, one of them visible."""
    if text_fault(text) or not 1 <= len(text) <= AGENT_LENGTH or not text.isprintable() or not _is_visible(text):
        return bad(field, f"must have 1 to {AGENT_LENGTH} printable characters")
    return AgentName(text)


def _is_visible(text: str) -> bool:
    """Whether there is a letter, a number, punctuation or a symbol that is drawn."""
    return any(unicodedata.category(each)[0] in "LNPS" and each not in _BLANK for each in text)


def agent_header(text: str) -> AgentName | Rejection:
    """Return the agent that a header names: as `agent_name`, and ASCII 0x20 to 0x7E alone."""
    if not 1 <= len(text) <= AGENT_LENGTH or _agent_header.fullmatch(text) is None:
        return bad("x-service-agent", f"must have 1 to {AGENT_LENGTH} printable ASCII characters")
    return AgentName(text)


def email(text: str, field: str = "email") -> Email | Rejection:
    """Return the one form in which an address is stored and compared: lower case, domain as IDNA A-labels."""
    refused = bad(field, "must be an e-mail address such as `ada@example.com`")
    local, at, domain = text.rpartition("@")
    if not at or len(text) > EMAIL_LENGTH or len(local) > 64 or _local.fullmatch(local) is None:
        return refused
    ascii_domain = host_name(domain)
    address = f"{local.translate(_UPPER_TO_LOWER)}@{ascii_domain}"
    if ascii_domain is None or "." not in ascii_domain or len(address) > EMAIL_LENGTH:
        return refused
    return Email(address)


def host_name(domain: str) -> str | None:
    """Return the name of a host in lower case, as IDNA A-labels; None where it is none, or a number."""
    if not domain.isascii():
        if _ambiguous.intersection(domain):
            return None
        try:
            domain = domain.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    labels = domain.translate(_UPPER_TO_LOWER).split(".")
    whole = all(_label.fullmatch(label) for label in labels) and not labels[-1].isdigit()
    return ".".join(labels) if whole else None


def is_id(text: str) -> bool:
    """Whether `text` is an id in its one canonical spelling; any other text is simply an unknown id."""
    return _id.fullmatch(text) is not None
