"""What stands at a block and at a selection: the handle at the left, tools over words, and where a link leads."""

from playwright.async_api import expect

from tests.app.writing import BEN, Document, block, editor, made, open_in, put_caret, saved, text
from tests.support.web.accessible import check_everywhere

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def words(*each):
    return [block("paragraph", one) for one in each]


async def beside(page, text):
    """Move the pointer to a block, and return its handle."""
    await editor(page).get_by_text(text, exact=True).hover()
    return page.locator("[data-handle]")


async def test_the_handle_adds_drags_and_opens_a_menu_and_what_it_moves_or_passes_keeps_its_author(window, world_of):
    document = Document(world_of("ada")).add(made(*words("one")))
    document.edit(append="from an agent", agent="helper")
    document.edit(append="last")
    async with window("ada") as page:
        await open_in(page, document)
        handle = await beside(page, "one")
        await handle.get_by_role("button", name="Menu of the block").drag_to(
            editor(page).get_by_text("last"), target_position={"x": 4, "y": 22}
        )
        await expect(editor(page).locator("p")).to_have_text(["from an agent", "last", "one"])
        handle = await beside(page, "last")
        await handle.get_by_role("button", name="Menu of the block").click()
        await page.get_by_role("menuitem", name="Move up").click()
        await expect(editor(page).locator("p")).to_have_text(["last", "from an agent", "one"])
        await expect(editor(page)).to_be_focused()
        handle = await beside(page, "from an agent")
        await handle.get_by_role("button", name="Menu of the block").click()
        await page.get_by_role("menuitem", name="Move up").click()
        await expect(editor(page).locator("p")).to_have_text(["from an agent", "last", "one"])
        handle = await beside(page, "last")
        await handle.get_by_role("button", name="Add a block below").click()
        await page.get_by_role("listbox", name="Blocks").wait_for()
        await page.keyboard.type("todo")
        await page.keyboard.press("Enter")
        await page.keyboard.type("ship")
        await saved(page)
        assert document.markdown == "from an agent\n\nlast\n\n- [ ] ship\n\none\n"
        letters = document.authors_of_letters()
        assert sum(each.endswith(" helper") for each in letters) == len("from an agent")


async def test_the_handle_is_seen_whole_beside_the_sidebar_and_a_panel(window, world_of):
    document = Document(world_of("ada")).add(made(*words("one", "two")))
    async with window("ada", viewport={"width": 1440, "height": 800}) as page:
        for panel in ("", "?panel=outline"):
            await page.goto(f"{document.path}{panel}")
            await editor(page).get_by_text("one", exact=True).click()
            for width in (1440, 1280, 1240, 1100, 1024, 900, 768):
                await page.set_viewport_size({"width": width, "height": 800})
                for line in ("two", "one"):  # which the panel covers in part
                    await editor(page).get_by_text(line, exact=True).hover(position={"x": 5, "y": 5})
                handle = page.locator("[data-handle]")
                edge = (await page.get_by_role("main").bounding_box())["x"]
                await handle.get_by_role("button", name="Menu of the block").hover()  # nothing lies over it
                for button in await handle.get_by_role("button").all():
                    assert (await button.bounding_box())["x"] >= edge, (width, panel)


async def test_the_menu_of_a_block_works_by_keyboard(window, world_of):
    document = Document(world_of("ada")).add(made(*words("one", "two", "three")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).get_by_text("two").click()
        await page.keyboard.press("Control+Shift+Enter")
        await expect(page.get_by_role("menuitem", name="Turn into")).to_be_focused()
        await check_everywhere(page)
        await page.keyboard.press("ArrowRight")
        await expect(page.get_by_role("menuitem", name="Text")).to_be_focused()
        await page.keyboard.type("Heading 2")
        await page.keyboard.press("Enter")
        await editor(page).locator("h2").get_by_text("two").wait_for()
        await page.keyboard.type("!")
        await page.keyboard.press("Control+Shift+Enter")
        await page.get_by_role("menuitem", name="Turn into").wait_for()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("menu")).to_have_count(0)
        await page.keyboard.type("?")
        await saved(page)
    assert document.markdown == "one\n\n## two!?\n\nthree\n"


async def test_tools_stand_over_selected_words_and_not_under_the_head(window, world_of):
    document = Document(world_of("ada")).add(made(*words(*(f"line {number}" for number in range(60)))))
    async with window("ada") as page:
        await open_in(page, document)
        tools = page.get_by_role("toolbar", name="Selected text")
        await editor(page).get_by_text("line 30", exact=True).dblclick(position={"x": 8, "y": 12})
        await tools.wait_for()
        line = await editor(page).get_by_text("line 30", exact=True).bounding_box()
        over = await tools.bounding_box()
        assert over["y"] + over["height"] <= line["y"] + 1
        await check_everywhere(page)
        await page.keyboard.press("Alt+F10")
        await expect(tools.get_by_role("button", name="Bold")).to_be_focused()
        await page.keyboard.press("Enter")
        await editor(page).locator("strong").get_by_text("line").wait_for()
        await page.keyboard.press("Control+a")
        await tools.wait_for()
        over = await tools.bounding_box()
        bar = await page.get_by_role("toolbar", name="Formatting").bounding_box()
        assert over["y"] >= bar["y"] + bar["height"]
        assert over["y"] + over["height"] <= page.viewport_size["height"]
        await saved(page)
    async with window("ada", **PHONE) as page:
        await open_in(page, document)
        await editor(page).get_by_text("line 3", exact=True).tap()
        await page.keyboard.press("Shift+Home")
        await expect(page.get_by_role("toolbar")).to_have_count(1)


async def test_a_link_is_called_what_it_leads_to_by_whoever_may_see_that(window, world_of, served_app):
    plan = Document(world_of("ada"), "Daily plan")
    href = f"{served_app.origin}{plan.path}"
    document = Document(world_of("ada")).add(made(block("paragraph", "see ", text(href, link={"href": href}), " now")))
    document.share(BEN, "read_write")
    async with window("ada") as ada, window("ben") as ben:
        await open_in(ada, document)
        await open_in(ben, document)
        for page, name in ((ben, href), (ada, "Daily plan")):
            await editor(page).get_by_role("link").click(position={"x": 40, "y": 10})
            bar = page.get_by_role("toolbar", name="Where the link leads")
            await bar.get_by_role("link", name=name, exact=True).wait_for()
            await check_everywhere(page)
        await ada.get_by_role("button", name="Show the name instead of the address").click()
        await editor(ben).get_by_role("link", name="Daily plan").wait_for()
        await put_caret(ada, "Daily plan", 3)
        await ada.get_by_role("button", name="Remove the link").click()
        await saved(ada)
    assert document.markdown == "see Daily plan now\n"
