"""A server with the demo world that serves the web application, and windows of it in a real browser."""

import json
from contextlib import asynccontextmanager, suppress

import pytest
from playwright.async_api import Error

from tests.browser import judging, new_context, sign_in
from tests.servers import http, signed_in
from tests.web.accessible import IN_FULL, check_everywhere

REPORTS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""


@pytest.fixture(scope="session")
def served_app(shared_server):
    return shared_server("--no-rate-limits")


@pytest.fixture
def people(served_app):
    return served_app.credentials["users"]


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


@pytest.fixture(scope="session")
def cookies():
    """The cookies of each person who has signed in; the next window begins with them."""
    return {}


async def at_home(page, user, kept):
    """Show the home of this user, who signs in where they have not, or have signed out since."""
    if user["email"] in kept:
        await page.context.add_cookies(kept[user["email"]])
        await page.goto("/")
    if not page.url.endswith("/"):
        await sign_in(page, user)
        kept[user["email"]] = await page.context.cookies()
    await page.get_by_role("heading", name="Welcome, ").wait_for()


@pytest.fixture
def window(browser, served_app, people, cookies):
    """`window("ada")` opens a page of a browser in which Ada is signed in; any error or report of the policy fails the test.

    `allowed` are words of errors of the console that belong to the test; `sockets` is called with each socket of GraphQL before
    it is connected. A test sets its routes before it opens the page that they concern: requests that a page sends just after its
    first route is set may bypass it. Run in full, axe checks the state in which each window is left, at every width, unless what it shows is `foreign`.
    """

    @asynccontextmanager
    async def opened(name=None, *, foreign=False, **options):
        async with watched(browser, served_app.origin, **options) as page:
            if name:
                await at_home(page, people[name], cookies)
            yield page
            if IN_FULL and not foreign and not page.is_closed() and options.get("java_script_enabled", True):
                await check_everywhere(page)

    return opened


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


@pytest.fixture
def managing(served_app, people):
    """`managing("ada")` is what Ada does in another browser of hers, for what takes no key."""
    clients = []

    def begin(name):
        clients.append(signed_in(served_app.origin, people[name]))
        return World(clients[-1])

    yield begin
    for client in clients:
        client.close()


@pytest.fixture
def world_of(served_app, people):
    """`world_of("ada")` is what Ada does elsewhere; "agent" is an agent of hers."""
    clients = []

    def begin(name):
        key = (served_app.credentials["agentKey"] if name == "agent" else people[name])["apiKey"]
        client = http(served_app.origin, headers={"x-api-key": key})
        clients.append(client)
        return World(client)

    yield begin
    for client in clients:
        client.close()


@pytest.fixture
def ada(world_of):
    return world_of("ada")
