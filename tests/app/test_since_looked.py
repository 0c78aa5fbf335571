"""What others changed in a document since somebody looked at it."""

from playwright.async_api import expect

from tests.app.writing import BEN, HIDE, Document, block, editor, made, open_in, saved, write_after
from tests.support.web.accessible import check_everywhere


async def away(page):
    await page.get_by_role("navigation", name="Drives").get_by_role("link", name="Shared with you").click()
    await page.get_by_role("heading", name="Shared with you").wait_for()


async def hide(page, asked):
    """Hide the window, and wait until it knows up to which revision its person looked; `asked` has its requests."""
    await page.evaluate(HIDE, True)
    for each in asked:
        await (await each.response()).finished()


async def test_what_others_changed_since_one_looked_is_told_once_with_agents_first(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    async with window("ben") as page:
        news = page.get_by_role("region", name="Since you looked")
        await open_in(page, document)
        await write_after(page, "start", " ben")
        await saved(page)
        await expect(news).to_have_count(0)
        await away(page)
        document.edit(append="from Ada")
        document.edit(append="from an agent", agent="helper")
        await open_in(page, document)
        await news.get_by_text("changed 1 place since you looked").first.wait_for()
        told = await news.get_by_role("listitem").all_inner_texts()
        assert ["helper for Ada" in line for line in told] == [True, False]
        await check_everywhere(page)
        await news.get_by_role("link", name="Show changes").press("Enter")
        await page.get_by_role("heading", name="Changes since you looked").wait_for()
        begin = page.get_by_label("From", exact=True)
        await expect(begin.locator("option:checked")).to_have_text("When you looked")
        await page.get_by_role("button", name="Undo “from an agent”").wait_for()
        panel = page.get_by_role("region", name="Changes")
        await expect(panel.get_by_text("start")).to_have_count(0)
        await page.get_by_role("button", name="Close the panel").press("Enter")
        await expect(panel).to_have_count(0)
        await editor(page).get_by_text("from an agent").wait_for()
        await page.get_by_role("status").get_by_text("Saved", exact=True).wait_for()
        await expect(news).to_have_count(0)


async def test_what_others_change_while_the_window_is_hidden_is_told_when_it_is_seen_again(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    async with window("ben") as page:
        news, asked = page.get_by_role("region", name="Since you looked"), []
        page.on("request", lambda each: "DocumentRevision" in (each.post_data or "") and asked.append(each))
        await open_in(page, document)
        document.edit(append="before everybody's eyes")
        await editor(page).get_by_text("before everybody's eyes").wait_for()
        await hide(page, asked)
        document.edit(append="overnight", agent="helper")
        await editor(page).get_by_text("overnight").wait_for()
        await page.evaluate(HIDE, False)
        await news.get_by_text("changed 1 place since you looked").wait_for()
        await expect(news.get_by_role("listitem")).to_contain_text("helper for Ada")
        await hide(page, asked)
        document.edit(append="in the second night")
        await editor(page).get_by_text("in the second night").wait_for()
        await page.evaluate(HIDE, False)
        await news.get_by_role("listitem").nth(1).wait_for()
        told = await news.get_by_role("listitem").all_inner_texts()
        assert ["helper for Ada" in line for line in told] == [True, False]
