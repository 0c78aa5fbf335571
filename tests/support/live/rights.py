"""What Ada does about the rights of others to a document of hers."""

from tests.support.live.people import World


async def share(world: World, document: str, permission: str = "read_write") -> None:
    body = {"email": "ben@acme.example", "permission": permission}
    (await world.api["ada"].post(f"/api/v1/drive-items/{document}/access", json=body)).raise_for_status()


async def remove(world: World, document: str) -> None:
    path = f"/api/v1/drive-items/{document}/access/ben@acme.example"
    (await world.api["ada"].delete(path)).raise_for_status()


async def demote(world: World, document: str) -> None:
    path = f"/api/v1/drive-items/{document}/access/ben@acme.example"
    (await world.api["ada"].patch(path, json={"permission": "read_only"})).raise_for_status()


async def trash(world: World, document: str) -> None:
    await world.ask("mutation($i: ID!) { trashItem(itemId: $i) { id } }", i=document)


async def move(world: World, document: str) -> None:
    """Out of the folder that was shared, to the root of the same drive."""
    item = (await world.api["ada"].get(f"/api/v1/drive-items/{document}")).json()["item"]
    body = {"driveId": item["driveId"], "parentId": None}
    (await world.api["ada"].post(f"/api/v1/drive-items/{document}/move", json=body)).raise_for_status()


async def shared_document(world: World) -> tuple[str, str]:
    """A document of Ada's in a folder that she shares with Ben."""
    drive = (await world.api["ada"].get("/api/v1/drives")).json()["drives"][0]
    body = {"name": "Folder", "driveItemType": "folder"}
    folder = (await world.api["ada"].post(f"/api/v1/drives/{drive['id']}/items", json=body)).json()["item"]["id"]
    body = {"name": "Document", "driveItemType": "docs_workbook"}
    made = await world.api["ada"].post(f"/api/v1/drive-items/{folder}/children", json=body)
    return folder, made.json()["item"]["id"]
