"""Charts in a document: drawn beside their sources, whoever writes them, by a frame that can do nothing else."""

import json

import pytest
from playwright.async_api import expect

from tests.app.writing import BEN, Document, blame, blamed, block, editor, made, open_in, saved
from tests.support.web.accessible import check_accessible, check_everywhere
from tests.support.web.payloads import SWEEP

WIDE, PHONE = {"width": 1200, "height": 900}, {"width": 320, "height": 740}
ELSEWHERE = "https://charts.example/data.json"


def chart(**more):
    """A bar chart of fruit."""
    values = [{"fruit": "apple", "sold": 3}, {"fruit": "pear", "sold": 5}]
    encoding = {"x": {"field": "fruit"}, "y": {"field": "sold", "type": "quantitative"}}
    return {"title": "Fruit sold", "data": {"values": values}, "mark": "bar", "encoding": encoding, **more}


def source(specification, language="vega-lite"):
    words = specification if isinstance(specification, str) else json.dumps(specification, indent=2)
    return block("codeBlock", words, language=language)


def charted(world_of, *blocks):
    return Document(world_of("ada")).add(made(*blocks))


async def drawing(page, nth=0):
    """Scroll to a chart and return what stands in its frame."""
    figure = page.locator(".charted > figure").nth(nth)
    await figure.scroll_into_view_if_needed()
    return figure.frame_locator("iframe")


async def drawn(page, count, nth=0):
    """Wait until the chart has so many bars, and nothing is said against it."""
    frame = await drawing(page, nth)
    await frame.locator(
        f"[data-drawn=yes]:has(.drawing:only-child .mark-rect path:nth-of-type({count}):last-of-type)"
    ).wait_for()
    await expect(frame.get_by_role("status")).to_have_text("")
    return frame


async def put_behind(page, words, more):
    """Put the cursor behind these words of a source, by the keyboard, and write."""
    await (
        editor(page)
        .locator(".charted code")
        .evaluate(
            """(code, words) => {
          let left = code.textContent.indexOf(words) + words.length; // colours divide the text
          const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
          while (texts.nextNode() && texts.currentNode.length < left) left -= texts.currentNode.length;
          getSelection().collapse(texts.currentNode, left);
        }""",
            words,
        )
    )
    await page.keyboard.type(more)


async def test_a_chart_is_drawn_and_follows_what_another_person_types(window, world_of):
    document = charted(world_of, block("paragraph", "Sales"), source(chart()))
    document.share(BEN, "read_write")
    async with window("ada") as ada, window("ben") as ben:
        for page in (ada, ben):
            await open_in(page, document)
            await drawn(page, 2)
        await editor(ben).focus()
        await put_behind(ben, '"values": [', '{"fruit": "fig", "sold": 4},')
        for page in (ada, ben):
            await drawn(page, 3)
        await saved(ben)
        assert '"fig"' in document.markdown


async def test_a_broken_chart_is_told_while_its_last_drawing_stays_and_mends(window, world_of):
    document = charted(world_of, source(chart()))
    async with window("ada") as page:
        await open_in(page, document)
        frame = await drawn(page, 2)
        await editor(page).focus()
        await put_behind(page, '"values": [', "!")
        await frame.get_by_role("status").get_by_text("This chart cannot be drawn: Unexpected token '!'").wait_for()
        await expect(frame.locator(".mark-rect path")).to_have_count(2)
        await page.keyboard.press("Backspace")
        await drawn(page, 2)


async def test_opening_a_document_with_charts_changes_nothing(window, world_of):
    document = charted(
        world_of, source(chart()), source("{"), source("print()", "python"), source(chart(), "vega-lite x")
    )
    before = document.state()
    async with window("ada") as page:
        await open_in(page, document)
        await drawn(page, 2)
        await (await drawing(page, 1)).get_by_text("This chart cannot be drawn").wait_for()
        await drawn(page, 2, 2)
        await expect(page.locator(".ProseMirror pre")).to_have_count(4)
    assert document.state() == before


async def test_a_chart_is_drawn_only_where_one_looks(window, world_of):
    document = charted(
        world_of, source(chart()), *(block("paragraph", f"line {each}") for each in range(200)), source(chart())
    )
    async with window("ada") as page:
        await open_in(page, document)
        await drawn(page, 2)
        await expect(page.locator(".charted")).to_have_count(2)
        await expect(page.locator(".charted iframe")).to_have_count(1)
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.locator(".charted").nth(1).locator("iframe").wait_for()
        await page.locator(".charted").first.locator("iframe").wait_for(state="detached")
        await drawn(page, 2, 1)


async def test_a_code_block_becomes_a_chart_and_a_chart_document_is_edited(window, world_of):
    ada = world_of("ada")
    drive = ada.drive("Charts")
    ada.item(drive, "Numbers", "viz_workbook")
    async with window("ada") as page:
        await page.goto(f"/drive/{drive}")
        await page.get_by_role("link", name="Numbers").click()
        await drawn(page, 3)
        await editor(page).focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.press("Control+Enter")
        await page.keyboard.type("/chart")
        await page.get_by_role("listbox", name="Blocks").get_by_role("option", name="Chart").wait_for()
        await page.keyboard.press("Enter")
        await drawn(page, 1, 1)
        await saved(page)


async def test_a_chart_is_copied_as_its_source_and_blamed_letter_by_letter(window, world_of):
    document = charted(world_of, source('{"mark": "bar"}'))
    once = document.markdown
    async with window("ada") as page:
        await open_in(page, document)
        await (await drawing(page)).locator("[data-drawn]").wait_for(state="attached")
        await editor(page).focus()
        await page.keyboard.press("Control+A")
        await page.keyboard.press("Control+C")
        await page.keyboard.press("Control+End")
        await page.keyboard.press("Control+Enter")
        await page.keyboard.press("Control+V")
        await page.locator(".charted").nth(1).wait_for()
        await saved(page)
        assert document.markdown.count(once.strip()) == 2
        await blame(page)
        assert await blamed(page) == document.authors_of_letters()


async def test_hostile_charts_run_nothing_and_send_no_request(window, world_of):
    run = "top.alert(1)||parent.alert(1)||fetch('https://charts.example/')"
    hostile = [
        chart(data={"url": ELSEWHERE}),
        chart(mark={"type": "image", "url": "https://charts.example/x.png"}),
        chart(mark={"type": "bar", "href": f"javascript:{run}"}),
        chart(params=[{"name": "p", "expr": f"constructor.constructor({json.dumps(run)})()"}]),
        chart(transform=[{"calculate": f"[].constructor.constructor({json.dumps(run)})()", "as": "x"}]),
        chart(usermeta={"embedOptions": {"loader": {"baseURL": "https://charts.example/"}}}),
        chart(title=f"<img src=x onerror={run}>"),
    ]
    document = charted(world_of, *map(source, hostile))
    before = document.state()
    async with window("ada", allowed=["a chart loads nothing"]) as page:
        await open_in(page, document)
        for each in range(len(hostile)):
            frame = await drawing(page, each)
            await frame.locator("[data-drawn]").wait_for(state="attached")
            assert await frame.locator("script").count() == 2
            assert await frame.locator("body").evaluate(SWEEP) == []
            assert await frame.locator("body").evaluate("() => origin") == "null"
    assert document.state() == before


async def test_a_frame_draws_for_the_page_around_it_alone(window, world_of):
    document = charted(world_of, source(chart()))
    async with window("ada") as page:
        await open_in(page, document)
        await drawn(page, 2)
        await page.frames[-1].evaluate(
            """() => new Promise((told) => {
              addEventListener('message', () => requestAnimationFrame(told));
              postMessage('{', '*');
            })"""
        )
        await drawn(page, 2)


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
async def test_axe_finds_nothing_and_a_chart_says_what_it_shows(window, world_of, viewport):
    document = charted(world_of, source(chart()), block("paragraph", "after"))
    async with window("ada", viewport=viewport) as page:
        await open_in(page, document)
        await drawn(page, 2)
        # first, since another width draws it anew; it needs no heading of its own
        await check_accessible(page, frame=page.frames[-1])
        await check_everywhere(page)
        frame = await drawn(page, 2)
        await expect(frame.locator(".drawing")).to_have_attribute("aria-label", "Fruit sold")
        await page.set_viewport_size(viewport)
        code, figure = [await page.locator(f".charted {each}").bounding_box() for each in ("pre", "figure")]
        assert (figure["x"] > code["x"]) == (viewport == WIDE)


async def test_the_keyboard_goes_into_a_source_through_it_and_past_its_drawing(window, world_of):
    document = charted(world_of, block("paragraph", "before"), source(chart(mark="point")), block("paragraph", "after"))
    async with window("ada") as page:
        await open_in(page, document)
        await (await drawing(page)).locator("[data-drawn=yes]").wait_for()
        await editor(page).get_by_text("before").click()
        await page.keyboard.press("End")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.type(" ")
        for _ in json.dumps(chart(mark="point"), indent=2).splitlines():
            await page.keyboard.press("ArrowDown")
        await page.keyboard.press("End")
        await page.keyboard.type("wards")
        await editor(page).get_by_text("afterwards").wait_for()
        await page.keyboard.press("Escape")
        await page.keyboard.press("Tab")
        await page.wait_for_function(
            "() => !document.activeElement.closest('.ProseMirror') || document.activeElement.tagName === 'IFRAME'"
        )
        await saved(page)
        assert document.markdown.endswith("```\n\nafterwards\n")
