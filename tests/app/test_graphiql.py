"""GraphiQL in a browser: it knows the schema, asks as whoever is signed in or as a key, and follows subscriptions."""

from playwright.async_api import expect

FOLLOW = "subscription Follow { changes { type itemId } }"


async def write(page, place, text):
    """Put a text into one of the editors, in place of what is there."""
    await page.locator(f'section[aria-label="{place}"] .view-lines:visible').click()
    await page.keyboard.press("Control+A")
    await page.keyboard.press("Delete")
    await page.keyboard.insert_text(text)


async def opened(page):
    """Open GraphiQL, until its editor holds the query that it begins with."""
    await page.goto("/graphql")
    await expect(page.locator('section[aria-label="Operation Editor"] .view-lines:visible')).to_contain_text("viewer")


async def run(page):
    await page.get_by_role("button", name="Execute query (Ctrl-Enter)").click()


def answer(page):
    return page.get_by_role("region", name="Result Window")


async def test_somebody_who_is_signed_in_asks_as_themselves_and_is_helped_by_the_schema(window):
    async with window("ada", foreign=True) as page:
        await opened(page)
        await run(page)
        await expect(answer(page)).to_contain_text("ada@acme.example")
        await write(page, "Operation Editor", "")
        await page.keyboard.type("{ view")
        await page.keyboard.press("Control+Space")
        await expect(page.locator(".suggest-widget")).to_contain_text("viewer")
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Show Documentation Explorer").click()
        await page.get_by_text("Query", exact=True).first.click()
        await expect(page.get_by_text("driveItemOverview").first).to_be_visible()


async def test_a_key_asks_and_follows_where_nobody_is_signed_in(window, people, world_of):
    world = world_of("ada")
    async with window(foreign=True, allowed=("401",)) as page:
        await opened(page)
        await run(page)
        await expect(answer(page)).to_contain_text("UNAUTHORIZED")
        await write(page, "Headers", f'{{"x-api-key": "{people["ada"]["apiKey"]}"}}')
        await run(page)
        await expect(answer(page)).to_contain_text("ada@acme.example")
        await write(page, "Operation Editor", FOLLOW)
        await page.get_by_role("tab", name="Follow").wait_for()  # what is written is read after a while
        async with page.expect_websocket() as followed:
            await run(page)
        async with (await followed.value).expect_event("framereceived"):
            pass
        drive = world.drive("Followed")
        world.item(drive, "Seen")
        await expect(answer(page)).to_contain_text("itemCreated")
        assert people["ada"]["apiKey"] not in await page.evaluate("JSON.stringify(localStorage)")
