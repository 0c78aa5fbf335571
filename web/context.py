"""The context of every page: who is signed in, form parsing with its CSRF check, rate limits, operations and use cases."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from litestar import Request

from accounts.ports import AccountPorts
from computing.runner import JobRunner
from contract.errors import RejectionError
from domain.caller import Caller
from domain.errors import Code, Rejection
from domain.values import bad, text_fault
from edge.app import request_context
from edge.cookies import Cookies
from edge.rate_limit import Rate, RateLimiter, RateLimitResult, client_network
from web.built_application import BuiltApplication, BuiltGraphiQL
from web.operations import PageOperations
from web.ports import Sessions
from web.session import Visitor, forged, visitor_of

MAX_FORM: Final = 64 * 1024  # bytes
MAX_FIELDS: Final = 50
_FORM: Final = "application/x-www-form-urlencoded"

PageRequest = Request[Any, Any, Any]  # Litestar sees through no `type` statement
type Form = dict[str, str]


class SignInFirst(Exception):  # noqa: N818 - an answer
    """Nobody is signed in; `path` is where to go on afterwards."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.location = f"/sign-in?{urlencode({'next': path})}"


class TooOften(Exception):  # noqa: N818 - an answer
    """A rate is spent; the verdict says when the next try is allowed."""

    def __init__(self, verdict: RateLimitResult) -> None:
        super().__init__(verdict)
        self.verdict = verdict


def count(
    request: Request[Any, Any, Any], limiter: RateLimiter | None, rate: Rate, who: str | Caller
) -> RateLimitResult | None:
    """Count a try against a rate. The answer carries the state of the first rate that its request is counted by."""
    result = limiter.spend(rate, who) if limiter else None
    context = request_context(request.scope)
    context.rate_limit = context.rate_limit or result
    return result


def count_or_refuse(request: PageRequest, limiter: RateLimiter | None, rate: Rate, who: str | Caller) -> None:
    """Count a try against a rate; raises TooOften."""
    result = count(request, limiter, rate, who)
    if result and not result.allowed:
        raise TooOften(result)


@dataclass(frozen=True, slots=True)
class WebContext:
    """One for the process. `origin` has no slash at its end; `limiter` is None where nothing is limited.

    `application` is None where the web application is not built or not wanted, and so is `graphiql`.
    """

    origin: str
    cookies: Cookies
    sessions: Sessions
    operations: PageOperations
    accounts: AccountPorts
    jobs: JobRunner
    limiter: RateLimiter | None
    graphiql: BuiltGraphiQL | None = None
    application: BuiltApplication | None = None

    async def visitor(self, request: PageRequest) -> Visitor | None:
        """Return who is signed in, or None."""
        visitor = await visitor_of(request.headers, self.cookies, self.sessions)
        if visitor:
            context = request_context(request.scope)
            context.caller, context.check_credential = visitor.caller, partial(self._check_session, request)
        return visitor

    async def _check_session(self, request: PageRequest) -> None:
        if await visitor_of(request.headers, self.cookies, self.sessions) is None:
            raise SignInFirst("/")

    async def require_user(self, request: PageRequest) -> Visitor:
        """Return who is signed in; raises SignInFirst, which leads back here."""
        visitor = await self.visitor(request)
        if visitor is None:
            query = request.scope["query_string"].decode("latin-1")
            raise SignInFirst((request.scope["path"] + (f"?{query}" if query else "")) if _is_read(request) else "/")
        return visitor

    async def require_reader(self, request: PageRequest) -> Visitor:
        """Return who is signed in and reads content, which is counted; raises SignInFirst, TooOften."""
        visitor = await self.require_user(request)
        if self.limiter:
            self.spend(request, self.limiter.rates.reads, visitor.caller)
        return visitor

    async def run(self, visitor: Visitor, document: str, /, **variables: object) -> Mapping[str, Any]:
        """Run one of the pages' documents for the visitor; raises RejectionError."""
        return await self.operations(visitor.caller, document, variables)

    def spend(self, request: PageRequest, rate: Rate, who: str | Caller) -> None:
        count_or_refuse(request, self.limiter, rate, who)

    def try_sign_in(self, request: PageRequest) -> None:
        """Count a sign-in as failed before it is tried, so that nobody has more tries at once; raises TooOften."""
        if self.limiter:
            self.spend(request, self.limiter.rates.failed_sign_ins, address_of(request))

    def refund_sign_in(self, request: PageRequest) -> None:
        """Take back the count of a failed sign-in."""
        if self.limiter:
            self.limiter.refund(self.limiter.rates.failed_sign_ins, address_of(request))

    def spend_account(self, request: PageRequest) -> None:
        """Count an account that is made, or may be, from a network address; raises TooOften."""
        if self.limiter:
            self.spend(request, self.limiter.rates.accounts, address_of(request))

    async def form(self, request: PageRequest, visitor: Visitor | None) -> Form:
        """Return the fields of a form that one of our own pages sent for this visitor; raises RejectionError, TooOften."""
        fields = await form_of(request)
        refused = forged(request.headers, self.cookies, visitor, fields)
        if refused:
            raise RejectionError(refused)
        if visitor and self.limiter:
            self.spend(request, self.limiter.rates.writes, visitor.caller)
        return fields


def _is_read(request: PageRequest) -> bool:
    return request.method in ("GET", "HEAD")


async def form_of(request: PageRequest) -> Form:
    """Return the fields of a form, the last of each name; raises RejectionError for another content type."""
    if request.content_type[0].lower() != _FORM:
        raise RejectionError(Rejection(Code.UNSUPPORTED_MEDIA_TYPE, "send a form"))
    body = await request.body()
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError:
        raise RejectionError(Rejection(Code.BAD_REQUEST, "the form cannot be read")) from None
    for name, value in pairs:
        if fault := text_fault(name) or text_fault(value):
            raise RejectionError(bad("form", fault))
    return dict(pairs)


def address_of(request: PageRequest) -> str:
    """Return the network by which tries are counted."""
    client = request.scope.get("client")
    return client_network(client[0]) if client else ""
