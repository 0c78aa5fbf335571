"""Copies of documents and folders: made from the menus, opened at once, and refused in words."""

import pytest
from playwright.async_api import expect

from tests.support.web.accessible import check_everywhere

SHARE = 'mutation($i: ID!) { shareItem(itemId: $i, email: "cleo@acme.example", permission: read_only) { id } }'
LIST = "query($d: ID!) { drive(id: $d) { items(first: 50) { nodes { id name driveItemType } } } }"
CHILDREN = "query($i: ID!) { driveItem(id: $i) { children(first: 50) { nodes { id name } } } }"
PLACE = "query($i: ID!) { driveItem(id: $i) { name parentId driveId } }"


@pytest.fixture
def drive(ada):
    return ada.drive("Copies")


def dialog(page):
    return page.get_by_role("dialog", name="Make a copy of ")


async def asked_in_list(page, name):
    await page.get_by_role("button", name=f"Actions for {name}", exact=True).press("Enter")
    await page.get_by_role("menuitem", name="Make a copy…").press("Enter")
    await expect(dialog(page).get_by_role("textbox", name="Name")).to_be_focused()


async def opened(page):
    """The id of the item that is open."""
    await dialog(page).wait_for(state="detached")
    return page.url.rpartition("/")[2]


async def test_a_document_is_copied_beside_itself_and_the_copy_is_opened(window, ada, drive):
    folder = ada.item(drive, "Folder")
    plan = ada.child(folder, "Plan", "docs_workbook")
    ada.edit(plan, replace="Some **words**")
    async with window("ada") as page:
        await page.goto(f"/folder/{folder}")
        await asked_in_list(page, "Plan")
        await expect(dialog(page).get_by_role("textbox", name="Name")).to_have_value("Copy of Plan")
        await check_everywhere(page)
        await page.keyboard.press("Enter")
        await page.get_by_role("textbox", name="Document").get_by_text("Some words").wait_for()
        made = await opened(page)
        assert made != plan
        assert ada.ask(PLACE, i=made)["driveItem"] == {"name": "Copy of Plan", "parentId": folder, "driveId": drive}
        assert ada.markdown(made) == "Some **words**\n"


async def test_a_document_is_copied_from_its_own_menu_to_another_place_under_another_name(window, ada, drive):
    plan = ada.item(drive, "Plan", "docs_workbook")
    inbox = ada.item(drive, "Inbox")
    async with window("ada") as page:
        await page.goto(f"/doc/{plan}")
        await page.get_by_role("button", name="Actions for the document").press("Enter")
        await page.get_by_role("menuitem", name="Make a copy…").press("Enter")
        await dialog(page).get_by_role("textbox", name="Name").fill("")
        await page.keyboard.press("Enter")
        await dialog(page).get_by_role("alert").wait_for()
        await dialog(page).get_by_role("textbox", name="Name").fill("Second")
        await dialog(page).get_by_role("treeitem", name="Inbox").click()
        await dialog(page).get_by_text("The copy is made in “Inbox”.").wait_for()
        await dialog(page).get_by_role("button", name="Make a copy").press("Enter")
        await page.get_by_role("heading", name="Second").wait_for()
        assert ada.ask(PLACE, i=await opened(page))["driveItem"]["parentId"] == inbox


@pytest.mark.parametrize(("with_contents", "below"), [(True, ["Page"]), (False, [])])
async def test_a_folder_is_copied_with_what_lies_in_it_or_without(window, ada, drive, with_contents, below):
    folder = ada.item(drive, "Project")
    ada.child(folder, "Page", "docs_workbook")
    async with window("ada") as page:
        await page.goto(f"/drive/{drive}")
        await asked_in_list(page, "Project")
        contents = dialog(page).get_by_role("checkbox", name="With everything in it")
        await expect(contents).to_be_checked()
        if not with_contents:
            await contents.press("Space")
        await dialog(page).get_by_role("button", name="Make a copy").press("Enter")
        await page.get_by_role("heading", name="Copy of Project").wait_for()
        made = await opened(page)
    assert [each["name"] for each in ada.ask(CHILDREN, i=made)["driveItem"]["children"]["nodes"]] == below
    assert [each["name"] for each in ada.ask(CHILDREN, i=folder)["driveItem"]["children"]["nodes"]] == ["Page"]


@pytest.mark.parametrize("kind", ["docs_workbook", "folder"])
async def test_where_nothing_can_be_made_beside_the_original_another_place_is_asked_for(window, ada, drive, kind):
    shared = ada.item(drive, f"Shared {kind}", kind)
    ada.ask(SHARE, i=shared)
    async with window("cleo") as page:
        await page.goto("/shared")
        await asked_in_list(page, f"Shared {kind}")
        if kind == "folder":
            await dialog(page).get_by_role("checkbox").uncheck()
        await dialog(page).get_by_role("button", name="Make a copy").press("Enter")
        await dialog(page).get_by_role("alert").get_by_text("choose another place").wait_for()
        await dialog(page).get_by_role("treeitem", name="My drive").click()
        await dialog(page).get_by_role("button", name="Make a copy").press("Enter")
        await page.get_by_role("heading", name=f"Copy of Shared {kind}").wait_for()
    assert [each["name"] for each in ada.ask(LIST, d=drive)["drive"]["items"]["nodes"]] == [f"Shared {kind}"]


async def test_what_the_server_refuses_is_told_and_nothing_is_made(window, ada, drive):
    plan = ada.item(drive, "Plan", "docs_workbook")
    full = '{"data": null, "errors": [{"message": "the drive is full", "extensions": {"code": "STORAGE_FULL"}}]}'
    async with window("ada") as page:
        await page.route(
            "**/graphql",
            lambda route: (
                route.fulfill(body=full, content_type="application/json")
                if "DuplicateItem" in (route.request.post_data or "")
                else route.continue_()
            ),
        )
        await page.goto(f"/drive/{drive}")
        await asked_in_list(page, "Plan")
        await page.keyboard.press("Enter")
        await dialog(page).get_by_text("The drive is full.").wait_for()
        ada.ask("mutation($i: ID!) { trashItem(itemId: $i) { id } }", i=plan)
        await page.unroute_all()
        await dialog(page).get_by_role("button", name="Make a copy").press("Enter")
        await expect(dialog(page).get_by_role("alert")).not_to_have_text("The drive is full.")
    assert ada.ask(LIST, d=drive)["drive"]["items"]["nodes"] == []
