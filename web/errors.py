"""Error pages: renders every refusal without revealing more than it may."""

from typing import Any, Final

import structlog
from graphql import GraphQLError
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge

from contract.errors import rejection_of, retry_after
from domain.errors import NOT_FOUND, BudgetSpent, Code, Rejection, Unavailable, in_seconds
from edge.responses import FAULT, STATUS
from web.context import SignInFirst, TooOften
from web.pages import page, redirect

TITLES: Final = {
    400: "That request cannot be understood",
    403: "You may not do that",
    404: "There is nothing here",
    405: "That does not work here",
    413: "That is too much at once",
    429: "Too many tries",
    500: "Something went wrong",
    503: "Not available just now",
}
_log: Final = structlog.get_logger("web")


def refusal_page(rejection: Rejection, headers: dict[str, str] | None = None) -> Response[str]:
    """Return the page for a refusal, under the status of its code."""
    status = STATUS[rejection.code]
    made = page("refusal.html", status=status, title=TITLES.get(status, "That did not work"), message=rejection.message)
    for name, value in (headers or {}).items():
        made.headers[name] = value
    return made


def as_page(_request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Return what Litestar, or one of our own pages, could not do as a page."""
    match error:
        case SignInFirst():
            return redirect(error.location)
        case TooOften(verdict=verdict):
            rejection = Rejection(Code.TOO_MANY_REQUESTS, f"wait {in_seconds(verdict.retry_after)}, then try again")
            rate = {name.decode(): value.decode() for name, value in verdict.headers}
            return refusal_page(rejection, rate | {"retry-after": str(verdict.retry_after)})
        case GraphQLError():
            seconds = retry_after(error)
            return refusal_page(rejection_of(error), {"retry-after": str(seconds)} if seconds else None)
        case BudgetSpent():
            return refusal_page(error.rejection, {"retry-after": str(error.seconds)})
        case Unavailable():
            rejection = Rejection(
                Code.SERVICE_UNAVAILABLE, "the service cannot be reached just now: try again in a moment"
            )
            return refusal_page(rejection, {"retry-after": "2"})
        case RequestEntityTooLarge():
            return refusal_page(Rejection(Code.PAYLOAD_TOO_LARGE, "the form is too long"))
        case HTTPException(status_code=404):
            return refusal_page(NOT_FOUND)
        case HTTPException(status_code=405):
            allow = (error.headers or {}).get("allow", "GET")
            rejection = Rejection(Code.METHOD_NOT_SUPPORTED, "this page does not support that method")
            return refusal_page(rejection, {"allow": allow})
        case HTTPException(status_code=400):
            return refusal_page(Rejection(Code.BAD_REQUEST, "the request is malformed"))
        case _:
            _log.error("a page failed", exc_info=error)
            return refusal_page(FAULT)
