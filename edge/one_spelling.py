"""Serves each page at the one spelling of its path: another one leads there, and is 404 where no page is.

Whatever stands before the server, such as a rule of a proxy, would otherwise have to know every spelling of a path.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast
from urllib.parse import unquote

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from edge.app import SAFE
from edge.requests import DOTS
from edge.responses import NO_STORE, Response

NOWHERE: Final = "/%"  # no address: it is not percent-encoded
_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9._~-]")


@dataclass(frozen=True, slots=True)
class OneSpelling:
    """The ASGI application around `app`; `pages` are the first segments of the paths of pages. Paths are not decoded."""

    app: ASGIApp
    pages: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = canonical_path(scope["path"])
        if found == scope["path"]:
            await self.app(scope, receive, send)
        elif scope["type"] == ScopeType.HTTP and found and self._is_page(found, scope["method"]):
            query = b"?" + scope["query_string"] if scope["query_string"] else b""
            location = (b"location", found.encode("latin-1") + query)
            await Response(308, (location, NO_STORE))(scope, receive, send)
        else:
            await self.app(cast("Scope", {**scope, "path": NOWHERE}), receive, send)

    def _is_page(self, path: str, method: str) -> bool:
        return method in SAFE and path.split("/")[1] in self.pages


def canonical_path(path: str) -> str | None:
    """Return the one spelling of a path that is not decoded; None where it has dots for segments.

    What must not be encoded is not, and what is encoded, such as a slash or a plus in a parameter, stays as it is.
    """
    segments = [_ESCAPE.sub(_escape, segment) for segment in path.split("/") if segment]
    return None if DOTS.intersection(segments) else "/" + "/".join(segments)


def first_segments(paths: Iterable[str]) -> frozenset[str]:
    """Return the first segment of each path."""
    return frozenset(path.split("/")[1] for path in paths)


def _escape(found: re.Match[str]) -> str:
    character = unquote(found[0], encoding="latin-1")
    return character if _UNRESERVED.fullmatch(character) else found[0].upper()
