"""A real browser for the tests: Debian's Chromium, installed where it is missing, driven by Playwright."""

import asyncio
import fcntl
import os
import shutil
import subprocess
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import TimeoutError as PageTimeout
from playwright.async_api import async_playwright, expect

from tests.servers import LONG_PATIENCE, ran_out

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


def chromium() -> str:
    """Return where Chromium is; of several workers one installs it."""
    with Path(tempfile.gettempdir(), "codrive-chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = shutil.which("chromium")
        if found is None:
            _install()
            found = shutil.which("chromium")
    assert found, "Chromium is needed for these tests: install Debian's package `chromium`"
    return found


def _install() -> None:
    rights = [] if os.geteuid() == 0 else ["sudo", "-n"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"]):
        done = subprocess.run(
            [*rights, "apt-get", "-q", *words],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONG_PATIENCE,
        )
        assert done.returncode == 0, f"apt-get {' '.join(words)}: {done.stdout}{done.stderr}"


@asynccontextmanager
async def browsing():
    """Yield a browser, for `new_context`."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


async def new_context(browser, **options):
    """Return a context of this browser: a person of their own, without cookies, who waits for what a page should show."""
    context = await browser.new_context(**options)
    context.set_default_timeout(PAGE_PATIENCE * 1000)
    return context


@asynccontextmanager
async def judging(origin):
    """Have a wait of Playwright that runs out, `expect` included, fail as `ran_out` says of the server behind the page."""
    try:
        yield
    except (PageTimeout, AssertionError) as failure:
        if isinstance(failure, AssertionError) and " with timeout " not in str(failure):
            raise
        raise await asyncio.to_thread(ran_out, str(failure), origin) from failure


async def sign_in(page, user):
    """Sign this user in, with `email` and `password`, until their home is shown."""
    await page.goto("/sign-in")
    await page.get_by_label("E-mail address").fill(user["email"])
    await page.get_by_label("Password").fill(user["password"])
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("heading", name="Welcome, ").wait_for()


async def sign_out(page, name):
    """Sign out whoever has this name, from the menu of their account."""
    await page.goto("/shared")
    await page.get_by_role("button", name=name, exact=True).click()
    await page.get_by_role("menuitem", name="Sign out").click()
    await page.get_by_label("E-mail address").wait_for()
