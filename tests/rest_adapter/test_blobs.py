"""Where images are kept."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.errors import Unavailable
from persistence.postgres.installation import CannotStart
from service.blobs import ObjectBlobs


@pytest.mark.parametrize("where", ["folder", "address of a folder", "memory"])
async def test_what_was_put_is_found_and_what_was_not_is_none(where, tmp_path):
    blobs = {
        "folder": lambda: ObjectBlobs.in_folder(tmp_path / "images"),
        "address of a folder": lambda: ObjectBlobs.at_url(tmp_path.as_uri()),
        "memory": lambda: ObjectBlobs.at_url("memory:///"),
    }[where]()
    assert await blobs.get("a") is None
    await blobs.put("a", b"one")
    await blobs.put("a", b"two")
    assert await blobs.get("a") == b"two"
    assert await blobs.get("b") is None
    assert [[*keys] async for keys in blobs.put_before(datetime.now(UTC) + timedelta(days=1))] == [["a"]]
    assert [key async for keys in blobs.put_before(datetime.now(UTC) - timedelta(days=1)) for key in keys] == []
    await blobs.delete("a")
    await blobs.delete("a")
    assert await blobs.get("a") is None


async def test_a_store_that_fails_is_unavailable_and_named_in_the_log(tmp_path, capsys):
    blobs = ObjectBlobs.in_folder(tmp_path / "images")
    (tmp_path / "images").rmdir()
    (tmp_path / "images").write_bytes(b"no folder")
    for asked in (blobs.put("a", b"one"), blobs.get("a"), blobs.delete("a")):
        with pytest.raises(Unavailable):
            await asked
    told = capsys.readouterr()
    assert "the store of images failed" in told.out + told.err


@pytest.mark.parametrize("url", ["nowhere://images", "s3://"])
def test_an_address_of_no_store_keeps_the_server_from_starting_with_a_sentence(url):
    with pytest.raises(CannotStart, match=f"^`{url}` is no store of images: [^\\n]+$"):
        ObjectBlobs.at_url(url)
