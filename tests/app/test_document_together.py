"""People and an agent in one document, and what happens to their words when something goes wrong."""

import pytest
from writing import Document, block, editor, made, open_in, saved, write_after

pytestmark = pytest.mark.slow
BEN = "ben@acme.example"


async def test_two_people_and_an_agent_write_in_one_document_and_see_each_other(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    async with window("ada") as ada, window("ben") as ben:
        await open_in(ada, document)
        await open_in(ben, document)
        await write_after(ada, "start", " ada")
        await write_after(ben, "start", " ben")
        document.edit(append="from an agent", agent="helper")
        for page, other in ((ada, "Ben Franklin"), (ben, "Ada Lovelace")):
            await editor(page).get_by_text("from an agent").wait_for()
            await page.locator(f'.caret[data-name="{other}"]').wait_for()
            await page.locator('.caret.agent[data-name="⌁helper"]').wait_for()
            here = page.get_by_role("list", name="Here now")
            await here.get_by_text("⌁helper").wait_for()
            await saved(page)
        assert await editor(ada).inner_text() == await editor(ben).inner_text()
    assert document.markdown == "start ada ben\n\nfrom an agent\n"


async def test_a_reader_sees_what_is_written_and_can_write_nothing(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_only")
    async with window("ben") as ben:
        await ben.goto(document.path)
        await ben.get_by_text("You may read this document, not change it.").wait_for()
        document.edit(append="more")
        await editor(ben).get_by_text("more").wait_for()
        assert await editor(ben).get_attribute("contenteditable") == "false"


async def test_a_right_that_is_revoked_while_somebody_writes_ends_the_writing(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    async with window("ben", allowed=("WebSocket",)) as ben:
        await open_in(ben, document)
        await write_after(ben, "start", " ben")
        await saved(ben)
        document.revoke(BEN)
        await ben.get_by_role("heading", name="Nothing here").wait_for()
    assert document.markdown == "start ben\n"


async def test_a_right_that_becomes_reading_leaves_the_text_and_ends_the_writing(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    async with window("ben") as ben:
        await open_in(ben, document)
        document.world.client.patch(
            f"/api/v1/drive-items/{document.id}/access/{BEN}", json={"permission": "read_only"}
        ).raise_for_status()
        await ben.get_by_text("You may read this document, not change it.").wait_for()
        assert await editor(ben).get_attribute("contenteditable") == "false"


async def test_what_is_written_while_the_session_has_ended_is_there_after_signing_in_again(window, world_of, people):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    async with window("ada", allowed=("WebSocket",)) as page:
        await open_in(page, document)
        await write_after(page, "start", " one")
        await saved(page)
        other = await page.context.new_page()
        await other.goto("/shared")
        await other.get_by_role("button", name="Ada Lovelace", exact=True).click()
        await other.get_by_role("menuitem", name="Sign out").click()
        await other.get_by_label("E-mail address").wait_for()
        await page.get_by_role("alert").get_by_text("You are signed out.").wait_for()
        await page.keyboard.type(" two")
        await other.get_by_label("E-mail address").fill(people["ada"]["email"])
        await other.get_by_label("Password").fill(people["ada"]["password"])
        await other.get_by_role("button", name="Sign in").click()
        await other.get_by_role("heading", name="Welcome").wait_for()
        await page.get_by_role("button", name="I have signed in").click()
        await saved(page)
    assert document.markdown == "start one two\n"


async def test_what_the_server_has_not_acknowledged_is_there_after_a_reload(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    async with window("ada", allowed=("WebSocket", "ERR_INTERNET")) as page:
        await open_in(page, document)
        await page.evaluate(SILENCE)
        await write_after(page, "start", " unsent")
        await page.get_by_role("status").get_by_text("Saving…").wait_for()
        await page.reload()
        await editor(page).get_by_text("start unsent").wait_for()
        await saved(page)
        assert document.markdown == "start unsent\n"
        await page.reload()
        await editor(page).get_by_text("start unsent").wait_for()
    assert document.markdown == "start unsent\n"


SILENCE = "() => { WebSocket.prototype.send = () => undefined; }"
