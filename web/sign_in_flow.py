"""The steps that pages share which sign people in: the browser, the fields of a new account, the cookie."""

from typing import Any, Final

from litestar import Response

from accounts.sessions import Browser, NewSession
from contract.errors import unwrap
from domain.account import new_password
from domain.errors import Rejection
from domain.session import DEVICE_LENGTH
from domain.values import Email, item_name
from web.context import Form, PageRequest, WebContext
from web.pages import redirect
from web.session import Visitor

# The first that is found counts: most browsers also say that they are others.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)

type Faults = dict[str, str]
"""The faults of a form, by field."""


def device_of(user_agent: str) -> str:
    """Return the browser and system of a User-Agent header in two words, by which people recognize a session."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), None)
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), None)
    return f"{browser or 'A browser'} on {system}"[:DEVICE_LENGTH] if system else browser or "A program"


def browser_of(request: PageRequest, visitor: Visitor | None) -> Browser:
    return Browser(device_of(request.headers.get("user-agent", "")), visitor.session if visitor else None)


def signed_in(context: WebContext, session: NewSession | Rejection, path: str) -> Response[Any]:
    """Redirect with the cookie of a new session; raises RejectionError."""
    begun = unwrap(session)
    seconds = round(context.accounts.lifetimes.longest.total_seconds())
    return redirect(path, context.cookies.set(begun.secret, seconds))


def parse_name(form: Form) -> tuple[str, Faults]:
    name = item_name(form.get("name", "").strip())
    return (form.get("name", ""), {"name": "Enter your name"}) if isinstance(name, Rejection) else (name, {})


def parse_password(form: Form, email: Email) -> tuple[str, Faults]:
    """Return the new password in a form for the account of `email`, and its faults."""
    password = new_password(form.get("password", ""), email)
    if isinstance(password, Rejection):
        return "", {"password": f"The password {password.message.partition('` ')[2]}"}
    return password, {}
