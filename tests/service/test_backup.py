"""What is saved while the server runs comes back elsewhere as the same world."""

import io
import stat

import httpx
import pytest
from PIL import Image

from tests.support.processes.servers import anywhere, operator, pages, serving

pytestmark = pytest.mark.slow
PEOPLE = ("grace", "ada", "ben", "cleo", "gus")


def world(server):
    """Everything that everybody can read, with the images, but for the server's own address."""
    told = {}
    for who in PEOPLE:
        with server.client(who) as client:
            drives = pages(client)
            shared = client.get("/api/v1/drive-items/shared-with-me").json()["items"]
            items = [item for drive in drives for item in drive["items"]] + shared
            told[who] = {
                "drives": drives,
                "shared": shared,
                "items": [client.get(f"/api/v1/drive-items/{item['id']}").json() for item in items],
                "documents": [
                    client.get(f"/api/v1/documents/{item['id']}").json()
                    for item in items
                    if item["driveItemType"] != "folder"
                ],
            }
    return anywhere(server, told)


def picture():
    made = io.BytesIO()
    Image.new("RGB", (3, 2), "teal").save(made, "PNG")
    return made.getvalue()


def upload(client):
    item = next(
        item
        for drive in client.get("/api/v1/drives").json()["drives"]
        for item in drive["items"]
        if item["driveItemType"] == "docs_workbook"
    )
    sent = {"file": ("teal.png", picture(), "image/png")}
    return client.post(f"/api/v1/drive-items/{item['id']}/images", files=sent).raise_for_status().json()["image"]["url"]


def test_a_backup_of_a_running_server_comes_back_as_the_same_world(folder):
    saved = folder / "saved"
    with serving(folder / "before") as server, server.client() as client:
        url = upload(client)
        image, before = client.get(url).content, world(server)
        done = operator("--data", server.data, "backup", saved)
        assert done.stdout.strip() == f"saved the database and 1 images to {saved}", done.stderr
        assert stat.S_IMODE(saved.stat().st_mode) == 0o600
        assert not list(folder.glob("*.partial"))
        client.post("/api/v1/drives", json={"name": "made afterwards"}).raise_for_status()
        credentials = server.credentials

    after = folder / "after"
    done = operator("--data", after, "restore", saved)
    assert done.stdout.strip() == f"brought back the database and 1 images from {saved}", done.stderr
    (after / "credentials.json").write_text((folder / "before" / "credentials.json").read_text())
    with serving(after) as server, server.client() as client:
        assert server.credentials["users"] == credentials["users"]
        assert world(server) == before
        assert client.get(httpx.URL(url).path).content == image
        drive = client.post("/api/v1/drives", json={"name": "Later"}).raise_for_status().json()["drive"]
        assert all(drive["id"] > other["id"] for other in pages(client) if other["id"] != drive["id"])


def test_a_backup_overwrites_nothing_and_needs_no_server(folder):
    saved = folder / "saved"
    made = operator("--data", folder / "alone", "account", "create", "solo@example.com", "--name", "Solo")
    assert made.returncode == 0
    assert operator("--data", folder / "alone", "backup", saved).returncode == 0
    content = saved.read_bytes()
    again = operator("--data", folder / "alone", "backup", saved)
    assert (again.returncode, "never overwrites" in again.stderr) == (1, True)
    assert saved.read_bytes() == content


def test_a_restore_fills_only_what_is_empty(server, folder):
    saved = folder / "saved"
    assert operator("--data", server.data, "backup", saved).returncode == 0
    before = world(server)
    refused = operator("--data", server.data, "restore", saved)
    assert (refused.returncode, "there is data here already" in refused.stderr) == (1, True), refused.stderr
    assert world(server) == before


DAMAGE = {
    "no archive": lambda _: b"no archive",
    "half": lambda whole: whole[: len(whole) // 2],
    "nothing": lambda _: b"",
    "without its end": lambda whole: whole[:-4],
    "a byte wrong": lambda whole: (
        whole[: len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 1]) + whole[len(whole) // 2 + 1 :]
    ),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_is_no_whole_backup_is_refused_and_leaves_nothing(server, folder, damage):
    saved, broken, data = folder / "saved", folder / "broken", folder / "data"
    operator("--data", server.data, "backup", saved)
    broken.write_bytes(damage(saved.read_bytes()))
    refused = operator("--data", data, "restore", broken)
    assert refused.returncode == 1
    assert "is no whole backup" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not data.exists()
    assert operator("--data", data, "restore", saved).returncode == 0, "it can be tried again"
