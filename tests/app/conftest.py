"""A server with the demo world that serves the web application, and windows of it in a real browser."""

from contextlib import asynccontextmanager

import pytest

from tests.app.windows import World, watched
from tests.support.processes.browser import sign_in
from tests.support.processes.servers import http, signed_in
from tests.support.web.accessible import IN_FULL, check_everywhere


@pytest.fixture(scope="session")
def served_app(shared_server):
    return shared_server("--no-rate-limits")


@pytest.fixture
def people(served_app):
    return served_app.credentials["users"]


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
