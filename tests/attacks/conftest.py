"""A server whose loop is watched, with every limit on, and a document of a mebibyte to attack it with."""

import base64
import struct
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from graphql_api.system import new_id
from tests.attacks.large_inputs import IMPORT, KEYSTROKES, TYPIST, large
from tests.support.processes import servers

ROOT = Path(__file__).parents[2]
BACKWARDS = 150_000
SECONDS = struct.Struct("d")
USUAL = 0.025  # seconds of CPU that a usual host takes for the reference


def watched(data, *flags, **variables):
    """Start the server as `servers.launch` does, through `watched`."""
    data.mkdir(exist_ok=True)
    data.chmod(0o711)
    _, environment = servers.program(**variables)
    log = data / "stderr.log"
    given = ("--demo", "--credentials", data / "credentials.json", "--port", 0, "--data", data, *flags)
    command = [sys.executable, "-m", "tests.support.processes.watched", str(data / "longest"), *map(str, given)]
    with log.open("w") as errors:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True)
    return servers.Served(process, data, log, variables.get("DATABASE_URL"))


class Watch:
    """What an attack costs: the loop's longest stretch in seconds of CPU, and by how many MiB the memory grew at most."""

    def __init__(self, served):
        self.served = served
        self.file = served.data / "longest"

    def begin(self):
        self.before = self.served.memory
        Path(f"/proc/{self.served.process.pid}/clear_refs").write_text("5")  # the peak begins anew
        with self.file.open("r+b") as opened:  # in place, since the server has it mapped
            opened.write(bytes(SECONDS.size))

    @property
    def stretch(self):
        return SECONDS.unpack_from(self.file.read_bytes())[0]

    @property
    def slowness(self):
        """How many times as long this host takes for the reference as a usual one; 1 where it is faster."""
        return max(1.0, SECONDS.unpack_from(self.file.read_bytes(), SECONDS.size)[0] / USUAL)

    @property
    def growth(self):
        status = Path(f"/proc/{self.served.process.pid}/status").read_text()
        (peak,) = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")]
        return peak / 1024 - self.before


@pytest.fixture(scope="module")
def attacked(demo_world, tmp_path_factory):
    """The server to attack, whose users may spend enough CPU time that no attack is refused for those before it."""
    data = tmp_path_factory.mktemp("attacked") / "data"
    with demo_world.serving(data, "--cpu-seconds-per-minute", 60_000, begin=watched) as running:
        yield running


@pytest.fixture
def watch(attacked):
    made = Watch(attacked)
    made.begin()
    return made


@pytest.fixture(scope="session")
def large_update():
    return base64.b64encode(from_tree(parse(large(1_000_000)), 4711)).decode()


@pytest.fixture(scope="session")
def backwards_update():
    """A text of a mebibyte, typed from its end to its beginning: each letter is an item, `TYPIST`'s from clock 2 on."""
    doc = Doc(client_id=TYPIST)
    root = doc.get("default", type=XmlFragment)
    root.children.append(XmlElement("paragraph", contents=[XmlText("")]))
    with doc.transaction():
        for _ in range(BACKWARDS):
            root.children[0].children[0].insert(0, "x")
    return base64.b64encode(doc.get_update()).decode()


@pytest.fixture
def make_document(attacked):
    """Return the id of a new document of Ada's, which Ben may edit and Cleo may read."""

    def make(update=None):
        with attacked.client("ada") as ada:
            drive = next(each for each in ada.get("/api/v1/drives").json()["drives"] if each["name"] == "Engineering")
            body = {"name": new_id(), "driveItemType": "docs_workbook"}
            item = ada.post(f"/api/v1/drives/{drive['id']}/items", json=body).raise_for_status().json()["item"]["id"]
            share = {"email": attacked.credentials["users"]["cleo"]["email"], "permission": "read_only"}
            ada.post(f"/api/v1/drive-items/{item}/access", json=share).raise_for_status()
            if update:
                asked = {"query": IMPORT, "variables": {"id": item, "update": update}}
                assert "errors" not in ada.post("/graphql", json=asked).raise_for_status().json()
            return item

    return make


@pytest.fixture(scope="session")
def keystrokes():
    """The updates of somebody who types, now and then deletes a letter, and begins a new paragraph."""
    doc, made = Doc(client_id=TYPIST), []
    root = doc.get("default", type=XmlFragment)
    doc.observe(lambda event: made.append(event.update))
    text = None
    while len(made) < KEYSTROKES:
        if len(made) % 400 == 0:
            with doc.transaction():
                root.children.append(XmlElement("paragraph", contents=[XmlText("begun")]))
            text = root.children[len(root.children) - 1].children[0]
        elif len(made) % 7 == 0:
            del text[0:1]
        else:
            text.insert(0, "x")
    return made


@pytest.fixture
def long_log(attacked, make_document, keystrokes):
    """A document whose log has a row for each keystroke: of Ben's and of an agent of his in turn, a thousand each."""
    document, ben = make_document(), attacked.credentials["users"]["ben"]["userId"]
    begin = datetime.now(UTC) - timedelta(hours=1)
    with psycopg.connect(attacked.database) as connection:
        copying = "copy document_update (item_id, sequence, user_id, agent, at, update) from stdin"
        with connection.cursor() as cursor, cursor.copy(copying) as copy:
            for number, update in enumerate(keystrokes, start=1):
                agent = "scribe" if number // 1_000 % 2 else None
                copy.write_row((document, number, ben, agent, begin + timedelta(milliseconds=100 * number), update))
        connection.execute("update item set sequence = %s where id = %s", [len(keystrokes), document])
    return document
