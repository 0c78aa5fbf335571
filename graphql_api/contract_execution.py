"""Executes the operations of the contract for the surfaces that are mapped from it, and reads what stands beside them."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from time import perf_counter
from typing import Any

import msgspec
from graphql import ExecutionResult

from contract.contract import MODEL_DOCUMENTS, documents
from contract.errors import RejectionError, rejection_of, retry_after, unwrap
from contract.operations import Answer, Operation
from domain.caller import Caller
from domain.document import Image, ImageFile
from domain.errors import NOT_FOUND, Code
from domain.idempotency import IdempotencyKey
from domain.item import document
from domain.questions import ImageFor, PublishedAs
from graphql_api.compiled_execution import PreparedDocument, execute_coerced, prepare
from graphql_api.context import Context, Ports
from graphql_api.not_found_timing import next_step, pad_not_found
from graphql_api.request_limits import LimitedSchema, mask_error

type Execute = Callable[[PreparedDocument, Mapping[str, Any], object], Awaitable[ExecutionResult]]


def fingerprint(inputs: Mapping[str, object]) -> str:
    """Return a digest of the inputs, which distinguishes requests under the same idempotency key."""
    told = {name: value.digest if isinstance(value, ImageFile) else value for name, value in inputs.items()}
    return hashlib.sha256(msgspec.json.encode(told, order="deterministic")).hexdigest()


async def data_of(
    execute: Execute, prepared: PreparedDocument, variables: Mapping[str, object], context: Context
) -> Mapping[str, Any]:
    """Run a document of the server's own in its caller's turn and return its data; raises RejectionError for its first error.

    A NOT_FOUND is delayed until the next step (`graphql_api.not_found_timing`).
    """
    begun = perf_counter()
    async with context.ports.requests.slot(context.user_id):
        result = await execute(prepared, variables, {"context": context})
    if result.errors:
        error = mask_error(result.errors[0])
        rejection = rejection_of(error)
        if rejection.code is Code.NOT_FOUND:
            await next_step(begun)
        raise RejectionError(rejection, retry_after(error))
    assert result.data is not None
    return result.data


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

        `inputs` are parsed.
        """
        once = None
        if idempotency_key is not None:
            once = IdempotencyKey(caller.user_id, operation.name, idempotency_key, fingerprint(inputs))
        context = Context(self._ports, caller, once)
        data = await data_of(execute_coerced, self._prepared(operation.document), inputs, context)
        match operation.answer:
            case Answer.EMPTY:
                return None
            case Answer.VALUE:
                return next(iter(data.values()))
            case Answer.DATA:
                return data

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
