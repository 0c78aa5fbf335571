"""Runs the operations of the contract, the same way for each surface that is mapped from it."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from time import perf_counter
from typing import Protocol

import msgspec
from litestar.types import HTTPScope

from domain.caller import Caller
from domain.document import Image, ImageFile
from domain.errors import NOT_FOUND, Code
from domain.idempotency import IdempotencyKey
from domain.item import document
from domain.questions import ImageFor, PublishedAs
from domain.values import bad
from edge.app import RequestContext
from edge.credentials import caller_of
from edge.rate_limit import Rate, RateLimiter, Rates
from edge.requests import idempotency_key, parse_inputs, path_inputs, refused
from graphql_api.compiled_execution import PreparedDocument, execute_coerced, prepare
from graphql_api.context import Context, Ports
from graphql_api.contract import MODEL_DOCUMENTS, documents
from graphql_api.errors import RejectionError, rejection_of, retry_after, unwrap
from graphql_api.not_found_timing import next_step, pad_not_found
from graphql_api.operation_schema import OperationSchema
from graphql_api.operations import Answer, Operation
from graphql_api.request_limits import LimitedSchema, mask_error

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
        seconds = context.rate_limit.retry_after
        raise refused(Code.TOO_MANY_REQUESTS, f"you asked too often: wait {seconds} seconds, as `Retry-After` says")


def fingerprint(inputs: Mapping[str, object]) -> str:
    """Return a digest of the inputs, which distinguishes requests under the same idempotency key."""
    told = {name: value.digest if isinstance(value, ImageFile) else value for name, value in inputs.items()}
    return hashlib.sha256(msgspec.json.encode(told, order="deterministic")).hexdigest()


class Api:
    """The rows of the contract, each prepared when it runs first."""

    def __init__(self, schema: LimitedSchema, ports: Ports) -> None:
        texts = documents() | documents(MODEL_DOCUMENTS)
        self._ports = ports
        self._prepared: Callable[[str], PreparedDocument] = cache(lambda name: prepare(schema, texts[name]))

    async def run(
        self,
        operation: Operation,
        caller: Caller,
        inputs: Mapping[str, object],
        idempotency_key: str | None = None,
    ) -> object:
        """Return the answer of an operation, ready for JSON (None: nothing to return); raises RejectionError.

        `inputs` are parsed, and a NOT_FOUND is delayed until the next step (`graphql_api.not_found_timing`).
        """
        begun = perf_counter()
        once = None
        if idempotency_key is not None:
            once = IdempotencyKey(caller.user_id, operation.name, idempotency_key, fingerprint(inputs))
        context = Context(self._ports, caller, once)
        async with self._ports.requests.slot(caller.user_id):
            result = await execute_coerced(self._prepared(operation.document), inputs, {"context": context})
        if result.errors:
            error = mask_error(result.errors[0])
            rejection = rejection_of(error)
            if rejection.code is Code.NOT_FOUND:
                await next_step(begun)
            raise RejectionError(rejection, retry_after(error))
        assert result.data is not None
        match operation.answer:
            case Answer.EMPTY:
                return None
            case Answer.VALUE:
                return next(iter(result.data.values()))
            case Answer.DATA:
                return result.data

    async def published_id(self, slug: str) -> str | None:
        """Return the id of the document whose public page has this slug; None where there is none."""
        found = await self._ports.store.read(PublishedAs(slug))
        return found.item.id if found else None

    @pad_not_found()
    async def read_image(self, caller: Caller, image_id: str) -> tuple[Image, bytes]:
        """Return an image and its content; raises RejectionError for callers who may not read its document."""
        found = await self._ports.store.read(ImageFor(caller.user_id, image_id))
        unwrap(document(found[1] if found else None))
        assert found is not None
        image, _ = found
        content = await self._ports.blobs.get(image.blob)
        return unwrap(NOT_FOUND if content is None else (image, content))
