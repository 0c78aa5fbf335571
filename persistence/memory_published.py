"""How the store in memory answers the question for a public page."""

from domain.questions import Published, PublishedAs
from persistence.memory_state import State


def published_as(state: State, asked: PublishedAs) -> Published | None:
    item = next((item for item in state.items.values() if item.slug is not None and item.slug == asked.slug), None)
    if item is None or not state.is_live(item):
        return None
    images = sorted((image for image in state.images.values() if image.item_id == item.id), key=lambda each: each.id)
    return Published(item, tuple(images))
