"""How lists follow what others do, and what they say when they cannot."""

import asyncio

from tests.app.windows import World, watched
from tests.app.writing import Outage
from tests.support.processes.browser import sign_in, sign_out
from tests.support.surfaces.fixtures import client_of
from tests.support.web.accessible import check_everywhere


async def test_changes_go_on_after_a_connection_that_was_closed_in_order(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Followed")
    sockets = []

    def connected(socket):
        sockets.append(socket)
        socket.connect_to_server()

    async with window("ada", sockets=connected) as page:
        await page.goto(f"/drive/{drive}")
        await page.get_by_text("Nothing here yet.").wait_for()
        await sockets[-1].close(code=1000)
        ada.item(drive, "Made afterwards")
        await page.get_by_role("row").get_by_text("Made afterwards").wait_for()


async def test_a_list_says_that_it_may_be_old_for_as_long_as_changes_do_not_come(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Cut off")
    ada.item(drive, "Before")
    outage = Outage(4205)
    async with window("ada", sockets=outage) as page:
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("row").get_by_text("Before").wait_for()
        await outage.begin()
        told = page.get_by_role("status").get_by_text("The server cannot be reached: what you see may be old.")
        await told.wait_for()
        await check_everywhere(page)
        ada.item(drive, "Meanwhile")
        outage.end()
        await page.get_by_role("row").get_by_text("Meanwhile").wait_for()
        await told.wait_for(state="detached")


async def test_a_list_of_somebody_who_signed_out_says_so_and_leads_to_signing_in(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Left")
    ada.item(drive, "Before")
    async with window("ada", allowed=("401",)) as page:
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("row").get_by_text("Before").wait_for()
        await sign_out(await page.context.new_page(), "Ada Lovelace")
        await page.get_by_role("status").get_by_text("You are signed out: what you see may be old.").wait_for()
        await page.get_by_role("link", name="Sign in again").press("Enter")
        await page.get_by_label("E-mail address").wait_for()


async def test_a_long_list_does_not_spend_its_readers_rate_while_a_document_in_it_is_edited(running, browser):
    with running("--reads-per-minute", "24") as server, client_of(server) as agent:
        agent.headers["x-api-key"] = server.credentials["agentKey"]["apiKey"]
        world = World(agent)
        drive = world.drive("Long")
        for number in range(400):  # two pages, and the document
            world.item(drive, f"Paper {number:03}", "docs_workbook")
        document = world.item(drive, "A document", "docs_workbook")
        told = asyncio.Queue()

        def connected(socket):
            upstream = socket.connect_to_server()

            def send(message):
                socket.send(message)
                if '"documentEdited"' in message:
                    told.put_nowait(message)

            upstream.on_message(send)

        async with watched(browser, server.origin, sockets=connected) as page:
            asked = []
            page.on("request", lambda each: "DriveList" in (each.post_data or "") and asked.append(each))
            await sign_in(page, server.credentials["users"]["ada"])
            await page.clock.install()
            await page.goto(f"/drive/{drive}")
            row = page.get_by_role("row").filter(has_text="A document")
            await row.wait_for()
            await page.wait_for_load_state("networkidle")
            parts = len(asked)
            assert parts == 3
            for number in range(6):
                world.edit(document, append=f"line {number}")
                await told.get()
                await page.clock.fast_forward(1_000)
            await row.get_by_text("research-assistant for Ada Lovelace").wait_for()
            await page.get_by_role("grid").press("Shift+N")
            await page.keyboard.press("Enter")
            await page.get_by_text("This list may be old.").wait_for(state="detached")
            await page.get_by_role("row").get_by_text("Paper 000").wait_for()
            assert len(asked) <= 2 * parts
