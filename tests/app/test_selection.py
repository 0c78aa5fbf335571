"""Several items at once: selected by boxes, moved and thrown away from the bar above them, and dragged onto places."""

import pytest
from playwright.async_api import expect

from tests.support.web.accessible import check_everywhere

PLACE = "query($i: ID!) { driveItem(id: $i) { driveId parentId } }"


def row(page, name):
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


def selection(page):
    return page.get_by_role("toolbar", name="Selection")


def dialog(page):
    return page.get_by_role("dialog", name="Move ")


@pytest.fixture
def drive(world_of):
    """A drive of Ada's with a folder and three documents."""
    ada = world_of("ada")
    made = ada.drive("Picked")
    ada.box = ada.item(made, "Box")
    ada.papers = [ada.item(made, name, "docs_workbook") for name in ("One", "Two", "Three")]
    ada.made = made
    return ada


async def test_a_finger_selects_by_boxes_and_throws_away_together(window, drive):
    async with window("ada", viewport={"width": 320, "height": 640}, has_touch=True) as page:
        await page.goto(f"/drive/{drive.made}")
        for name in ("One", "Three"):
            await row(page, name).get_by_role("checkbox").tap()
        await page.get_by_role("status").get_by_text("2 selected").wait_for()
        await expect(row(page, "One")).to_have_attribute("aria-selected", "true")
        await expect(row(page, "Two")).to_have_attribute("aria-selected", "false")
        await check_everywhere(page)
        await selection(page).get_by_role("button", name="Move 2 items to the trash").tap()
        await page.get_by_text("2 items are in the trash.").wait_for()
        await selection(page).wait_for(state="detached")
        await page.get_by_role("button", name="Undo").tap()
        await row(page, "Three").wait_for()


@pytest.mark.rotate(4, "each tool of the bar is used at each commit")
@pytest.mark.parametrize("width", [320, 390])
async def test_on_a_phone_the_bar_is_one_line_of_icons_that_all_fit(window, drive, width):
    async with window("ada", viewport={"width": width, "height": 640}, has_touch=True, is_mobile=True) as page:
        await page.goto(f"/drive/{drive.made}")
        for name in ("One", "Three"):
            await row(page, name).get_by_role("checkbox").tap()
        tools = selection(page).get_by_role("button")
        await expect(tools).to_have_count(6)
        boxes = [await tool.bounding_box() for tool in await tools.all()]
        assert {(each["y"], each["height"]) for each in boxes} == {(boxes[0]["y"], 44)}
        assert min(each["width"] for each in boxes) >= 44
        assert max(each["x"] + each["width"] for each in boxes) <= width
        await selection(page).get_by_role("button", name="Clear selection").tap()
        await selection(page).wait_for(state="detached")


@pytest.mark.rotate(4, "each tool of the bar is used at each commit")
@pytest.mark.parametrize("width", [1440, 1024, 768, 320])
async def test_the_bar_is_one_line_over_the_head_of_the_list_and_moves_no_row(window, drive, width):
    is_phone = width < 500
    size = {"width": width, "height": 640}
    async with window("ada", viewport=size, has_touch=is_phone, is_mobile=is_phone) as page:
        await page.goto(f"/drive/{drive.made}")
        check = row(page, "Two").get_by_role("checkbox")
        await check.hover()
        before = await row(page, "Two").bounding_box()
        await check.click()
        bar = page.get_by_role("toolbar")
        tools = [await each.bounding_box() for each in await bar.get_by_role("button").all()]
        assert await row(page, "Two").bounding_box() == before
        assert len({(each["y"], each["height"]) for each in tools}) == 1
        assert await bar.evaluate("(bar) => bar.scrollWidth <= bar.clientWidth")
        over = await bar.bounding_box()
        assert over["y"] + over["height"] <= (await row(page, "Box").bounding_box())["y"]


async def test_the_bar_moves_shares_one_and_selects_all_or_nothing(window, drive):
    async with window("ada") as page:
        await page.goto(f"/drive/{drive.made}")
        await row(page, "Two").get_by_role("checkbox").click()
        await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'grid'")
        share = selection(page).get_by_role("button", name="Share…")
        await expect(share).to_have_attribute("aria-disabled", "false")
        await selection(page).get_by_role("button", name="Select all").press("Enter")
        await selection(page).get_by_text("4 selected").wait_for()
        await expect(share).to_have_attribute("aria-disabled", "true")
        await selection(page).get_by_role("button", name="Move 4 items…").press("Enter")
        await dialog(page).wait_for()
        await page.keyboard.press("Escape")
        await selection(page).get_by_role("button", name="Clear selection").press("Enter")
        await selection(page).wait_for(state="detached")
        await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'grid'")


async def test_dropped_items_are_moved_after_the_preview_and_back_by_undo(window, drive, world_of):
    other = world_of("ada").drive("Dropped on")
    async with window("ada") as page:
        await page.goto(f"/drive/{drive.made}")
        for name in ("One", "Two"):
            await row(page, name).get_by_role("checkbox").click()
        await row(page, "One").drag_to(row(page, "Box"))
        await dialog(page).get_by_text("Nobody gains or loses access.").wait_for()
        await check_everywhere(page)
        await page.get_by_role("button", name="Move to Box").press("Enter")
        await page.get_by_text("2 items moved to “Box”.").wait_for()
        places = [drive.ask(PLACE, i=each)["driveItem"]["parentId"] for each in drive.papers]
        assert places == [drive.box, drive.box, None]
        await page.get_by_role("button", name="Undo").click()
        await row(page, "Two").wait_for()
        tree = page.get_by_role("tree", name="Drives and folders")
        await row(page, "Three").drag_to(tree.get_by_role("treeitem", name="Dropped on"))
        await dialog(page).get_by_text("Nobody gains or loses access.").wait_for()
        await page.get_by_role("button", name="Move to Dropped on").press("Enter")
        await page.get_by_text("“Three” moved to “Dropped on”.").wait_for()
        assert drive.ask(PLACE, i=drive.papers[2])["driveItem"]["driveId"] == other


async def test_a_folder_does_not_take_itself(window, drive):
    async with window("ada") as page:
        await page.goto(f"/drive/{drive.made}")
        await row(page, "Box").get_by_role("checkbox").click()
        await row(page, "One").get_by_role("checkbox").click()
        await row(page, "One").drag_to(row(page, "Box"))
        await selection(page).get_by_text("2 selected").wait_for()
        await expect(dialog(page)).to_have_count(0)


async def test_a_right_click_opens_the_menu_of_what_is_selected_where_the_pointer_is(window, drive):
    async with window("ada") as page:
        await page.goto(f"/drive/{drive.made}")
        menu = page.get_by_role("menu")
        await row(page, "Two").click(button="right", position={"x": 200, "y": 20})
        await menu.get_by_role("menuitem", name="Rename").wait_for()
        at, shown = await row(page, "Two").bounding_box(), await menu.bounding_box()
        # an event of the pointer has whole pixels
        assert (round(shown["x"]), round(shown["y"])) == (int(at["x"] + 200), int(at["y"] + 20))
        await page.keyboard.press("Escape")
        await menu.wait_for(state="detached")
        await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'grid'")
        for name in ("One", "Three"):
            await row(page, name).get_by_role("checkbox").click()
        await row(page, "Three").click(button="right")
        await menu.get_by_role("menuitem", name="Move 2 items to the trash").wait_for()
        await page.keyboard.press("Escape")
        await menu.wait_for(state="detached")
        button = row(page, "Two").get_by_role("button", name="Actions for Two")
        await button.click()
        beside, shown = await button.bounding_box(), await menu.bounding_box()
        assert round(shown["x"] + shown["width"]) == round(beside["x"] + beside["width"])
