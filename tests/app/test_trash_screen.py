"""The trash in the web application: items come back from it, go there again, or are deleted forever."""

import pytest
from playwright.async_api import expect

from tests.support.web.accessible import check_everywhere

TRASH = "mutation($i: ID!) { trashItem(itemId: $i) { id } }"
INVITE = "mutation($d: ID!, $u: ID!) { upsertMember(driveId: $d, userId: $u, role: contributor) { id } }"
IN_TRASH = "query($d: ID!) { trash(driveId: $d) { nodes { id } } }"


def trashed(world, drive):
    return [each["id"] for each in world.ask(IN_TRASH, d=drive)["trash"]["nodes"]]


def row(page, name):
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


def confirmation(page):
    return page.get_by_role("dialog", name="forever")


async def choose_of_item(page, name, act):
    await page.get_by_role("button", name=f"Actions for {name}", exact=True).click()
    await page.get_by_role("menuitem", name=act).click()


async def test_what_is_restored_goes_to_the_trash_again_by_undo(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("There and back")
    made = ada.item(drive, "Once thrown away")
    ada.ask(TRASH, i=made)
    async with window("ada") as page:
        await page.goto("/trash")
        await choose_of_item(page, "Once thrown away", "Restore")
        await row(page, "Once thrown away").wait_for(state="detached")
        told = page.get_by_text("“Once thrown away” is back in its place.").locator("xpath=..")
        await told.get_by_role("button", name="Undo").press("Enter")
        await row(page, "Once thrown away").wait_for()
    assert trashed(ada, drive) == [made]


@pytest.mark.parametrize("width", [1200, 320])
async def test_an_owner_deletes_for_ever_by_keyboard_after_reading_what_goes(window, world_of, width):
    ada = world_of("ada")
    drive = ada.drive(f"Erased {width}")
    folder, plan, kept = (
        ada.item(drive, f"{name} {width}", kind)
        for name, kind in (("Zz folder", "folder"), ("Zz plan", "docs_workbook"), ("Zz kept", "docs_workbook"))
    )
    for each in (kept, plan, folder):
        ada.ask(TRASH, i=each)
    async with window("ada", viewport={"width": width, "height": 800}) as page:
        await page.goto("/trash")
        await row(page, f"Zz folder {width}").wait_for()
        await page.get_by_role("grid").focus()
        await page.keyboard.press("Shift+ArrowDown")
        await page.keyboard.press("Delete")
        named = confirmation(page).get_by_role("listitem")
        await named.get_by_text(f"“Zz folder {width}” with all that lies in it").wait_for()
        await named.get_by_text(f"“Zz plan {width}” with its versions").wait_for()
        await expect(named).to_have_count(2)
        await check_everywhere(page)
        await page.keyboard.press("Enter")  # Cancel has the keyboard
        await confirmation(page).wait_for(state="detached")
        assert trashed(ada, drive) == [folder, plan, kept]
        await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'grid'")
        await page.keyboard.press("Delete")
        await confirmation(page).get_by_role("button", name="Delete forever").press("Enter")
        await page.get_by_text("2 items are deleted forever.").wait_for()
        await row(page, f"Zz folder {width}").wait_for(state="detached")
        await row(page, f"Zz plan {width}").wait_for(state="detached")
        await row(page, f"Zz kept {width}").wait_for()
    assert trashed(ada, drive) == [kept]


async def test_who_is_no_owner_cannot_delete_for_ever(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Owned")
    ada.ask(INVITE, d=drive, u=world_of("ben").ask("{ viewer { id } }")["viewer"]["id"])
    ada.ask(TRASH, i=ada.item(drive, "Not Ben's to erase"))
    async with window("ben") as page:
        await page.goto("/trash")
        await page.get_by_role("button", name="Actions for Not Ben's to erase").click()
        erase = page.get_by_role("menuitem", name="Delete forever…")
        await erase.wait_for()
        await expect(erase).to_have_attribute("aria-disabled", "true")
