"""Items are starred where they are listed and opened, and found again in one place."""

from playwright.async_api import expect

from tests.support.web.accessible import check_everywhere


def row(page, name):
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


async def test_an_item_is_starred_by_key_listed_and_unstarred_from_its_document(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Stars")
    document = ada.item(drive, "Daily plan", "docs_workbook")
    async with window("ada") as page:
        await page.goto("/starred")
        await page.get_by_text("Nothing is starred yet.").wait_for()
        await check_everywhere(page)
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("grid").press("Shift+S")
        await page.get_by_text("“Daily plan” is starred.").wait_for()
        await row(page, "Daily plan").get_by_role("img", name="Starred").wait_for()
        await page.get_by_label("Drives").get_by_role("link", name="Starred").click()
        await page.get_by_role("heading", name="Starred", level=1).wait_for()
        await row(page, "Daily plan").get_by_text("in Stars").wait_for()
        await check_everywhere(page)
        rename = 'mutation($i: ID!) { renameItem(itemId: $i, name: "Plan of the day") { id } }'
        ada.ask(rename, i=document)
        await row(page, "Plan of the day").get_by_role("link").click()
        await page.get_by_role("heading", name="Plan of the day", level=1).wait_for()
        await page.get_by_role("button", name="Actions for the document").click()
        await page.get_by_role("menuitem", name="Remove the star").click()
        await page.get_by_text("“Plan of the day” is no longer starred.").wait_for()
        await page.get_by_label("Drives").get_by_role("link", name="Starred").click()
        await page.get_by_text("Nothing is starred yet.").wait_for()
        await expect(row(page, "Plan of the day")).to_have_count(0)
