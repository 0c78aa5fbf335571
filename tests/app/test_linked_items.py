"""Documents are linked by their names, by whoever sees them, and tell what links to them; words are counted."""

import pytest
from playwright.async_api import expect

from tests.app.writing import BEN, Document, block, editor, made, open_in, saved
from tests.support.processes.servers import async_eventually
from tests.support.web.accessible import check_everywhere

CLEO = "cleo@acme.example"


async def test_a_document_is_linked_by_its_name_and_the_words_are_counted(window, world_of):
    ada = world_of("ada")
    document = Document(ada).add(made(block("paragraph", "see")))
    document.share(BEN, "read_write")
    seen = ada.item(document.drive, "Quokka plan", "docs_workbook")
    ada.item(document.drive, "Quokka secrets", "docs_workbook")
    share = "mutation($i: ID!, $e: EmailAddress!) { shareItem(itemId: $i, email: $e, permission: read_only) { id } }"
    ada.ask(share, i=seen, e=BEN)
    async with window("ben", viewport={"width": 320, "height": 700}) as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.type(" [[quokka")
        options = page.get_by_role("listbox", name="Documents and folders").get_by_role("option")
        await options.get_by_text("Quokka plan").wait_for()
        await expect(options.get_by_text("Quokka secrets")).to_have_count(0)
        await check_everywhere(page)
        await page.keyboard.press("Enter")
        await page.keyboard.type("today")
        await saved(page)
        assert f"/doc/{seen}) today" in document.markdown
        assert document.markdown.startswith("see [Quokka plan](http")
        await page.get_by_role("button", name="Actions for the document").click()
        await page.get_by_role("menuitem", name="Word count").click()
        await page.get_by_text("4 words, 21 characters").wait_for()
        await check_everywhere(page)

        async def is_linked():
            return backlinks(ada, seen) == [{"id": document.id}]

        await async_eventually(is_linked)
        await page.goto(f"/doc/{seen}?panel=outline")
        await page.get_by_role("region", name="Linked from").get_by_role("link", name="Writing").click()
        await page.get_by_text("today").wait_for()


async def test_a_document_tells_what_links_to_it_to_whoever_sees_both(window, world_of):
    ada = world_of("ada")
    document = Document(ada).add(made(block("paragraph", "see")))
    plan = Document(ada, "Wombat plan")
    for each, email in ((plan, BEN), (plan, CLEO), (document, CLEO)):
        each.share(email, "read_only")
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.type(" @wombat")
        await page.get_by_role("listbox", name="People").get_by_role("option", name="Wombat plan").wait_for()
        await page.keyboard.press("Enter")
        await page.keyboard.type("today")
        await saved(page)
    assert document.markdown.startswith("see [Wombat plan](http")
    assert document.markdown.endswith(f"/doc/{plan.id}) today\n")

    async def is_linked():
        return backlinks(ada, plan.id) == [{"id": document.id}]

    await async_eventually(is_linked)
    async with window("cleo") as cleo, window("ben") as ben:
        await cleo.goto(f"{plan.path}?panel=outline")
        await cleo.get_by_role("region", name="Linked from").get_by_role("link", name="Writing").wait_for()
        async with ben.expect_response(lambda each: "backlinks" in (each.request.post_data or "")) as answering:
            await ben.goto(f"{plan.path}?panel=outline")
        answer = await (await answering.value).json()
        assert answer["data"]["driveItem"]["backlinks"]["nodes"] == []
        await ben.get_by_role("region", name="Outline").wait_for()
        await expect(ben.get_by_role("region", name="Linked from")).to_have_count(0)


def backlinks(world, item_id):
    links = "query($i: ID!) { driveItem(id: $i) { backlinks { nodes { id } } } }"
    return world.ask(links, i=item_id)["driveItem"]["backlinks"]["nodes"]


@pytest.mark.rotate(4, "what is found is chosen at each commit")
@pytest.mark.parametrize("begun", ["[[", "@"])
async def test_where_nothing_is_found_the_menu_says_so_until_the_text_is_no_name(window, world_of, begun):
    document = Document(world_of("ada")).add(made(block("paragraph", "see")))
    async with window("ada", viewport={"width": 390, "height": 700}) as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.type(f" {begun}zzqqx")
        await page.get_by_role("status").get_by_text("Nothing found").wait_for()
        menu = page.get_by_role("listbox")
        await expect(menu).to_have_text("Nothing found")
        await check_everywhere(page)
        await page.keyboard.type(" is only what is written]")
        await expect(menu).to_be_hidden()
        await page.keyboard.press("Enter")  # which chooses nothing
        await saved(page)
    assert document.markdown.count("zzqqx is only what is written") == 1
