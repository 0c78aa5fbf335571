"""Words that go along with a share, from the dialog to the e-mail about it."""

import asyncio
import secrets

import pytest
from playwright.async_api import expect

from tests.app.windows import World, watched
from tests.support.processes.browser import sign_in
from tests.support.processes.servers import http
from tests.support.web.accessible import check_everywhere
from tests.support.web.letterbox import letterbox


@pytest.mark.rotate(4, "the letter has the message at each commit, in web/test_share_letters")
async def test_a_message_is_counted_cut_at_its_end_and_read_in_the_letter(browser, running):
    words = "Please look at this. " + "x" * 279
    address = f"{secrets.token_hex(4)}@new.example"
    with letterbox() as letters, running("--no-rate-limits", CODRIVE_SMTP_URL=letters.url) as served:
        ada = served.credentials["users"]["ada"]
        with http(served.origin, headers={"x-api-key": ada["apiKey"]}) as client:
            world = World(client)
            drive = world.drive("Letters")
            world.item(drive, "With words", "docs_workbook")
        async with watched(browser, served.origin) as page:
            await sign_in(page, ada)
            await page.goto(f"/drive/{drive}")
            await page.get_by_role("row").filter(has_text="With words").wait_for()
            await page.get_by_role("grid").press("s")
            await page.get_by_label("Share with").press_sequentially(address)
            await page.keyboard.press("Enter")
            field = page.get_by_role("textbox", name="Message in the e-mail")
            await expect(field).to_have_accessible_description("0 of 300 characters")
            await field.press_sequentially(words[:21])
            await expect(field).to_have_accessible_description("21 of 300 characters")
            await field.fill(words)
            await field.press_sequentially("more")  # of which there is no place
            await expect(field).to_have_value(words)
            await expect(field).to_have_accessible_description("300 of 300 characters")
            await check_everywhere(page)
            await page.get_by_role("button", name="Share", exact=True).press("Enter")
            subject, text = await asyncio.to_thread(letters.next, address)
        assert served.faults() == []
    assert subject == "Ada Lovelace shared “With words” with you"
    assert f"Ada Lovelace writes:\n\n> {words}\n" in text.replace("\r\n", "\n")
