"""Answers the questions for a public page and for the images of a document from the store in memory."""

from domain.document import Image
from domain.questions import ImagesOf, Published, PublishedAs
from persistence.memory_state import State


def images_of(state: State, asked: ImagesOf) -> tuple[Image, ...]:
    images = [image for image in state.images.values() if image.item_id == asked.item_id]
    return tuple(sorted(images, key=lambda each: each.id))


def published_as(state: State, asked: PublishedAs) -> Published | None:
    item = next((item for item in state.items.values() if item.slug is not None and item.slug == asked.slug), None)
    if item is None or not state.is_live(item):
        return None
    return Published(item, images_of(state, ImagesOf(item.id)))
