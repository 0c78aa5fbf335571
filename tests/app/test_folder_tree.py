"""The tree of drives and folders beside every screen: by keyboard, live, and by parts where it is long."""

import re

import pytest
from playwright.async_api import expect

from tests.support.web.accessible import check_everywhere

PLACE = "query($i: ID!) { driveItem(id: $i) { parentId } }"


def tree(page):
    return page.get_by_role("tree", name="Drives and folders")


def place(page, name):
    return tree(page).get_by_role("treeitem", name=name, exact=True)


async def cursor_at(page, name):
    """Wait until the tree has the keyboard, and its cursor is at the place with this name."""
    await page.wait_for_function(
        """name => {
            const tree = document.activeElement;
            const here = document.getElementById(tree.getAttribute("aria-activedescendant"));
            return tree.getAttribute("role") === "tree" && here?.innerText === name;
        }""",
        arg=name,
    )


async def heading(page, name):
    await page.get_by_role("main").get_by_role("heading", name=name, exact=True, level=1).wait_for()


async def test_the_tree_is_walked_unfolded_and_opened_by_keyboard_alone(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Walked")
    outer = ada.item(drive, "Outer")
    ada.child(outer, "Inner")
    ada.child(outer, "No folder", "docs_workbook")
    ada.item(drive, "Quiet")
    async with window("ada") as page:
        await page.goto(f"/drive/{drive}")
        await heading(page, "Walked")
        await tree(page).focus()
        await cursor_at(page, "Walked")  # where the screen is
        await expect(place(page, "Walked")).to_have_attribute("aria-current", "page")
        await page.keyboard.press("ArrowRight")
        await place(page, "Quiet").wait_for()
        await page.keyboard.press("ArrowRight")
        await cursor_at(page, "Outer")
        await page.keyboard.press("ArrowRight")
        await place(page, "Inner").wait_for()
        await place(page, "No folder").wait_for()
        await page.keyboard.press("q")
        await cursor_at(page, "Quiet")
        await page.keyboard.press("ArrowRight")
        await tree(page).get_by_text("Nothing here").wait_for()
        await check_everywhere(page)
        await tree(page).focus()  # in full it was hidden, at the width of a phone
        await page.keyboard.press("q")
        await cursor_at(page, "Quiet")
        await page.keyboard.press("ArrowUp")
        await cursor_at(page, "No folder")
        await page.keyboard.press("ArrowUp")
        await cursor_at(page, "Inner")
        await expect(place(page, "Inner")).to_have_attribute("aria-level", "3")
        await page.keyboard.press("Enter")
        await heading(page, "Inner")
        await tree(page).focus()
        await cursor_at(page, "Inner")
        await page.keyboard.press("ArrowLeft")
        await cursor_at(page, "Outer")
        await page.keyboard.press("ArrowLeft")
        await place(page, "Inner").wait_for(state="detached")
        await page.keyboard.press("End")
        await page.keyboard.press("Home")
        first = await tree(page).get_by_role("treeitem").first.inner_text()
        await cursor_at(page, first)
        await page.keyboard.press("g")  # then H: the keys of every screen go on there
        await page.keyboard.press("h")
        await page.get_by_role("heading", name="Welcome, ").wait_for()


async def test_what_others_do_to_folders_is_seen_in_the_tree(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Growing")
    async with window("ada") as page:
        await place(page, "Growing").locator("[data-fold]").click()
        await tree(page).get_by_text("Nothing here").wait_for()
        made = ada.item(drive, "Sprout")
        await place(page, "Sprout").wait_for()
        ada.ask('mutation($i: ID!) { renameItem(itemId: $i, name: "Tree") { id } }', i=made)
        await place(page, "Tree").wait_for()
        ada.ask("mutation($i: ID!) { trashItem(itemId: $i) { id } }", i=made)
        await tree(page).get_by_text("Nothing here").wait_for()


async def test_a_long_drive_comes_by_parts_its_documents_after_its_folders(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Broad")
    for begin in range(0, 240, 30):
        fields = "".join(
            f'm{n}: createItem(driveId: $d, name: "Folder {n:03}", driveItemType: {kind}) {{ id }} '
            for n in range(begin, begin + 30)
            for kind in (("docs_workbook", "folder")[n >= 30],)
        )
        ada.ask(f"mutation($d: ID!) {{ {fields} }}", d=drive)
    async with window("ada") as page:
        await place(page, "Broad").locator("[data-fold]").click()
        await place(page, "Folder 030").wait_for()
        await expect(tree(page).locator("[aria-level='2']")).to_have_count(201)
        await expect(place(page, "Folder 000")).to_have_count(0)
        await tree(page).focus()
        for key in ("b", "ArrowRight"):
            await page.keyboard.press(key)
        more = place(page, "Show more")
        await more.click()
        await place(page, "Folder 239").wait_for()
        await cursor_at(page, "Folder 229")
        await page.keyboard.press("ArrowDown")
        await cursor_at(page, "Folder 230")
        await place(page, "Folder 000").wait_for()
        await expect(more).to_have_count(0)


async def test_the_tree_unfolds_to_the_document_that_is_open_and_leads_to_others(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Deep")
    outer = ada.item(drive, "Outermost")
    inner = ada.child(outer, "Innermost")
    plan = ada.child(inner, "The plan", "docs_workbook")
    ada.child(inner, "The other plan", "docs_workbook")
    async with window("ada") as page:
        await page.goto(f"/doc/{plan}")
        await expect(place(page, "The plan")).to_have_attribute("aria-current", "page")
        await tree(page).focus()
        await cursor_at(page, "The plan")
        await page.keyboard.press("ArrowUp")
        await cursor_at(page, "The other plan")
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="The other plan", level=1).wait_for()
        await expect(place(page, "The other plan")).to_have_attribute("aria-current", "page")


@pytest.mark.rotate(4, "the commands of lists, which are the same, are tested at each commit")
async def test_an_item_of_the_tree_has_the_menu_of_its_row_in_a_list(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Commanded")
    ada.item(drive, "Bin")
    ada.item(drive, "Minutes", "docs_workbook")
    async with window("ada") as page:
        await page.goto(f"/drive/{drive}")
        await heading(page, "Commanded")
        await page.get_by_role("grid").get_by_role("row", name="Minutes").click(button="right")
        items = page.get_by_role("menuitem")
        await items.first.wait_for()
        listed = await items.all_inner_texts()
        await page.keyboard.press("Escape")
        await items.first.wait_for(state="detached")
        await place(page, "Commanded").locator("[data-fold]").click()
        await place(page, "Minutes").click(button="right")
        await items.first.wait_for()
        assert await items.all_inner_texts() == listed
        await page.keyboard.press("Escape")
        await items.first.wait_for(state="detached")
        await cursor_at(page, "Minutes")
        await page.keyboard.press("Shift+F10")
        await page.get_by_role("menuitem", name="Rename").click()
        await page.get_by_role("dialog").get_by_role("textbox").fill("Notes")
        await page.keyboard.press("Enter")
        await place(page, "Notes").wait_for()
        await cursor_at(page, "Notes")
        await page.keyboard.press("ContextMenu")
        await page.get_by_role("menuitem", name="Move to the trash").click()
        await cursor_at(page, "Commanded")  # in which it was
        await page.keyboard.press("ArrowDown")
        await cursor_at(page, "Bin")


@pytest.mark.rotate(4, "the menu of an item of the tree, and a finger that rests, are tested at each commit")
@pytest.mark.parametrize("asks", ["at once", "late"])
async def test_a_long_press_in_the_drawer_opens_the_menu_of_an_item_once(window, world_of, asks):
    ada = world_of("ada")
    drive = ada.drive(f"Pressed {asks}")
    ada.item(drive, "Minutes", "docs_workbook")
    async with window("ada", viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True) as page:
        await page.goto("/shared")
        drawer = page.get_by_role("navigation", name="Drives")
        await page.get_by_role("button", name="Drives", exact=True).tap()
        await place(page, f"Pressed {asks}").locator("[data-fold]").tap()
        item = place(page, "Minutes")
        await item.scroll_into_view_if_needed()
        box = await item.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        finger = await page.context.new_cdp_session(page)
        await finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        rename = page.get_by_role("menuitem", name="Rename")
        if asks == "late":  # or never, as on an iPhone
            await rename.wait_for()
        # what a phone's Chromium sends after a while, and this one does not
        await item.dispatch_event("contextmenu", {"clientX": x, "clientY": y})
        await rename.wait_for()
        await finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        await check_everywhere(page)
        await expect(page.get_by_role("menu")).to_have_count(1)
        await expect(page).to_have_url(re.compile("/shared$"))
        await page.keyboard.press("Escape")
        await rename.wait_for(state="detached")
        await cursor_at(page, "Minutes")
        await expect(drawer).to_be_visible()
        await page.keyboard.press("ContextMenu")
        await rename.tap()
        await page.get_by_role("dialog").get_by_role("textbox").press("Escape")
        await cursor_at(page, "Minutes")
        await page.keyboard.press("Escape")
        await drawer.wait_for(state="hidden")


IN_SIGHT = """name => {
  const found = [...document.querySelectorAll("[role=treeitem]")].find((each) => each.innerText === name);
  if (!found) return false;
  const [item, frame] = [found, found.closest("nav")].map((each) => each.getBoundingClientRect());
  return item.height > 0 && item.top >= frame.top && item.bottom <= frame.bottom;
}"""


@pytest.mark.rotate(4, "what the tree unfolds to is tested at each commit")
async def test_the_tree_scrolls_to_the_document_that_is_open_also_behind_the_part_that_is_loaded(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Scrolled")
    inner = ada.child(ada.item(drive, "Far away"), "Farther away")
    documents = []
    for begin in range(0, 210, 30):
        fields = "".join(
            f'm{n}: createChild(itemId: $i, name: "Document {n:03}", driveItemType: docs_workbook) {{ id }} '
            for n in range(begin, begin + 30)
        )
        made = ada.ask(f"mutation($i: ID!) {{ {fields} }}", i=inner)
        documents += [made[f"m{n}"]["id"] for n in range(begin, begin + 30)]
    async with window("ada") as page:
        await page.goto(f"/doc/{documents[120]}")
        await page.wait_for_function(IN_SIGHT, arg="Document 120")
        await page.get_by_role("textbox", name="Document").click()
        sidebar = page.get_by_role("navigation", name="Drives")
        before = await sidebar.evaluate("sidebar => sidebar.scrollTop")
        await place(page, "Document 121").click()  # is in sight
        await heading(page, "Document 121")
        await expect(place(page, "Document 121")).to_have_attribute("aria-current", "page")
        assert await sidebar.evaluate("sidebar => sidebar.scrollTop") == before
        await page.goto("/search?q=Document+005")
        await page.get_by_role("main").get_by_role("link", name="Document 005", exact=True).click()
        await page.wait_for_function(IN_SIGHT, arg="Document 005")
        await page.wait_for_function("!document.querySelector('[role=tree]').contains(document.activeElement)")
        await page.goto(f"/doc/{documents[209]}")
        await page.wait_for_function(IN_SIGHT, arg="Document 209")
        await expect(place(page, "Document 199")).to_have_count(1)
        await expect(place(page, "Document 200")).to_have_count(0)
        await place(page, "Show more").click()
        await place(page, "Document 200").wait_for()
        await expect(place(page, "Document 209")).to_have_count(1)
        await page.set_viewport_size({"width": 390, "height": 800})
        await page.reload()
        await heading(page, "Document 209")
        await page.get_by_role("button", name="Drives", exact=True).click()
        await page.wait_for_function(IN_SIGHT, arg="Document 209")
