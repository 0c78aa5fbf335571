"""Fills the measured server over its API: 1,002 documents in 20 folders of 5 subfolders each."""

import base64
from dataclasses import dataclass

from benchmarks.served import Client
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree

FOLDERS = 20
SUBFOLDERS = 5
DOCUMENTS = 10  # in each subfolder; the two others lie at the root
SMALL = 5_000  # characters of Markdown
LARGE = 200_000
FIRST_CLIENT = 1

IMPORT = "mutation ($id: ID!, $update: String!) { importYjsUpdate(documentId: $id, update: $update) { id } }"
SECTION = """## Berth {number}

The harbour master keeps *two* logs: one for **arrivals**, one for `departures`. Both are read at noon, and
[compared](https://example.com/logs/{number}) by whoever has the watch; what differs is written down and signed.

- The tide tables of berth {number}
- What the pilots said, [in their own words](https://example.com/pilots)
- A list of lights, with ~~the old~~ the new colours

> Nothing that floats is ever quite where it was put.

"""


@dataclass(frozen=True)
class Filled:
    """The ids of the items; `small` are documents of 5 KB, `folders` those at the root."""

    small: list[str]
    large: str
    folders: list[str]


def text(size: int) -> str:
    """Return an update, in base64, that writes `size` characters of Markdown."""
    sections = "".join(SECTION.format(number=number) for number in range(size // len(SECTION) + 1))
    return base64.b64encode(from_tree(parse(sections[:size]), FIRST_CLIENT)).decode()


def fill(client: Client) -> Filled:
    drive_id = client.ask("POST", "/api/v1/drives", {"name": "Benchmark"})["drive"]["id"]

    def make(parent_id: str | None, name: str, kind: str) -> str:
        path = f"/api/v1/drive-items/{parent_id}/children" if parent_id else f"/api/v1/drives/{drive_id}/items"
        made: str = client.ask("POST", path, {"name": name, "driveItemType": kind})["item"]["id"]
        return made

    def write(parent_id: str | None, name: str, update: str) -> str:
        document_id = make(parent_id, name, "docs_workbook")
        client.graphql(IMPORT, id=document_id, update=update)
        return document_id

    short, long = text(SMALL), text(LARGE)

    folders = [make(None, f"Folder {number}", "folder") for number in range(FOLDERS)]
    small = [write(None, "A document at the root", short)]
    for place, folder in enumerate(folders):
        for number in range(SUBFOLDERS):
            subfolder = make(folder, f"Folder {place}.{number}", "folder")
            small += [write(subfolder, f"Document {place}.{number}.{each}", short) for each in range(DOCUMENTS)]
    return Filled(small, write(None, "A long document", long), folders)
