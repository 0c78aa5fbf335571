"""Copies the images of other documents that an edit names into the document that is edited."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from documents.editing.edit import Edit, texts_of_edit
from documents.editing.edit_report import Lost
from documents.markdown.addresses import IMAGE_IDS
from documents.markdown.unsupported_markup import Unsayable
from domain.document import WRITTEN_MEANWHILE, Image, ImageUploaded, copied_image, copied_image_id
from domain.errors import Rejection
from domain.item import document
from domain.questions import ImageFor, ImagesOf
from graphql_api.ports import StateReader

MAX_LOOKED_UP: Final = 500  # images of other documents that are looked up for one edit
MAX_TOLD: Final = 100  # of those that are not copied


@dataclass(frozen=True, slots=True)
class CopiedImages:
    """The images of other documents that an edit names.

    `ids` are those of their copies in the document that is edited, by the ids of the images. `new` are the copies that it does not
    have yet, by the same. `unreadable` are the ids of images that the caller may not read, or that are not there.
    """

    ids: Mapping[str, str] = field(default_factory=dict)
    new: Mapping[str, Image] = field(default_factory=dict)
    unreadable: Sequence[str] = ()

    def lost(self) -> list[Lost]:
        return [Lost((), Unsayable.node, f"/images/{each}") for each in self.unreadable]

    async def recorded(
        self, ask: StateReader, user_id: str, update: bytes, drive_id: str
    ) -> tuple[ImageUploaded, ...] | Rejection:
        """Return the events that record the new copies which the update of the edit names."""
        written = {source: copy for source, copy in self.new.items() if copy.id.encode() in update}
        for source in written:
            if await _readable(ask, user_id, source) is None:
                return WRITTEN_MEANWHILE
        return tuple(ImageUploaded(copy, drive_id) for copy in written.values())


def named_images(wanted: Edit) -> list[str]:
    """Return the ids of images whose addresses an edit brings."""
    return [found for text in texts_of_edit(wanted) for found in IMAGE_IDS.findall(text)]


async def copied_images(
    reader: StateReader, user_id: str, document_id: str, named: Iterable[str], at: datetime
) -> CopiedImages:
    """Return what copies of images, by their ids, a user may bring into a document."""
    asked = dict.fromkeys(named)
    if not asked:
        return CopiedImages()
    own = {image.id for image in await reader.read(ImagesOf(document_id))}
    ids: dict[str, str] = {}
    new: dict[str, Image] = {}
    unreadable: list[str] = []
    for source in (each for each in asked if each not in own):
        copy_id = copied_image_id(source, document_id)
        if copy_id not in own:
            is_looked_up = len(new) + len(unreadable) < MAX_LOOKED_UP
            image = await _readable(reader, user_id, source) if is_looked_up else None
            if image is None:
                unreadable.append(source)
                continue
            new[source] = copied_image(image, document_id, at)
        ids[source] = copy_id
    return CopiedImages(ids, new, unreadable[:MAX_TOLD])


async def _readable(reader: StateReader, user_id: str, image_id: str) -> Image | None:
    found = await reader.read(ImageFor(user_id, image_id))
    return None if found is None or isinstance(document(found[1]), Rejection) else found[0]
