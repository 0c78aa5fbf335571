"""Drives themselves: made, renamed and deleted in the web application by those who may."""

from playwright.async_api import expect

from tests.support.web.accessible import check_everywhere

INVITE = "mutation($d: ID!, $u: ID!) { upsertMember(driveId: $d, userId: $u, role: contributor) { id } }"
TRASH = "mutation($i: ID!) { trashItem(itemId: $i) { id } }"


def beside(page):
    return page.get_by_role("navigation", name="Drives", exact=True)


async def heading(page, name):
    await page.get_by_role("main").get_by_role("heading", name=name, exact=True, level=1).wait_for()


async def give_name(page, name):
    field = page.get_by_label("Name", exact=True)
    await field.and_(page.locator(":focus")).wait_for()
    await field.fill(name)
    await page.keyboard.press("Enter")
    await field.wait_for(state="detached")


async def choose_of_drive(page, act):
    """Open the menu of the drive by keyboard, and choose."""
    await page.get_by_role("button", name="Actions for the drive").press("Enter")
    await page.get_by_role("menuitem", name=act).press("Enter")


async def test_a_drive_is_made_renamed_taken_back_and_deleted_by_keyboard_alone(window):
    async with window("ada") as page:
        await page.get_by_role("main").get_by_role("button", name="New drive").press("Enter")
        await page.get_by_role("dialog", name="New drive of Acme").wait_for()
        await check_everywhere(page)
        await give_name(page, "Garden")
        await heading(page, "Garden")
        await page.get_by_text("Nothing here yet.").wait_for()
        await beside(page).get_by_text("Garden", exact=True).wait_for()
        await choose_of_drive(page, "Rename the drive")
        await give_name(page, "Orchard")
        await heading(page, "Orchard")
        await beside(page).get_by_text("Orchard", exact=True).wait_for()
        told = page.get_by_text("The drive “Garden” is now “Orchard”.").locator("xpath=..")
        await told.get_by_role("button", name="Undo").press("Enter")
        await heading(page, "Garden")
        await choose_of_drive(page, "Delete the drive…")
        await page.get_by_role("dialog", name="Delete the drive “Garden”").wait_for()
        await check_everywhere(page)
        await page.keyboard.press("Enter")  # Cancel has the keyboard
        await page.get_by_role("dialog", name="Delete the drive “Garden”").wait_for(state="detached")
        await heading(page, "Garden")
        await choose_of_drive(page, "Delete the drive…")
        await page.get_by_role("button", name="Delete", exact=True).press("Enter")
        await page.get_by_text("The drive “Garden” is deleted.").wait_for()
        await page.get_by_role("heading", name="Welcome, ").wait_for()
        await beside(page).get_by_text("Garden", exact=True).wait_for(state="detached")


async def test_a_drive_with_something_in_its_trash_is_not_deleted_and_says_why(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Not empty")
    ada.ask(TRASH, i=ada.item(drive, "In the trash"))
    async with window("ada", allowed=["409"]) as page:
        await page.goto(f"/drive/{drive}")
        await choose_of_drive(page, "Delete the drive…")
        await page.get_by_role("button", name="Delete", exact=True).press("Enter")
        alert = page.get_by_role("dialog").get_by_role("alert")
        await alert.get_by_text("Delete everything in the trash of the drive for ever first.").wait_for()
        await check_everywhere(page)
        await page.keyboard.press("Escape")
        await heading(page, "Not empty")


async def test_a_contributor_has_no_menu_of_the_drive_and_a_personal_drive_has_none(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Of Ada")
    ada.ask(INVITE, d=drive, u=world_of("ben").ask("{ viewer { id } }")["viewer"]["id"])
    async with window("ben") as page:
        await page.goto(f"/drive/{drive}")
        await heading(page, "Of Ada")
        await expect(page.get_by_role("button", name="Actions for the drive")).to_have_count(0)
        await page.goto("/")
        await page.get_by_role("main").get_by_role("link", name="My drive").click()
        await heading(page, "My drive")
        await expect(page.get_by_role("button", name="Actions for the drive")).to_have_count(0)


async def test_a_drive_is_made_from_the_sidebar_and_the_palette_on_a_phone(window):
    async with window("ada", viewport={"width": 320, "height": 640}) as page:
        await page.get_by_role("button", name="Drives", exact=True).click()
        await beside(page).get_by_role("button", name="New drive").click()
        await give_name(page, "From the sidebar")
        await heading(page, "From the sidebar")
        await page.keyboard.press("Control+k")
        await page.get_by_role("combobox", name="Search and commands").fill("new drive")
        await page.get_by_role("option", name="New drive", selected=True).wait_for()
        await page.keyboard.press("Enter")
        await give_name(page, "From the palette")
        await heading(page, "From the palette")
        await check_everywhere(page)
