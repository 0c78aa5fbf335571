"""Runs the operations of the contract, the same way for each surface that is mapped from it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from litestar.types import HTTPScope

from contract.errors import RejectionError, unwrap
from contract.operation_schema import OperationSchema
from contract.operations import Operation
from domain.caller import Caller
from domain.errors import Code, in_seconds
from domain.values import bad
from edge.app import RequestContext
from edge.credentials import caller_of
from edge.rate_limit import Rate, RateLimiter, Rates
from edge.requests import idempotency_key, parse_inputs, path_inputs, refused

type Call = Callable[[HTTPScope, RequestContext, Mapping[str, object]], Awaitable[object]]
"""Runs an operation for a request with inputs beside those of its path."""


class Run(Protocol):
    async def __call__(
        self, operation: Operation, caller: Caller, inputs: Mapping[str, object], idempotency_key: str | None
    ) -> object:
        """Return the answer of the operation, ready for JSON (None: nothing); raises RejectionError or Unavailable."""
        ...


type PublishedId = Callable[[str], Awaitable[str | None]]
"""Returns the id of the document whose public page has a slug, if there is one."""


async def unpublished(_slug: str) -> str | None:
    """Return no id, as where nothing is published."""
    return None


def operation_call(schema: OperationSchema, run: Run, limiter: RateLimiter | None) -> Call:
    """Return what parses the inputs that the path and `given` hold, spends from the caller's rate, and runs the operation.

    It raises RejectionError. Checked in this order: the path's encoding, the headers, the inputs, the rate, what the
    operation itself checks.
    """
    operation = schema.operation
    takes_key, rates = operation.takes_idempotency_key, limiter.rates if limiter else Rates()
    rate = rates.reads if operation.read_only else rates.images if schema.file else rates.writes

    async def call(scope: HTTPScope, context: RequestContext, given: Mapping[str, object]) -> object:
        caller = require_caller(scope, context)
        key = idempotency_key(scope) if takes_key else None
        path = path_inputs(scope, schema)
        if twice := [name for name in given if name in path]:
            raise RejectionError(bad(twice[0], "is in the path: leave it out of the body"))
        inputs = parse_inputs(schema, {**path, **given})
        spend(limiter, rate, context)
        return await run(operation, caller, inputs, key)

    return call


def require_caller(scope: HTTPScope, context: RequestContext) -> Caller:
    """Return the caller with the agent that the request names; raises RejectionError for a broken path or header."""
    if not context.path_is_whole:
        raise refused(Code.BAD_REQUEST, "the path is not percent-encoded UTF-8")
    assert context.caller is not None, "the edge lets nobody else in"
    return unwrap(caller_of(context.caller, scope["headers"]))


def spend(limiter: RateLimiter | None, rate: Rate, context: RequestContext) -> None:
    """Take one request from the caller's rate; raises RejectionError where none is left."""
    if limiter is None or context.caller is None:
        return
    context.rate_limit = limiter.spend(rate, context.caller)
    if not context.rate_limit.allowed:
        wait = in_seconds(context.rate_limit.retry_after)
        raise refused(Code.TOO_MANY_REQUESTS, f"you asked too often: wait {wait}, as `Retry-After` says")
