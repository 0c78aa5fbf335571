"""Whatever a document holds, no view of it in the application runs anything, asks for anything or leads to it."""

from tests.app.writing import Document, blame, block, editor, made, open_in, paste
from tests.support.web.payloads import PAYLOADS, SWEEP, everywhere, sendable

BLOCKS = [block for words in map(sendable, PAYLOADS) for block in everywhere(words)]


def without_tables(blocks):
    """Their cells span what no table can, for which the whole document is only shown to be read."""
    return [block for block in blocks if block["type"] != "table"]


async def looked_through(page):
    """Open what is folded, go through all of it and point at everything; then see what is ready to do something."""
    await page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true })")
    await page.mouse.move(600, 400)
    await page.mouse.wheel(0, 100_000)
    await page.keyboard.press("Control+End")
    # the page's first data is in a script element that does not run
    await page.evaluate("() => document.getElementById('boot').remove()")
    assert [each for each in await page.evaluate(SWEEP) if each != "IFRAME"] == []
    # a chart's frame is of an origin of its own
    assert await page.locator("iframe:not([src='/chart'][sandbox='allow-scripts'])").count() == 0


async def test_a_hostile_document_runs_nothing_in_the_editor_and_in_blame(window, world_of):
    document = Document(world_of("ada")).add(made(*without_tables(BLOCKS)))
    before = document.state()
    async with window("ada", allowed=["404"], foreign=True) as page:  # an image that is not there
        await page.goto(document.path)
        await editor(page).focus()
        await blame(page)
        await looked_through(page)
    assert document.state() == before


async def test_a_hostile_document_that_can_only_be_read_runs_nothing(window, world_of):
    document = Document(world_of("ada")).add(made(*BLOCKS))
    async with window("ada", foreign=True) as page:
        await page.goto(document.path)
        await page.get_by_text("This document holds what this editor would lose").wait_for()
        await looked_through(page)


async def test_what_is_pasted_runs_nothing(window, world_of):
    document = Document(world_of("ada")).add(made(block("paragraph")))
    # an image that is not there; what the browser finds where it reads the words, and refuses
    async with window("ada", allowed=["404", "inline", "base-uri"], foreign=True) as page:
        await open_in(page, document)
        for words in map(sendable, PAYLOADS):
            await editor(page).focus()
            await page.keyboard.press("Control+End")
            await paste(page, f"<p style='background: url({words})'>{words}</p><b style='color: red'>end</b>")
        await looked_through(page)


async def test_the_history_of_a_hostile_document_runs_nothing(window, world_of):
    document = Document(world_of("ada"))
    document.edit(append="begun")
    document.add(made(*BLOCKS))
    async with window("ada", foreign=True) as page:
        await page.goto(f"{document.path}/history")
        await page.get_by_role("list", name="Authors").wait_for()
        await looked_through(page)


async def test_a_version_of_a_hostile_document_runs_nothing(window, world_of):
    document = Document(world_of("ada")).add(made(*BLOCKS))
    ask = document.world.ask
    changes = ask("query($d: ID!) { documentChanges(documentId: $d) { nodes { id } } }", d=document.id)
    undo = "mutation($d: ID!, $i: [ID!]!) { undoChanges(documentId: $d, ids: $i) { revision } }"
    ask(undo, d=document.id, i=[changes["documentChanges"]["nodes"][-1]["id"]])  # which keeps a version
    async with window("ada", allowed=["404"], foreign=True) as page:  # an image that is not there
        await page.goto(f"{document.path}/history?version=1")
        await page.get_by_role("heading", name="Version 1").wait_for()
        await looked_through(page)
