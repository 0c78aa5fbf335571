"""What somebody may write who wants one of our pages to run something, and who notices when a page does.

`PAYLOADS` go wherever people's words are shown. `check_inert` reads a page as it was sent, `watching` sees what it does
in a browser: together they hold for every page we serve, published or our own.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
from playwright.async_api import Browser, ConsoleMessage, Dialog, Error, Page, Route

from domain.values import NAME_LENGTH, item_name
from tests.support.processes.browser import judging, new_context
from tests.support.web.publishing import code, paragraph

IMAGE = "019aa111-1111-7111-8111-111111111111"
FILE = Path(__file__).with_name("payloads.txt")
HTML = "{http://www.w3.org/1999/xhtml}"
# Elements that run, load or frame something, or change what the page's addresses mean: none of our pages has any.
REFUSED = frozenset(
    f"{HTML}{name}"
    for name in (
        *("applet", "area", "audio", "base", "dialog", "embed", "fencedframe", "frame", "frameset", "iframe", "image"),
        *("isindex", "keygen", "map", "marquee", "noembed", "noframes", "object", "param", "picture", "plaintext"),
        *("portal", "source", "style", "template", "track", "video", "xmp"),
    )
)
ADDRESSES = ("href", "src", "action", "formaction", "poster", "background", "cite", "data", "longdesc", "manifest")
SCHEMES = ("http", "https", "mailto", "tel")


def payloads() -> list[str]:
    """The lines of the file that are no headings, with `\\u` escapes read."""
    lines = FILE.read_text("utf-8").splitlines()
    told = [line for line in lines if line and not line.startswith("# ")]
    return [re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), line) for line in told]


PAYLOADS = payloads()


def sendable(text: str) -> str:
    """The payload as a request can carry it, where lone surrogates cannot be."""
    return text.encode("utf-8", "replace").decode()


def text(words: str, *marks: dict[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": words, **({"marks": list(marks)} if marks else {})}


def everywhere(words: str) -> list[dict[str, Any]]:
    """Blocks with these words in every place of a document where people's words can be."""
    link = {"type": "link", "attrs": {"href": words, "title": words, "target": words, "rel": words, "class": words}}
    style = {"type": "textStyle", "attrs": {"color": words}}
    image = {"src": words, "alt": words, "title": words, "width": words, "height": words}
    cell = {"type": "tableCell", "attrs": {"align": words, "colspan": words}, "content": [paragraph(words)]}
    item = {"type": "listItem", "content": [paragraph(words)]}
    return [
        {"type": "heading", "attrs": {"level": 2, "textAlign": words}, "content": [text(words)]},
        paragraph(words, link, {"type": "bold"}, style, textAlign=words),
        paragraph(f"[!NOTE] {words}"),
        {"type": "blockquote", "content": [paragraph(f"[!NOTE] {words}"), paragraph(words)]},
        code(words, words),
        code("vega-lite", words),
        {"type": "image", "attrs": image},
        {"type": "image", "attrs": image | {"src": f"/images/{IMAGE}"}},
        {"type": "image", "attrs": image | {"src": f"https://example.org/{words}"}},
        {"type": "paragraph", "content": [{"type": "mention", "attrs": {"id": words, "label": words}}]},
        {"type": "bulletList", "content": [item]},
        {"type": "orderedList", "attrs": {"start": words, "type": words}, "content": [item]},
        {
            "type": "taskList",
            "content": [{"type": "taskItem", "attrs": {"checked": words}, "content": [paragraph(words)]}],
        },
        {"type": "table", "content": [{"type": "tableRow", "content": [cell, {**cell, "type": "tableHeader"}]}]},
        {
            "type": "details",
            "content": [
                {"type": "detailsSummary", "content": [text(words, link)]},
                {"type": "detailsContent", "content": [paragraph(words)]},
            ],
        },
        {"type": "iframe", "attrs": {"src": words, "srcdoc": words, "onload": words}, "content": [paragraph(words)]},
        {"type": "script", "attrs": {"src": words}, "content": [text(words)]},
    ]


def names() -> list[str]:
    """The payloads that a name can hold, as many in a name as fit."""
    made = [""]
    for words in map(sendable, PAYLOADS):
        if isinstance(item_name(words), str):
            made[-1:] = (
                [f"{made[-1]} {words}".strip()] if len(made[-1]) + len(words) < NAME_LENGTH else [made[-1], words]
            )
    return made


def check_inert(html: str, own: tuple[str, ...] = ("/",)) -> Element:
    """Fail where the page could run, load or submit anything that is not ours; `own` begin our own addresses."""
    page = html5lib.parse(html)
    for element in page.iter():
        if not isinstance(element.tag, str):  # a comment
            continue
        assert element.tag.startswith(HTML), f"{element.tag} is of another vocabulary"
        assert element.tag not in REFUSED, element.tag
        for name, value in element.attrib.items():
            assert isinstance(name, str), f"{name} is of another vocabulary"
            assert not name.startswith("on"), f"{element.tag} {name}"
            assert name not in ("style", "srcdoc", "srcset", "ping"), f"{element.tag} {name}"
            if name in ADDRESSES:
                check_address(element.tag.removeprefix(HTML), value, own)
    for script in page.iter(f"{HTML}script"):
        assert script.attrib["src"].startswith("/static/")
        assert not script.text
    for meta in page.iter(f"{HTML}meta"):
        assert "http-equiv" not in meta.attrib
    return page


def check_address(tag: str, value: str, own: tuple[str, ...]) -> None:
    """As a browser reads an address: what it leaves out is left out first."""
    read = re.sub(r"[\t\n\r]", "", value).strip("".join(map(chr, range(33))))
    scheme = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", read)
    if tag == "a":
        assert scheme is None or scheme[1].lower() in SCHEMES, value
    else:  # what a page loads by itself, or sends to
        assert read.startswith(own), f"{tag} {value}"
        assert not read.startswith(("//", "/\\")), f"{tag} {value}"


# What reads or listens on its own can be seen in the elements, wherever a script has put them.
SWEEP = """() => [...document.querySelectorAll('*')].flatMap(element => [
    ...[...element.attributes].filter(each => /^on/i.test(each.name)).map(each => `${element.tagName} ${each.name}`),
    ...[...element.attributes].filter(each => /^(xlink:)?href$|^(src|action|formaction|data)$/i.test(each.name)
        && URL.canParse(each.value, document.baseURI)
        && !/^(https?|mailto|tel):$/.test(new URL(each.value, document.baseURI).protocol))
        .map(each => `${element.tagName} ${each.name}=${each.value}`),
    ...(/^(iframe|frame|object|embed|base|portal|foreignobject|animate|set|use)$/i.test(element.tagName)
        ? [element.tagName] : []),
    ...(element.tagName.toLowerCase() === 'script' && !element.src ? ['a script in the page'] : []),
])"""


class Alarms(list[str]):
    """What was noticed; `rung` is set at each, for whoever waits for one."""

    def __init__(self) -> None:
        super().__init__()
        self.rung = asyncio.Event()

    def append(self, alarm: str) -> None:
        super().append(alarm)
        self.rung.set()


@asynccontextmanager
async def watching(
    browser: Browser, origin: str, own: tuple[str, ...], **options: Any
) -> AsyncIterator[tuple[Page, Alarms]]:
    """Yield a page and the list of what it did that no page may do; `own` begin the paths it may ask for.

    Nothing but `origin` can be reached, so a payload that works harms nobody.
    """
    context = await new_context(browser, **options)
    alarms = Alarms()

    async def guard(route: Route) -> None:
        url = route.request.url
        if url.startswith(origin + "/") and url.removeprefix(origin).startswith(own):
            await route.continue_()
        else:
            alarms.append(f"asked for {url}")
            await route.abort()

    async def dialog(shown: Dialog) -> None:
        alarms.append(f"{shown.type}: {shown.message}")
        with suppress(Error):  # its frame may be gone already
            await shown.dismiss()

    def console(message: ConsoleMessage) -> None:
        if re.search(r"Content Security Policy|Refused to|sandboxed|violates", message.text):
            alarms.append(f"the policy had to stop it: {message.text}")

    await context.route("**/*", guard)
    page = await context.new_page()
    page.on("dialog", dialog)
    page.on("console", console)
    page.on("popup", lambda opened: alarms.append(f"opened {opened.url}"))
    page.on("websocket", lambda opened: alarms.append(f"socket {opened.url}"))
    page.on("pageerror", lambda error: alarms.append(f"error {error}"))
    try:
        async with judging(origin):
            yield page, alarms
    finally:
        await context.close()


async def check_quiet(page: Page, alarms: Alarms) -> None:
    """Fail for whatever the page did since it was opened, and for what it is ready to do."""
    alarms += await page.evaluate(SWEEP)
    assert alarms == []
