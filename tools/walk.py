"""Walks one warm request per journey and prints the files and functions of ours that it passes.

Run it as `uv run python -m tools.walk [--names] [JOURNEY ...]`. It starts a server with the demo world in this process
and asks it over HTTP, or types over a WebSocket, from another thread. A profile hook notes each of our functions that the
server's thread enters between a request and its answer, or a keystroke and its acknowledgement; those that all of SAMPLES
requests passed are counted, so that the work of timers that happens to fall into one of them is not. Left out is what
carries every request alike: the subclass of uvicorn's protocol. `--names` prints the functions of each file.
"""

import json
import os
import re
import signal
import sys
import tempfile
import threading
import tomllib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from pycrdt import Doc, XmlFragment

from benchmarks.typists import Address, Connection
from service.database import database
from service.logs import configure
from service.server import serve
from service.settings import Settings

ROOT: Final = Path(__file__).parents[1]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
OURS: Final = frozenset(PROJECT["importlinter"]["root_packages"])
CARRIER: Final = (
    "service/http_server.py",
    "service/one_port.py",
    "service/uvicorn_internals.py",
    "service/write_deadline.py",
)
WARM_UP: Final = 3
SAMPLES: Final = 5
HIDDEN_FIELD: Final = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')

type Ask = Callable[[int], httpx.Response | None]
"""Asks once, and returns the answer where that has a status."""


@dataclass(slots=True)
class Recorder:
    """The functions that the profiled thread entered since `start`."""

    codes: set[CodeType] = field(default_factory=set)
    recording: bool = False

    def hook(self, frame: FrameType, event: str, _argument: object) -> None:
        if self.recording and event == "call":
            self.codes.add(frame.f_code)

    def sample(self, ask: Callable[[], httpx.Response | None]) -> set[CodeType]:
        self.codes, self.recording = set(), True
        answer = ask()
        self.recording = False
        assert answer is None or answer.status_code in {200, 303, 304}, (answer.status_code, answer.text)
        return self.codes


@dataclass(frozen=True, slots=True)
class Journey:
    """`prepare` is asked before each request and is not counted."""

    name: str
    ask: Ask
    prepare: Ask | None = None


def keystroke(origin: str, key: str, document_id: str) -> Journey:
    """Return the journey of a letter that a client types at the end of a document's first block."""
    address = urlsplit(origin)
    assert address.port, origin
    client = Connection(Address(address.port, "/collaboration", {"x-api-key": key}))
    doc: Doc[Any] = Doc()

    def opened(number: int) -> None:
        if not number:
            doc.apply_update(client.open(document_id))

    def type_letter(_: int) -> None:
        before = doc.get_state()
        block: Any = doc.get("default", type=XmlFragment).children[0]
        text = block.children[0]
        text.insert(len(text), "x")
        client.write(document_id, doc.get_update(before))

    return Journey("keystroke", type_letter, prepare=opened)


def functions_of(journey: Journey, recorder: Recorder) -> dict[str, set[str]]:
    """Return the names of the functions passed by every sample, by file."""
    samples = []
    for number in range(WARM_UP + SAMPLES):
        if journey.prepare:
            journey.prepare(number)
        samples.append(recorder.sample(lambda number=number: journey.ask(number)))  # type: ignore[misc]
    found: defaultdict[str, set[str]] = defaultdict(set)
    for code in set.intersection(*samples[WARM_UP:]):
        path = Path(code.co_filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in OURS:
            found[str(path.relative_to(ROOT))].add(f"{code.co_qualname}:{code.co_firstlineno}")
    for name in CARRIER:
        found.pop(name, None)
    return found


def reads(api: httpx.Client, path: str, edit: Ask) -> list[Journey]:
    """Return the journeys that read the document at a path, and of which the first is prepared by `edit`."""
    known: dict[str, str] = {}  # what the next unchanged read is asked with

    def read(_: int) -> httpx.Response:
        return api.get(path)

    def read_known(number: int) -> httpx.Response:
        known["if-none-match"] = (answer := read(number)).headers["etag"]
        return answer

    def read_unchanged(_: int) -> httpx.Response:
        answer = api.get(path, headers=known)
        assert answer.status_code == 304
        return answer

    return [
        Journey("document read", read, prepare=edit),
        Journey("read unchanged", read_unchanged, prepare=read_known),
    ]


def journeys(origin: str, credentials: dict[str, Any]) -> list[Journey]:
    ada = credentials["users"]["ada"]
    api = httpx.Client(base_url=origin, timeout=60, headers={"x-api-key": ada["apiKey"]})
    drives = api.get("/api/v1/drives").json()["drives"]
    drive_id = next(each["id"] for each in drives if "createItem" in each["capabilities"])
    body = {"name": "Walked", "driveItemType": "docs_workbook"}
    item_id = api.post(f"/api/v1/drives/{drive_id}/items", json=body).json()["item"]["id"]

    def rename(number: int) -> httpx.Response:
        return api.patch(f"/api/v1/drive-items/{item_id}", json={"name": f"Walked {number}"})

    def edit(number: int) -> httpx.Response:
        query = "mutation ($id: ID!, $edit: EditInput!) { editDocument(documentId: $id, edit: $edit) { id } }"
        variables = {"id": item_id, "edit": {"append": f"Text {number}"}}
        return api.post("/graphql", json={"query": query, "variables": variables})

    def call(number: int) -> httpx.Response:
        arguments = {"itemId": item_id, "name": f"Called {number}"}
        message = {
            "jsonrpc": "2.0",
            "id": number,
            "method": "tools/call",
            "params": {"name": "drive_items_rename", "arguments": arguments},
        }
        return api.post("/api/v1/mcp", json=message, headers={"accept": "application/json, text/event-stream"})

    typed = api.post(f"/api/v1/drives/{drive_id}/items", json=body | {"name": "Typed"}).json()["item"]["id"]
    api.patch(f"/api/v1/documents/{typed}", json={"append": "Text"}).raise_for_status()

    page = httpx.Client(base_url=origin, timeout=60, headers={"origin": origin})
    page.post("/sign-in", data={"email": ada["email"], "password": ada["password"]})
    form = dict(HIDDEN_FIELD.findall(page.get("/settings/profile").text))

    def save(number: int) -> httpx.Response:
        return page.post("/settings/profile", data={**form, "name": f"Ada {number}"})

    def mutate(number: int) -> httpx.Response:
        query = "mutation ($id: ID!, $name: ItemName!) { renameItem(itemId: $id, name: $name) { name } }"
        return api.post("/graphql", json={"query": query, "variables": {"id": item_id, "name": f"Asked {number}"}})

    edited: dict[str, str] = {}  # the document of the next edit or undo: short, so that it is computed in this process

    def written(number: int) -> httpx.Response:
        """Make a document, and add to it what an edit of its first revision is merged with."""
        made = api.post(f"/api/v1/drives/{drive_id}/items", json=body | {"name": f"Edited {number}"}).json()
        edited["path"] = path = f"/api/v1/documents/{made['item']['id']}"
        api.patch(path, json={"replace": "# Plan\n\nMilk and bread", "base": 0}).raise_for_status()
        return api.patch(path, json={"append": "Tea"}, headers={"x-service-agent": "another"})

    def merge(_: int) -> httpx.Response:
        return api.patch(edited["path"], json={"replace": "# Plan\n\nMilk and rolls", "base": 1})

    def undo(_: int) -> httpx.Response:
        return api.post(f"{edited['path']}/undo-changes", json={"userId": ada["userId"], "sinceRevision": 1})

    return [
        Journey("REST rename", rename),
        *reads(api, f"/api/v1/documents/{item_id}", edit),
        Journey("MCP call by key", call),
        Journey("settings form", save),
        Journey("GraphQL rename", mutate),
        Journey("edit with a base", merge, prepare=written),
        Journey("undo", undo, prepare=written),
        keystroke(origin, ada["apiKey"], typed),
    ]


def main(arguments: list[str]) -> None:
    names = "--names" in arguments
    chosen = [each for each in arguments if not each.startswith("--")]
    recorder, faults = Recorder(), list[BaseException]()

    def walk(credentials: Path) -> None:
        try:
            known = json.loads(credentials.read_text())
            for journey in journeys(known["origin"], known):
                if chosen and journey.name not in chosen:
                    continue
                found = functions_of(journey, recorder)
                print(f"{journey.name:20} {len(found):3} files {sum(map(len, found.values())):4} functions")
                for file in sorted(found) if names else ():
                    print(f"    {file}: {', '.join(sorted(found[file]))}")
        except BaseException as fault:  # noqa: BLE001 - it is raised again in the main thread
            faults.append(fault)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    with tempfile.TemporaryDirectory() as folder:
        credentials = Path(folder, "credentials.json")
        settings = Settings(
            port=0,
            data=Path(folder, "data"),
            demo=True,
            credentials=credentials,
            no_rate_limits=True,
            log_level="error",
        )
        configure("text", "error")
        with database(settings) as opened:
            sys.setprofile(recorder.hook)
            serve(settings, lambda _: threading.Thread(target=walk, args=[credentials]).start(), opened)
            sys.setprofile(None)
    if faults:
        raise faults[0]


if __name__ == "__main__":
    main(sys.argv[1:])
