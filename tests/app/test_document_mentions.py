"""People in the text of a document: offered after "@", as far as the reader may know of them."""

import pytest
from playwright.async_api import expect

from tests.app.writing import BEN, Document, blame, blamed, block, editor, made, open_in, saved
from tests.support.web.accessible import check_everywhere


@pytest.mark.parametrize("width", [1200, 320])
async def test_people_who_see_a_document_are_mentioned_by_keyboard(window, world_of, width):
    document = Document(world_of("ada")).add(made(block("paragraph", "ask")))
    document.share(BEN, "read_write")
    async with window("ada", viewport={"width": width, "height": 700}) as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.type(" @")
        options = page.get_by_role("listbox", name="People").get_by_role("option")
        await options.get_by_text("Ada Lovelace").wait_for()
        await expect(options.get_by_text("Cleo")).to_have_count(0)
        await check_everywhere(page)
        await page.keyboard.type("be")
        await options.get_by_text("Ada Lovelace").wait_for(state="detached")
        chosen = await options.inner_text()
        assert chosen.startswith("Ben")
        await page.keyboard.press("Enter")
        await page.keyboard.type("today")
        await saved(page)
        assert document.markdown == f"ask @{chosen} today\n"
        mention = document.read()["prosemirrorDoc"]["content"][0]["content"][1]
        assert (mention["type"], mention["attrs"]["label"]) == ("mention", chosen)
        assert mention["attrs"]["id"] == world_of("ben").ask("{ viewer { id } }")["viewer"]["id"]
        await blame(page)
        assert await blamed(page) == document.authors_of_letters()


async def test_who_has_a_share_alone_is_offered_those_whom_they_know(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "ask")))
    document.edit(append="more")
    document.share(BEN, "read_write")
    document.share("cleo@acme.example", "read_write")
    async with window("cleo") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.type(" @")
        options = page.get_by_role("listbox", name="People").get_by_role("option")
        await options.get_by_text("Ada Lovelace").wait_for()
        await expect(options.get_by_text("Ben")).to_have_count(0)
        await page.keyboard.type("nobody ")
        await page.get_by_role("listbox", name="People").wait_for(state="detached")
        await saved(page)
        assert document.markdown == "ask\n\nmore @nobody\n"
