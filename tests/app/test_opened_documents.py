"""A document is on its way before its screen is drawn; of those that are left before that none stays open."""

from playwright.async_api import expect

from tests.app.windows import LEFT
from tests.app.writing import Document, editor

# each of the links is pressed in the moment that the socket of the document before it is opened
PRESS_AND_LEAVE = """
  (paths) => {
    const press = () => document.querySelector(`a[href='${paths.shift()}']`)?.click();
    window.sockets = [];
    window.WebSocket = class extends WebSocket {
      constructor(...given) {
        super(...given);
        if (!this.url.includes("/collaboration/")) return;
        window.sockets.push(this);
        if (paths.length > 0) press();
      }
    };
    press();
  }
"""
OPENED = "sockets.map(({ url }) => url.split('/').at(-1))"
OPEN = "sockets.filter(({ readyState }) => readyState <= WebSocket.OPEN).map(({ url }) => url.split('/').at(-1))"


async def listed(page, drive):
    await page.goto(f"/drive/{drive}")
    await expect(page.get_by_role("grid").get_by_role("link", name="Other")).to_be_visible()


async def test_of_documents_that_are_left_before_they_are_drawn_none_stays_open(window, world_of):
    ada = world_of("ada")
    one = Document(ada, "One")
    other = ada.item(one.drive, "Other", "docs_workbook")
    async with window("ada", allowed=(LEFT,)) as page:
        await listed(page, one.drive)
        await page.evaluate(PRESS_AND_LEAVE, [one.path, f"/doc/{other}"])
        await expect(page.locator("h1")).to_have_text("Other")
        await expect(editor(page)).to_be_editable()
        assert (await page.evaluate(OPENED), await page.evaluate(OPEN)) == ([one.id, other], [other])
        await listed(page, one.drive)
        await page.evaluate(PRESS_AND_LEAVE, [one.path, "/recent"])
        await expect(page.locator("h1")).to_have_text("Recent")
        assert (await page.evaluate(OPENED), await page.evaluate(OPEN)) == ([one.id], [])
