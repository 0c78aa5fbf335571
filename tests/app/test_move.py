"""Items get another place in the web application: who gains and loses access is seen before, and taken back after."""

import re

from playwright.async_api import expect

INVITE = "mutation($d: ID!, $u: ID!) { upsertMember(driveId: $d, userId: $u, role: contributor) { id } }"
SHARE = (
    "mutation($i: ID!, $e: EmailAddress!, $p: Permission!) { shareItem(itemId: $i, email: $e, permission: $p) { id } }"
)
MOVE = re.compile("^Move ")
PLACE = "query($i: ID!) { driveItem(id: $i) { driveId parentId } }"


def row(page, name):
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


def dialog(page):
    return page.get_by_role("dialog", name=MOVE)  # notes at the edge have the role, too


async def closed(page):
    await dialog(page).wait_for(state="detached")


def place(page, name):
    return dialog(page).get_by_role("treeitem", name=name, exact=True)


async def opened(page, address):
    await page.goto(address)
    grid = page.get_by_role("grid")
    await grid.focus()
    return grid


async def cursor_at(page, name):
    """Wait until the cursor of the tree is at the place with this name."""
    await page.wait_for_function(
        """name => {
            const tree = document.querySelector("[role=dialog] [role=tree]");
            const here = tree && document.getElementById(tree.getAttribute("aria-activedescendant"));
            return document.activeElement === tree && here?.innerText === name;
        }""",
        arg=name,
    )


async def walk_to(page, name):
    """Go down the tree by keyboard until its cursor is at the place with this name."""
    await place(page, name).wait_for()
    steps = await page.get_by_role("treeitem").count()
    for _ in range(steps):
        tree = page.get_by_role("tree")
        at = page.locator(f"[id='{await tree.get_attribute('aria-activedescendant')}']")
        if await at.inner_text() == name:
            return
        await page.keyboard.press("ArrowDown")
    await cursor_at(page, name)


async def test_a_document_is_moved_by_keyboard_alone_where_another_person_sees_it_and_back(window, world_of):
    ada = world_of("ada")
    ben = world_of("ben").ask("{ viewer { id } }")["viewer"]["id"]
    here, there = ada.drive("Moved from"), ada.drive("Moved to")
    ada.ask(INVITE, d=there, u=ben)
    inbox = ada.item(there, "Inbox")
    plan = ada.item(here, "Plan", "docs_workbook")
    async with window("ada") as page, window("ben") as other:
        await other.goto(f"/folder/{inbox}")
        await other.get_by_text("Nothing here yet.").wait_for()
        await opened(page, f"/drive/{here}")
        await row(page, "Plan").wait_for()
        await page.keyboard.press("m")
        await cursor_at(page, "Moved from")
        await walk_to(page, "Moved to")
        await page.keyboard.press("ArrowRight")
        await place(page, "Inbox").wait_for()
        await page.keyboard.press("ArrowRight")
        await cursor_at(page, "Inbox")
        await page.keyboard.press("Enter")
        gained = page.get_by_role("list", name="Gain access").get_by_role("listitem").filter(has_text="Ben ")
        await gained.get_by_text("can edit, now no access").wait_for()
        await gained.get_by_text("because contributor of the drive").wait_for()
        await page.keyboard.press("Tab")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await closed(page)
        await page.get_by_text("Nothing here yet.").wait_for()
        await page.wait_for_function("() => document.activeElement.id === 'main'")
        await row(other, "Plan").wait_for()
        told = page.get_by_text("“Plan” moved to “Inbox”.").locator("xpath=..")
        await told.get_by_role("button", name="Undo").press("Enter")
        await row(page, "Plan").wait_for()
        await row(other, "Plan").wait_for(state="detached")
    assert ada.ask(PLACE, i=plan)["driveItem"] == {"driveId": here, "parentId": None}


async def test_several_items_are_moved_at_once_by_mouse(window, world_of, people):
    ada = world_of("ada")
    drive = ada.drive("Several")
    target = ada.item(drive, "Target")
    shared = ada.item(drive, "Shared folder")
    moved = [ada.child(shared, name, "docs_workbook") for name in ("One", "Two", "Three")]
    ada.ask(SHARE, i=shared, e=people["cleo"]["email"], p="read_write")
    ada.ask(SHARE, i=moved[0], e=people["gus"]["email"], p="read_only")
    async with window("ada") as page:
        await opened(page, f"/folder/{shared}")
        await row(page, "Two").wait_for()
        await page.keyboard.press("Control+a")
        await page.get_by_role("button", name="Actions for Two").click()
        await page.get_by_role("menuitem", name="Move 3 items…").click()
        await place(page, "Target").click()
        lost = page.get_by_role("list", name="Lose access").get_by_role("listitem")
        await lost.filter(has_text="Cleo ").wait_for()
        await expect(lost).to_have_count(1)
        await expect(lost).not_to_contain_text("of 3 items")
        await page.get_by_role("button", name="Move to Target").click()
        await page.get_by_text("3 items moved to “Target”.").wait_for()
        await closed(page)
        await row(page, "Two").wait_for(state="detached")
        places = [ada.ask(PLACE, i=each)["driveItem"]["parentId"] for each in moved]
        assert places == [target] * 3
        await page.get_by_role("button", name="Undo").click()
        for name in ("One", "Two", "Three"):
            await row(page, name).wait_for()


async def test_a_refused_place_is_told_beside_the_tree_and_nothing_is_moved(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Refused")
    folder = ada.item(drive, "Outer")
    ada.child(folder, "Inner")
    async with window("ada", allowed=["409"]) as page:
        await opened(page, f"/drive/{drive}")
        await row(page, "Outer").wait_for()
        await page.keyboard.press("m")
        await place(page, "Outer").wait_for()
        await walk_to(page, "Outer")
        await page.keyboard.press("ArrowRight")
        await place(page, "Inner").wait_for()
        await walk_to(page, "Inner")
        await page.keyboard.press("Enter")
        alert = dialog(page).get_by_role("alert")
        await alert.get_by_text("An item cannot be moved into itself or below itself.").wait_for()
        tree = page.get_by_role("tree")
        await expect(tree).to_have_attribute("aria-describedby", await alert.get_attribute("id"))
        await expect(page.get_by_role("button", name="Move to Inner")).to_be_disabled()
        await page.keyboard.press("Home")
        await walk_to(page, "Refused")
        await page.keyboard.press("Enter")
        await alert.get_by_text("It is there already.").wait_for()
        await page.keyboard.press("Escape")
        await closed(page)
        await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'grid'")
    assert ada.ask(PLACE, i=folder)["driveItem"] == {"driveId": drive, "parentId": None}


async def test_who_has_only_a_share_moves_items_within_it_by_keyboard(window, world_of, people):
    ada = world_of("ada")
    shared = ada.item(ada.drive("Not Cleo's"), "For Cleo")
    first, second = ada.child(shared, "First"), ada.child(shared, "Second")
    note = ada.child(first, "Note", "docs_workbook")
    ada.ask(SHARE, i=shared, e=people["cleo"]["email"], p="read_write")
    async with window("cleo") as page:
        await opened(page, f"/folder/{first}")
        await row(page, "Note").wait_for()
        await page.keyboard.press("m")
        await place(page, "Shared with you").wait_for()
        await page.keyboard.press("End")
        await cursor_at(page, "Shared with you")
        await page.keyboard.press("ArrowRight")
        await place(page, "For Cleo").wait_for()
        await walk_to(page, "For Cleo")
        await page.keyboard.press("ArrowRight")
        await place(page, "Second").wait_for()
        await walk_to(page, "Second")
        await page.keyboard.press("Enter")
        await page.get_by_text("Nobody gains or loses access.").wait_for()
        await page.get_by_role("button", name="Move to Second").press("Enter")
        await closed(page)
        await row(page, "Note").wait_for(state="detached")
    assert ada.ask(PLACE, i=note)["driveItem"]["parentId"] == second
