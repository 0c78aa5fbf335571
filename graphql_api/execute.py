"""Runs the rows of the contract for a caller: their documents, compiled once, and their answers."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from graphql import parse, print_ast
from graphql.utilities import separate_operations
from strawberry import Schema

from domain.caller import Caller
from domain.document import Image, editable, upload
from domain.errors import NOT_FOUND
from domain.idempotency import IdempotencyKey
from domain.item import document
from domain.questions import ImageFor, ItemFor
from graphql_api import views
from graphql_api.compiled_execution import PreparedDocument, execute_static, prepare
from graphql_api.context import Context, Ports, decide_with
from graphql_api.errors import RejectionError, rejection_of, unwrap
from graphql_api.not_found_timing import pad_not_found
from graphql_api.operations import BY_NAME, OPERATIONS, Answer, Operation
from graphql_api.ports import LockScope
from graphql_api.request_limits import mask_error
from graphql_api.types import ImageType

DOCUMENTS = Path(__file__).with_name("operations.graphql")


def documents(file: Path = DOCUMENTS) -> dict[str, str]:
    """Return the text of each named document of the file, with the fragments it uses."""
    return {name: print_ast(node) for name, node in separate_operations(parse(file.read_text())).items()}


def fingerprint(inputs: Mapping[str, object]) -> str:
    """Return a digest of the inputs, which distinguishes requests under the same idempotency key."""
    return hashlib.sha256(msgspec.json.encode(inputs, order="deterministic")).hexdigest()


class Api:
    """The rows of the contract, prepared to run for any caller."""

    def __init__(self, schema: Schema, ports: Ports) -> None:
        texts = documents()
        self._ports = ports
        self._prepared: dict[str, PreparedDocument] = {
            operation.name: prepare(schema, texts[operation.document])
            for operation in OPERATIONS
            if operation.document is not None
        }

    async def run(
        self,
        operation: Operation,
        caller: Caller,
        inputs: Mapping[str, object],
        idempotency_key: str | None = None,
    ) -> object:
        """Return the answer of an operation, ready for JSON (None: nothing to return); raises RejectionError."""
        once = self._once(operation, caller, inputs, idempotency_key)
        context = Context(self._ports, caller, once)
        async with pad_not_found():
            result = await execute_static(self._prepared[operation.name], inputs, {"context": context})
            if result.errors:
                raise RejectionError(rejection_of(mask_error(result.errors[0])))
        assert result.data is not None
        match operation.answer:
            case Answer.EMPTY:
                return None
            case Answer.VALUE:
                return next(iter(result.data.values()))
            case Answer.DATA:
                return result.data

    @pad_not_found()
    async def may_upload(self, caller: Caller, item_id: str) -> None:
        """Check, before an image is decoded, that the caller may add one to the document; raises RejectionError."""
        facts = await self._ports.store.read(ItemFor(caller.user_id, item_id))
        unwrap(editable(facts, "add images to this document"))

    @pad_not_found()
    async def record_image(
        self, caller: Caller, item_id: str, image: Image, content: bytes, digest: str, idempotency_key: str | None
    ) -> ImageType:
        """Store an image of a document. `digest` is of the file as it was sent, `content` the image as it was encoded anew."""
        operation = BY_NAME["driveItems.uploadImage"]
        once = self._once(operation, caller, {"itemId": item_id, "file": digest}, idempotency_key)
        context = Context(self._ports, caller, once)
        decide = decide_with(ItemFor(caller.user_id, item_id), lambda facts: upload(facts, image))
        await self._ports.blobs.put(image.id, content)
        try:
            known = await context.change(LockScope(items=(item_id,)), decide, image.id)
        except RejectionError:
            await self._ports.blobs.delete(image.id)
            raise
        if known is None:
            return views.image(image, self._ports.origin)
        await self._ports.blobs.delete(image.id)
        found = await self._ports.store.read(ImageFor(caller.user_id, known))
        return views.image(unwrap(NOT_FOUND if found is None else found[0]), self._ports.origin)

    @pad_not_found()
    async def read_image(self, caller: Caller, image_id: str) -> tuple[Image, bytes]:
        """Return an image and its content; raises RejectionError for callers who may not read its document."""
        found = await self._ports.store.read(ImageFor(caller.user_id, image_id))
        unwrap(document(found[1] if found else None))
        assert found is not None
        content = await self._ports.blobs.get(image_id)
        return unwrap(NOT_FOUND if content is None else (found[0], content))

    def _once(
        self, operation: Operation, caller: Caller, inputs: Mapping[str, object], idempotency_key: str | None
    ) -> IdempotencyKey | None:
        if idempotency_key is None:
            return None
        return IdempotencyKey(caller.user_id, operation.name, idempotency_key, fingerprint(inputs))
