"""Renders pages: one Jinja2 environment that escapes everything, and the headers of every page."""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import MediaType, Request, Response, route
from litestar.enums import HttpMethod
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from markupsafe import Markup

from edge.compression import accepts, gzip
from web.session import CSRF_FIELD, Visitor

HERE: Final = Path(__file__).parent
readable: Final = partial(route, http_method=[HttpMethod.GET, HttpMethod.HEAD], status_code=200)
"""Declares a handler of GET and HEAD."""
CSP: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# Not no-referrer: browsers would then send `Origin: null` with our own forms.
HEADERS: Final = MappingProxyType(
    {
        "content-security-policy": CSP,
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "x-frame-options": "DENY",
        "cache-control": "no-store",
    }
)
_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
# what names files beside it, and how
_NAMES_OTHERS: Final = {
    ".css": re.compile(rb'(url\(")([^"]+)(?="\))'),
    ".webmanifest": re.compile(rb'("src": ")([^"]+)'),
}
FOR_EVER: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is served, plain and in gzip; it holds no user's data, so its compressed length reveals nothing."""

    media_type: str
    content: bytes
    compressed: bytes


@cache
def static_files() -> dict[str, StaticFile]:
    """Return the static files by the name they are served under, which changes with their content.

    A style sheet, and the manifest of the application, name files beside them by their own names, which are replaced by those they
    are served under.
    """
    found: dict[str, StaticFile] = {}
    names: dict[bytes, bytes] = {}

    def served_name(match: re.Match[bytes]) -> bytes:
        return match[1] + names[match[2]]

    # what names others comes last: these have their names by then
    for path in sorted((HERE / "static").iterdir(), key=lambda each: (each.suffix in _NAMES_OTHERS, each.name)):
        content = path.read_bytes()
        if others := _NAMES_OTHERS.get(path.suffix):
            content = others.sub(served_name, content)
        name = f"{path.stem}.{hashlib.sha256(content).hexdigest()[:12]}{path.suffix}"
        names[path.name.encode()] = name.encode()
        found[name] = StaticFile(_TYPES[path.suffix], content, gzip(content))
    return found


@cache
def static_url(name: str) -> str:
    """Return where a file of `web/static` is served: `style.css` is at `/static/style.<digest>.css`."""
    stem, _, suffix = name.rpartition(".")
    return next(f"/static/{each}" for each in static_files() if each.startswith(f"{stem}.") and each.endswith(suffix))


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"day": day, "moment": moment, "path": path_of}
    made.globals |= {"static_url": static_url, "csrf_field": CSRF_FIELD}
    return made


def path_of(url: str) -> str:
    """Return the path of an address of ours: links lead to whatever host the reader came to."""
    return urlsplit(url).path


def day(value: str | datetime) -> Markup:
    """Return a moment of the API, or a time, as the day it is in UTC."""
    return _time(value, "%-d %B %Y")


def moment(value: str | datetime) -> Markup:
    return _time(value, "%-d %B %Y, %H:%M UTC")


def _time(value: str | datetime, form: str) -> Markup:
    at = datetime.fromisoformat(value) if isinstance(value, str) else value
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(), at.strftime(form))


def render(template: str, /, **values: Any) -> str:
    """Return a template of `web/templates` with its values in it; one that is missing is an error."""
    return _environment().get_template(template).render(**values)


def page(
    template: str, /, *, visitor: Visitor | None = None, status: int = 200, csp: str = CSP, **values: Any
) -> Response[str]:
    """Return a page in our frame (`base.html`), which knows `visitor`; never stored, never framed."""
    text = render(template, visitor=visitor, **values)
    headers = {**HEADERS, "content-security-policy": csp}
    return Response(text, status_code=status, media_type=MediaType.HTML, headers=headers)


def redirect(path: str, *cookies: str) -> Response[None]:
    """Redirect to `path` after a form. `cookies` are whole `Set-Cookie` values."""
    made = Response(None, status_code=303, headers={**HEADERS, "location": path})
    for cookie in cookies:
        made.headers["set-cookie"] = cookie
    return made


def keep_opener[Body](answer: Response[Body]) -> Response[Body]:
    """Keep `window.opener` for applications that open this page in a window and wait."""
    answer.headers.pop("cross-origin-opener-policy", None)
    return answer


@readable("/static/{name:str}", include_in_schema=False)
async def static(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    found = static_files().get(name)
    if found is None:
        raise NotFoundException
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    if name.endswith(".woff2"):
        # a published page has an origin of its own, and fonts are asked for across origins
        headers["access-control-allow-origin"] = "*"
    if accepts(b"gzip", request.scope["headers"]):
        return Response(found.compressed, media_type=found.media_type, headers=headers | {"content-encoding": "gzip"})
    return Response(found.content, media_type=found.media_type, headers=headers)


STATIC: Final[HTTPRouteHandler] = static
