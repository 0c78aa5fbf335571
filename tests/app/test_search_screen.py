"""What is found, and what the field above says was asked for."""

import asyncio

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def found(world_of):
    """More documents of one name than are shown at once, and one of another."""
    ada = world_of("ada")
    drive = ada.drive("Searched")
    for number in range(51):  # a page has 50
        ada.item(drive, f"Walrus {number}", "docs_workbook")
    ada.item(drive, "Narwhal", "docs_workbook")


def results(page):
    return page.get_by_role("main").get_by_role("link", name="Walrus")


@pytest.mark.usefixtures("found")
async def test_a_page_that_does_not_come_leaves_what_was_found(window):
    async def fail(route):
        await route.fulfill(status=503, json={"errors": [{"message": "away", "extensions": {"code": "UNAVAILABLE"}}]})

    async with window("ada", allowed=("503",)) as page:
        await page.goto("/search?q=walrus")
        await results(page).first.wait_for()
        assert await page.get_by_role("searchbox", name="Search").input_value() == "walrus"
        await page.route("**/graphql", fail)
        await page.get_by_role("button", name="Show more").press("Enter")
        await page.get_by_role("status").get_by_text("Away.").wait_for()
        assert await results(page).count() == 50
        await page.unroute("**/graphql")
        await page.get_by_role("button", name="Try again").press("Enter")
        await results(page).nth(50).wait_for()


@pytest.mark.usefixtures("found")
async def test_what_comes_too_late_is_not_shown_under_other_words(window):
    held = asyncio.get_running_loop().create_future()

    async def hold_the_first(route):
        if held.done():
            await route.continue_()
        else:
            held.set_result(route)

    async with window("ada") as page:
        await page.goto("/search?q=walrus")
        await results(page).first.wait_for()
        await page.route("**/graphql", hold_the_first)
        await page.get_by_role("button", name="Show more").press("Enter")
        late = await held
        await page.get_by_role("searchbox", name="Search").fill("narwhal")
        await page.keyboard.press("Enter")
        await page.get_by_role("main").get_by_role("link", name="Narwhal").first.wait_for()
        async with page.expect_response("**/graphql"):
            await late.continue_()
        await page.get_by_role("heading", name="Found for “narwhal”").wait_for()
        assert await results(page).count() == 0
