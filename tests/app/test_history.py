"""What a document was and who changed it, in the web application: seen, taken back and brought back beside others."""

import asyncio
import re
from urllib.parse import urlencode

import pytest
from playwright.async_api import expect

from tests.app.writing import Document, blame, block, editor, made, open_in, saved, text, undo_in_note, write_after
from tests.support.web.accessible import check_everywhere


@pytest.fixture
def plan(world_of):
    """A document that Ada and an agent of hers wrote."""
    ada = world_of("ada")
    document = ada.item(ada.drive("Plans"), "Plan", "docs_workbook")
    ada.edit(document, replace="Milk and bread\n\nEggs")
    world_of("agent").edit(document, append="Coffee from the agent")
    ada.edit(document, passages=[{"old": "bread", "new": "butter"}])
    return document


def change(page, words):
    return (
        page.get_by_role("main").get_by_role("listitem").filter(has_text=words).filter(has=page.get_by_role("button"))
    )


async def test_what_an_agent_wrote_is_undone_alone_and_brought_back_by_keyboard(window, world_of, plan):
    ada = world_of("ada")
    async with window("ada") as page:
        await page.goto(f"/doc/{plan}/history")
        await page.wait_for_url(f"**/doc/{plan}?panel=changes")
        await page.get_by_role("region", name="Changes").wait_for()
        await change(page, "Coffee from the agent").wait_for()
        await page.get_by_role("list", name="Authors").get_by_role("link", name="research-assistant").press("Enter")
        await change(page, "butter").wait_for(state="detached")
        await page.get_by_role("button", name="Undo all of these").press("Enter")
        dialog = page.get_by_role("dialog", name="Undo 1 change?")
        await dialog.get_by_text("Coffee from the agent").wait_for()
        await dialog.get_by_role("button", name="Undo", exact=True).press("Enter")
        await page.get_by_text("1 change undone.").wait_for()
        assert ada.markdown(plan) == "Milk and butter\n\nEggs\n"
        await dialog.wait_for(state="detached")
        await undo_in_note(page)
        await page.get_by_text("The undo is reverted.").wait_for()
        assert ada.markdown(plan) == "Milk and butter\n\nEggs\n\nCoffee from the agent\n"


async def test_everything_of_an_agent_since_a_moment_is_undone_and_what_stays_is_named(window, world_of, plan):
    ada = world_of("ada")
    world_of("agent").edit(plan, append="Tea from the agent")
    ada.edit(plan, passages=[{"old": "Tea from", "new": "Tea, as Ada says, from"}])
    world_of("agent").edit(plan, append="Cocoa from the agent")
    query = "query($d: ID!) { documentChanges(documentId: $d) { nodes { at inserted by { userId agent } } } }"
    changes = ada.ask(query, d=plan)["documentChanges"]["nodes"]
    tea = next(each for each in changes if each["inserted"].startswith("Tea"))
    async with window("ada") as page:
        author = {"user": tea["by"]["userId"], "agent": tea["by"]["agent"]}
        await page.goto(f"/doc/{plan}/history?{urlencode(author)}")
        await page.get_by_text("Compare", exact=True).press("Enter")
        await page.get_by_label("Since a moment").fill("2090-01-01T10:00")
        await page.get_by_role("heading", name="Changes since Jan 1, 2090").wait_for()
        await page.get_by_text("No changes.").wait_for()
        await check_everywhere(page)
        await page.goto(f"/doc/{plan}/history?{urlencode({**author, 'time': tea['at']})}")
        await change(page, "Cocoa from the agent").wait_for()
        await expect(change(page, "Coffee from the agent")).to_have_count(0)
        await page.get_by_role("button", name="Undo all of these").press("Enter")
        dialog = page.get_by_role("dialog", name=re.compile(r"^Undo \d"))
        gone = dialog.get_by_role("list", name="Undone")
        await gone.locator("del").get_by_text("Cocoa from the agent").wait_for()
        await check_everywhere(page)
        (stays,) = await dialog.get_by_role("list", name="Not undone").get_by_role("listitem").all_inner_texts()
        assert stays.endswith("as Ada says, from the agent” stays, since others wrote in it.")
        await dialog.get_by_role("button", name="Undo", exact=True).press("Enter")
        await page.get_by_text("undone.").wait_for()
        kept = ada.markdown(plan)
        assert "Coffee from the agent" in kept
        assert "as Ada says," in kept
        assert "Cocoa" not in kept
        await dialog.wait_for(state="detached")
        await undo_in_note(page)
        await page.get_by_text("The undo is reverted.").wait_for()
        assert "Cocoa from the agent" in ada.markdown(plan)


async def test_an_agent_is_undone_while_a_person_and_the_agent_write_on(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "start")))
    document.edit(append="first of the agent", agent="helper")
    async with window("ada") as ada, window("ada") as history:
        await open_in(ada, document)
        await write_after(ada, "first of the agent", " and of Ada")
        await write_after(ada, "start", " ")
        await saved(ada)
        await history.goto(f"{document.path}/history?since=0")
        await history.get_by_role("list", name="Authors").get_by_role("link", name="helper").click()
        await history.get_by_role("button", name="Undo all of these").click()
        dialog = history.get_by_role("dialog", name="Undo 1 change?")
        await dialog.get_by_role("list", name="Not undone").wait_for()

        async def undo():
            await dialog.get_by_role("button", name="Undo", exact=True).click()
            await dialog.wait_for(state="detached")

        async def agent_writes():
            for number in range(4):
                await asyncio.to_thread(document.edit, append=f"later {number}", agent="helper")

        typed = "abcdefghijklmnopqrstuvwxyz" * 2
        await asyncio.gather(ada.keyboard.type(typed, delay=20), undo(), agent_writes())
        document.edit(append="later 4", agent="helper")  # after the undo, whenever that came
        await editor(ada).get_by_text("later 4").wait_for()
        await saved(ada)
        lines = document.markdown.strip().split("\n\n")
        assert lines[0] == f"start {typed}"
        assert lines[1].strip() == "and of Ada"
        later = {f"later {number}" for number in range(5)}
        # what came before the server computed the undo is the agent's work too
        assert lines[2:] == sorted(later & set(lines[2:]))
        await editor(ada).get_by_text("first of the agent").wait_for(state="detached")
        assert "later 4" in lines


async def test_the_text_shows_what_changes_inserted_and_deleted_where_they_did(window, world_of):
    document = Document(world_of("ada"), "Marked")
    document.edit(append="The next meeting is on Tuesday\n\nA paragraph that goes\n\n- one\n- two that goes\n\nend")
    since = document.state()[0]["revision"]
    document.edit(passages=[{"old": "Tuesday", "new": "a Friday"}], agent="helper")
    document.edit(passages=[{"old": "A paragraph that goes\n\n", "new": ""}], agent="helper")
    document.edit(passages=[{"old": "- two that goes\n", "new": ""}], agent="helper")
    async with window("ada") as page:
        await page.goto(f"{document.path}?panel=changes&revision={since}")
        text = editor(page)
        await text.locator("del").get_by_text("A paragraph that goes").wait_for()
        await text.locator("del").get_by_text("two that goes").wait_for()
        line = text.locator("p", has_text="The next meeting")
        assert await line.locator("ins").all_inner_texts() == ["a Friday"]
        assert await line.locator("del").all_inner_texts() == ["Tuesday"]
        await check_everywhere(page)
        await write_after(page, "end", " and more")
        document.edit(append="last of the agent", agent="helper")
        await text.locator("ins").get_by_text("last of the agent").wait_for()
        await text.locator("ins").get_by_text(" and more").wait_for()
        await text.locator("del").get_by_text("A paragraph that goes").wait_for()
        await page.get_by_role("button", name="Close the panel").press("Enter")
        await expect(text.locator("ins, del")).to_have_count(0)
        assert "goes" not in document.markdown


async def test_the_panel_leads_through_the_headings_by_keyboard(window, world_of):
    document = Document(world_of("ada"), "Headed")
    document.edit(append="\n\n".join(f"## Part {number}\n\n" + "words " * 300 for number in range(8)))
    async with window("ada") as page:
        await open_in(page, document)
        await page.get_by_role("button", name="Panel", exact=True).press("Enter")
        await page.get_by_role("navigation", name="Panel").get_by_role("link", name="Outline").press("Enter")
        outline = page.get_by_role("region", name="Outline")
        await outline.get_by_role("button", name="Part 6").press("Enter")
        await expect(editor(page).get_by_role("heading", name="Part 6")).to_be_in_viewport()
        await page.keyboard.type("New ")
        await outline.get_by_role("button", name="New Part 6").wait_for()
        await outline.get_by_role("button", name="New Part 6").press("Escape")
        await outline.wait_for(state="detached")


async def test_any_two_versions_are_compared_by_author(window, world_of, plan):
    ada = world_of("ada")
    made = ada.ask("query($d: ID!) { documentChanges(documentId: $d) { nodes { id inserted } } }", d=plan)
    (eggs,) = (each["id"] for each in made["documentChanges"]["nodes"] if each["inserted"] == "Eggs")
    undo = "mutation($d: ID!, $i: [ID!]!) { undoChanges(documentId: $d, ids: $i) { revision } }"
    ada.ask(undo, d=plan, i=[eggs])  # which keeps versions
    kept = ada.ask("query($d: ID!) { documentVersions(documentId: $d) { nodes { number } } }", d=plan)
    last = kept["documentVersions"]["nodes"][0]["number"]
    ada.edit(plan, append="Cocoa after that")
    async with window("ada") as page:
        await page.goto(f"/doc/{plan}/history")
        await page.get_by_text("Compare", exact=True).press("Enter")
        await page.get_by_label("From", exact=True).select_option("The beginning")
        await change(page, "Cocoa after that").wait_for()
        await page.get_by_label("To", exact=True).select_option(str(last))
        await page.get_by_role("heading", name=f"Changes from the beginning to Version {last}").wait_for()
        await change(page, "Cocoa after that").wait_for(state="detached")
        await change(page, "Milk and").wait_for()
        await page.get_by_role("list", name="Authors").get_by_role("link", name="research-assistant").click()
        await change(page, "Milk and").wait_for(state="detached")
        await change(page, "Coffee from the agent").wait_for()
        await page.get_by_role("list", name="Authors").get_by_role("link", name="Everybody").click()
        await page.get_by_label("From", exact=True).select_option(str(last))
        await page.get_by_role("heading", name=f"Changes since Version {last}").wait_for()
        await change(page, "Cocoa after that").wait_for()
        await expect(change(page, "Coffee from the agent")).to_have_count(0)


async def test_a_change_of_another_appears_while_the_history_is_open(window, world_of, plan):
    async with window("ada") as page:
        await page.goto(f"/doc/{plan}/history?since=0")
        await change(page, "Coffee from the agent").wait_for()
        world_of("agent").edit(plan, append="Tea as well")
        await change(page, "Tea as well").wait_for()


async def test_a_version_is_read_named_and_restored(window, world_of, plan):
    ada = world_of("ada")
    done = ada.ask("query($d: ID!) { documentChanges(documentId: $d) { nodes { id } } }", d=plan)["documentChanges"]
    ids = [each["id"] for each in done["nodes"]]
    undo = "mutation($d: ID!, $i: [ID!]!) { undoChanges(documentId: $d, ids: $i) { revision } }"
    ada.ask(undo, d=plan, i=ids)  # which keeps what was there before as a version
    assert "Eggs" not in ada.markdown(plan)
    async with window("ada") as page:
        await page.goto(f"/doc/{plan}/history")
        await page.get_by_role("navigation", name="Panel").get_by_role("link", name="Versions").press("Enter")
        versions = page.get_by_role("list", name="Versions")
        await versions.get_by_role("link", name="Version 1", exact=True).press("Enter")
        await page.get_by_role("heading", name="Version 1", level=2).wait_for()
        await page.get_by_text("Eggs").wait_for()
        await page.get_by_role("button", name="Name…").press("Enter")
        await page.get_by_label("Name", exact=True).fill("The whole plan")
        await check_everywhere(page)
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="The whole plan", level=2).wait_for()
        await page.get_by_role("button", name="Restore…").press("Enter")
        dialog = page.get_by_role("dialog", name="Restore The whole plan?")
        await dialog.get_by_role("list", name="Reverted").locator("ins").get_by_text("Eggs").wait_for()
        await check_everywhere(page)
        assert "Eggs" not in ada.markdown(plan)
        await dialog.get_by_role("button", name="Restore", exact=True).press("Enter")
        await page.get_by_text("The document is again what it was in The whole plan.").wait_for()
        assert "Eggs" in ada.markdown(plan)
        await dialog.wait_for(state="detached")
        await undo_in_note(page)
        await page.get_by_text("The undo is reverted.").wait_for()
        assert "Eggs" not in ada.markdown(plan)


async def test_a_version_shows_the_links_and_images_that_it_had(window, world_of):
    blocks = [
        block(
            "paragraph",
            text("rules", link={"href": "https://example.com/rules"}),
            text("bad", link={"href": "javascript:alert(1)"}),
        ),
        block("image", src="https://example.com/a.png", alt="A harbour"),
    ]
    document = Document(world_of("ada")).add(made(*blocks))
    changes = world_of("ada").ask("query($d: ID!) { documentChanges(documentId: $d) { nodes { id } } }", d=document.id)[
        "documentChanges"
    ]["nodes"]
    undo = "mutation($d: ID!, $i: [ID!]!) { undoChanges(documentId: $d, ids: $i) { revision } }"
    world_of("ada").ask(undo, d=document.id, i=[each["id"] for each in changes])  # which keeps a version
    async with window("ada") as page:
        await page.goto(f"{document.path}/history?version=1")
        link = page.get_by_role("link", name="rules")
        await expect(link).to_have_attribute("href", "https://example.com/rules")
        await expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
        await expect(page.get_by_role("link", name="bad")).to_have_count(0)
        await page.get_by_text("Image: A harbour").wait_for()
        opens = page.get_by_text("Image: A harbour").get_by_role("link", name="Open")
        await expect(opens).to_have_attribute("href", "https://example.com/a.png")


async def test_who_may_only_read_is_told_so(window, world_of, plan, people):
    share = "mutation($i: ID!, $e: EmailAddress!) { shareItem(itemId: $i, email: $e, permission: read_only) { id } }"
    world_of("ada").ask(share, i=plan, e=people["cleo"]["email"])
    async with window("cleo", allowed=["403"]) as page:
        await page.goto(f"/doc/{plan}/history")
        await page.get_by_role("alert").wait_for()
        await page.goto("/doc/00000000-0000-4000-8000-000000000000/history")
        await page.get_by_role("heading", name="Nothing here").wait_for()


@pytest.mark.usefixtures("plan")
async def test_the_page_of_an_agent_leads_to_what_it_changed(window):
    async with window("ada") as page:
        await page.get_by_role("link", name="Agents").click()
        await page.get_by_role("main").get_by_role("link", name="research-assistant").press("Enter")
        await page.get_by_role("heading", name="research-assistant", level=1).wait_for()
        await page.get_by_role("link", name="Review its changes in Plan").first.press("Enter")
        await page.get_by_role("heading", name="All changes", level=2).wait_for()
        await change(page, "Coffee from the agent").wait_for()


async def test_an_undo_of_any_length_is_taken_back_whole_and_alone(window, world_of):
    ada, agent = world_of("ada"), world_of("agent")
    document = ada.item(ada.drive("Long work"), "Long work", "docs_workbook")
    lines = [f"line {number}" for number in range(205)]  # a page of changes has 200
    agent.edit(document, replace="\n\n".join(lines))
    user = ada.ask("{ viewer { id } }")["viewer"]["id"]

    undoing = asyncio.Event()

    async def write_meanwhile(route):
        if undoing.is_set() and "ChangesOf" in route.request.post_data:
            undoing.clear()
            ada.edit(document, append="written afterwards")
        await route.continue_()

    async with window("ada") as page:
        await page.route("**/graphql", write_meanwhile)
        await page.goto(f"/doc/{document}/history?since=0&user={user}&agent=research-assistant")
        await page.get_by_role("button", name="Show more").press("Enter")
        await change(page, "line 204").wait_for()
        await page.get_by_role("button", name="Undo all of these").press("Enter")
        dialog = page.get_by_role("dialog", name="Undo 205 changes?")
        undoing.set()
        await dialog.get_by_role("button", name="Undo", exact=True).press("Enter")
        await page.get_by_text("205 changes undone.").wait_for()
        assert ada.markdown(document) == "written afterwards\n"
        await dialog.wait_for(state="detached")
        await undo_in_note(page)
        await page.get_by_text("The undo is reverted.").wait_for()
    assert sorted(ada.markdown(document).removesuffix("\n").split("\n\n")) == sorted([*lines, "written afterwards"])


async def test_the_history_of_a_person_alone_is_marked_as_theirs(window, plan):
    async with window("ada") as page:
        await page.goto(f"/doc/{plan}")
        text = page.get_by_role("textbox", name="Document").get_by_text("Eggs")
        await text.wait_for()
        await blame(page)
        await text.click()
        await page.get_by_role("link", name="History of Ada Lovelace").press("Enter")
        authors = page.get_by_role("list", name="Authors")
        await authors.locator("[aria-current]").get_by_text("Ada Lovelace", exact=True).wait_for()
        await expect(authors.locator("[aria-current]")).to_have_count(1)


async def test_what_was_shown_of_a_long_list_stays_shown_when_it_changes(window, world_of):
    agent = world_of("agent")
    drive = agent.drive("Of an agent")
    for number in range(101):  # a page has 100
        agent.item(drive, f"Paper {number}", "docs_workbook")
    async with window("ada") as page:
        await page.goto("/agents/research-assistant")
        await page.get_by_role("button", name="Show more").press("Enter")
        await page.get_by_role("link", name="Paper 0", exact=True).wait_for()
        agent.item(drive, "Newest paper", "docs_workbook")
        await page.get_by_role("link", name="Newest paper", exact=True).wait_for()
        await expect(page.get_by_role("link", name="Paper 0", exact=True)).to_have_count(1)
