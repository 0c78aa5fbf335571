"""Takes the screenshots docs/images/app-*.png of the web application, light and dark, in a window and on a phone.

Run it as `uv run python -m tools.application_pictures`: it starts a server with the demo world and signs in as Ada.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

import httpx

from tests.support.processes.browser import browsing, sign_in
from tests.support.processes.running import Server, running
from tools.settings import WINDOW, save

MINUTES: Final = """# Orbit: minutes

Grace, Ada and Ben met about the second stage. The valves arrive in June; Ben asks the supplier for a date.

## Decided

- [x] The plan of March stands
- [ ] Ada checks the figures of the pumps
- [ ] The next meeting is on Tuesday

| part | owner | due |
| --- | --- | --- |
| valves | Ben | June |
| pumps | Ada | July |
"""
BY_AGENT: Final = "From the chat: the supplier promised the valves for **12 June**, two days later than planned."

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
ON_PHONE: Final = ("home", "drive", "document")

type Draw = Callable[[Any], Awaitable[None]]


async def prepared(server: Server) -> str:
    """Write a document as Ada and as an agent of hers, share it, and return its id."""
    user = server.credentials["users"]["ada"]
    headers = {"x-api-key": user["apiKey"]}
    async with httpx.AsyncClient(base_url=f"{server.origin}/api/v1", headers=headers) as client:
        drives = (await client.get("/drives")).raise_for_status().json()["drives"]
        drive = next(each for each in drives if each["name"] == "Engineering")
        body = {"name": "Orbit minutes", "driveItemType": "docs_workbook"}
        made = (await client.post(f"/drives/{drive['id']}/items", json=body)).raise_for_status().json()
        document_id: str = made["item"]["id"]
        path = f"/documents/{document_id}"
        (await client.patch(path, json={"base": 0, "replace": MINUTES})).raise_for_status()
        agent = {"x-api-key": server.credentials["agentKey"]["apiKey"]}
        (await client.patch(path, json={"append": BY_AGENT}, headers=agent)).raise_for_status()
        share = {"email": server.credentials["users"]["cleo"]["email"], "permission": "read_only"}
        (await client.post(f"/drive-items/{document_id}/access", json=share)).raise_for_status()
    return document_id


def screens(document_id: str) -> dict[str, tuple[str, Draw]]:
    """Return each picture's name with the address that it begins at, and what is done there."""

    async def home(page: Any) -> None:
        await (
            page.get_by_role("region", name="While you were away").get_by_role("link", name="Orbit minutes").wait_for()
        )

    async def drive(page: Any) -> None:
        await page.get_by_role("main").get_by_role("link", name=re.compile("^Engineering")).first.click()
        await page.get_by_role("row").filter(has_text="Orbit minutes").wait_for()

    async def document(page: Any) -> None:
        await page.get_by_role("textbox", name="Document").get_by_text("two days later").wait_for()

    async def blame(page: Any) -> None:
        await document(page)
        await page.keyboard.press("Control+Alt+b")
        await page.get_by_role("list", name="Filter by author").get_by_text("for Ada Lovelace").wait_for()

    async def share(page: Any) -> None:
        await document(page)
        await page.get_by_role("button", name="Share…").click()
        await page.get_by_role("dialog").get_by_text("Cleo").first.wait_for()

    async def history(page: Any) -> None:
        await page.get_by_role("textbox", name="Document").locator("ins").get_by_text("two days later").wait_for()

    async def agents(page: Any) -> None:
        await page.get_by_role("main").get_by_role("link", name="Orbit minutes").wait_for()

    return {
        "home": ("/", home),
        "drive": ("/", drive),
        "document": (f"/doc/{document_id}", document),
        "blame": (f"/doc/{document_id}", blame),
        "share": (f"/doc/{document_id}", share),
        "history": (f"/doc/{document_id}/history?since=0", history),
        "agents": ("/agents", agents),
    }


async def draw(server: Server) -> None:
    document_id = await prepared(server)
    async with browsing() as browser:
        for scheme in ("light", "dark"):
            context = await browser.new_context(base_url=server.origin, color_scheme=scheme, viewport=WINDOW)
            page = await context.new_page()
            await sign_in(page, server.credentials["users"]["ada"])
            for name, (address, show) in screens(document_id).items():
                await page.goto(address)
                await show(page)
                save(f"app-{name}-{scheme}.png", await page.screenshot(animations="disabled"))
            await context.close()
            phone = await browser.new_context(base_url=server.origin, color_scheme=scheme, **PHONE)
            page = await phone.new_page()
            await sign_in(page, server.credentials["users"]["ada"])
            for name in ON_PHONE:
                address, show = screens(document_id)[name]
                await page.goto(address)
                await show(page)
                save(f"app-phone-{name}-{scheme}.png", await page.screenshot(animations="disabled"))
            await phone.close()


def main() -> None:
    with running() as server:
        asyncio.run(draw(server))


if __name__ == "__main__":
    main()
