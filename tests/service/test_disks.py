"""A full disk is named wherever an operator looks."""

import io
import json
import os
import random
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from litestar.testing import TestClient
from PIL import Image

from edge.litestar_app import router as litestar_app
from service.application import operator_pages
from service.disks import Disks, disks_of
from service.http_server import ServesOn
from service.settings import Settings
from tests.support.processes.servers import PATIENCE, http, launch_demo

ROOT = Path(__file__).parents[2]
DASHBOARD = ROOT / "docs" / "grafana.json"
SMALL_DISK = Path(__file__).with_name("on_a_small_disk.py")
NO_ROOM = Path("/proc")  # no byte can be stored in it


def answer(disks, *, answers=True):
    async def ready():
        return answers

    with TestClient(litestar_app(operator_pages(ready, disks, ServesOn()))) as client:
        found = client.get("/readyz")
        return found.status_code, found.text


def test_a_server_whose_disk_is_full_is_not_ready(tmp_path):
    assert answer(Disks({"data": tmp_path})) == (200, "ok\n")
    assert answer(Disks({"data": tmp_path, "images": NO_ROOM})) == (503, "the disk of the images is full\n")
    assert answer(Disks({"data": NO_ROOM}), answers=False) == (
        503,
        "the disk of the data is full\nthe database does not answer\n",
    )


async def test_the_log_names_a_full_disk(tmp_path, capsys):
    await Disks({"data": tmp_path}).turn()
    assert capsys.readouterr() == ("", "")
    await Disks({"images": NO_ROOM}).turn()
    told = capsys.readouterr()
    assert "the disk is full" in told.out + told.err
    assert "/proc" in told.out + told.err


def test_the_disks_are_those_of_the_data_and_of_images_elsewhere(tmp_path):
    assert disks_of(Settings(data=tmp_path)).folders == {"data": tmp_path}
    assert disks_of(Settings(data=tmp_path, blobs="s3://images")).folders == {"data": tmp_path}
    elsewhere = str(tmp_path / "images")
    assert disks_of(Settings(data=tmp_path, blobs=elsewhere)).folders == {"data": tmp_path, "images": Path(elsewhere)}


@pytest.fixture
def small_disk(tmp_path):
    """A folder for images, where a process may mount a small disk at it."""
    folder = tmp_path / "images"
    folder.mkdir()
    probe = f"from tests.service.on_a_small_disk import mounted; mounted({str(folder)!r})"
    tried = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, check=False, timeout=PATIENCE)
    if tried.returncode:
        pytest.skip("this machine lets nobody mount a disk in a namespace")
    return folder


def picture(side):
    """A picture that no encoding makes much smaller."""
    made = io.BytesIO()
    Image.frombytes("RGB", (side, side), random.Random(side).randbytes(3 * side * side)).save(made, "PNG")
    return made.getvalue()


@pytest.mark.slow
def test_an_upload_that_finds_no_room_is_unavailable_and_leaves_nothing(demo_world, open_folder, small_disk):
    started = {
        "begin": partial(launch_demo, script=SMALL_DISK),
        "SMALL_DISK": str(small_disk),
        "CODRIVE_BLOBS": str(small_disk),
    }
    with demo_world.serving(open_folder / "disk", **started) as running, running.client() as ada:
        drive = ada.get("/api/v1/drives").json()["drives"][0]["id"]
        named = {"name": "Pictures", "driveItemType": "docs_workbook"}
        document = ada.post(f"/api/v1/drives/{drive}/items", json=named).json()["item"]["id"]
        path = f"/api/v1/drive-items/{document}/images"
        refused = ada.post(path, files={"file": ("large.png", picture(200))})
        assert (refused.status_code, refused.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
        assert int(refused.headers["retry-after"]) > 0
        taken = ada.post(path, files={"file": ("small.png", picture(20))})
        assert taken.status_code == 200, taken.text
        assert ada.get(taken.json()["image"]["url"].removeprefix(running.origin)).status_code == 200
        asked = {"query": "query($id: ID!) { document(id: $id) { images { id } } }", "variables": {"id": document}}
        listed = ada.post("/graphql", json=asked).json()["data"]["document"]["images"]
        assert [each["id"] for each in listed] == [taken.json()["image"]["id"]]
        assert (ada.get("/readyz").status_code, ada.get("/readyz").text) == (503, "the disk of the images is full\n")
        assert "the store of images failed" in running.errors
        assert "No space left on device" in running.errors
        assert "a resolver failed" not in running.errors


@pytest.mark.slow
def test_a_first_start_on_a_disk_without_room_says_so(small_disk):
    command = [sys.executable, str(SMALL_DISK), "--data", str(small_disk), "--port", "0"]
    environment = os.environ | {"SMALL_DISK": str(small_disk), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 1
    assert re.search(r"^Error: .*: its disk has 0 MB left / ", done.stderr, re.MULTILINE), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_metrics_tell_of_disks_connections_and_documents(server):
    with http(server.origin) as client:
        client.get("/readyz")  # an operation is told of once it was asked
        told = client.get("/metrics").text
    for name, label in (
        ("codrive_disk_free_bytes", 'folder="data"'),
        ("codrive_documents", 'state="open"'),
        ("codrive_documents", 'state="quarantined"'),
        ("codrive_document_sockets", 'state="open"'),
        ("codrive_graphql_sockets", 'what="subscriptions"'),
        ("codrive_database_connections", 'pool="writers"'),
        ("codrive_database_waiting", 'pool="readers"'),
    ):
        assert f"\n{name}{{{label}}} " in told
    assert "_created" not in told
    kept = {name for name in re.findall(r"^# TYPE (\S+)", told, re.MULTILINE) if name.startswith("codrive_")}
    shown = " ".join(
        target["expr"] for panel in json.loads(DASHBOARD.read_text())["panels"] for target in panel["targets"]
    )
    named = {name.removesuffix("_bucket") for name in re.findall(r"codrive_\w+", shown)}
    assert named == kept, "the dashboard shows all that there is"
    assert all(f"\n{name} " in told for name in re.findall(r"process_\w+", shown))
