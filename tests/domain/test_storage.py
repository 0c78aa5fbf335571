from datetime import UTC, datetime

from domain.document import DocumentCopied, DocumentEdited, Image, ImageUploaded
from domain.errors import Code
from domain.item import ItemRenamed
from domain.storage import added_bytes, no_room

AT = datetime(2026, 11, 27, tzinfo=UTC)


class Quotas:
    def left(self, drive_id):
        return {"acme": 10, "other": -1}[drive_id]

    def wrote(self, drive_id, size):
        raise NotImplementedError


def test_updates_and_images_add_to_their_drives_and_what_deletes_alone_adds_nothing():
    image = Image("image", "memo", "image/png", 1, 1, 30, AT, "image")
    events = (
        DocumentEdited("memo", "acme", b"\x01234"),
        DocumentEdited("memo", "acme", b"\0" + bytes(100)),
        ImageUploaded(image, "acme"),
        DocumentCopied("copy", "other", b"\1", b"12", ()),
        ItemRenamed("memo", "acme", "Memo"),
    )
    assert added_bytes(events) == {"acme": 34, "other": 3}


def test_a_drive_takes_what_it_has_left_and_nothing_where_it_has_too_much_already():
    assert no_room(Quotas(), {"acme": 10}) is None
    assert no_room(Quotas(), {}) is None
    assert no_room(Quotas(), {"acme": 11}).code is Code.STORAGE_FULL
    assert no_room(Quotas(), {"other": 1}).code is Code.STORAGE_FULL
