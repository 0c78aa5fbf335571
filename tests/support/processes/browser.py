"""A real browser for the tests: Debian's Chromium, installed where it is missing, driven by Playwright."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect
from playwright.async_api import TimeoutError as PageTimeout

from tests.support.processes.debian import installed
from tests.support.processes.servers import ran_out

SHELL = "chromium-headless-shell"
"""The package without the parts of Chromium that draw windows, which is soon installed."""
WHOLE = "chromium"
"""The package that people have, in which a page takes longer."""
FLAGS = [
    "--no-sandbox",  # CI runs as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",  # nothing but the page is asked for
    "--disable-component-update",
    "--disable-sync",
]
PAGE_PATIENCE = 120.0  # seconds for what a page should show
expect.set_options(timeout=PAGE_PATIENCE * 1000)


@asynccontextmanager
async def browsing(package: str = SHELL) -> AsyncIterator[Browser]:
    """Yield a browser, for `new_context`."""
    path = installed(package, package, "fonts-dejavu-core")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


async def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """Return a context of this browser: a person of their own, without cookies, who waits for what a page should show."""
    context = await browser.new_context(**options)
    context.set_default_timeout(PAGE_PATIENCE * 1000)
    return context


@asynccontextmanager
async def judging(origin: str) -> AsyncIterator[None]:
    """Have a wait of Playwright that runs out, `expect` included, fail as `ran_out` says of the server behind the page."""
    try:
        yield
    except (PageTimeout, AssertionError) as failure:
        if isinstance(failure, AssertionError) and " with timeout " not in str(failure):
            raise
        raise await asyncio.to_thread(ran_out, str(failure), origin) from failure


async def sign_in(page: Page, user: Mapping[str, str]) -> None:
    """Sign this user in, with `email` and `password`, until their home is shown."""
    await page.goto("/sign-in")
    await page.get_by_label("E-mail address").fill(user["email"])
    await page.get_by_label("Password").fill(user["password"])
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("heading", name="Welcome, ").wait_for()


async def sign_out(page: Page, name: str) -> None:
    """Sign out whoever has this name, from the menu of their account."""
    await page.goto("/shared")
    await page.get_by_role("button", name=name, exact=True).click()
    await page.get_by_role("menuitem", name="Sign out").click()
    await page.get_by_label("E-mail address").wait_for()
