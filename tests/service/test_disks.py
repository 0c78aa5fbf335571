"""A full disk is named wherever an operator looks."""

import json
import re
from pathlib import Path

import pytest
from litestar.testing import TestClient

from rest_adapter.litestar_app import application as litestar_app
from service.application import operator_pages
from service.disks import Disks, disks_of
from service.settings import Settings
from tests.servers import http

DASHBOARD = Path(__file__).parents[2] / "docs" / "grafana.json"
NO_ROOM = Path("/proc")  # no byte can be stored in it


def answer(disks, *, answers=True):
    async def ready():
        return answers

    with TestClient(litestar_app(operator_pages(ready, disks))) as client:
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
    shown = [target["expr"] for panel in json.loads(DASHBOARD.read_text())["panels"] for target in panel["targets"]]
    named = {name for expression in shown for name in re.findall(r"(?:codrive|process)_\w+", expression)}
    assert named == {name for name in named if f"\n{name}" in told}, "the dashboard shows what there is"
