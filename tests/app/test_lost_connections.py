"""What is written in a document while the server is away, somebody else is signed in, or another window is open."""

from playwright.async_api import expect

from tests.app.writing import SILENCE, Document, Outage, block, editor, made, open_in, saved, write_after
from tests.support.processes.browser import sign_in, sign_out


async def test_each_loss_of_the_connection_is_told(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    outage = Outage()
    async with window("ada", allowed=("WebSocket",)) as page:
        await page.route_web_socket("**/collaboration/*", outage)
        await open_in(page, document)
        for word in (" one", " two"):
            await outage.begin()
            told = page.get_by_role("alert").get_by_text("The server cannot be reached.")
            await told.wait_for()
            await write_after(page, "start", word)
            outage.end()
            await told.wait_for(state="detached")
            await saved(page)
    assert document.markdown == "start one two\n"


async def test_what_one_person_wrote_is_never_sent_in_the_name_of_another(window, world_of, people):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(people["ben"]["email"], "read_write")
    async with window("ada", allowed=("WebSocket", "401")) as page:
        await open_in(page, document)
        other = await page.context.new_page()
        await sign_out(other, "Ada Lovelace")
        await page.get_by_role("alert").get_by_text("You are signed out.").wait_for()
        await write_after(page, "start", " unsent")
        await sign_in(other, people["ben"])
        await page.get_by_role("button", name="I have signed in").click()
        await page.get_by_role("alert").get_by_text("Somebody else is signed in now.").wait_for()
        kept = page.get_by_role("textbox", name="What was not saved")
        await kept.wait_for()
        await expect(kept).to_have_value("unsent")
        await expect(editor(page)).to_have_attribute("contenteditable", "false")
        await page.get_by_role("button", name="Reload").press("Enter")
        await page.get_by_role("button", name="Ben Franklin", exact=True).wait_for()
        await editor(page).get_by_text("start").wait_for()
        await saved(page)
        assert document.markdown == "start\n"
        await sign_out(other, "Ben Franklin")
        await sign_in(other, people["ada"])
        await open_in(page, document)
        await editor(page).get_by_text("start unsent").wait_for()
        await saved(page)
    assert document.markdown == "start unsent\n"
    assert set(document.authors_of_letters()) == {f"{people['ada']['userId']} "}


async def test_who_signed_in_while_the_server_was_away_is_asked_before_anything_is_sent(window, world_of, people):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(people["ben"]["email"], "read_write")
    outage = Outage()
    async with window("ada", allowed=("WebSocket", "401")) as page:
        await page.route_web_socket("**/collaboration/*", outage)
        await open_in(page, document)
        await outage.begin()
        await page.get_by_role("alert").get_by_text("The server cannot be reached.").wait_for()
        await write_after(page, "start", " unsent")
        await page.get_by_role("status").get_by_text("Offline", exact=True).wait_for()
        other = await page.context.new_page()
        await sign_out(other, "Ada Lovelace")
        await sign_in(other, people["ben"])
        outage.end()
        await page.get_by_role("alert").get_by_text("signed").first.wait_for()  # in a sentence, or in a button, too
        if await page.get_by_role("button", name="I have signed in").count():
            await page.get_by_role("button", name="I have signed in").click()
        await page.get_by_role("textbox", name="What was not saved").wait_for()
    assert document.markdown == "start\n"


async def test_what_the_browser_knows_of_its_network_counts_at_once(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    async with window("ada", allowed=("ERR_INTERNET_DISCONNECTED", "WebSocket")) as page:
        await page.clock.install()
        await open_in(page, document)
        await saved(page)
        # no timer runs from here on: what is shown, the browser's event has shown
        await page.clock.pause_at(await page.evaluate("Date.now() / 1000 + 1"))
        await page.context.set_offline(True)
        await page.get_by_role("alert").get_by_text("The server cannot be reached.").wait_for()
        await write_after(page, "start", " unsent")
        await page.get_by_role("status").get_by_text("Offline", exact=True).wait_for()
        await page.clock.resume()
        await page.context.set_offline(False)
        await page.get_by_role("alert").wait_for(state="detached")
        await saved(page)
    assert document.markdown == "start unsent\n"


async def test_one_window_does_not_discard_what_another_has_not_sent(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    sockets, silent = [], []

    def held_back(socket):
        sockets.append(socket)
        server = socket.connect_to_server()
        socket.on_message(lambda message: silent or server.send(message))

    async with window("ada", allowed=("WebSocket",)) as page:
        other = await page.context.new_page()
        await other.route_web_socket("**/collaboration/*", held_back)
        await open_in(page, document)
        await open_in(other, document)
        await page.evaluate(SILENCE)
        await write_after(page, "start", " one")
        await page.get_by_role("status").get_by_text("Saving…").wait_for()
        silent.append(True)
        await write_after(other, "start", " two")
        await other.get_by_role("status").get_by_text("Saving…").wait_for()
        await sockets[-1].close(code=4422)
        kept = other.get_by_role("textbox", name="What was not saved")
        await kept.wait_for()
        await expect(kept).to_have_value("two")
        silent.clear()
        await other.get_by_role("button", name="Discard it and open again").press("Enter")
        await editor(other).get_by_text("start one").wait_for()
        await saved(other)
    assert document.markdown == "start one\n"
