"""Writes and reads cookies, and tells requests of our own pages from those of other sites."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from domain.session import PREFIX, SECRET_LENGTH
from edge.origins import own_origins

NAME: Final = "codrive"
CSRF_HEADER: Final = "x-codrive-csrf"
_form: Final = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{SECRET_LENGTH}}}")


@dataclass(frozen=True, slots=True)
class Cookies:
    """The cookies: their names, what they look like when set, how they are read. `origin` has no slash at its end."""

    origin: str
    name: str = field(init=False)
    own: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", f"__Host-{NAME}" if self.secure else NAME)
        object.__setattr__(self, "own", own_origins(self.origin))

    @property
    def secure(self) -> bool:
        return self.origin.startswith("https://")

    def secret(self, headers: Mapping[str, str]) -> str | None:
        """Return the session's secret among the request's cookies: the only one of the name, well-formed."""
        found = self.value(headers, self.name)
        return found if found is not None and _form.fullmatch(found) else None

    def beside(self, name: str) -> str:
        """Return the name of another cookie of ours, which no other host can set either."""
        return f"{self.name}-{name}"

    def value(self, headers: Mapping[str, str], name: str) -> str | None:
        """Return the value of the request's only cookie of the name."""
        pairs = [pair.strip().partition("=") for pair in headers.get("cookie", "").split(";")]
        found = [value for each, _, value in pairs if each == name]
        return found[0] if len(found) == 1 else None

    def set(self, secret: str, seconds: int) -> str:
        """Return the `Set-Cookie` that keeps a new session."""
        return self.made(self.name, secret, seconds)

    def clear(self) -> str:
        return self.made(self.name, "", 0)

    def made(self, name: str, value: str, seconds: int) -> str:
        """Return a `Set-Cookie`; one that lasts no time clears the cookie."""
        return f"{name}={value}; Max-Age={seconds}; {self._attributes}"

    @property
    def _attributes(self) -> str:
        return "Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if self.secure else "")

    def is_own(self, headers: Mapping[str, str]) -> bool:
        """Whether a request was made by one of our own pages, as the browser itself says.

        `Origin` must be exactly ours; only where a browser sends none does `Sec-Fetch-Site` count.
        """
        origin = headers.get("origin")
        if origin is not None:
            return origin in self.own
        return headers.get("sec-fetch-site") == "same-origin"
