"""The texts of e-mails: plain text with a subject, one link each, and what to do if the reader did not ask for it."""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from domain.email_link import LIFETIMES, Purpose

PATHS: Final = {
    Purpose.sign_in: "/sign-in/",
    Purpose.sign_up: "/sign-up/",
    Purpose.reset_password: "/reset-password/",
    Purpose.verify_email: "/verify/",
}
_item: Final = re.compile(r"/(?:doc|folder|drive)/[0-9a-f-]{36}")


@dataclass(frozen=True, slots=True)
class EmailText:
    subject: str
    text: str


def item_path(text: str | None) -> str | None:
    """Return `text` where it is the path of an item's page.

    Anybody can have a link mailed to anybody, so a mailed link leads on to no other path.
    """
    return text if text is not None and _item.fullmatch(text) else None


def next_query(path: str | None) -> str:
    """Return the query of a link that leads on to an item's page; empty for other paths."""
    return f"?next={path}" if item_path(path) else ""


def _duration(time: timedelta) -> str:
    hours = round(time.total_seconds() / 3600)
    days = hours // 24
    if days > 1:
        return f"{days} days"
    return "a day" if days else "an hour"


def link_email(origin: str, purpose: Purpose, secret: str, query: str = "") -> EmailText:
    """Return the e-mail that brings a one-time link, with its secret and query."""
    subject, ask = {
        Purpose.sign_in: ("Sign in to Codrive", "Open this link to sign in."),
        Purpose.sign_up: ("Your account on Codrive", "Open this link to make your account."),
        Purpose.reset_password: (
            "Your way back into Codrive",
            "You have an account. Open this link to set a password.",
        ),
        Purpose.verify_email: (
            "Is this your address?",
            "Open this link where you are signed in to confirm your address.",
        ),
    }[purpose]
    link = f"{origin}{PATHS[purpose]}{secret}{query}"
    lasts = f"It is good once, for {_duration(LIFETIMES[purpose])}."
    return EmailText(subject, f"{ask} {lasts}\n\n    {link}\n\nIf you did not ask for it, there is nothing to do.\n")


def no_account_email() -> EmailText:
    """Return the e-mail to an address without an account where sign-up is closed."""
    return EmailText(
        "No account on Codrive",
        "Somebody asked for a way into Codrive with this address, which has no account there. Sign-up is closed: whoever "
        "is in an organization there can invite you to it.\n\nIf you did not ask for it, there is nothing to do.\n",
    )


def invitation_email(origin: str, token: str, organization: str, by: str) -> EmailText:
    text = f"{by} invites you to {organization} on Codrive. Open this link within seven days to join.\n\n    "
    return EmailText(f"{by} invites you to {organization}", f"{text}{origin}/invitation/{token}\n")


def share_email(origin: str, by: str, name: str, url: str, message: str = "") -> EmailText:
    """Return the e-mail about a shared item at `url`; the same whether or not the address has an account.

    Each line of `message` is marked as quoted, so that nothing in it looks like words of the service.
    """
    text = f"{by} shared “{name}” with you on Codrive.\n\n    {url}\n\n"
    if lines := message.strip().splitlines():
        text += f"{by} writes:\n\n" + "".join(f"> {line}".rstrip() + "\n" for line in lines) + "\n"
    sign_up = f"{origin}/sign-up{next_query(urlsplit(url).path)}"
    more = f"No account yet? How to have one, for this address, and go on to it: {sign_up}\n"
    return EmailText(f"{by} shared “{name}” with you", text + more)
