"""How a row of the contract is run for a caller: its document, compiled once, and its answer."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from graphql import parse, print_ast
from graphql.utilities import separate_operations
from strawberry import Schema

from domain.document import Image as StoredImage
from domain.document import editable, upload
from domain.errors import NOT_FOUND
from domain.idempotency import IdempotencyKey
from domain.item import document
from domain.questions import ImageFor, ItemFor
from graphql_api import present
from graphql_api.caller import Caller
from graphql_api.compiled import Prepared, execute_static, prepare
from graphql_api.context import Context, Ports, upon
from graphql_api.guard import public
from graphql_api.operations import BY_NAME, OPERATIONS, Answer, Operation
from graphql_api.ports import Touches
from graphql_api.refused import Refused, accepted, rejection_of
from graphql_api.steps import unknown_alike
from graphql_api.types import Image

DOCUMENTS = Path(__file__).with_name("operations.graphql")


def documents(file: Path = DOCUMENTS) -> dict[str, str]:
    """Return the text of each named document of the file, with the fragments it uses."""
    return {name: print_ast(node) for name, node in separate_operations(parse(file.read_text())).items()}


def fingerprint(inputs: Mapping[str, object]) -> str:
    """Return what tells one request from another under the same idempotency key."""
    return hashlib.sha256(msgspec.json.encode(inputs, order="deterministic")).hexdigest()


class Api:
    """The rows, ready to run for any caller."""

    def __init__(self, schema: Schema, ports: Ports) -> None:
        texts = documents()
        self._ports = ports
        self._prepared: dict[str, Prepared] = {
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
        """Return the answer of an operation, ready for JSON (None: nothing to return); raises Refused."""
        once = self._once(operation, caller, inputs, idempotency_key)
        context = Context(self._ports, caller, once)
        async with unknown_alike():
            result = await execute_static(self._prepared[operation.name], inputs, {"context": context})
            if result.errors:
                raise Refused(rejection_of(public(result.errors[0])))
        assert result.data is not None
        match operation.answer:
            case Answer.EMPTY:
                return None
            case Answer.VALUE:
                return next(iter(result.data.values()))
            case Answer.DATA:
                return result.data

    @unknown_alike()
    async def may_upload(self, caller: Caller, item_id: str) -> None:
        """Refuse, before an image is decoded, whoever may not add one to the document."""
        facts = await self._ports.store.read(ItemFor(caller.user_id, item_id))
        accepted(editable(facts, "add images to this document"))

    @unknown_alike()
    async def record_image(
        self, caller: Caller, item_id: str, image: StoredImage, content: bytes, digest: str, idempotency_key: str | None
    ) -> Image:
        """Keep an image of a document. `digest` is of the request's file, `content` what became of it."""
        operation = BY_NAME["driveItems.uploadImage"]
        once = self._once(operation, caller, {"itemId": item_id, "file": digest}, idempotency_key)
        context = Context(self._ports, caller, once)
        decide = upon(ItemFor(caller.user_id, item_id), lambda facts: upload(facts, image))
        await self._ports.blobs.put(image.id, content)
        try:
            known = await context.change(Touches(items=(item_id,)), decide, image.id)
        except Refused:
            await self._ports.blobs.delete(image.id)
            raise
        if known is None:
            return present.image(image, self._ports.origin)
        await self._ports.blobs.delete(image.id)
        found = await self._ports.store.read(ImageFor(caller.user_id, known))
        return present.image(accepted(NOT_FOUND if found is None else found[0]), self._ports.origin)

    @unknown_alike()
    async def read_image(self, caller: Caller, image_id: str) -> tuple[StoredImage, bytes]:
        """Return an image to whoever may read the document it is in."""
        found = await self._ports.store.read(ImageFor(caller.user_id, image_id))
        accepted(document(found[1] if found else None))
        assert found is not None
        content = await self._ports.blobs.get(image_id)
        return accepted(NOT_FOUND if content is None else (found[0], content))

    def _once(
        self, operation: Operation, caller: Caller, inputs: Mapping[str, object], idempotency_key: str | None
    ) -> IdempotencyKey | None:
        if idempotency_key is None:
            return None
        return IdempotencyKey(caller.user_id, operation.name, idempotency_key, fingerprint(inputs))
