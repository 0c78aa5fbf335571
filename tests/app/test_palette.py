"""What people find and do by keys alone: the command palette, the keys that go to places, and their page."""

import pytest
from playwright.async_api import expect

from tests.app.writing import Document
from tests.support.web.accessible import check_everywhere


async def heading(page, name):
    await page.get_by_role("main").get_by_role("heading", name=name, level=1).wait_for()


@pytest.mark.parametrize("width", [1200, 320])
async def test_the_palette_finds_goes_and_does_by_keyboard_alone(window, world_of, width):
    ada = world_of("ada")
    document = Document(ada, f"Zebra plan {width}")
    document.edit(append=f"Quagga{width} crossing")
    async with window("ada", viewport={"width": width, "height": 800}) as page:
        await page.goto(f"/drive/{document.drive}")
        await page.get_by_role("grid").focus()
        field = page.get_by_role("combobox", name="Search and commands")
        selected = page.get_by_role("listbox", name="Results").get_by_role("option", selected=True)

        async def choose(text, option):
            await page.keyboard.press("Control+k")
            await field.fill(text)
            await selected.filter(has_text=option).wait_for()
            await page.keyboard.press("Enter")
            await field.wait_for(state="detached")

        await page.keyboard.press("Control+k")
        await selected.filter(has_text="New document").wait_for()
        await page.keyboard.press("ArrowUp")
        await selected.filter(has_text="Settings").wait_for()
        await check_everywhere(page)
        await page.keyboard.press("Escape")
        await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'grid'")
        await choose("new fol", "New folder")
        name = page.get_by_label("Name", exact=True)
        await name.and_(page.locator(":focus")).wait_for()
        await name.fill("Made by name")
        await page.keyboard.press("Enter")
        await page.get_by_role("link", name="Made by name").wait_for()
        await choose("shared w", "Shared with you")
        await heading(page, "Shared with you")
        await choose(f"quagga{width}", f"Zebra plan {width}")
        editor = page.get_by_role("textbox", name="Document").and_(page.locator("[contenteditable=true]"))
        await editor.get_by_text("crossing").click()
        await choose("share", "Share…")
        await page.get_by_role("dialog").get_by_label("Share with").wait_for()
        await page.keyboard.press("Escape")
        await editor.click()
        await page.keyboard.press("Control+a")
        await page.wait_for_function("() => !getSelection().isCollapsed")
        await page.keyboard.press("Control+k")
        await expect(field).to_have_count(0)
        assert document.markdown == f"Quagga{width} crossing\n"


async def test_keys_go_to_places_and_those_of_one_character_can_be_turned_off(window, world_of):
    drive = world_of("ada").drive("Keys of places")
    world_of("ada").item(drive, "Tools")
    async with window("ada") as page:
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("grid").focus()
        for key, name in {
            "s": "Shared with you",
            "r": "Recent",
            "f": "Starred",
            "t": "Trash",
            "a": "Agents",
            "h": "Welcome,",
        }.items():
            await page.keyboard.press("g")
            await page.keyboard.press(key)
            await heading(page, name)
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("grid").focus()
        await page.keyboard.press("?")
        single = page.get_by_role("checkbox", name="Single-key shortcuts")
        await single.press("Space")
        await check_everywhere(page)
        await page.keyboard.press("Escape")
        await single.wait_for(state="detached")
        for key in "?", "g", "s", "n":
            await page.keyboard.press(key)
        await page.keyboard.press("/")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await heading(page, "Keys of places")
        assert await page.evaluate("document.activeElement.name") != "q"
        await page.keyboard.press("Control+k")
        await page.get_by_role("combobox", name="Search and commands").fill("keyboard")
        await page.get_by_role("option", name="Keyboard shortcuts", selected=True).wait_for()
        await page.keyboard.press("Enter")
        await single.press("Space")
        await page.keyboard.press("Escape")
        await single.wait_for(state="detached")
        await page.keyboard.press("/")
        await page.wait_for_function("() => document.activeElement.name === 'q'")
