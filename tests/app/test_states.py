"""Is each state of the screens good for everybody: while data comes, when it does not, and when a document is taken away?"""

import asyncio

import pytest

from tests.app.writing import Document, block, editor, made, open_in, write_after
from tests.support.web.accessible import check_everywhere

VIEWPORTS = {"wide": {"width": 1200, "height": 800}, "phone": {"width": 320, "height": 640}}
ENDS = {
    (4401, "UNAUTHORIZED"): "You are signed out.",
    (4403, "FORBIDDEN"): "The server refused what you wrote last.",
    (4413, "LIMIT_EXCEEDED"): "This document is full",
    (4413, "STORAGE_FULL"): "The storage of this drive is full",
    (4422, "BAD_REQUEST"): "The server refused what you wrote last.",
}
AWAY = {"errors": [{"message": "the database cannot be reached now", "extensions": {"code": "UNAVAILABLE"}}]}


@pytest.fixture(params=VIEWPORTS)
def viewport(request):
    return VIEWPORTS[request.param]


async def test_axe_finds_nothing_while_a_list_comes_and_when_it_does_not(window, world_of, viewport):
    drive = world_of("ada").drive("States of a list")
    let_go = asyncio.Event()

    async def held_back(route):
        if route.request.post_data_json["operationName"] != "DriveList":
            return await route.continue_()
        await let_go.wait()
        return await route.fulfill(status=503, json=AWAY)

    async with window("ada", viewport=viewport, allowed=["503"]) as page:
        await page.route("**/graphql", held_back)
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("status").get_by_text("Loading").wait_for()
        await check_everywhere(page)
        let_go.set()
        await page.get_by_role("alert").get_by_text("The database cannot be reached now.").wait_for()
        await check_everywhere(page)
        await page.unroute("**/graphql")
        await page.get_by_role("button", name="Try again").press("Enter")
        await page.get_by_role("heading", name="States of a list").wait_for()


@pytest.mark.parametrize(("code", "reason"), ENDS)
async def test_axe_finds_nothing_when_the_server_takes_no_more_edits(window, world_of, viewport, code, reason):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    sockets = []
    async with window("ada", viewport=viewport, allowed=["WebSocket"]) as page:
        await page.route_web_socket(
            "**/collaboration/*", lambda socket: sockets.append(socket) or socket.connect_to_server()
        )
        await open_in(page, document)
        await write_after(page, "start", " one")
        await sockets[-1].close(code=code, reason=reason)
        await page.get_by_role("alert").get_by_text(ENDS[code, reason]).wait_for()
        await editor(page).get_by_text("start one").wait_for()
        await check_everywhere(page)


async def test_axe_finds_nothing_while_a_document_comes_and_while_the_server_is_away(window, world_of, viewport):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    async with window("ada", viewport=viewport, allowed=["WebSocket"]) as page:
        await page.route_web_socket("**/collaboration/*", lambda socket: socket.close())
        await page.goto(document.path)
        await page.get_by_role("main").get_by_role("heading", level=1).wait_for()
        await page.get_by_role("alert").get_by_text("The server cannot be reached.").wait_for()
        await check_everywhere(page)
