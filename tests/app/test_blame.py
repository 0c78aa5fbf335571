"""Blame of an open document: who wrote which letter, as people and agents write."""

import re

from playwright.async_api import expect

from tests.app.writing import BEN, Document, blame, blamed, block, editor, made, open_in, write_after
from tests.support.web.accessible import check_everywhere

HELPER = "helper for Ada Lovelace"


async def test_blame_names_who_writes_each_letter_to_writers_and_readers(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    document.share("cleo@acme.example", "read_only")
    async with window("ada") as ada, window("ben") as ben, window("cleo") as cleo:
        for page in (ada, ben):
            await open_in(page, document)
            await blame(page)
        await cleo.goto(document.path)
        await editor(cleo).get_by_text("start").wait_for()
        await blame(cleo)
        await write_after(ada, "start", " ada")
        await editor(ben).get_by_text(" ada").wait_for()
        await write_after(ben, "ada", " ben")
        document.edit(append="from an agent", agent="helper")
        for page in (ada, ben, cleo):
            await page.locator(".written.by-agent").get_by_text("from an agent", exact=True).wait_for()
            await page.locator(".written:not(.by-agent)").get_by_text(" ben").wait_for()
            assert await blamed(page) == document.authors_of_letters()
            names = page.get_by_role("list", name="Authors of what is in view").get_by_role("button")
            for name in ("Ada Lovelace", "Ben Franklin", HELPER):
                await names.get_by_text(name, exact=True).wait_for()
        line = ada.locator(".by-agent")
        assert await line.evaluate("line => getComputedStyle(line).borderBlockEndStyle") == "dashed"
        author = await line.get_attribute("data-author")
        await expect(ada.locator(".written").first).not_to_have_attribute("data-author", author)
        told = cleo.get_by_role("region", name="Authors").get_by_role("status")
        await cleo.get_by_text("from an agent").click()
        await told.get_by_text(HELPER, exact=True).wait_for()
        await expect(told.get_by_role("link")).to_have_count(0)


async def test_blame_tells_who_moved_text_beside_its_writer(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "words of a person")))
    document.edit(passages=[{"old": "words of a person", "new": "# words of a person"}], agent="helper")
    async with window("ada") as page:
        await open_in(page, document)
        await blame(page)
        line = page.locator(".written:not(.by-agent)", has_text="words of a person")
        await expect(line).to_have_attribute("title", re.compile(f"^Ada Lovelace, .*; moved by {HELPER}, "))
        await line.click()
        told = page.get_by_role("region", name="Authors").get_by_role("status")
        await told.get_by_text("Ada Lovelace", exact=True).wait_for()
        await expect(told).to_contain_text(f"moved by {HELPER}")
        authors = page.get_by_role("list", name="Filter by author")
        await expect(authors.get_by_role("button")).to_have_count(1)


async def test_blame_by_keyboard_leads_to_one_author_and_to_their_history(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "by a person")))
    document.edit(append="by an agent", agent="helper")
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await blame(page)
        for size in ({"width": 1200, "height": 800}, {"width": 320, "height": 640}):
            await page.set_viewport_size(size)
            await (
                page.get_by_role("list", name="Authors of what is in view")
                .get_by_role("button", name=HELPER)
                .wait_for()
            )
            await check_everywhere(page)
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        region = page.get_by_role("region", name="Authors")
        await region.get_by_role("list", name="Filter by author").get_by_role("button").last.focus()
        await page.keyboard.press("Tab")
        await region.get_by_role("status").get_by_text("Ada Lovelace", exact=True).wait_for()
        await page.keyboard.press("Tab")
        await region.get_by_role("status").get_by_text(HELPER, exact=True).wait_for()
        alone = region.get_by_role("list", name="Filter by author").get_by_role("button", name=HELPER)
        await alone.press("Space")
        await page.locator(".written", has_text="by a person").wait_for(state="detached")
        await page.locator(".written.by-agent", has_text="by an agent").wait_for()
        await alone.press("Space")
        await page.locator(".written", has_text="by a person").wait_for()
        await region.get_by_role("link", name=f"History of {HELPER}").press("Enter")
        await page.get_by_role("heading", name="All changes").wait_for()
        await page.get_by_role("button", name="Undo all of these").wait_for()
        changes = page.get_by_role("region", name="Changes")
        await expect(changes.get_by_text("by a person")).to_have_count(0)
        await editor(page).locator("ins").get_by_text("by an agent").wait_for()
        await expect(page.locator(".written")).to_have_count(0)
        await changes.get_by_role("link", name="Authors").press("Enter")
        await page.locator(".written.by-agent").wait_for()
        await page.keyboard.press("Control+Alt+b")
        await page.locator(".written").first.wait_for(state="detached")
