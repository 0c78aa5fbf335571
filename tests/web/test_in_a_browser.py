"""Our pages in a real browser: good for everybody, by keyboard, on a phone, and without any script."""

import re
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import expect

from tests.support.processes.browser import judging, new_context
from tests.support.processes.servers import http
from tests.support.surfaces.tools import FULL, Mcp
from tests.support.web.accessible import ALL, check_accessible
from tests.support.web.publishing import SAMPLE_NAME, publish, sample, sample_picture
from tests.support.web.visitors import ask

PHONE = {"width": 320, "height": 640}
PASSWORD = "four unrelated words here"
CLIPBOARD = ["clipboard-read", "clipboard-write"]


@pytest.fixture
def people(served):
    return served.credentials["users"]


@asynccontextmanager
async def window(browser, served, user=None, **options):
    """A page of a new browser in which `user` signed in by the form; whatever went wrong in it is told."""
    context = await new_context(browser, base_url=served.origin, **options)
    page = await context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "console", lambda said: wrong.append(said.text) if said.type == "error" and "400" not in said.text else None
    )
    try:
        if user:
            await sign_in(page, user)
        async with judging(served.origin):
            yield page
        assert wrong == []
    finally:
        await context.close()


async def sign_in(page, user):
    await page.goto("/sign-in")
    await page.get_by_label("E-mail address").fill(user["email"])
    await page.get_by_label("Password").fill(user["password"])
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/")


@pytest.mark.parametrize("viewport", [{"width": 1200, "height": 800}, PHONE], ids=["wide", "phone"])
async def test_axe_finds_nothing_before_signing_in(served, browser, letters, viewport):
    address = f"axe{viewport['width']}@new.example"
    async with window(browser, served, viewport=viewport) as page:

        async def look():
            await check_accessible(page, ALL)
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url

        await page.goto("/sign-in")
        await look()
        await page.get_by_label("E-mail address").fill("nobody@new.example")
        await page.get_by_label("Password").fill("wrong")
        await page.get_by_role("button", name="Sign in").click()
        await page.get_by_role("alert").wait_for()
        await look()
        await page.goto("/forgotten")
        await look()
        await page.goto("/sign-up")
        await look()
        await page.get_by_label("E-mail address").fill(address)
        await page.get_by_role("button", name="Send the link").click()
        await page.get_by_role("status").wait_for()
        await look()
        await page.goto(letters.link(address))
        await look()
        await page.get_by_label("Your name").fill("Axel")
        await page.get_by_label("Password").fill("short")
        await page.get_by_role("button", name="Make the account").click()
        await page.get_by_role("alert").wait_for()
        await look()


async def test_the_page_of_a_new_agent_tells_when_it_is_connected(served, browser, people):
    async with window(browser, served, people["ben"]) as page:
        await page.goto("/settings/agents")
        await page.get_by_label("Name of the agent").fill("first-use")
        await page.keyboard.press("Enter")
        await page.get_by_text("This page tells when “first-use” asks for something").wait_for()
        await check_accessible(page, ALL)
        await expect(page.get_by_role("listitem").filter(has_text="first-use")).to_have_text(
            "first-use\nnot connected yet", use_inner_text=True
        )
        key = await page.locator("#secret").inner_text()
        with http(served.origin, headers={"x-api-key": key}) as agent:
            Mcp(agent, {}, FULL).ask("drives.list")
        await page.get_by_role("status").get_by_text("“first-use” is connected.").wait_for()
        await page.reload()
        await page.get_by_role("listitem").filter(has_text="first-use").get_by_text("connected, last ").wait_for()


@pytest.mark.parametrize("viewport", [{"width": 1200, "height": 800}, PHONE], ids=["wide", "phone"])
async def test_axe_finds_nothing_once_signed_in(served, browser, people, letters, viewport):
    async with window(browser, served, people["grace"], viewport=viewport) as page:

        async def look():
            await check_accessible(page, ALL)
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url

        for path in (
            "/",
            "/settings/agents",
            "/settings/apps",
            "/settings/profile",
            "/settings/organizations",
            "/settings/access",
            "/settings/keys",
        ):
            await page.goto(path)
            await look()
        await page.get_by_label("What is it for?").fill("A key with a name as long as names of keys may well become")
        await page.get_by_role("button", name="Make a key").click()
        await page.get_by_role("heading", name="is made").wait_for()
        await look()
        await page.goto("/settings/organizations")
        await page.get_by_role("link", name="Acme").click()
        await page.get_by_label("E-mail address").fill(f"somebody{viewport['width']}@new.example")
        await page.get_by_role("button", name="Invite", exact=True).click()
        await page.get_by_role("status").wait_for()
        await look()
        link = letters.link(f"somebody{viewport['width']}@new.example")
        await page.goto(link)
        await look()
        await page.context.clear_cookies()
        await page.goto(link)
        await look()


@pytest.fixture
def reading(browser_of, served):
    """A document with everything in it, in a folder of a drive of Grace's: the addresses of their pages."""
    grace = browser_of("grace")
    with http(served.origin, headers={"x-api-key": served.credentials["users"]["grace"]["apiKey"]}) as api:
        item, _ = publish(
            api, sample(), f"{SAMPLE_NAME} in a name that is as long as names may well become", sample_picture()
        )
    drive = ask(grace, "query($i: ID!) { driveItem(id: $i) { driveId } }", i=item)["driveItem"]["driveId"]
    make = 'mutation($d: ID!) { createItem(driveId: $d, name: "Reports", driveItemType: folder) { id } }'
    folder = ask(grace, make, d=drive)["createItem"]["id"]
    move = "mutation($i: ID!, $d: ID!, $f: ID!) { moveItem(itemId: $i, driveId: $d, parentId: $f) { id } }"
    assert isinstance(ask(grace, move, i=item, d=drive, f=folder), dict)
    return {"drive": f"/drive/{drive}", "folder": f"/folder/{folder}", "doc": f"/doc/{item}"}


@pytest.mark.parametrize("viewport", [{"width": 1200, "height": 800}, PHONE], ids=["wide", "phone"])
async def test_axe_finds_nothing_where_items_are_read(served, browser, people, reading, viewport):
    async with window(browser, served, people["grace"], viewport=viewport, bypass_csp=True) as page:
        for path in (*reading.values(), "/shared"):
            await page.goto(path)
            await check_accessible(page, ALL)
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


async def test_a_reader_goes_from_the_start_to_a_document_with_its_images_and_charts(served, browser, people, reading):
    async with window(browser, served, people["grace"]) as page:
        await page.goto(reading["drive"])
        await page.get_by_role("link", name="Reports").last.click()
        await page.get_by_role("link", name=SAMPLE_NAME).click()
        await page.wait_for_url(f"**{reading['doc']}")
        image = page.locator("article img").first
        await image.scroll_into_view_if_needed()
        await page.wait_for_function("() => document.querySelector('article img').naturalWidth > 0")
        await page.locator("iframe.chart").first.scroll_into_view_if_needed()
        chart = page.frame_locator("iframe.chart").first
        await chart.locator("[data-drawn=yes]").wait_for()
        await expect(page.locator("script")).to_have_count(0)
        breadcrumbs = page.get_by_role("navigation", name="Breadcrumbs")
        # by keyboard: right after scrolling, Chromium may give a click to the frame that was at its place before
        await breadcrumbs.get_by_role("link", name="Reports").press("Enter")
        await page.wait_for_url(f"**{reading['folder']}")


async def test_a_new_chart_document_shows_its_months_in_their_order(served, browser, browser_of, people):
    grace = browser_of("grace")
    drive = ask(grace, "{ drives(first: 1) { nodes { id } } }")["drives"]["nodes"][0]["id"]
    make = 'mutation($d: ID!) { createItem(driveId: $d, name: "Sales", driveItemType: viz_workbook) { id } }'
    item = ask(grace, make, d=drive)["createItem"]["id"]
    async with window(browser, served, people["grace"]) as page:
        await page.goto(f"/doc/{item}")
        chart = page.frame_locator("iframe.chart").first
        await chart.locator("[data-drawn=yes]").wait_for()
        labels = await chart.locator(".role-axis-label text").all_text_contents()
        assert [each for each in labels if each in ("Jan", "Feb", "Mar")] == ["Jan", "Feb", "Mar"]


async def test_an_address_where_nothing_is_says_so_to_everybody(served, browser):
    context = await new_context(browser, base_url=served.origin)
    page = await context.new_page()
    answer = await page.goto("/nothing/here")
    assert answer.status == 404
    await check_accessible(page, ALL)
    await context.close()


async def test_somebody_signs_in_by_keyboard_alone_and_sees_where_they_are(served, browser, people):
    async with window(browser, served) as page:
        await page.goto("/sign-in")
        await page.keyboard.press("Tab")
        skip = page.get_by_role("link", name="Skip to the content")
        await expect(skip).to_be_focused()
        await expect(skip).to_be_in_viewport()
        await page.keyboard.press("Enter")
        await page.wait_for_function("() => document.activeElement.id === 'main'")
        await page.keyboard.press("Tab")
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert await page.evaluate(outline) == "solid"
        await page.keyboard.type(people["ada"]["email"])
        await page.keyboard.press("Tab")
        await page.keyboard.type(people["ada"]["password"])
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="Welcome, Ada Lovelace").wait_for()


async def test_what_is_wrong_leads_to_its_field_and_is_read_with_it(served, browser, people):
    async with window(browser, served, people["ben"]) as page:
        await page.goto("/settings/profile")
        await page.get_by_label("New password").fill("short")
        await page.get_by_label("Present password").fill("not this")
        await page.get_by_role("button", name="Change password").click()
        summary = page.get_by_role("alert")
        assert (await page.title()).startswith("Error: ")
        await summary.get_by_role("link", name="This is not your present password").click()
        field = page.get_by_label("Present password")
        await expect(field).to_be_focused()
        await expect(field).to_have_attribute("aria-invalid", "true")
        described = await field.get_attribute("aria-describedby")
        await expect(page.locator(f"#{described}")).to_have_text(
            "This is not your present password", use_inner_text=True
        )


async def test_a_key_is_shown_once_and_copied_by_a_button(served, browser, people):
    async with window(browser, served, people["ada"], permissions=CLIPBOARD) as page:
        await page.goto("/settings/keys")
        await page.get_by_label("What is it for?").fill("copied")
        await page.get_by_role("button", name="Make a key").click()
        secret = (await page.locator("#secret").inner_text()).strip()
        assert re.fullmatch(r"cdr_[0-9A-Za-z]{36}", secret)
        await page.get_by_role("button", name="Copy").click()
        await page.get_by_text("Copied", exact=True).wait_for()
        assert await page.evaluate("navigator.clipboard.readText()") == secret
        await page.goto("/settings/keys")
        assert secret not in await page.content()
        await page.get_by_role("button", name="Revoke copied").click()
        await page.get_by_role("heading", name="Make a key").wait_for()
        await expect(page.get_by_role("button", name="Revoke copied")).to_have_count(0)


async def test_everything_works_without_any_script(served, browser, people):
    async with window(browser, served, people["cleo"], java_script_enabled=False) as page:
        await page.get_by_role("link", name="API keys").click()
        await page.get_by_label("What is it for?").fill("by hand")
        await page.get_by_label("Agent (optional)").fill("robot")
        await page.get_by_role("button", name="Make a key").click()
        await expect(page.get_by_role("button", name="Copy")).to_have_count(0)
        await expect(page.locator("#secret")).to_be_visible()
        await page.get_by_role("link", name="Profile").click()
        await page.get_by_label("Name").fill("Cleopatra")
        await page.get_by_role("button", name="Save").click()
        await page.get_by_role("status").wait_for()
        await page.get_by_role("link", name="Cleopatra").wait_for()
        await page.get_by_label("Name").fill("Cleo")
        await page.get_by_role("button", name="Save").click()
        await page.get_by_role("button", name="Sign out", exact=True).click()
        await page.wait_for_url("**/sign-in")


async def test_an_admin_invites_makes_an_admin_and_removes(served, browser, people, letters):
    async with window(browser, served, people["grace"]) as admin, window(browser, served) as guest:
        await admin.goto("/settings/organizations")
        await admin.get_by_role("link", name="Acme").click()
        await admin.get_by_label("E-mail address").fill("dora@new.example")
        await admin.get_by_role("button", name="Invite", exact=True).click()
        await admin.get_by_role("status").wait_for()
        await guest.goto(letters.link("dora@new.example"))
        await guest.get_by_label("Your name").fill("Dora")
        await guest.get_by_label("Password").fill(PASSWORD)
        await guest.get_by_role("button", name="Make an account").click()
        await guest.get_by_label("E-mail address").fill("dora@new.example")
        await guest.get_by_label("Password").fill(PASSWORD)
        await guest.get_by_role("button", name="Sign in").click()
        await guest.get_by_role("button", name="Join").click()
        await guest.get_by_role("heading", name="Acme").wait_for()
        await admin.goto("/settings/organizations")
        await admin.get_by_role("link", name="Acme").click()
        await admin.get_by_label("Role of Dora", exact=True).select_option("admin")
        await admin.get_by_role("button", name="Set the role of Dora").click()
        await admin.get_by_text("dora@new.example, admin since").wait_for()
        await admin.get_by_role("button", name="Remove Dora").click()
        await admin.get_by_text("dora@new.example").wait_for(state="detached")
        await guest.goto("/settings/organizations")
        await guest.get_by_text("You belong to none.").wait_for()


async def test_scripts_and_other_pages_reach_neither_the_cookie_nor_the_page(served, browser, people):
    async with window(browser, served, people["ada"]) as page:
        assert await page.evaluate("document.cookie") == ""
        context = await new_context(browser)
        other = await context.new_page()
        await other.goto("about:blank")
        async with other.expect_event("framenavigated", lambda frame: frame.url != "about:blank") as refused:
            await other.set_content(f'<iframe src="{served.origin}/sign-in"></iframe>', wait_until="commit")
        frame = await refused.value
        assert frame.url.startswith("chrome-error://")
        await context.close()
