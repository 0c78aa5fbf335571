"""The menu of a document: all that is rare, each with the key that does it outside the text."""

from playwright.async_api import expect

from tests.app.writing import Document, editor, open_in, saved

PLACE = "query($i: ID!) { driveItem(id: $i) { name parentId published trashedAt } }"
PRINTS = "window.prints = 0; window.print = () => { window.prints += 1; };"
KEYS = {
    "Rename": "F2",
    "Publish…": "P",
    "Star": "Shift + S",
    "Move…": "M",
    "Make a copy…": "D",
    "Copy as Markdown": "C",
    "Print": "Ctrl + P, ⌘ P",
    "Download as Markdown": "Shift + D",
    "Move to the trash": "Shift + Delete",
}


async def test_a_document_is_moved_published_printed_and_trashed_from_its_menu_and_by_keys(window, ada):
    document = Document(ada, "Minutes")
    inbox = ada.item(document.drive, "Inbox")

    def place():
        return ada.ask(PLACE, i=document.id)["driveItem"]

    async with window("ada") as page:
        await page.add_init_script(PRINTS)
        await open_in(page, document)
        menu = page.get_by_role("button", name="Actions for the document")
        await menu.press("Enter")
        for name, key in KEYS.items():
            item = page.get_by_role("menuitem", name=name, exact=True)
            await expect(item.locator("kbd")).to_have_text(key)
        await page.get_by_role("menuitem", name="Print").press("Enter")
        assert await page.evaluate("prints") == 1

        await editor(page).focus()
        await page.keyboard.type("mpd")  # in the text, keys are letters
        await saved(page)
        await page.keyboard.press("F2")
        await page.get_by_role("textbox", name="Title").fill("Notes")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("button", name="Notes", exact=True)).to_be_focused()

        await page.keyboard.press("m")
        moving = page.get_by_role("dialog", name="Move “Notes”")
        await moving.get_by_role("treeitem", name="Inbox", exact=True).click()
        await moving.get_by_role("button", name="Move to Inbox").click()
        await moving.wait_for(state="detached")
        assert place()["parentId"] == inbox

        await page.keyboard.press("p")
        publish = page.get_by_role("button", name="Publish to the web")
        await expect(publish).to_be_focused()
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="Unpublish").wait_for()
        assert place()["published"]
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Unpublish").wait_for(state="detached")

        async with page.expect_download() as begun:
            await page.keyboard.press("Shift+D")
        assert (await begun.value).suggested_filename == "Notes.md"

        await page.keyboard.press("Shift+Delete")
        await page.get_by_role("heading", name="“Notes” is in the trash").wait_for()
        told = page.get_by_text("“Notes” is in the trash.", exact=True).locator("xpath=..")
        await told.get_by_role("button", name="Undo").click()
        await expect(editor(page)).to_have_text("mpd")
        assert place()["trashedAt"] is None
