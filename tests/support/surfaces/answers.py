"""What each operation answers: the shape of its data, as every surface has it."""

import base64
import re
from collections.abc import Callable
from itertools import count
from typing import Any

from demo.data import TEXTS
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from tests.support.surfaces.callers import Person

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
CREDIT = ["userId", "name", "agent"]
ITEM = [
    "id", "driveId", "parentId", "driveItemType", "name", "createdAt", "updatedAt", "createdBy", "updatedBy",
    "published", "publicUrl", "role", "permission", "capabilities", "trashedAt",
    "revision", "url",
]  # fmt: skip
DRIVE = ["id", "name", "kind", "organizationId", "role", "capabilities", "createdAt", "updatedAt"]
MEMBER = ["userId", "role", "name", "email", "addedAt"]
SHARE = ["email", "permission", "userId", "name", "createdAt"]
IMAGE = ["id", "url", "contentType", "width", "height", "byteSize", "createdAt"]
VERSION = ["number", "name", "createdAt", "authors", "byteSize", "restoredFrom"]
CHANGE = ["email", "userId", "name", "before", "after", "because"]
EVENT = ["id", "type", "driveId", "itemId", "itemName", "by", "at", "details"]
BLOCK_CHANGE = ["id", "at", "by", "kind", "path", "inserted", "deleted", "unseen"]
AUTHOR = ["userId", "name", "agent", "editedAt"]


def is_item(item: dict[str, Any]) -> bool:
    assert list(item) == ITEM
    assert [list(item[by]) for by in ("createdBy", "updatedBy")] == [CREDIT, CREDIT]
    assert item["driveItemType"] in ("folder", "docs_workbook", "viz_workbook")
    assert all(MOMENT.fullmatch(item[at]) for at in ("createdAt", "updatedAt"))
    assert (item["publicUrl"] is not None) == item["published"]
    folder = item["driveItemType"] == "folder"
    assert (item["revision"] is None) is folder
    assert folder or item["revision"] >= 0
    assert item["url"].endswith(f"/{'folder' if folder else 'doc'}/{item['id']}")
    return True


def is_drive(drive: dict[str, Any], *more: str) -> bool:
    assert list(drive) == [*DRIVE, *more]
    assert all(MOMENT.fullmatch(drive[at]) for at in ("createdAt", "updatedAt"))
    return True


client_ids = count(1_000)  # of Yjs: each update is of a client of its own


def write(person: Person, document: str, text: str = "welcome.md") -> None:
    update = base64.b64encode(from_tree(parse((TEXTS / text).read_text()), next(client_ids))).decode()
    person.gql(
        "mutation($d: ID!, $u: String!) { importYjsUpdate(documentId: $d, update: $u) { id } }", d=document, u=update
    )


def of(names: str, check: Callable[[Any], object] | None = None) -> Callable[[Any], object]:
    """Return what checks that an answer has these fields, and more."""

    def checks(data: Any) -> object:
        assert list(data) == names.split()
        return check(data) if check else True

    return checks


# operation -> its inputs, and what its answer is checked with
ANSWERS = {
    "documents.read": (
        lambda s: {"documentId": s.document},
        of("item markdown prosemirrorDoc authors", lambda d: (
            is_item(d["item"]) and d["markdown"].endswith("\n") and d["prosemirrorDoc"]["type"] == "doc"
            and [list(author) for author in d["authors"]] == [AUTHOR]
        )),
    ),
    "driveItems.get": (
        lambda s: {"itemId": s.document},
        of("item drive children ancestors shares", lambda d: (
            is_item(d["item"]) and is_drive(d["drive"]) and d["children"] == [] and is_item(d["ancestors"][0])
            and [list(share) for share in d["shares"]] == [SHARE]
        )),
    ),
    "driveItems.sharedWithMe": (lambda _: {}, of("items", lambda d: all(map(is_item, d["items"])))),
    "driveItems.shareSuggestions": (
        lambda s: {"itemId": s.folder},
        of("suggestions", lambda d: all(list(each) == ["userId", "email", "name"] for each in d["suggestions"])),
    ),
    "driveItems.rename": (lambda s: {"itemId": s.folder, "name": "Folder"}, None),
    "driveItems.move": (lambda s: {"itemId": s.folder, "driveId": s.drive, "parentId": None}, None),
    "driveItems.createChild": (
        lambda s: {"itemId": s.folder, "name": " New ", "driveItemType": "folder"},
        of("item", lambda d: is_item(d["item"]) and d["item"]["name"] == " New "),
    ),
    "driveItems.share": (lambda s: {"itemId": s.document, "email": s.cleo, "permission": "read_write"}, None),
    "driveItems.updateShare": (lambda s: {"itemId": s.document, "email": s.cleo, "permission": "read_write"}, None),
    "driveItems.removeShare": (lambda s: {"itemId": s.document, "email": s.cleo}, None),
    "driveItems.setPublication": (lambda s: {"itemId": s.document, "published": True}, None),
    "driveItems.uploadImage": (
        lambda s: {"itemId": s.document},
        of("image", lambda d: list(d["image"]) == IMAGE and (d["image"]["width"], d["image"]["height"]) == (1, 1)),
    ),
    "drives.list": (
        lambda _: {},
        of("drives nextCursor", lambda d: d["nextCursor"] is None and all(
            is_drive(each, "items", "members") and all(map(is_item, each["items"]))
            and all(list(member) == MEMBER for member in each["members"])
            for each in d["drives"]
        )),
    ),
    "drives.create": (lambda _: {"name": "Made"}, of("drive", lambda d: is_drive(d["drive"]))),
    "drives.rename": (lambda s: {"driveId": s.drive, "name": "Operations"}, None),
    "drives.createItem": (
        lambda s: {"driveId": s.drive, "name": "At the root", "driveItemType": "viz_workbook"},
        of("item", lambda d: is_item(d["item"]) and d["item"]["parentId"] is None),
    ),
    "drives.upsertMember": (lambda s: {"driveId": s.drive, "userId": s.ben, "role": "manager"}, None),
    "drives.removeMember": (lambda s: {"driveId": s.drive, "userId": s.ben}, None),
    "driveItems.search": (
        lambda s: {"text": "doc", "driveId": s.drive, "first": 1},
        of("results nextCursor", lambda d: all(
            list(each) == ["item", "folders", "foundIn", "excerpt", "rank"] and is_item(each["item"]) for each in d["results"]
        ) and len(d["results"]) == 1),
    ),
    "driveItems.duplicate": (
        lambda s: {"itemId": s.document, "name": "Second"},
        of("item", lambda d: is_item(d["item"]) and d["item"]["name"] == "Second" and d["item"]["id"]),
    ),
    "driveItems.trash": (lambda s: {"itemId": s.spare}, of("item", lambda d: is_item(d["item"]) and d["item"]["trashedAt"])),
    "driveItems.explainAccess": (
        lambda s: {"itemId": s.document, "email": "ada@acme.example"},
        of("email permission capabilities because", lambda d: d["permission"] == "read_write" and all(
            list(each) == ["role", "permission", "itemId", "itemName", "givenBy", "givenByName", "givenAt"] for each in d["because"]
        )),
    ),
    "documents.edit": (
        lambda s: {"documentId": s.kept, "append": "- more"},
        of("revision markdown changes kept conflicts lost", lambda d: d["markdown"].endswith("- more\n") and d["kept"] == [] and [
            list(each) for each in d["changes"]
        ] == [["kind", "path", "inserted", "deleted"]]),
    ),
    "documents.changes": (
        lambda s: {"documentId": s.kept, "first": 1},
        of("changes nextCursor", lambda d: [list(each) for each in d["changes"]] == [BLOCK_CHANGE]),
    ),
    "documents.undoChanges": (
        lambda s: {"documentId": s.kept, "userId": s.ben, "agent": "nobody", "sinceRevision": 0},
        of("revision changes changesTotal skipped", lambda d: (
            d["revision"] > 0 and d["changes"] == d["skipped"] == [] and d["changesTotal"] == 0
        )),
    ),
    "documents.attributions": (
        lambda s: {"documentId": s.kept},
        of("revision attributions nextCursor", lambda d: d["nextCursor"] is None and all(
            list(each) == ["path", "start", "end", "by", "movedBy"] and list(each["by"]) == AUTHOR for each in d["attributions"]
        )),
    ),
    "documents.versions": (
        lambda s: {"documentId": s.kept},
        of("versions nextCursor", lambda d: [list(each) for each in d["versions"]] == [VERSION]),
    ),
    "documents.readVersion": (
        lambda s: {"documentId": s.kept, "number": 1},
        of(" ".join([*VERSION, "markdown", "prosemirrorDoc"]), lambda d: d["markdown"] == "Written\n"),
    ),
    "documents.restoreVersion": (
        lambda s: {"documentId": s.kept, "number": 1},
        of("item markdown prosemirrorDoc authors", lambda d: is_item(d["item"]) and d["markdown"] == "Written\n"),
    ),
    "drives.get": (
        lambda s: {"driveId": s.drive},
        of("drive", lambda d: is_drive(d["drive"], "members", "storage") and all(list(e) == MEMBER for e in d["drive"]["members"])),
    ),
    "drives.organizationMembers": (
        lambda s: {"driveId": s.drive, "first": 200},
        of("members nextCursor", lambda d: d["nextCursor"] is None and len(d["members"]) > 1 and all(
            list(each) == ["userId", "role", "name", "email", "joinedAt"] for each in d["members"]
        )),
    ),
    "driveItems.previewMove": (
        lambda s: {"itemId": s.document, "driveId": s.drive, "parentId": None},
        of("gains loses keeps otherGains otherLoses otherKeeps", lambda d: d["keeps"] and all(
            list(each) == CHANGE for each in d["keeps"]
        )),
    ),
    "driveItems.previewShare": (
        lambda s: {"itemId": s.document, "email": "nobody@globex.example", "permission": "read_only"},
        of("gains loses keeps otherGains otherLoses otherKeeps", lambda d: [list(each) for each in d["gains"]] == [CHANGE]),
    ),
    "drives.events": (
        lambda s: {"driveId": s.drive, "first": 2},
        of("events nextCursor", lambda d: len(d["events"]) == 2 and d["nextCursor"] and all(
            list(each) == EVENT for each in d["events"]
        )),
    ),
    "viewer.get": (
        lambda _: {}, of("id name email agent organization limits", lambda d: list(d["organization"]) == ["id", "name", "role"])
    ),
    "driveItems.trashed": (
        lambda s: {"driveId": s.drive},
        of("items nextCursor", lambda d: all(is_item(each) and each["trashedAt"] for each in d["items"])),
    ),
    "documents.outline": (
        lambda s: {"documentId": s.document},
        of("revision size blocks headings", lambda d: d["revision"] > 0 and d["headings"] and all(
            list(each) == ["id", "level", "text", "fromBlock", "toBlock", "size"] for each in d["headings"]
        )),
    ),
    "documents.readPart": (
        lambda s: {"documentId": s.document, "fromBlock": 0, "toBlock": 1},
        of("revision markdown fromBlock toBlock nextBlock blocks", lambda d: (
            d["markdown"].endswith("\n") and (d["fromBlock"], d["toBlock"], d["nextBlock"]) == (0, 1, None)
        )),
    ),
    "viewer.events": (
        lambda s: {"itemId": s.document, "first": 2},
        of("events nextCursor", lambda d: len(d["events"]) == 2 and d["nextCursor"] and all(
            list(each) == EVENT for each in d["events"]
        )),
    ),
    "driveItems.restore": (
        lambda s: {"itemId": s.spare}, of("item", lambda d: is_item(d["item"]) and d["item"]["trashedAt"] is None)
    ),
}  # fmt: skip
