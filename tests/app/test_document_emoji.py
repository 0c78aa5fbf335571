"""Emoji in a document, offered by their names after ":"."""

from playwright.async_api import expect

from tests.app.writing import Document, block, editor, made, open_in, saved
from tests.support.web.accessible import check_everywhere


async def test_an_emoji_is_chosen_by_keyboard_and_escape_leaves_what_was_typed(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    async with window("ada", viewport={"width": 390, "height": 700}) as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.type(" :rock")
        menu = page.get_by_role("listbox", name="Emoji")
        chosen = menu.get_by_role("option", selected=True)
        await expect(chosen).to_have_text("🪨rock")
        await page.keyboard.press("ArrowDown")
        await expect(chosen).to_have_text("🚀rocket")
        await check_everywhere(page)
        await page.keyboard.press("Enter")
        await page.keyboard.type("then :rock")
        await menu.wait_for()
        await page.keyboard.press("Escape")
        await menu.wait_for(state="detached")
        await expect(editor(page)).to_be_focused()
        await page.keyboard.press("Enter")  # which chooses nothing
        await page.keyboard.type("below")
        await saved(page)
    assert document.markdown == "start 🚀 then :rock\n\nbelow\n"
