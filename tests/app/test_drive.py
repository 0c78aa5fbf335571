"""What people do with drives in the web application: a window each, by keyboard, and live."""

import asyncio
import json
import re

from playwright.async_api import expect

from tests.support.suite.rounds import ROUNDS
from tests.support.web.payloads import names

WIDE = {"width": 1200, "height": 800}
MANY = 10_000 if ROUNDS > 1 else 600
INVITE = "mutation($d: ID!, $u: ID!) { upsertMember(driveId: $d, userId: $u, role: contributor) { id } }"


async def open_drive(page, name):
    await page.get_by_role("main").get_by_role("link", name=name).click()
    await page.get_by_role("heading", name=name, level=1).wait_for()


def row(page, name):
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True))


async def type_name(page, name):
    field = page.get_by_label("Name", exact=True)
    await field.fill(name)
    await page.keyboard.press("Enter")
    await field.wait_for(state="detached")


async def list_has_keyboard(page):
    await page.wait_for_function("() => document.activeElement.getAttribute('role') === 'grid'")


async def test_folders_are_made_renamed_trashed_and_brought_back_by_keyboard_alone(window, world_of):
    world_of("ada").item(world_of("ada").drive("Keyboard"), "Apples")
    async with window("ada") as page:
        await page.get_by_role("main").get_by_role("link", name="Keyboard").press("Enter")
        await row(page, "Apples").wait_for()
        await list_has_keyboard(page)
        await page.keyboard.press("Shift+N")
        await type_name(page, "Pears")
        await row(page, "Pears").wait_for()
        await list_has_keyboard(page)
        await page.keyboard.press("p")
        await page.keyboard.press("F2")
        await type_name(page, "Plums")
        await row(page, "Plums").wait_for()
        await expect(row(page, "Pears")).to_have_count(0)
        await page.keyboard.press("Delete")
        await row(page, "Plums").wait_for(state="detached")
        told = page.get_by_text("“Plums” is in the trash.").locator("xpath=..")
        await told.get_by_role("button", name="Undo").press("Enter")
        await row(page, "Plums").wait_for()
        await page.get_by_role("grid").focus()
        await page.keyboard.press("End")
        await page.keyboard.press("Shift+F10")
        await page.get_by_role("menuitem", name="Open").wait_for()
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="Plums", level=1).wait_for()
        assert re.search(r"/folder/", page.url)


async def test_keys_that_follow_a_click_at_once_are_for_the_dialog_that_it_opened(window, world_of):
    world_of("ada").drive("At once")
    async with window("ada") as page:
        await open_drive(page, "At once")
        await page.evaluate("window.requestAnimationFrame = () => 0")  # no frame comes before the keys
        await page.get_by_role("button", name="New folder").click()
        await page.keyboard.type("Named at once")
        await page.keyboard.press("Enter")
        await row(page, "Named at once").wait_for(state="attached")


async def test_what_one_person_does_another_sees_at_once(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Shared live")
    ben = world_of("ben").ask("{ viewer { id } }")["viewer"]["id"]
    async with window("ben") as page:
        ada.ask(INVITE, d=drive, u=ben)
        await open_drive(page, "Shared live")
        ada.item(drive, "From Ada")
        await row(page, "From Ada").wait_for()
        made = ada.item(drive, "Short lived")
        await row(page, "Short lived").wait_for()
        ada.ask("mutation($i: ID!) { trashItem(itemId: $i) { id } }", i=made)
        await row(page, "Short lived").wait_for(state="detached")
        ada.ask("mutation($d: ID!, $u: ID!) { removeMember(driveId: $d, userId: $u) { userId } }", d=drive, u=ben)
        await page.get_by_role("heading", name="Nothing here").wait_for()


async def test_what_happens_before_the_subscription_begins_is_shown(window, world_of):
    ada = world_of("ada")
    ben = world_of("ben").ask("{ viewer { id } }")["viewer"]["id"]
    happened = asyncio.Event()

    async def connected(socket):
        await happened.wait()
        socket.connect_to_server()

    async with window("ben", sockets=connected) as page:
        drive = ada.drive("Made meanwhile")
        ada.ask(INVITE, d=drive, u=ben)
        happened.set()
        await open_drive(page, "Made meanwhile")


async def test_a_lost_connection_goes_on_where_it_was(window, world_of):
    ada, begun, sockets = world_of("ada"), [], asyncio.Queue()

    def connected(socket):
        server = socket.connect_to_server()

        def send(message):
            if '"subscribe"' in message:
                begun.append(json.loads(message)["payload"]["variables"]["after"])
            server.send(message)

        socket.on_message(send)
        sockets.put_nowait(socket)

    async with window("ada", sockets=connected) as page:
        drive = ada.drive("Lost and found")
        await open_drive(page, "Lost and found")
        await (await sockets.get()).close()
        ada.item(drive, "While it was away")
        await row(page, "While it was away").wait_for()
    assert len(begun) == 2
    assert begun[0] != begun[1]


async def test_what_is_trashed_is_found_in_the_trash_and_restored(window, world_of):
    ada = world_of("ada")
    made = ada.item(ada.drive("Bins"), "Thrown away")
    ada.ask("mutation($i: ID!) { trashItem(itemId: $i) { id } }", i=made)
    async with window("ada") as page:
        await page.get_by_role("link", name="Trash").click()
        await page.get_by_role("button", name="Actions for Thrown away").click()
        await page.get_by_role("menuitem", name="Restore").click()
        await page.get_by_text("“Thrown away” is back in its place.").wait_for()
        await page.get_by_role("main").wait_for()
        await page.get_by_role("tree", name="Drives and folders").get_by_role("treeitem", name="Bins").click()
        await row(page, "Thrown away").wait_for()


async def test_what_somebody_wrote_in_is_recent_while_they_may_see_it(window, world_of, people):
    ada, ben = world_of("ada"), world_of("ben")
    drive = ada.drive("Recent work")
    shared, unseen = (ada.item(drive, name, "docs_workbook") for name in ("Written together", "Only of Ada"))
    given = {"i": shared, "e": people["ben"]["email"]}
    ada.ask(
        "mutation($i: ID!, $e: EmailAddress!) { shareItem(itemId: $i, email: $e, permission: read_write) { id } }",
        **given,
    )
    async with window("ben") as page:
        await page.get_by_label("Drives").get_by_role("link", name="Recent").click()
        await page.get_by_role("heading", name="Recent", level=1).wait_for()
        ben.edit(shared, append="From Ben")
        await row(page, "Written together").wait_for()
        await expect(page.get_by_role("row").nth(1).get_by_role("link")).to_have_text(
            "Written together", use_inner_text=True
        )
        ada.edit(unseen, append="From Ada")
        ada.ask("mutation($i: ID!, $e: EmailAddress!) { removeShare(itemId: $i, email: $e) { email } }", **given)
        await row(page, "Written together").wait_for(state="detached")
        await expect(row(page, "Only of Ada")).to_have_count(0)


async def test_words_are_searched_from_everywhere(window):
    async with window("ada") as page:
        await page.keyboard.press("/")
        await page.keyboard.type("orbit")
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="Results for “orbit”").wait_for()
        await page.get_by_role("main").get_by_role("link", name="Orbit", exact=True).first.click()
        await page.get_by_role("heading", name="Orbit", level=1).wait_for()
        await page.get_by_role("navigation", name="Breadcrumbs").get_by_role("link", name="Projects").wait_for()


async def test_a_refused_name_is_told_beside_its_field(window, world_of):
    ada = world_of("ada")
    ada.item(ada.drive("Names"), "Here")
    async with window("ada", allowed=["400"]) as page:
        await open_drive(page, "Names")
        await page.get_by_role("button", name="New", exact=True).click()
        await page.get_by_role("menuitem", name="New folder").click()
        await page.get_by_label("Name", exact=True).fill("a\u0001b")
        await page.keyboard.press("Enter")
        alert = page.get_by_role("dialog").get_by_role("alert")
        await alert.wait_for()
        await expect(page.get_by_label("Name", exact=True)).to_have_attribute("aria-invalid", "true")
        await page.keyboard.press("Escape")
        await list_has_keyboard(page)


async def test_a_long_folder_is_walked_by_keyboard_with_few_rows_in_the_page(window, world_of):
    ada = world_of("ada")
    folder = ada.item(ada.drive("Long"), "Everything")
    for begin in range(0, MANY, 30):
        fields = "".join(
            f'm{n}: createChild(itemId: $f, name: "Row {n:05}", driveItemType: folder) {{ id }} '
            for n in range(begin, min(begin + 30, MANY))
        )
        ada.ask(f"mutation($f: ID!) {{ {fields} }}", f=folder)
    async with window("ada", viewport=WIDE) as page:
        await page.goto(f"/folder/{folder}")
        await page.get_by_role("grid").and_(page.locator(f"[aria-rowcount='{MANY + 1}']")).wait_for()
        await page.get_by_role("grid").focus()
        in_page = "document.querySelectorAll('[role=row]').length"
        for key, name in (("End", MANY - 1), ("Home", 0), ("PageDown", None), ("ArrowDown", None)):
            await page.keyboard.press(key)
            if name is not None:
                await row(page, f"Row {name:05}").wait_for()
            assert await page.evaluate(in_page) <= 60
        await page.keyboard.type(f"row {MANY // 2:05}")
        await row(page, f"Row {MANY // 2:05}").wait_for()
        active = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).innerText"
        assert f"Row {MANY // 2:05}" in await page.evaluate(active)


async def test_names_that_look_like_code_are_text(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Hostile")
    for name in names():
        ada.item(drive, name)
    async with window("ada") as page:
        await open_drive(page, "Hostile")
        await page.locator(f"[aria-rowcount='{len(names()) + 1}']").wait_for()
        await page.keyboard.press("End")
        await page.keyboard.press("Home")
        tree = page.get_by_role("tree", name="Drives and folders")
        await tree.get_by_role("treeitem", name="Hostile").locator("[data-fold]").click()
        await tree.locator("[aria-level='2']").first.wait_for()


async def test_a_session_that_ended_is_told_over_the_list(window, world_of):
    ada = world_of("ada")
    ada.drive("Signed out")
    async with window("ada", allowed=["401"]) as page:
        await page.context.clear_cookies()
        await page.get_by_role("main").get_by_role("link", name="Signed out").click()
        await page.get_by_role("heading", name="You are signed out").wait_for()
        link = page.get_by_role("link", name="Sign in again")
        await expect(link).to_have_attribute("href", re.compile("^/sign-in[?]next=%2Fdrive%2F"))


async def test_without_scripts_the_read_only_pages_are_there(window, world_of):
    name = "0: among the first drives"
    world_of("ada").item(world_of("ada").drive(name), "Handbook", "folder")
    async with window("ada", java_script_enabled=False) as page:
        await page.get_by_role("main").get_by_role("link", name=name).click()
        await page.get_by_role("main").get_by_role("link", name="Handbook").click()
        await page.get_by_role("heading", name="Handbook").wait_for()
