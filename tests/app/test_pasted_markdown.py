"""Markdown that is pasted as text and copied again: the server's own rules read and write it."""

import asyncio
import json
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.app.writing import Document, block, editor, made, open_in, paste_text, saved, text
from tests.support.processes.servers import async_eventually

CASES = json.loads((Path(__file__).with_name("pasted") / "markdown.json").read_text())
READ = [each for each in CASES if "reads" in each]
README = "# Title\n\nSome **bold** words\n\n- one\n- two\n  - inner\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n"


async def says(page, document, markdown):
    """Wait until the server has the document say this."""

    async def look():
        return document.markdown == markdown

    await async_eventually(look, origin=str(document.world.client.base_url))
    await saved(page)


@pytest.fixture
def document(world_of):
    return Document(world_of("ada")).add(made(block("paragraph")))


async def test_text_that_looks_like_markdown_becomes_what_it_says(window, document):
    async with window("ada") as page:
        await open_in(page, document)
        for case in READ:
            await editor(page).focus()
            await page.keyboard.press("Control+a")
            await page.keyboard.type("x")
            await page.keyboard.press("Backspace")
            await paste_text(page, case["text"])
            await says(page, document, case["reads"])


async def test_other_text_is_pasted_as_it_is(window, document):
    words = "2 * 3 * 4 and 5 ~~ 6 ~~ 7 and __init__"
    async with window("ada") as page:
        await open_in(page, document)
        await page.route(
            "**/graphql",
            lambda route: route.abort() if "MarkdownTree" in route.request.post_data else route.continue_(),
        )
        await editor(page).focus()
        await paste_text(page, words)
        await saved(page)
        await expect(editor(page).locator("p")).to_have_text([words])
        await expect(editor(page).locator("strong, em, s")).to_have_count(0)


async def test_undo_gives_the_plain_text_back_and_then_what_was_before(window, document):
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.type("before ")
        await paste_text(page, "# Title\n\n- one\n- two")
        await editor(page).get_by_role("list").wait_for()
        await page.keyboard.press("Control+z")
        await expect(editor(page).locator("p")).to_have_text(["before # Title", "- one", "- two"])
        await page.keyboard.press("Control+z")
        await expect(editor(page).locator("p")).to_have_text(["before "])
        await page.keyboard.press("Control+y")
        await page.keyboard.press("Control+y")
        await says(page, document, "before\n\n# Title\n\n- one\n- two\n")


async def test_what_was_read_as_markdown_is_plain_text_again_by_the_message_also_after_typing_on(window, document):
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.type("before ")
        await paste_text(page, "# Title\n\n- one\n- two")
        await editor(page).get_by_role("list").wait_for()
        await page.keyboard.type(" more")
        await page.get_by_label("Notifications").get_by_role("button", name="Paste as plain text").click()
        await expect(editor(page).locator("p")).to_have_text(["before # Title", "- one", "- two more"])
        await expect(editor(page)).to_be_focused()
        await saved(page)


async def test_what_is_pasted_as_plain_text_stays_so(window, document):
    async with window("ada") as page:
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await open_in(page, document)
        await page.evaluate("words => navigator.clipboard.writeText(words)", "# Title\n\n**bold**")
        await editor(page).focus()
        await page.keyboard.press("Control+Shift+v")
        await saved(page)
        await expect(editor(page).locator("p")).to_have_text(["# Title", "**bold**"])
        await page.keyboard.press("Control+a")
        await page.keyboard.press("Control+v")
        await says(page, document, "# Title\n\n**bold**\n")


async def test_code_takes_markdown_as_text_and_markdown_of_an_editor_of_code_is_read(window, world_of):
    document = Document(world_of("ada")).add(made(block("codeBlock", "x", language="python"), block("paragraph")))
    data = json.dumps({"version": 1, "mode": "markdown"})
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).locator("pre").click()
        await page.keyboard.press("End")
        await paste_text(page, "\n# a\n- b")
        await editor(page).locator("p").last.click()
        await paste_text(page, "# Title\n\n- b", text_html="<pre># Title</pre>", **{"vscode-editor-data": data})
        await says(page, document, "```python\nx\n# a\n- b\n```\n\n# Title\n\n- b\n")


async def held_reading(page):
    """Let the server's reading of Markdown wait until the event that is returned is set."""
    go_on = asyncio.Event()

    async def wait(route):
        if "MarkdownTree" in (route.request.post_data or ""):
            await go_on.wait()
        await route.continue_()

    await page.route("**/graphql", wait)
    return go_on


async def test_what_is_typed_and_what_others_write_meanwhile_stays(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph", "first"), block("paragraph", "last")))
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).get_by_text("last").click()
        await page.keyboard.press("End")
        go_on = await held_reading(page)
        await paste_text(page, "\n- one\n- two")
        await page.keyboard.type(" and more")
        world_of("ben")
        document.world.edit(document.id, passages=[{"old": "first", "new": "a first"}])
        await editor(page).get_by_text("a first").wait_for()
        go_on.set()
        await says(page, document, "a first\n\nlast\n\n- one\n- two and more\n")


async def test_text_that_was_changed_meanwhile_and_text_that_the_server_refuses_stays_text(window, document):
    async with window("ada") as page:
        await open_in(page, document)
        await editor(page).focus()
        go_on = await held_reading(page)
        await paste_text(page, "# Title")
        await page.keyboard.press("Control+z")
        await page.keyboard.type("else")
        async with page.expect_response("**/graphql"):
            go_on.set()
        await says(page, document, "else\n")
        await page.unroute("**/graphql")
        await page.keyboard.press("Control+a")
        await paste_text(page, "> " * 1_000 + "deep")
        await page.get_by_text("The pasted Markdown stays text. ").wait_for()
        await expect(editor(page).locator("blockquote")).to_have_count(0)


async def clipboard(page):
    return await page.evaluate("() => navigator.clipboard.readText()")


async def copied_as_markdown(page):
    await page.evaluate("() => navigator.clipboard.writeText('')")
    await page.get_by_role("button", name="Actions for the document").press("Enter")
    await page.get_by_role("menuitem", name="Copy as Markdown").press("Enter")
    await page.get_by_text(" copied as Markdown.").last.wait_for()  # which may be that of the copy before
    return await (await page.wait_for_function("() => navigator.clipboard.readText()")).json_value()


async def test_the_document_and_what_is_selected_are_copied_as_markdown(window, document):
    document.world.edit(document.id, replace=README)
    async with window("ada") as page:
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await open_in(page, document)
        assert await copied_as_markdown(page) == README
        await editor(page).get_by_text("bold").dblclick()
        assert await copied_as_markdown(page) == "**bold**\n"
        await editor(page).get_by_text("one", exact=True).click()
        await page.keyboard.press("Home")
        await page.keyboard.press("Shift+ArrowDown")
        await page.keyboard.press("Shift+End")
        assert await copied_as_markdown(page) == "- one\n- two\n"


async def test_what_is_copied_has_no_empty_lines_between_items_and_rows(window, world_of):
    items = [block("listItem", block("paragraph", "one")), block("listItem", block("paragraph", "two"), block("orderedList", block("listItem", block("paragraph", "inner")), start=3))]  # fmt: skip
    tasks = [block("taskItem", block("paragraph", "done"), checked=True)]
    rows = [block("tableRow", *(block("tableCell", block("paragraph", each)) for each in row)) for row in ("AB", "12")]
    blocks = [
        block("heading", "Title", level=1), block("paragraph", "a line", {"type": "hardBreak"}, text("another", bold={})),
        block("bulletList", *items), block("taskList", *tasks), block("table", *rows), block("codeBlock", "x\ny"),
    ]  # fmt: skip
    document = Document(world_of("ada")).add(made(*blocks))
    async with window("ada") as page:
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await open_in(page, document)
        await editor(page).focus()
        await page.keyboard.press("Control+a")
        await page.keyboard.press("Control+c")
        assert await clipboard(page) == (
            "Title\n\na line\nanother\n\n- one\n- two\n  3. inner\n\n- [x] done\n\nA\tB\n1\t2\n\nx\ny"
        )
        await editor(page).get_by_text("inner").click()
        await page.keyboard.press("Home")
        await page.keyboard.press("Shift+End")
        await page.keyboard.press("Control+c")
        assert await clipboard(page) == "inner"
