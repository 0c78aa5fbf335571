"""Windows of a real browser that may do nothing wrong, and what a user does elsewhere to prepare what they show."""

import json
from contextlib import asynccontextmanager, suppress

from playwright.async_api import Error

from tests.support.processes.browser import judging, new_context

REPORTS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""
# what Chromium says of a page that is left while one of its routed sockets connects
LEFT = "WebSocket is closed before the connection is established."


@asynccontextmanager
async def watched(browser, origin, *, allowed=(), sockets=None, **options):
    """Open a page in a context of its own; an error, a dialog, a report of the policy or a request elsewhere fails the test.

    It does in every page of the context. `allowed` and `sockets` as in `window`.
    """
    context = await new_context(browser, base_url=origin, **options)
    await context.add_init_script(REPORTS)
    if sockets:
        await context.route_web_socket("**/graphql", sockets)
    wrong = []
    context.on("weberror", lambda each: wrong.append(str(each.error)))
    context.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    context.on("dialog", lambda shown: wrong.append(f"dialog: {shown.message}"))
    context.on("request", lambda each: each.url.startswith((origin, "blob:")) or wrong.append(each.url))
    page = await context.new_page()
    try:
        async with judging(origin):
            yield page
        expected = (*allowed, LEFT) if sockets else allowed
        assert [each for each in wrong if not any(words in each for words in expected)] == []
    except Exception as failure:
        with suppress(Error):  # a page that is closed shows nothing
            failure.add_note(f"{page.url} shows:\n{await page.locator('body').aria_snapshot()}")
        raise
    finally:
        await context.close()


class World:
    """One user's way to prepare what a window shows: GraphQL with their key."""

    def __init__(self, client):
        self.client = client

    def ask(self, query, **variables):
        answer = self.client.post("/graphql", json={"query": query, "variables": variables}).json()
        assert "errors" not in answer, json.dumps(answer["errors"])
        return answer["data"]

    def drive(self, name):
        made = self.ask("mutation($n: ItemName!) { createDrive(name: $n) { id } }", n=name)
        return made["createDrive"]["id"]

    def item(self, drive_id, name, kind="folder"):
        query = "mutation($d: ID!, $n: ItemName!, $t: DriveItemType!) { createItem(driveId: $d, name: $n, driveItemType: $t) { id } }"
        return self.ask(query, d=drive_id, n=name, t=kind)["createItem"]["id"]

    def child(self, folder_id, name, kind="folder"):
        query = "mutation($i: ID!, $n: ItemName!, $t: DriveItemType!) { createChild(itemId: $i, name: $n, driveItemType: $t) { id } }"
        return self.ask(query, i=folder_id, n=name, t=kind)["createChild"]["id"]

    def edit(self, document_id, **edit):
        query = "mutation($d: ID!, $e: EditInput!) { editDocument(documentId: $d, edit: $e) { id } }"
        self.ask(query, d=document_id, e=edit)

    def markdown(self, document_id):
        return self.ask("query($d: ID!) { document(id: $d) { markdown } }", d=document_id)["document"]["markdown"]
