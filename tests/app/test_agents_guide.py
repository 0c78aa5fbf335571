"""What `docs/agents.md` tells people to do in a browser: connect an agent, watch it write, review that and take it back."""

from tests.app.writing import Document, block, editor, made, open_in, undo_in_note
from tests.support.processes.servers import async_http

TOOL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


async def edit_by_tool(served, key, document, **form):
    """Edit a document as an agent does that has connected with its key."""
    call = {"name": "documents_edit", "arguments": {"documentId": document, **form}}
    async with async_http(served.origin, headers={"x-api-key": key}) as agent:
        answer = await agent.post("/api/v1/mcp-full", json=TOOL | {"params": call})
        result = answer.raise_for_status().json()["result"]
        assert not result["isError"], result


async def test_an_agent_is_connected_watched_reviewed_and_taken_back_as_the_page_tells(window, world_of, served_app):
    ada = world_of("ada")
    document = Document(ada, "Minutes").add(made(block("paragraph", "by hand")))
    async with window("ada") as page, window("ada") as watching:
        await page.goto("/settings")
        await page.get_by_role("link", name="Connect an agent").first.click()
        await page.get_by_label("Name of the agent").fill("scribe")
        await page.get_by_role("button", name="Create key").click()
        await page.get_by_text("Not connected yet.").wait_for()
        key = await page.locator("#secret").text_content()
        await open_in(watching, document)

        await edit_by_tool(served_app, key, document.id, append="by the scribe")
        await watching.locator('.caret.agent[data-name="⌁scribe"]').wait_for()
        await editor(watching).get_by_text("by the scribe").wait_for()
        await page.get_by_text("“scribe” is connected.").wait_for()

        await page.goto("/agents")
        await page.get_by_role("main").get_by_role("link", name="scribe", exact=True).click()
        await page.get_by_role("heading", name="scribe", level=1).wait_for()
        await page.get_by_role("main").get_by_role("link", name="Minutes", exact=True).wait_for()
        await page.goto(f"/doc/{document.id}/history")
        await page.get_by_role("list", name="Authors").get_by_role("link", name="scribe").click()
        await page.get_by_role("button", name="Undo all of these").click()
        await page.get_by_role("dialog").get_by_role("button", name="Undo", exact=True).click()
        await page.get_by_text("1 change undone.").wait_for()
        assert document.markdown == "by hand\n"
        await undo_in_note(page)
        await page.get_by_text("The undo is reverted.").wait_for()
        assert document.markdown == "by hand\n\nby the scribe\n"
