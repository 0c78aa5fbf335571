"""How lists are sorted and what they show: in the address, by mouse, by keyboard and on a phone."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.support.web.accessible import check_everywhere


@pytest.fixture
def drive(world_of):
    """A drive of Ada's with a folder, two documents and a chart document, made in this order."""
    ada = world_of("ada")
    drive = ada.drive("Sorted")
    for name, kind in (
        ("Pears", "docs_workbook"),
        ("Sacks", "folder"),
        ("quinces", "docs_workbook"),
        ("Figs", "viz_workbook"),
    ):
        ada.item(drive, name, kind)
    return drive


async def wait_for_rows(page, *names, among=None):
    """Wait until the list has these rows in order, and no others; with `among`, no others of these."""
    await page.wait_for_function(
        """([names, among]) => {
          const cells = [...document.querySelectorAll('[role=row] [role=gridcell]:first-child')];
          const shown = cells.map((each) => each.innerText.trim().split("\\n")[0]).filter((each) => !among || among.includes(each));
          return JSON.stringify(shown) === JSON.stringify(names);
        }""",
        arg=[names, among],
    )


def header(page, name):
    return page.get_by_role("columnheader", name=name)


async def test_headers_sort_by_keyboard_and_the_address_and_back_keep_it(window, drive, world_of):
    async with window("ada") as page:
        await page.goto(f"/drive/{drive}")
        await wait_for_rows(page, "Sacks", "Figs", "Pears", "quinces")
        await expect(header(page, "Name")).to_have_attribute("aria-sort", "ascending")
        await page.get_by_role("grid").focus()
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await wait_for_rows(page, "Sacks", "quinces", "Pears", "Figs")
        await expect(header(page, "Name")).to_have_attribute("aria-sort", "descending")
        await header(page, "Changed").last.get_by_role("button").press("Enter")
        await wait_for_rows(page, "Figs", "quinces", "Sacks", "Pears")
        world_of("ada").item(drive, "Newest", "docs_workbook")
        await wait_for_rows(page, "Newest", "Figs", "quinces", "Sacks", "Pears")
        await page.reload()
        await wait_for_rows(page, "Newest", "Figs", "quinces", "Sacks", "Pears")
        await check_everywhere(page)
        await header(page, "Changed").last.get_by_role("button").click()
        await wait_for_rows(page, "Pears", "Sacks", "quinces", "Figs", "Newest")
        await page.go_back()
        await wait_for_rows(page, "Newest", "Figs", "quinces", "Sacks", "Pears")


async def test_a_kind_is_shown_alone_and_only_what_is_shown_is_selected(window, drive):
    async with window("ada") as page:
        await page.goto(f"/drive/{drive}?sort=-name&type=docs_workbook")
        await wait_for_rows(page, "quinces", "Pears")
        await page.get_by_role("grid").focus()
        await page.keyboard.press("Control+a")
        await page.keyboard.press("Delete")
        await page.get_by_text("Nothing of this kind is here.").wait_for()
        await check_everywhere(page)
        await page.get_by_role("button", name="All", exact=True).click()
        await wait_for_rows(page, "Sacks", "Figs")


async def test_a_phone_sorts_by_a_field_and_an_unknown_order_is_the_lists_own(window, drive):
    async with window("ada", viewport={"width": 320, "height": 640}) as page:
        await page.goto(f"/drive/{drive}?sort=colour&type=toString")
        await wait_for_rows(page, "Sacks", "Figs", "Pears", "quinces")
        await page.get_by_label("Sort", exact=True).select_option("Oldest first")
        await wait_for_rows(page, "Pears", "Sacks", "quinces", "Figs")
        await check_everywhere(page)


async def test_a_long_list_that_changes_while_it_is_loaded_is_shown_sorted(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Long and sorted")
    for number in range(201):  # the first part has 200
        ada.item(drive, f"{number:03}", "folder")
    held, told = asyncio.Queue(), asyncio.Queue()

    def connected(socket):
        server = socket.connect_to_server()

        def send(message):
            socket.send(message)
            if '"type":"next"' in message:
                told.put_nowait(message)

        server.on_message(send)

    async def hold(route):
        if '"after":"' in (route.request.post_data or ""):
            await held.put(route)
        else:
            await route.continue_()

    async with window("ada", sockets=connected) as page:
        await page.clock.install()
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("row").get_by_text("000").wait_for()
        await page.route("**/graphql", hold)
        await page.reload()
        await page.get_by_role("row").get_by_text("000").wait_for()
        second_part = await held.get()
        await header(page, "Name").get_by_role("button").press("Enter")
        await page.get_by_role("status").get_by_text("Loading").wait_for()
        ada.item(drive, "zzz", "folder")
        await told.get()
        await page.clock.fast_forward(1_000)  # in which changes are gathered
        await second_part.continue_()
        await page.get_by_role("row").get_by_text("200").wait_for()  # it is not asked for anew before it is whole
        await (await held.get()).continue_()
        await page.get_by_role("row").get_by_text("zzz").wait_for()
        await page.wait_for_function("() => document.activeElement.role === 'grid'")


async def test_a_list_that_has_another_order_of_its_own_is_sorted_and_comes_back_to_it(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Given")
    shared = ["Asters", "Corn", "Beans"]  # the last one first
    for name in reversed(shared):
        body = {"email": "cleo@acme.example", "permission": "read_only"}
        path = f"/api/v1/drive-items/{ada.item(drive, name)}/access"
        ada.client.post(path, json=body).raise_for_status()
    async with window("cleo") as page:
        await page.goto("/shared")
        await wait_for_rows(page, *shared, among=shared)
        await expect(header(page, "Name")).to_have_attribute("aria-sort", "none")
        await header(page, "Name").get_by_role("button").click()
        await wait_for_rows(page, "Asters", "Beans", "Corn", among=shared)
        await header(page, "Name").get_by_role("button").click()
        await wait_for_rows(page, "Corn", "Beans", "Asters", among=shared)
        await page.get_by_role("link", name="Shared with you").first.click()
        await wait_for_rows(page, *shared, among=shared)


async def test_lists_of_many_places_tell_where_each_item_lies_and_who_shared_it(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Whence")
    outer = ada.item(drive, "Outer shelf")
    inner = ada.child(outer, "Inner shelf")
    book = ada.child(inner, "Whence book", "docs_workbook")
    for item in (outer, book):
        body = {"email": "cleo@acme.example", "permission": "read_only"}
        ada.client.post(f"/api/v1/drive-items/{item}/access", json=body).raise_for_status()
    gone = ada.child(inner, "Whence gone", "docs_workbook")
    ada.ask("mutation($i: ID!) { trashItem(itemId: $i) { id } }", i=gone)

    def whence(page, name):
        return page.get_by_role("row").filter(has=page.get_by_role("link", name=name, exact=True)).locator("small")

    async with window("cleo", viewport={"width": 320, "height": 640}) as page:
        await page.goto("/shared")
        await whence(page, "Outer shelf").get_by_text("shared by Ada Lovelace", exact=True).wait_for()
        words = "in Outer shelf / Inner shelf, shared by Ada Lovelace"
        await whence(page, "Whence book").get_by_text(words, exact=True).wait_for()
        await check_everywhere(page)
    async with window("ada") as page:
        await page.goto("/trash")
        await whence(page, "Whence gone").get_by_text("in Whence / Outer shelf / Inner shelf", exact=True).wait_for()
        await page.goto("/recent")
        await whence(page, "Whence book").get_by_text("in Whence / Outer shelf / Inner shelf", exact=True).wait_for()
        await page.goto(f"/folder/{inner}")
        await page.get_by_role("row").get_by_role("link", name="Whence book").wait_for()
        await expect(whence(page, "Whence book")).to_have_count(0)
