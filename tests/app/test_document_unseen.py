"""Words that went into a block which somebody else was deleting: their writer is told, and puts them back or discards them."""

from functools import partial

import pytest
from playwright.async_api import expect

from tests.app.writing import Document, block, made, open_in, saved, write_after
from tests.support.processes.servers import async_eventually
from tests.support.web.accessible import check_everywhere


class Delay:
    """Routes a page's sockets to the server; while it lasts, nothing of the server reaches the page."""

    def __init__(self):
        self._waiting = None

    async def __call__(self, socket):
        server = socket.connect_to_server()

        def answered(message):
            if self._waiting is None:
                socket.send(message)
            else:
                self._waiting.append((socket, message))

        server.on_message(answered)

    def begin(self):
        self._waiting = []

    def end(self):
        for socket, message in self._waiting:
            socket.send(message)
        self._waiting = None


def written(ada, name):
    paragraphs = [block("paragraph", words) for words in ("first", "Buy milk", "last")]
    return Document(ada, name).add(made(*paragraphs))


DELETION = {"passages": [{"old": "Buy milk\n\n", "new": ""}]}


@pytest.mark.parametrize("answer", ["Put back", "Discard"])
async def test_words_that_nobody_sees_are_told_to_who_wrote_them_online(window, world_of, answer):
    document = written(world_of("ada"), "Online")
    async with window("ada") as page:
        delay = Delay()
        await page.route_web_socket("**/collaboration/**", delay)
        await open_in(page, document)
        delay.begin()
        document.edit(agent="helper", **DELETION)
        await write_after(page, "Buy milk", " and bread")
        await async_eventually(partial(is_unseen, document, "and bread"))
        delay.end()
        notice = page.get_by_role("alert", name="Words that are not in the text")
        await notice.get_by_text("and bread").wait_for()
        await notice.get_by_text("helper").wait_for()
        await page.get_by_role("status").get_by_text("Not in the text").wait_for()
        await check_everywhere(page)
        await notice.get_by_role("button", name=answer).click()
        await expect(notice).to_have_count(0)
        await saved(page)
    put_back = "and bread\n\n" if answer == "Put back" else ""
    assert document.markdown == f"first\n\n{put_back}last\n"


async def is_unseen(document, words):
    return words in str(document.world.ask(UNSEEN, i=document.id))


UNSEEN = "query($i: ID!) { documentChanges(documentId: $i, sinceRevision: 1) { nodes { unseen { text } } } }"


@pytest.mark.parametrize(
    ("answer", "then"), [("Put back", "first\n\nand bread!\n\nlast\n"), ("Discard", "first\n\nlast\n")]
)
async def test_words_that_were_written_offline_into_what_is_gone_are_put_back_or_discarded(
    window, world_of, answer, then
):
    document = written(world_of("ada"), "Offline")
    async with window("ada", allowed=("ERR_INTERNET_DISCONNECTED", "WebSocket")) as page:
        await open_in(page, document)
        await page.context.set_offline(True)
        await write_after(page, "Buy milk", " and bread")
        document.edit(agent="helper", **DELETION)
        await page.context.set_offline(False)
        notice = page.get_by_role("alert", name="Words that are not in the text")
        await notice.wait_for()
        if answer == "Discard":
            await page.reload()  # which keeps the notice
            await notice.get_by_text("and bread").wait_for()
        await notice.get_by_role("button", name=answer).click()
        await expect(notice).to_have_count(0)
        if answer == "Put back":
            await page.keyboard.type("!")
        await saved(page)
    assert document.markdown == then
