"""Runs the rows of the contract for a caller: their documents, compiled once, and their answers."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

import msgspec
from graphql import parse, print_ast
from graphql.utilities import separate_operations
from strawberry import Schema

from domain.caller import Caller
from domain.document import Image, ImageFile
from domain.errors import NOT_FOUND, Code
from domain.idempotency import IdempotencyKey
from domain.item import document
from domain.questions import ImageFor
from graphql_api.compiled_execution import PreparedDocument, execute_coerced, prepare
from graphql_api.context import Context, Ports
from graphql_api.errors import RejectionError, rejection_of, unwrap
from graphql_api.not_found_timing import next_step, pad_not_found
from graphql_api.operations import OPERATIONS, Answer, Operation
from graphql_api.request_limits import mask_error

DOCUMENTS = Path(__file__).with_name("operations.graphql")


def documents(file: Path = DOCUMENTS) -> dict[str, str]:
    """Return the text of each named document of the file, with the fragments it uses."""
    return {name: print_ast(node) for name, node in separate_operations(parse(file.read_text())).items()}


def fingerprint(inputs: Mapping[str, object]) -> str:
    """Return a digest of the inputs, which distinguishes requests under the same idempotency key."""
    told = {name: value.digest if isinstance(value, ImageFile) else value for name, value in inputs.items()}
    return hashlib.sha256(msgspec.json.encode(told, order="deterministic")).hexdigest()


class Api:
    """The rows of the contract, prepared to run for any caller."""

    def __init__(self, schema: Schema, ports: Ports) -> None:
        texts = documents()
        self._ports = ports
        self._prepared: dict[str, PreparedDocument] = {
            operation.name: prepare(schema, texts[operation.document]) for operation in OPERATIONS
        }

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
        result = await execute_coerced(self._prepared[operation.name], inputs, {"context": context})
        if result.errors:
            rejection = rejection_of(mask_error(result.errors[0]))
            if rejection.code is Code.NOT_FOUND:
                await next_step(begun)
            raise RejectionError(rejection)
        assert result.data is not None
        match operation.answer:
            case Answer.EMPTY:
                return None
            case Answer.VALUE:
                return next(iter(result.data.values()))
            case Answer.DATA:
                return result.data

    @pad_not_found()
    async def read_image(self, caller: Caller, image_id: str) -> tuple[Image, bytes]:
        """Return an image and its content; raises RejectionError for callers who may not read its document."""
        found = await self._ports.store.read(ImageFor(caller.user_id, image_id))
        unwrap(document(found[1] if found else None))
        assert found is not None
        content = await self._ports.blobs.get(image_id)
        return unwrap(NOT_FOUND if content is None else (found[0], content))
