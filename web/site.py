"""What every page is made with: who looks at it, whether a form may be taken, and how often somebody may try."""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from litestar import Request

from domain.errors import Code, Rejection
from domain.values import bad, text_fault
from graphql_api.ports import Clock, Ids, Secrets, Store
from graphql_api.rates import Buckets, neighbourhood
from graphql_api.refused import Refused
from web.ports import Operations, Passwords, Post, Sessions
from web.session import Cookies, Visitor, forged, visitor_of

MOST_FORM: Final = 64 * 1024  # bytes
MOST_FIELDS: Final = 50
_FORM: Final = "application/x-www-form-urlencoded"

type PageRequest = Request[Any, Any, Any]
type Form = dict[str, str]


class SignInFirst(Exception):  # noqa: N818 - an answer
    """Nobody is signed in; `path` is where to go on afterwards."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.location = f"/sign-in?{urlencode({'next': path})}"


@dataclass(frozen=True, slots=True)
class Site:
    """One for the process. `origin` has no slash at its end; `buckets` is None where nothing is limited."""

    origin: str
    cookies: Cookies
    store: Store
    sessions: Sessions
    run: Operations
    passwords: Passwords
    post: Post
    buckets: Buckets | None
    clock: Clock
    ids: Ids
    secrets: Secrets

    async def visitor(self, request: PageRequest) -> Visitor | None:
        """Return who is signed in, or None."""
        return await visitor_of(request.headers, self.cookies, self.sessions)

    async def known(self, request: PageRequest) -> Visitor:
        """Return who is signed in; raises SignInFirst, which leads back here."""
        visitor = await self.visitor(request)
        if visitor is None:
            query = request.scope["query_string"].decode("latin-1")
            raise SignInFirst((request.scope["path"] + (f"?{query}" if query else "")) if _is_read(request) else "/")
        return visitor

    async def form(self, request: PageRequest, visitor: Visitor | None) -> Form:
        """Return the fields of a form that one of our own pages sent for this visitor; raises Refused."""
        fields = await form_of(request)
        refused = forged(request.headers, self.cookies, visitor, fields)
        if refused:
            raise Refused(refused)
        return fields


def _is_read(request: PageRequest) -> bool:
    return request.method in ("GET", "HEAD")


async def form_of(request: PageRequest) -> Form:
    """Return the fields of a form, the last of each name; raises Refused for what is no form."""
    if request.content_type[0].lower() != _FORM:
        raise Refused(Rejection(Code.UNSUPPORTED_MEDIA_TYPE, "send a form"))
    body = await request.body()
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(Rejection(Code.BAD_REQUEST, "the form cannot be read")) from None
    for name, value in pairs:
        if fault := text_fault(name) or text_fault(value):
            raise Refused(bad("form", fault))
    return dict(pairs)


def address_of(request: PageRequest) -> str:
    """Return what counts as one address where tries are counted."""
    client = request.scope.get("client")
    return neighbourhood(client[0]) if client else ""
