"""A published page is good to read: for everybody, on a phone, with its charts drawn and described."""

import re
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import expect

from tests.support.processes.browser import new_context
from tests.support.processes.servers import http
from tests.support.web.accessible import check_accessible
from tests.support.web.payloads import check_quiet, watching
from tests.support.web.publishing import SAMPLE_NAME, document, publish, sample, sample_picture

ALL = ("minor", "moderate", "serious", "critical")
WIDE, PHONE = {"width": 1200, "height": 900}, {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def ada(served):
    key = served.credentials["users"]["ada"]["apiKey"]
    with http(served.origin, headers={"x-api-key": key}) as client:
        yield client


@pytest.fixture(scope="module")
def url(ada):
    """The public page of a document with everything in it."""
    return publish(ada, sample(), SAMPLE_NAME, sample_picture())[1]


@asynccontextmanager
async def reading(browser, served, url, **options):
    async with watching(browser, served.origin, (url.removeprefix(served.origin), "/static/"), **options) as (
        page,
        alarms,
    ):
        await page.goto(url)
        if await page.locator("[data-chart]").count():
            await page.wait_for_selector("[data-drawn]", state="attached")
        yield page
        await check_quiet(page, alarms)


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
async def test_axe_finds_nothing(served, browser, url, viewport):
    async with reading(browser, served, url, viewport=viewport) as page:
        await check_accessible(page, ALL)


async def test_axe_finds_nothing_on_an_empty_page_nor_where_nothing_is(served, browser, ada):
    _, empty = publish(ada, document())
    async with reading(browser, served, empty, bypass_csp=True) as page:
        await check_accessible(page, ALL)
        await page.goto(f"{empty}x")
        await check_accessible(page, ALL)


async def test_a_chart_is_drawn_and_says_what_it_shows(served, browser, url):
    async with reading(browser, served, url) as page:
        chart = page.locator("[data-chart]")
        await expect(chart).to_have_attribute("data-drawn", "yes")
        await expect(chart.locator(".drawing")).to_have_attribute("aria-label", "Workspaces opened each month")
        await chart.locator("svg .mark-rect path").nth(11).wait_for(state="attached")
        await expect(chart.locator("pre")).to_be_hidden()
        await chart.locator("summary").click()
        await expect(chart.locator("pre")).to_contain_text('"mark": "bar"')


async def test_a_chart_follows_the_colour_scheme(served, browser, url):
    async with reading(browser, served, url, color_scheme="light") as page:
        colour = "document.querySelector('.role-axis-label text').getAttribute('fill')"
        before = await page.evaluate(colour)
        await page.emulate_media(color_scheme="dark")
        await page.wait_for_function(f"before => {colour} !== before", arg=before)
        await expect(page.locator(".drawing")).to_have_count(1)


async def test_a_chart_that_cannot_be_drawn_leaves_its_specification_and_says_why(served, browser, ada):
    _, url = publish(
        ada,
        document({"type": "codeBlock", "attrs": {"language": "vega-lite"}, "content": [{"type": "text", "text": "{"}]}),
    )
    async with reading(browser, served, url) as page:
        await expect(page.locator("[data-chart] pre")).to_be_visible()
        await expect(page.locator("figcaption")).to_have_text(re.compile("^This chart cannot be drawn: "))


async def test_without_scripts_the_specification_stands_where_the_chart_would_be(browser, url):
    context = await new_context(browser, java_script_enabled=False)
    page = await context.new_page()
    await page.goto(url)
    await expect(page.locator("[data-chart] pre")).to_be_visible()
    await context.close()


async def test_on_a_phone_only_tables_and_code_scroll_sideways(served, browser, url):
    async with reading(browser, served, url, viewport=PHONE) as page:
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert await page.evaluate(
            "[...document.querySelectorAll('.scroll')].some(each => each.scrollWidth > each.clientWidth)"
        )


async def test_lines_are_about_seventy_characters_long(served, browser, url):
    """Measured where it matters: the most characters of a paragraph that fit into one line."""
    async with reading(browser, served, url, viewport=WIDE) as page:
        paragraph = page.locator("article > p").first
        lines = await paragraph.evaluate("""element => {
            const range = document.createRange(), words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            const lines = new Map();
            for (let node; (node = words.nextNode());)
                for (let at = 0; at < node.length; at += 1) {
                    range.setStart(node, at);
                    range.setEnd(node, at + 1);
                    const top = Math.round(range.getBoundingClientRect().top / 12);
                    lines.set(top, (lines.get(top) ?? 0) + 1);
                }
            return [...lines.values()];
        }""")
        assert 55 <= max(lines) <= 80


async def test_a_heading_can_be_linked_to(served, browser, url):
    async with reading(browser, served, url, viewport=WIDE) as page:
        await page.goto(f"{url}#trying-it")
        heading = page.locator("h2:target")
        await expect(heading).to_have_text("Trying it")
        assert await heading.evaluate("element => element.getBoundingClientRect().top < innerHeight")


async def test_on_paper_there_are_addresses_and_nothing_to_operate(served, browser, url):
    async with reading(browser, served, url) as page:
        await page.emulate_media(media="print", color_scheme="dark")
        assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        await expect(page.locator(".chart summary")).to_be_hidden()
        after = "getComputedStyle(document.querySelector('article a[href^=http]'), '::after').content"
        assert "href" in await page.evaluate(after) or "https://" in await page.evaluate(after)
