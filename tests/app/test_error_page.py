"""What somebody sees when a part of the application cannot be loaded, as in a window that an upgrade left behind."""

import json
from pathlib import Path

from tests.app.writing import Document, block, editor, made, open_in
from tests.support.web.accessible import check_everywhere

BUILT = Path(__file__).parents[2] / "web" / "built" / "manifest.json"
NOT_LOADED = "This part of Codrive cannot be loaded"


async def test_a_part_that_is_no_longer_served_says_so_and_leads_on(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    parts = json.loads(BUILT.read_text())
    gone = [f"**/static/app/{parts[each]['file']}" for each in PARTS]
    async with window("ada", allowed=("404", "dynamically imported")) as page:
        for part in gone:
            await page.route(part, lambda route: route.fulfill(status=404))
        await open_in(page, document)
        await page.keyboard.press("Control+Alt+b")
        await page.get_by_role("alert").get_by_text(NOT_LOADED).wait_for()
        await page.get_by_role("button", name="Ada Lovelace", exact=True).press("Enter")
        await page.get_by_role("menuitem", name="Search and commands").press("Enter")
        dialog = page.get_by_role("dialog", name="Reload this page")
        await dialog.get_by_text(NOT_LOADED).wait_for()
        await check_everywhere(page)
        await dialog.get_by_role("button", name="Cancel").press("Enter")
        await dialog.wait_for(state="detached")
        await editor(page).get_by_text("start").wait_for()
        await page.get_by_role("link", name="Agents").press("Enter")
        await page.get_by_role("heading", name="This page cannot be shown").wait_for()
        await page.get_by_role("alert").get_by_text(NOT_LOADED).wait_for()
        await check_everywhere(page)
        for part in gone:
            await page.unroute(part)
        await page.get_by_role("button", name="Reload").press("Enter")
        await page.get_by_role("heading", name="Your agents").wait_for()


PARTS = ("src/commands/Palette.tsx", "src/document/blame/index.ts", "src/agents/AgentScreens.tsx")
