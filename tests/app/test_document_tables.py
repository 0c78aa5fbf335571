"""Tables in a document: made and changed by keyboard, from the bar above the text."""

import pytest
from playwright.async_api import expect

from tests.app.writing import BEN, Document, block, editor, made, open_in, saved, table
from tests.support.web.accessible import check_everywhere


@pytest.mark.parametrize("width", [1200, 320])
async def test_rows_and_columns_are_added_and_deleted_by_keyboard(window, world_of, width):
    document = Document(world_of("ada")).add(made(table(["Berth", "Depth"], ["North", "7"]), block("paragraph", "end")))
    async with window("ada", viewport={"width": width, "height": 700}) as page:
        await open_in(page, document)
        chosen = page.get_by_role("toolbar", name="Formatting").get_by_label("Table")
        await editor(page).get_by_text("end").click()
        await chosen.wait_for(state="detached")
        await editor(page).get_by_text("North").click()
        await chosen.wait_for()
        await page.keyboard.press("Alt+F10")  # to the row and the column
        await page.keyboard.press("Alt+F10")
        await page.keyboard.press("ArrowLeft")  # round to the last tool
        await page.wait_for_function("() => document.activeElement.ariaLabel === 'Table'")
        await check_everywhere(page)
        await chosen.select_option("Row below")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.type("South")
        await chosen.select_option("Column after")
        await page.keyboard.press("Tab")
        await page.keyboard.type("sand")
        await saved(page)
        assert document.markdown.splitlines()[2:6] == ["| North |  | 7 |", "| South | sand |  |", "", "end"]
        await chosen.select_option("Delete the column")
        await chosen.select_option("Delete the row")
        await saved(page)
        assert document.markdown == "| Berth | Depth |\n| --- | --- |\n| North | 7 |\n\nend\n"
        await chosen.select_option("Delete the table")
        await chosen.wait_for(state="detached")
        await page.keyboard.press("Alt+F10")  # the bar is still reached where its last tool was gone to
        await page.wait_for_function("() => document.activeElement.closest('[role=toolbar]') !== null")
        await saved(page)
        assert document.markdown == "end\n"


async def test_the_edge_of_a_column_is_dragged_and_its_width_kept(window, world_of):
    document = Document(world_of("ada")).add(made(table(["Berth", "Depth"], ["North", "7"]), block("paragraph", "end")))
    async with window("ada") as page:
        await open_in(page, document)
        box = await editor(page).get_by_role("cell", name="North").bounding_box()
        edge, line = box["x"] + box["width"], box["y"] + 5
        await page.mouse.move(edge - 8, line)
        await page.mouse.move(edge, line)
        await editor(page).locator(".column-resize-handle").first.wait_for()
        await page.mouse.down()
        await page.mouse.move(edge + 80, line, steps=4)
        await page.mouse.up()
        await page.mouse.move(edge, line + 200)
        await saved(page)
        rows = document.read()["prosemirrorDoc"]["content"][0]["content"]
        widths = [[cell.get("attrs", {}).get("colwidth") for cell in row["content"]] for row in rows]
        assert widths == [[[round(box["width"] + 80)], None]] * 2
        await check_everywhere(page)


async def test_a_row_and_a_column_have_a_menu_by_keyboard_and_pointer(window, world_of):
    cells = table(["Berth", "Depth"], ["North", "7"])
    document = Document(world_of("ada")).add(made(block("paragraph", "top"), cells))
    async with window("ada") as page:
        await open_in(page, document)
        handles = page.get_by_role("toolbar", name="Row and column")
        await expect(handles).to_have_count(0)
        await editor(page).get_by_text("North").click()
        await page.keyboard.press("Alt+F10")
        await expect(handles.get_by_role("button", name="Menu of the row")).to_be_focused()
        await page.keyboard.press("Enter")
        items = page.get_by_role("menuitem")
        await expect(items).to_have_text(
            ["Row above", "Row below", "Move the row up", "Move the row down", "Delete the row"]
        )
        await expect(items.nth(2)).not_to_have_attribute("aria-disabled", "true")
        await expect(items.nth(3)).to_have_attribute("aria-disabled", "true")  # it is the last one
        await expect(items.first).to_be_focused()
        await check_everywhere(page)
        await page.keyboard.press("ArrowDown")
        await expect(items.nth(1)).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(editor(page)).to_be_focused()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.type("South")
        await editor(page).get_by_text("Depth").click()
        await handles.get_by_role("button", name="Menu of the column").click()
        await page.get_by_role("menuitem", name="Align column right").click()
        await expect(editor(page)).to_be_focused()
        await handles.get_by_role("button", name="Menu of the row").click()
        await page.get_by_role("menuitem", name="Header row").click()
        await saved(page)
        assert document.markdown == "top\n\n| Berth | Depth |\n| --- | ---: |\n| North | 7 |\n| South |  |\n"
        await handles.get_by_role("button", name="Menu of the column").click()
        await page.get_by_role("menuitem", name="Delete the column").click()
        await expect(editor(page).get_by_text("Depth")).to_have_count(0)
        await handles.get_by_role("button", name="Menu of the column").click()
        await page.keyboard.press("Escape")
        await expect(editor(page)).to_be_focused()
        await editor(page).get_by_text("top").click()
        await expect(handles).to_have_count(0)
        await saved(page)
    assert document.markdown == "top\n\n| Berth |\n| --- |\n| North |\n| South |\n"


@pytest.mark.rotate(4, "what is moved, and what is not, is tested without a browser at each commit")
async def test_a_row_and_a_column_are_moved_from_their_menus(window, world_of, people):
    cells = table(["Berth", "Depth"], ["North", "7"], ["South", "9"])
    document = Document(world_of("ada")).add(made(cells))
    document.share(BEN, "read_write")
    async with window("ben") as page:
        await open_in(page, document)
        handles = page.get_by_role("toolbar", name="Row and column")
        await editor(page).get_by_text("South").click()
        await handles.get_by_role("button", name="Menu of the row").click()
        await page.get_by_role("menuitem", name="Move the row up").click()
        await expect(editor(page)).to_be_focused()
        await page.keyboard.press("End")
        await page.keyboard.type("!")  # the cursor went along
        await handles.get_by_role("button", name="Menu of the column").click()
        await page.get_by_role("menuitem", name="Move the column right").click()
        await page.keyboard.type("!")
        await saved(page)
        assert document.markdown == "| Depth | Berth |\n| --- | --- |\n| 9 | South!! |\n| 7 | North |\n"
        assert document.authors_of_letters().count(f"{people['ben']['userId']} ") == len("!!")
        await page.keyboard.press("Control+z")
        await page.keyboard.press("Control+z")
        await saved(page)
        assert document.markdown == "| Berth | Depth |\n| --- | --- |\n| South! | 9 |\n| North | 7 |\n"


async def test_a_phone_has_no_handles_at_a_table(window, world_of):
    document = Document(world_of("ada")).add(made(table(["Berth", "Depth"])))
    async with window("ada", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as page:
        await open_in(page, document)
        await editor(page).get_by_text("Berth").tap()
        await page.get_by_role("button", name="More tools").tap()
        await page.get_by_role("toolbar", name="Formatting").get_by_label("Table").wait_for()
        await expect(page.get_by_role("toolbar", name="Row and column")).to_have_count(0)
