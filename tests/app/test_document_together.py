"""People and an agent in one document, and what happens to their words when something goes wrong."""

import asyncio
import random
import signal

import pytest
from playwright.async_api import expect
from pycrdt import Doc, Text

from documents.yjs.scan import IMPORT
from tests.app.windows import World, watched
from tests.app.writing import BEN, SILENCE, Document, blame, blamed, block, editor, made, open_in, saved, write_after
from tests.support.processes.browser import sign_in
from tests.support.processes.servers import launch_demo, serving
from tests.support.suite.rounds import ROUNDS
from tests.support.web.accessible import check_everywhere

SEEDS = 10 if ROUNDS == 1 else 20 * ROUNDS


async def test_two_people_and_an_agent_write_in_one_document_and_see_each_other(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    async with window("ada") as ada, window("ben") as ben:
        await open_in(ada, document)
        await open_in(ben, document)
        await write_after(ada, "start", " ada")
        await editor(ben).get_by_text("start ada").wait_for()
        await write_after(ben, "start", " ben")
        document.edit(append="from an agent", agent="helper")
        for page, other in ((ada, "Ben Franklin"), (ben, "Ada Lovelace")):
            await editor(page).get_by_text("from an agent").wait_for()
            await page.locator(f'.caret[data-name="{other}"]').wait_for()
            await page.locator('.caret.agent[data-name="⌁helper"]').wait_for()
            here = page.get_by_role("list", name="Here now")
            await here.get_by_text("⌁helper").wait_for()
            await saved(page)
        await expect(editor(ada)).to_have_text(await editor(ben).inner_text(), use_inner_text=True)
    assert document.markdown == "start ada ben\n\nfrom an agent\n"


async def test_what_is_typed_right_after_a_click_beside_another_s_caret_is_kept(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "top"), block("paragraph", "two")))
    document.share(BEN, "read_write")
    async with window("ada") as ada, window("ben") as ben:
        await open_in(ada, document)
        await open_in(ben, document)
        await write_after(ben, "two", " ben")
        await editor(ada).get_by_text("two ben").wait_for()
        await ada.locator(".caret").wait_for()
        for letter in "abcdefghijkl":
            await write_after(ada, "top", "")
            await write_after(ada, "two ben", letter)
        await saved(ada)
    assert document.markdown == "top\n\ntwo benabcdefghijkl\n"


async def test_a_key_acts_where_the_cursor_is_before_the_browser_tells_of_it(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "top"), block("paragraph", "two")))
    async with window("ada") as page:
        await open_in(page, document)
        await write_after(page, "top", "!")
        await (
            editor(page)
            .get_by_text("two")
            .evaluate(
                """(line) => {
              getSelection().collapse(line.firstChild, 3);
              const enter = { key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true };
              line.closest("[role=textbox]").dispatchEvent(new KeyboardEvent("keydown", enter));
            }"""
            )
        )
        await page.keyboard.type("three")
        await saved(page)
    assert document.markdown == "top!\n\ntwo\n\nthree\n"


async def test_a_reader_sees_what_is_written_and_can_write_nothing(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_only")
    async with window("ben") as ben:
        await ben.goto(document.path)
        await ben.get_by_text("You can read this document, but not edit it.").wait_for()
        document.edit(append="more")
        await editor(ben).get_by_text("more").wait_for()
        await expect(editor(ben)).to_have_attribute("contenteditable", "false")


async def test_a_right_that_is_revoked_while_somebody_writes_ends_the_writing(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    async with window("ben", allowed=("WebSocket",)) as ben:
        await open_in(ben, document)
        await write_after(ben, "start", " ben")
        await saved(ben)
        document.revoke(BEN)
        await ben.get_by_role("heading", name="You can no longer see this").wait_for()
        await ben.get_by_text("Ada Lovelace ended your access to “Writing”").wait_for()
    assert document.markdown == "start ben\n"


async def test_what_is_trashed_while_it_is_open_says_by_whom_and_is_restored_there(window, world_of):
    document = Document(world_of("ada"), "Minutes").add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    trash = "mutation($i: ID!) { trashItem(itemId: $i) { id } }"
    async with window("ada") as ada, window("ben") as ben:
        for page in (ada, ben):
            await open_in(page, document)
        document.world.ask(trash, i=document.id)
        for page, who in ((ada, "You"), (ben, "Ada Lovelace")):
            await page.get_by_role("heading", name="“Minutes” is in the trash").wait_for()
            await page.get_by_text(f"{who} moved it there").wait_for()
        await ada.goto(document.path)
        await ada.get_by_text("It was moved there").wait_for()
        await ada.get_by_role("button", name="Restore").press("Enter")
        await editor(ada).get_by_text("start").wait_for()


async def test_what_is_moved_while_it_is_open_stays_open_and_says_where_it_is_now(window, world_of):
    ada, ben = world_of("ada"), world_of("ben")
    document = Document(ada, "Wanderer").add(made(block("paragraph", "start")))
    member = "mutation($d: ID!, $u: ID!) { upsertMember(driveId: $d, userId: $u, role: contributor) { id } }"
    ada.ask(member, d=document.drive, u=ben.ask("{ viewer { id } }")["viewer"]["id"])
    folder = ada.item(document.drive, "Elsewhere")
    async with window("ada") as page:
        await open_in(page, document)
        move = "mutation($i: ID!, $d: ID!, $p: ID) { moveItem(itemId: $i, driveId: $d, parentId: $p) { id } }"
        ben.ask(move, i=document.id, d=document.drive, p=folder)
        await page.get_by_text("Ben Franklin moved this to “Elsewhere”.").wait_for()
        await write_after(page, "start", " and on")
        await saved(page)
    assert document.markdown == "start and on\n"


async def test_a_right_that_becomes_reading_leaves_the_text_and_ends_the_writing(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    async with window("ben") as ben:
        await open_in(ben, document)
        document.change_share(BEN, "read_only")
        await ben.get_by_text("You can read this document, but not edit it.").wait_for()
        await expect(editor(ben)).to_have_attribute("contenteditable", "false")


async def test_what_is_written_while_the_session_has_ended_is_there_after_signing_in_again(window, world_of, people):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    async with window("ada", allowed=("WebSocket", "401")) as page:
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


async def focused(page, label):
    await page.wait_for_function("label => document.activeElement?.ariaLabel === label", arg=label)


async def test_blocks_and_tools_by_keyboard_alone(window, world_of):
    document = Document(world_of("ada"))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.type("/h2")
        await page.locator(".suggestion").get_by_text("Heading 2").wait_for()
        await page.keyboard.press("Enter")
        await page.keyboard.type("Plan")
        await page.keyboard.press("Enter")
        await page.keyboard.type("/task")
        await page.locator(".suggestion").get_by_text("Task list").wait_for()
        await page.keyboard.press("Enter")
        await page.keyboard.type("ship")
        await page.keyboard.press("Shift+Home")
        await page.keyboard.press("Alt+F10")
        await focused(page, "Bold")
        await page.keyboard.press("Alt+F10")
        for name in "Block", "Insert", "Undo", "Redo":
            await focused(page, name)
            await page.keyboard.press("ArrowRight")
        await focused(page, "Bold")
        await page.keyboard.press("Enter")
        await editor(page).locator("strong").wait_for()
        await saved(page)
    assert document.markdown == "## Plan\n\n- [ ] **ship**\n"


async def test_a_document_is_renamed_where_it_is_open_by_who_may_edit_it(window, world_of):
    document = Document(world_of("ada"), "Draft").add(made(block("paragraph", "start")))
    document.share(BEN, "read_only")
    query = "query($i: ID!) { driveItem(id: $i) { name } }"
    async with window("ada") as ada, window("ben") as ben:
        await open_in(ada, document)
        await ada.get_by_role("button", name="Actions for the document").press("Enter")
        await ada.get_by_role("menuitem", name="Rename").press("Enter")
        title = ada.get_by_role("textbox", name="Title")
        await expect(title).to_be_focused()
        await check_everywhere(ada)
        await ada.keyboard.type("Plan")
        await ada.keyboard.press("Enter")
        await title.wait_for(state="detached")
        await ada.get_by_role("heading", name="Plan", level=1).wait_for()
        assert document.world.ask(query, i=document.id)["driveItem"]["name"] == "Plan"
        await ada.get_by_text("“Draft” is now “Plan”.").wait_for()
        await ada.get_by_label("Notifications").get_by_role("button", name="Undo").press("Enter")
        await ada.get_by_text("“Draft” is now “Plan”.").wait_for(state="detached")
        await ben.goto(document.path)
        await ben.get_by_role("button", name="Share…").wait_for()
        await ben.get_by_role("button", name="Actions for the document").press("Enter")
        await ben.get_by_role("menuitem", name="Read-only page").wait_for()
        await expect(ben.get_by_role("menuitem", name="Rename")).to_have_count(0)
        await ben.get_by_role("heading", name="Draft", level=1).wait_for()
        await expect(ben.get_by_role("button", name="Draft")).to_have_count(0)


async def test_a_title_that_is_pressed_is_written_over_and_a_refused_one_stays(window, world_of):
    document = Document(world_of("ada"), "Draft").add(made(block("paragraph", "start")))
    async with window("ada") as page:
        await open_in(page, document)
        heading, field = page.get_by_role("heading", level=1), page.get_by_role("textbox", name="Title")
        box = await heading.bounding_box()
        await heading.get_by_role("button", name="Draft").click()
        assert await heading.bounding_box() == box  # nothing moves
        await page.keyboard.type("Left as it was")
        await page.keyboard.press("Escape")
        await expect(heading.get_by_role("button", name="Draft")).to_be_focused()
        await page.keyboard.press("Enter")
        await field.fill("no\u0085name")
        await page.keyboard.press("Enter")
        await page.get_by_role("alert").wait_for()
        await expect(field).to_be_focused()
        await field.fill("Plan")
        await page.get_by_role("textbox", name="Document").click()
        await heading.get_by_role("button", name="Plan").wait_for()
        await page.wait_for_function("document.title.startsWith('Plan')")


async def test_a_document_leads_to_who_has_access_and_to_its_history_and_back(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    async with window("ada") as page:
        await open_in(page, document)
        await page.get_by_role("button", name="Share…").press("Enter")
        await page.get_by_role("dialog", name="Share").get_by_role("list", name="Who has access").wait_for()
        await page.keyboard.press("Escape")
        await page.get_by_role("dialog", name="Share").wait_for(state="detached")
        await page.get_by_role("button", name="Actions for the document").press("Enter")
        await page.get_by_role("menuitem", name="History").press("Enter")
        panel = page.get_by_role("region", name="Changes")
        await panel.get_by_text("start").wait_for()
        await panel.get_by_role("button", name="Close the panel").press("Enter")
        await panel.wait_for(state="detached")
        await expect(page.get_by_role("button", name="Panel", exact=True)).to_be_focused()


@pytest.fixture(scope="module")
async def pair(browser, served_app):
    """A window of Ada's and one of Ben's, and a drive of both."""
    people = served_app.credentials["users"]
    async with watched(browser, served_app.origin) as ada, watched(browser, served_app.origin) as ben:
        await sign_in(ada, people["ada"])
        await sign_in(ben, people["ben"])
        yield ada, ben


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_two_editors_and_an_agent_lose_no_letter_in_one_paragraph_and_blame_is_right(pair, world_of, seed):
    chance = random.Random(seed)
    ada, ben = pair
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.share(BEN, "read_write")
    for page in pair:
        await open_in(page, document)
        await blame(page)
        await editor(page).locator("p").click()

    async def typing(page, letters):
        for letter in letters:
            for _ in range(chance.randrange(3)):
                await page.keyboard.press(chance.choice(("ArrowLeft", "ArrowRight", "Home", "End")), delay=40)
            await page.keyboard.type(letter, delay=40)

    async def asking(words):
        for word in words:
            old = document.markdown.strip()[:1]
            await asyncio.to_thread(agent_writes, document, old, word)

    await asyncio.gather(typing(ada, "ABCDEFGHIJ"), typing(ben, "0123456789"), asking(("Δ", "Θ", "Ω")))
    await saved(ada)
    await saved(ben)
    expected = sorted("startABCDEFGHIJ0123456789ΔΘΩ")
    for page in (ada, ben):
        await page.wait_for_function(
            "count => document.querySelector('.ProseMirror p').innerText.replace(/\\s/g, '').length >= count", arg=28
        )
    assert sorted(document.markdown.strip().replace("\\", "")) == expected
    texts = {await page.evaluate(TEXT) for page in (ada, ben)}
    assert texts == {document.markdown.strip().replace("\\", "")}
    for page in (ada, ben):
        assert await blamed(page) == document.authors_of_letters()


TEXT = """() => {
  const copy = document.querySelector('.ProseMirror p').cloneNode(true);
  for (const caret of copy.querySelectorAll('.caret')) caret.remove();
  return copy.textContent.trim();
}"""


def agent_writes(document, old, word):
    """Put a word before a letter of the paragraph; another letter where that one stands there several times by now."""
    text = document.markdown.strip()
    for letter in (old, *text):
        body = {"passages": [{"old": letter, "new": word + letter}]}
        answer = document.world.client.patch(
            f"/api/v1/documents/{document.id}", json=body, headers={"x-service-agent": "helper"}
        )
        if answer.status_code == 200:
            return
        assert answer.json()["code"] in {"PASSAGE_AMBIGUOUS", "PASSAGE_NOT_FOUND"}, answer.text
    raise AssertionError(f"no letter of {text} stood there once")


async def test_what_is_written_while_the_server_is_dead_is_there_when_it_is_back(browser, tmp_path):
    with serving(tmp_path / "data") as first:
        port = first.origin.rpartition(":")[2]
        with first.client("ada") as client:
            document = Document(World(client)).add(made(block("paragraph", "start")))
        async with watched(browser, first.origin, allowed=("WebSocket", "ERR_CONNECTION")) as page:
            await sign_in(page, first.credentials["users"]["ada"])
            await open_in(page, document)
            await write_after(page, "start", " one")
            await saved(page)
            await page.keyboard.type(" tw")
            first.end(signal.SIGKILL)
            await page.keyboard.type("o three")
            await page.get_by_role("alert").get_by_text("The server cannot be reached.").wait_for()
            with serving(tmp_path / "data", "--port", port, begin=launch_demo) as second:
                await saved(page)
                with second.client("ada") as client:
                    document.world = World(client)
                    assert document.markdown == "start one two three\n"


async def test_a_full_document_says_so_and_shows_what_it_did_not_take(window, world_of):
    full = Doc()
    full.apply_update(made(block("paragraph", "start"), block("paragraph", "end")))
    full["beside"] = Text("x" * (IMPORT.size - 700))  # the editor does not show it
    document = Document(world_of("ada")).add(full.get_update())
    async with window("ada", allowed=("WebSocket",)) as page:
        await open_in(page, document)
        await write_after(page, "end", "w" * 600)
        await page.get_by_role("alert").get_by_text("This document is full").wait_for()
        kept = page.get_by_role("textbox", name="What was not saved")
        await kept.wait_for()
        unsaved = await kept.input_value()
        assert set(unsaved) == {"w"}
        await expect(editor(page)).to_have_attribute("contenteditable", "false")
        await page.get_by_role("button", name="Discard it and open again").press("Enter")
        await editor(page).and_(page.locator("[contenteditable=true]")).wait_for()
        await page.get_by_role("alert").wait_for(state="detached")
        taken = document.markdown
        await expect(editor(page).locator("p").last).to_have_text(taken.split()[-1], use_inner_text=True)
        assert "end" in taken
