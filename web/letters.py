"""What the letters say that lead somebody in: plain text, one link, and what to do if it was none of their doing."""

from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from domain.link import LASTS, Purpose
from web.next import going_on

PATHS = {
    Purpose.sign_in: "/sign-in/",
    Purpose.sign_up: "/sign-up/",
    Purpose.reset_password: "/reset-password/",
    Purpose.prove_address: "/prove/",
}


@dataclass(frozen=True, slots=True)
class Letter:
    subject: str
    text: str


def _lasting(time: timedelta) -> str:
    hours = round(time.total_seconds() / 3600)
    days = hours // 24
    if days > 1:
        return f"{days} days"
    return "a day" if days else "an hour"


def letter(origin: str, purpose: Purpose, secret: str, onward: str = "") -> Letter:
    """Return the letter that brings a link; `secret` is what is kept as a digest alone, `onward` the link's query."""
    subject, ask = {
        Purpose.sign_in: ("Sign in to Codrive", "Open this link to sign in."),
        Purpose.sign_up: ("Your account on Codrive", "Open this link to make your account."),
        Purpose.reset_password: (
            "Your way back into Codrive",
            "You have an account. Open this link to set a password.",
        ),
        Purpose.prove_address: (
            "Is this your address?",
            "Open this link where you are signed in to confirm your address.",
        ),
    }[purpose]
    link = f"{origin}{PATHS[purpose]}{secret}{onward}"
    lasts = f"It is good once, for {_lasting(LASTS[purpose])}."
    return Letter(subject, f"{ask} {lasts}\n\n    {link}\n\nIf you did not ask for it, there is nothing to do.\n")


def no_account(_origin: str, _purpose: Purpose, _secret: str, _onward: str) -> Letter:
    """Return the letter where a link would make an account, and sign-up is closed."""
    return Letter(
        "No account on Codrive",
        "Somebody asked for a way into Codrive with this address, which has no account there. Sign-up is closed: whoever "
        "is in an organization there can invite you to it.\n\nIf you did not ask for it, there is nothing to do.\n",
    )


def invitation(origin: str, token: str, organization: str, by: str) -> Letter:
    text = f"{by} invites you to {organization} on Codrive. Open this link within seven days to join.\n\n    "
    return Letter(f"{by} invites you to {organization}", f"{text}{origin}/invitation/{token}\n")


def shared(origin: str, by: str, name: str, url: str) -> Letter:
    """Tell of a share of the item at `url`; the same whether or not the address has an account."""
    text = f"{by} shared “{name}” with you on Codrive.\n\n    {url}\n\n"
    sign_up = f"{origin}/sign-up{going_on(urlsplit(url).path)}"
    more = f"No account yet? How to have one, for this address, and go on to it: {sign_up}\n"
    return Letter(f"{by} shared “{name}” with you", text + more)
