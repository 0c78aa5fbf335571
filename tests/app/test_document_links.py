"""Links and tasks in a document, by keyboard and mouse."""

import pytest
from playwright.async_api import expect

from tests.app.writing import Document, block, editor, made, open_in, put_caret, saved, text
from tests.support.web.accessible import check_everywhere


async def test_selected_words_are_linked_changed_and_set_free_by_keyboard(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "read the rules")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.press("Control+Shift+ArrowLeft")
        await page.keyboard.press("Control+k")
        await page.keyboard.type("example.com/rules")  # at once: no letter of it is for the text
        await page.keyboard.press("Enter")
        await editor(page).get_by_role("link", name="rules").wait_for()
        await saved(page)
        assert document.markdown == "read the [rules](https://example.com/rules)\n"
        await page.keyboard.press("Control+k")
        field = page.get_by_role("dialog", name="Edit the link").get_by_label("Address")
        await expect(field).to_have_value("https://example.com/rules")
        await page.keyboard.type("javascript:alert(1)")
        await page.keyboard.press("Enter")
        await page.get_by_role("alert").get_by_text("A link leads to an address of http").wait_for()
        await check_everywhere(page)
        await field.fill("ada@acme.example")
        await page.keyboard.press("Enter")
        await page.get_by_role("link", name="rules").and_(page.locator("[href='mailto:ada@acme.example']")).wait_for()
        await page.keyboard.press("Control+k")
        await page.keyboard.press("Escape")
        await page.keyboard.press("Control+k")
        await page.keyboard.press("Delete")
        await page.keyboard.press("Enter")
        await editor(page).get_by_role("link").wait_for(state="detached")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.type("!")
        await saved(page)
        assert document.markdown == "read the rules!\n"


async def test_an_address_that_is_pasted_links_what_is_selected(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "rules")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+a")
        await editor(page).evaluate(
            """(element) => {
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", "https://example.com/rules");
              element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
            }"""
        )
        await editor(page).get_by_role("link", name="rules").wait_for()
        await saved(page)
        assert document.markdown == "[rules](https://example.com/rules)\n"


async def test_the_button_links_where_nothing_is_selected_with_what_was_typed_as_text(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "see ")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.get_by_role("toolbar", name="Formatting").get_by_role("button", name="Link").click()
        await page.keyboard.type("example.com")
        await page.keyboard.press("Enter")
        await editor(page).get_by_role("link", name="example.com").wait_for()
        await page.keyboard.type(" now")
        await saved(page)
        assert document.markdown == "see [example.com](https://example.com) now\n"


def linked(words, href, **attrs):
    return block("paragraph", "see ", text(words, link={"href": href, **attrs}))


async def opened_by(page, act):
    """The address of the window that an act opens; it does not know which window opened it."""
    async with page.context.expect_page() as opening:
        await act
    opened = await opening.value
    await opened.wait_for_load_state()
    assert await opened.evaluate("() => window.opener") is None
    address = opened.url
    await opened.close()
    return address


async def test_whoever_writes_opens_a_link_by_click_by_key_and_from_its_dialog(window, world_of):
    hostile = {"rel": "opener", "target": "_top", "class": "skip"}
    document = Document(world_of("ada")).add(made(linked("rules", "/settings/profile", **hostile)))
    async with window("ada") as page:
        await open_in(page, document)
        link = editor(page).get_by_role("link", name="rules")
        shown = await link.evaluate("(link) => [link.rel, link.target, link.className]")
        assert shown == ["noopener noreferrer nofollow", "_blank", ""]
        await link.click()
        assert len(page.context.pages) == 1  # the cursor is in it
        assert (await opened_by(page, link.click(modifiers=["Control"]))).endswith("/settings/profile")
        assert (await opened_by(page, page.keyboard.press("Alt+Enter"))).endswith("/settings/profile")
        await page.keyboard.press("Control+k")
        dialog = page.get_by_role("dialog", name="Edit the link")
        await check_everywhere(page)
        assert (await opened_by(page, dialog.get_by_role("link", name="Open").press("Enter"))).endswith("/profile")
        await page.keyboard.press("Escape")
        await page.keyboard.press("End")
        await page.keyboard.type("!")
        await saved(page)
    assert document.markdown == "see [rules!](/settings/profile)\n"


async def test_the_address_of_a_link_is_changed_in_place_left_and_removed_by_keyboard(window, world_of):
    document = Document(world_of("ada")).add(made(linked("rules", "https://example.com/old")))
    async with window("ada", viewport={"width": 390, "height": 700}) as page:
        await open_in(page, document)
        await put_caret(page, "rules", 2)
        bar = page.get_by_role("toolbar", name="Where the link leads")
        change = bar.get_by_role("button", name="Edit the link")
        field = bar.get_by_role("textbox", name="Address")
        await change.press("Enter")
        await expect(field).to_be_focused()
        await page.keyboard.type("example.com/left")
        await page.keyboard.press("Escape")
        await expect(editor(page)).to_be_focused()
        await bar.get_by_role("link", name="https://example.com/old").wait_for()
        await change.press("Enter")
        await expect(field).to_have_value("https://example.com/old")
        await page.keyboard.type("javascript:alert(1)")
        await page.keyboard.press("Enter")
        await bar.get_by_role("alert").get_by_text("A link leads to an address of http").wait_for()
        await check_everywhere(page)
        await field.fill("example.com/new")
        await page.keyboard.press("Enter")
        await expect(editor(page)).to_be_focused()
        await bar.get_by_role("link", name="https://example.com/new").wait_for()
        await page.keyboard.type("!")  # where the caret was
        await saved(page)
        assert document.markdown == "see [ru!les](https://example.com/new)\n"
        await bar.get_by_role("button", name="Remove the link").press("Enter")
        await editor(page).get_by_role("link").wait_for(state="detached")
        await expect(editor(page)).to_be_focused()
        await saved(page)
    assert document.markdown == "see ru!les\n"


@pytest.mark.parametrize("href", ["javascript:alert(1)", "ftp://example.com/", "data:text/html,x"])
async def test_a_link_to_what_no_link_may_lead_to_is_never_opened(window, world_of, href):
    document = Document(world_of("ada")).add(made(linked("rules", href)))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).get_by_text("rules").click()
        await editor(page).get_by_text("rules").click(modifiers=["Control"])
        await page.keyboard.press("Alt+Enter")
        await page.keyboard.press("Control+k")
        dialog = page.get_by_role("dialog", name="Edit the link")
        await dialog.get_by_label("Address").wait_for()
        await expect(dialog.get_by_role("link", name="Open")).to_have_count(0)
        assert len(page.context.pages) == 1


async def test_a_key_ticks_the_task_and_unticks_it(window, world_of):
    task = block("taskItem", block("paragraph", "read"), checked=False)
    document = Document(world_of("ada")).add(made(block("taskList", task)))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        for told in "- [x] read\n", "- [ ] read\n":
            await page.keyboard.press("Control+Enter")
            await editor(page).get_by_role("checkbox", checked="x" in told).wait_for()
            await saved(page)
            assert document.markdown == told
