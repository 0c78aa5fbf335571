"""The row of an e-mail that waits to be sent: its kind, and what it is about as JSON."""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.mail import InvitationMail, LinkMail, Mail, NoAccountMail, ShareMail
from persistence.ledger import Write

_POST: Final = "insert into outbox (kind, details) values (%(kind)s, %(details)s::jsonb)"
KINDS: Final[Mapping[str, type[Mail]]] = {
    "invitation": InvitationMail,
    "link": LinkMail,
    "no_account": NoAccountMail,
    "share": ShareMail,
}
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def posting(mail: Mail) -> Write:
    """Return the statement that has an e-mail wait, with its arguments."""
    return _POST, {"kind": _NAMES[type(mail)], "details": msgspec.json.encode(mail).decode()}


def mail_of(kind: str, details: str) -> Mail:
    return msgspec.json.decode(details, type=KINDS[kind])
