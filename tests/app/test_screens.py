"""Is every screen of the web application good for everybody, light and dark, wide and on a phone?"""

import pytest
from playwright.async_api import expect

from tests.support.web.accessible import check_everywhere

VIEWPORTS = {"wide": {"width": 1200, "height": 800}, "phone": {"width": 320, "height": 640}}


@pytest.fixture
def addresses(world_of, viewport):
    """A drive with a folder in it, and something in the trash."""
    grace = world_of("grace")
    drive = grace.drive(f"Screens {viewport}")
    folder = grace.item(drive, "A folder in a name that is as long as names of folders may well become in a list")
    notes = grace.child(folder, "Notes", "docs_workbook")
    grace.edit(notes, replace="Notes\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    changes = grace.ask("query($d: ID!) { documentChanges(documentId: $d) { nodes { id } } }", d=notes)
    ids = [each["id"] for each in changes["documentChanges"]["nodes"][:1]]
    undo = "mutation($d: ID!, $i: [ID!]!) { undoChanges(documentId: $d, ids: $i) { revision } }"
    grace.ask(undo, d=notes, i=ids)  # which keeps what was there before as a version
    trashed = grace.child(folder, "Old notes", "docs_workbook")
    grace.ask("mutation($i: ID!) { trashItem(itemId: $i) { id } }", i=trashed)
    empty = grace.item(drive, "Empty")
    return {
        "home": "/",
        "drive": f"/drive/{drive}",
        "folder": f"/folder/{folder}",
        "document": f"/doc/{notes}",
        "empty": f"/folder/{empty}",
        "shared": "/shared",
        "recent": "/recent",
        "starred": "/starred",
        "trash": "/trash",
        "found": "/search?q=notes",
        "filtered": f"/search?q=notes&folder={folder}&type=docs_workbook&changed=week",
        "not found": "/search?q=zxzxzx&changed=day",
        "history": f"/doc/{notes}/history",
        "version": f"/doc/{notes}/history?version=1",
        "agents": "/agents",
        "agent": "/agents/helper",
        "missing": "/drive/00000000-0000-4000-8000-000000000000",
    }


@pytest.mark.parametrize("viewport", VIEWPORTS)
async def test_axe_finds_nothing_on_any_screen(window, addresses, viewport):
    async with window("grace", viewport=VIEWPORTS[viewport]) as page:
        for path in addresses.values():
            await page.goto(path)
            await page.get_by_role("main").get_by_role("heading", level=1).wait_for()
            await expect(page.get_by_role("status").get_by_text("Loading")).to_have_count(0)
            await check_everywhere(page)
        await page.goto(addresses["document"])
        editor = page.get_by_role("textbox", name="Document")
        await editor.and_(page.locator("[contenteditable=true]")).click()
        await check_everywhere(page)
        await page.keyboard.press("Enter")
        await page.keyboard.type("/")
        await page.get_by_role("listbox", name="Blocks").wait_for()
        await check_everywhere(page)
        await page.goto(addresses["drive"])
        await page.get_by_role("grid").focus()
        await page.keyboard.press("Space")
        await page.get_by_role("button", name="New", exact=True).click()
        await check_everywhere(page)
        await page.get_by_role("menuitem", name="New folder").click()
        await page.get_by_role("dialog").wait_for()
        await check_everywhere(page)
        await page.keyboard.press("Escape")
        await page.get_by_role("grid").press("m")
        await page.get_by_role("treeitem", name="Empty").click()
        await page.get_by_text("Nobody gains or loses access.").wait_for()
        await check_everywhere(page)
        await page.get_by_role("treeitem", name=f"Screens {viewport}").click()
        await page.get_by_role("dialog").get_by_role("alert").wait_for()
        await check_everywhere(page)
        await page.keyboard.press("Escape")
        await page.get_by_role("grid").press("s")
        await page.get_by_label("Share with").fill("cleo@acme.example")
        await page.get_by_role("list", name="Who has access").wait_for()
        await check_everywhere(page)
        await page.get_by_role("option", name="Cleo").click()
        await page.get_by_role("button", name="Continue").click()
        await page.get_by_role("list", name="Gain access").wait_for()
        await check_everywhere(page)
        await page.get_by_role("button", name="Share", exact=True).click()
        await page.get_by_role("button", name="Remove the share of").wait_for()
        await page.get_by_label("Address to explain").fill("cleo@acme.example")
        await page.keyboard.press("Enter")
        await page.get_by_role("list", name="Because").last.get_by_text("is shared with them").wait_for()
        await check_everywhere(page)
        await page.get_by_role("button", name="Close", exact=True).last.click()
        await page.get_by_role("button", name="Members", exact=True).click()
        await page.get_by_role("list", name="Members").wait_for()
        await check_everywhere(page)
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Actions for Empty").click()
        await page.get_by_role("menu").wait_for()
        await check_everywhere(page)
        await page.get_by_role("menuitem", name="Move to the trash").click()
        await page.get_by_role("button", name="Undo").wait_for()
        await check_everywhere(page)
        if viewport == "phone":
            await page.get_by_role("button", name="Drives").click()
        tree = page.get_by_role("tree", name="Drives and folders")
        await tree.get_by_role("treeitem", name=f"Screens {viewport}").locator("[data-fold]").click()
        await tree.get_by_role("treeitem", name="A folder in").wait_for()
        await check_everywhere(page)


async def test_the_keyboard_comes_past_the_sidebar_at_once(window):
    async with window("grace") as page:
        await page.goto("/")
        await page.get_by_role("heading", name="Welcome, Grace Hopper").wait_for()
        await page.keyboard.press("Tab")
        skip = page.get_by_role("link", name="Skip to the content")
        await expect(skip).to_be_focused()
        await expect(skip).to_be_in_viewport()
        await page.keyboard.press("Enter")
        await page.wait_for_function("() => document.activeElement.id === 'main'")


async def test_a_person_signs_out_from_the_menu_of_their_account(window):
    async with window("grace") as page:
        await page.get_by_role("button", name="Grace Hopper", exact=True).press("Enter")
        await page.get_by_role("menuitem", name="Sign out").press("Enter")
        await page.wait_for_url("**/sign-in**")


async def test_a_heading_of_a_document_is_larger_than_those_below_it(window, world_of):
    grace = world_of("grace")
    notes = grace.item(grace.drive("Headed"), "Headings", "docs_workbook")
    grace.edit(notes, replace="\n\n".join(f"{'#' * level} Level {level}" for level in range(1, 5)) + "\n\nA paragraph")
    sizes = """elements => elements.map((each) => parseFloat(getComputedStyle(each).fontSize))"""
    async with window("grace") as page:
        await page.goto(f"/doc/{notes}")
        editor = page.get_by_role("textbox", name="Document")
        await editor.get_by_text("A paragraph").wait_for()
        found = await editor.locator("h1, h2, h3, h4, p").evaluate_all(sizes)
        assert found == sorted(set(found), reverse=True)
        assert len(found) == 5
