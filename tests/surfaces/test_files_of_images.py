"""What is on the disk of the images: one file for each, for the server's user alone."""

import stat

from graphql_api.system import new_id
from tests.support.surfaces.callers import PIXEL


def test_an_image_that_is_uploaded_again_with_its_key_is_one_file(ada, server):
    inputs = {"itemId": ada.document(ada.folder(ada.drive("Images"))), "file": PIXEL}
    folder = server.data / "images"
    before = {*folder.iterdir()} if folder.exists() else set()
    key = new_id()
    ids = {
        ada.rest.ask("driveItems.uploadImage", **inputs, headers={"Idempotency-Key": key}).data["image"]["id"]
        for _ in range(3)
    }
    assert {file.name for file in {*folder.iterdir()} - before} == ids
    assert len(ids) == 1


def test_an_image_that_is_refused_after_it_was_stored_leaves_no_file(ada, server):
    key, drive = new_id(), ada.drive("Images")
    once = {"headers": {"Idempotency-Key": key}}
    ada.rest.ask("driveItems.uploadImage", itemId=ada.document(ada.folder(drive)), file=PIXEL, **once)
    before = {*(server.data / "images").iterdir()}
    said = ada.rest.ask("driveItems.uploadImage", itemId=ada.document(ada.folder(drive)), file=PIXEL, **once)
    assert said.code == "IDEMPOTENCY_KEY_REUSED"
    assert {*(server.data / "images").iterdir()} == before


def test_no_other_user_of_the_machine_may_list_the_data_or_read_images(ada, server):
    ada.do("driveItems.uploadImage", itemId=ada.document(ada.folder(ada.drive("Images"))))
    assert stat.S_IMODE(server.data.stat().st_mode) in (0o700, 0o711)
    images = server.data / "images"
    assert stat.S_IMODE(images.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in images.iterdir()} == {0o600}
