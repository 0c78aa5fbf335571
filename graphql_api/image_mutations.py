"""The mutation that adds an image to a document."""

from typing import Annotated

import strawberry

from contract.errors import RejectionError, unwrap
from domain.document import Image, ImageFile, editable, upload
from domain.errors import NOT_FOUND
from domain.events import Decision
from domain.questions import ImageFor, ItemFor
from graphql_api import views
from graphql_api.context import Context, Info, context_of, item_for_caller
from graphql_api.ports import LockScope, StateReader
from graphql_api.types import ID, ImageType


async def _recorded(context: Context, image_id: str) -> Image:
    found = await context.ports.store.read(ImageFor(context.user_id, image_id))
    return unwrap(NOT_FOUND if found is None else found[0])


async def _stored(context: Context, item_id: str, file: ImageFile) -> Image:
    """Encode the image anew, store and record it; return it, or that of the first request where this one repeats it."""
    ports = context.ports
    made = unwrap(await ports.images.encode(file, context.caller.credit))
    size, new_id = len(made.content), ports.ids()
    image = Image(new_id, item_id, file.content_type, made.width, made.height, size, ports.clock(), new_id)

    async def decide(ask: StateReader) -> Decision:
        return upload(await item_for_caller(context, item_id, ask), image)

    await ports.blobs.put(image.id, made.content)
    try:
        known = await context.change(LockScope(items=(item_id,)), decide, image.id)
    except RejectionError:
        await ports.blobs.delete(image.id)
        raise
    if known is None:
        return image
    await ports.blobs.delete(image.id)
    return await _recorded(context, known)


@strawberry.type
class ImageMutations:
    @strawberry.mutation(
        graphql_type=ImageType,
        description="Add an image to a document.\n\n"
        "Only `POST /api/v1/drive-items/{itemId}/images` can send one: see `ImageFile`.",
    )
    async def upload_image(
        self,
        info: Info,
        item_id: Annotated[ID, strawberry.argument(description="The document to add it to.")],
        file: Annotated[ImageFile, strawberry.argument(description="The image.")],
    ) -> ImageType:
        context = context_of(info)
        facts = await context.ports.store.read(ItemFor(context.user_id, item_id))
        unwrap(editable(facts, "add images to this document"))  # before the image is decoded
        first = await context.first_result()
        image = await (_stored(context, item_id, file) if first is None else _recorded(context, first))
        return views.image_view(image, context.ports.origin)
