"""Compares the web application with bare pages of the same text in the same browser, and prints the sizes of its scripts.

    python -m benchmarks app

A bare page holds the same paragraphs in one `contenteditable`, or the same rows, and has no script but the measuring one. A letter is
timed from its key, or from its message where somebody else types, to the end of the next frame. Figures are medians; for frames of
scrolling and letters in the middle, the 95th percentile.
"""

import asyncio
import base64
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx
from playwright.async_api import Browser, Page
from pycrdt import Doc, XmlFragment, XmlText
from websockets.asyncio.client import connect

from benchmarks.filled import FIRST_CLIENT, IMPORT
from benchmarks.served import Client, Process, server
from documents.tree.build import from_tree
from live import codec
from tests.support.processes.browser import WHOLE, browsing, sign_in

FEW, SOME, MANY = 200, 2_000, 20_000  # blocks
ROWS = 10_000
ROW_HEIGHT = 40  # pixels
MOST_ROWS = 60  # in the page at once
TYPED, REMOTE = 1, 3  # the paragraphs in which the window and somebody else type
LETTERS = 30
LETTERS_OF_A_RUN, RUNS = 200, 5
OPENINGS = 5
FRAMES = 200
STEP = 400  # pixels that are scrolled in each frame
TEXT = (
    "Paragraph {number} says something of interest, and then somewhat more of it, so that it fills more than one line."
)
PATIENCE = 120_000.0  # milliseconds
FIRST_LOAD, EDITOR = 230_000, 215_000  # bytes after gzip

MEASURING = """
  const afterFrame = (done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(null);
  });
  window.letters = [];
  window.afterFrame = () => new Promise(afterFrame);
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", () => { window.received = performance.now(); });
    }
  };
  addEventListener("keydown", () => {
    const begun = performance.now();
    afterFrame(() => letters.push(performance.now() - begun));
  }, true);
  const look = () => {
    const text = document.querySelector("article p[dir], [role=textbox] p")?.getBoundingClientRect();
    const isSeen = text && text.height > 0 && text.top < innerHeight && text.bottom > 0;
    if (isSeen) afterFrame(() => { window.firstText = performance.timeOrigin + performance.now(); });
    else requestAnimationFrame(look);
  };
  addEventListener("click", ({ target }) => {
    if (!target.closest("[data-measured], [role=grid] a")) return;
    sessionStorage.setItem("clicked", performance.timeOrigin + performance.now());
    look();
  }, true);
  if (location.pathname === "/bare" && sessionStorage.getItem("clicked")) look();
"""
FIRST_TEXT = "() => window.firstText && firstText - Number(sessionStorage.getItem('clicked'))"
LINK = "<!doctype html><title>bare</title><a data-measured href=/bare>Document</a>"
WRITABLE = """
(text) => new Promise((writable) => {
  const look = () => {
    const box = document.querySelector("[contenteditable][role=textbox]:not([contenteditable=false])");
    if (box?.lastElementChild?.textContent === text) afterFrame().then(writable);
    else requestAnimationFrame(look);
  };
  look();
})
"""
SHOWN = """
() => new Promise((shown) => {
  const observer = new MutationObserver(() => {
    observer.disconnect();
    const begun = received;
    afterFrame().then(() => shown(performance.now() - begun));
  });
  observer.observe(document.querySelector("[role=textbox]"), { subtree: true, childList: true, characterData: true });
})
"""
CHANGED = """
(text) => {
  const paragraph = [...document.querySelectorAll("p")].find(({ textContent }) => textContent.endsWith(text));
  window.received = performance.now();
  paragraph.firstChild.data = `x${paragraph.textContent}`;
}
"""
OBSERVE_LONG_TASKS = """
() => {
  window.longTasks = 0;
  window.observer = new PerformanceObserver((seen) => { longTasks += seen.getEntries().length; });
  observer.observe({ type: "longtask" });
}
"""
COUNT_LONG_TASKS = """
() => {
  const rest = observer.takeRecords().length;
  observer.disconnect();
  return longTasks + rest;
}
"""
SCROLL = """
async ([selector, frames, step]) => {
  const scroller = selector ? document.querySelector(selector) : document.scrollingElement;
  const times = [];
  let rows = 0;
  let before = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < frames; frame++) {
    scroller.scrollTop += step;
    const now = await new Promise(requestAnimationFrame);
    times.push(now - before);
    before = now;
    rows = Math.max(rows, scroller.querySelectorAll("[role=row]").length);
  }
  return [times, rows];
}
"""


@dataclass(frozen=True)
class Line:
    """A figure in its unit, what it is compared with, and the limit of their ratio; without a reference, of the figure."""

    name: str
    ours: float
    theirs: float | None = None
    limit: float | None = None

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs if self.theirs else self.ours

    @property
    def holds(self) -> bool:
        return self.limit is None or self.ratio <= self.limit

    def __str__(self) -> str:
        limit = "" if self.limit is None else f"{self.limit:,.1f}"
        ratio = f"{self.ratio:,.2f}" if self.theirs else ""
        theirs = "" if self.theirs is None else f"{self.theirs:,.1f}"
        return f"{self.name:52}{limit:>9}{ratio:>9}{self.ours:>11,.1f}{theirs:>11}{'' if self.holds else '  MISSED'}"


def paragraphs(blocks: int) -> list[str]:
    return [TEXT.format(number=number) for number in range(blocks)]


def bare(blocks: int) -> str:
    inside = "".join(f"<p>{text}</p>" for text in paragraphs(blocks))
    return f"<!doctype html><title>bare</title><div contenteditable role=textbox style='width: 46rem'>{inside}</div>"


def bare_rows() -> str:
    rows = "".join(f"<div role=row style='height: {ROW_HEIGHT}px'>Document {number:05}</div>" for number in range(ROWS))
    return f"<!doctype html><title>bare</title>{rows}"


class Documents:
    """Documents of one user on the measured server."""

    def __init__(self, process: Process) -> None:
        self.user = process.credentials["users"]["ada"]
        self.process = process
        self.client = Client(process, self.user["apiKey"])
        self.drive_id = self.client.ask("POST", "/api/v1/drives", {"name": "Benchmark"})["drive"]["id"]

    def write(self, document_id: str, blocks: int) -> "Document":
        update = from_tree({"type": "doc", "content": [paragraph(text) for text in paragraphs(blocks)]}, FIRST_CLIENT)
        self.client.graphql(IMPORT, id=document_id, update=base64.b64encode(update).decode())
        return Document(self, document_id, blocks, update)

    def make(self, name: str) -> str:
        path = f"/api/v1/drives/{self.drive_id}/items"
        made: str = self.client.ask("POST", path, {"name": name, "driveItemType": "docs_workbook"})["item"]["id"]
        return made


@dataclass(frozen=True)
class Document:
    documents: Documents
    id: str
    blocks: int
    update: bytes

    @asynccontextmanager
    async def typist(self) -> AsyncIterator[Callable[[], Awaitable[None]]]:
        """Yield a function with which somebody else types a letter into a paragraph."""
        doc: Doc[Any] = Doc(client_id=2)
        doc.apply_update(self.update)
        text = doc.get("default", type=XmlFragment).children[REMOTE].children[0]
        assert isinstance(text, XmlText)
        url = f"ws://127.0.0.1:{self.documents.process.port}/collaboration/{self.id}"
        headers = {"x-api-key": self.documents.user["apiKey"]}
        async with connect(url, additional_headers=headers, proxy=None, max_size=None) as socket:

            async def type_one() -> None:
                before = doc.get_state()
                text.insert(0, "x")
                await socket.send(codec.update(doc.get_update(before)))

            yield type_one


def paragraph(text: str) -> dict[str, Any]:
    return {"type": "paragraph", "content": [{"type": "text", "text": text}]}


class Windows:
    """Opens windows of the application, and of bare pages at the same origin."""

    def __init__(self, browser: Browser, process: Process) -> None:
        self._browser = browser
        self._process = process

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Page]:
        context = await self._browser.new_context(base_url=f"http://127.0.0.1:{self._process.port}")
        context.set_default_timeout(PATIENCE)
        await context.add_init_script(MEASURING)
        page = await context.new_page()
        await sign_in(page, self._process.credentials["users"]["ada"])
        yield page
        await context.close()

    @asynccontextmanager
    async def bare(self, content: str) -> AsyncIterator[Page]:
        context = await self._browser.new_context(base_url=f"http://127.0.0.1:{self._process.port}")
        context.set_default_timeout(PATIENCE)
        await context.add_init_script(MEASURING)
        page = await context.new_page()
        await page.route("**/bare", lambda route: route.fulfill(body=content, content_type="text/html"))
        yield page
        await context.close()


async def show(page: Page, path: str, blocks: int) -> float:
    """Open a page, and return the seconds until its last paragraph stands in what may be written."""
    begun = time.perf_counter()
    await page.goto(path)
    async with asyncio.timeout(PATIENCE / 1e3):
        await page.evaluate(WRITABLE, TEXT.format(number=blocks - 1))
    return time.perf_counter() - begun


async def milliseconds_of_letters(page: Page, number: int = TYPED, letters: int = LETTERS) -> list[float]:
    """Type into a paragraph; return the times of the letters after the first ones."""
    await page.get_by_text(TEXT.format(number=number), exact=True).click()
    for _ in range(letters):
        await page.keyboard.press("x")
        await page.evaluate("afterFrame()")
    times: list[float] = await page.evaluate("letters")
    return times[LETTERS // 3 :]


async def typing(windows: Windows, document: Document, limit: float) -> Line:
    async with windows.open() as page, windows.bare(bare(document.blocks)) as other:
        await show(page, f"/doc/{document.id}", document.blocks)
        ours = median(await milliseconds_of_letters(page))
        await show(other, "/bare", document.blocks)
        theirs = median(await milliseconds_of_letters(other))
    return Line(f"a letter, {document.blocks:,} blocks, ms", ours, theirs, limit)


async def typing_in_the_middle(windows: Windows, document: Document) -> Line:
    slowest: list[float] = []
    async with windows.open() as page, windows.bare(bare(document.blocks)) as other:
        for each, path in ((page, f"/doc/{document.id}"), (other, "/bare")):
            await show(each, path, document.blocks)
            times = await milliseconds_of_letters(each, document.blocks // 2, LETTERS_OF_A_RUN)
            slowest.append(quantiles(times, n=20)[-1])
    return Line(f"a letter in the middle of {document.blocks:,} blocks, p95, ms", *slowest)


async def long_tasks(windows: Windows, document: Document) -> Line:
    """Count the tasks of more than 50 ms, as the browser's own observer does, while somebody types at the end."""
    counts: list[int] = []
    async with windows.open() as page:
        await show(page, f"/doc/{document.id}", document.blocks)
        await page.get_by_text(TEXT.format(number=document.blocks - 1), exact=True).click()
        for _ in range(RUNS):
            await page.evaluate("afterFrame()")
            await page.evaluate(OBSERVE_LONG_TASKS)
            for _ in range(LETTERS_OF_A_RUN):
                await page.keyboard.press("x")
                await page.evaluate("afterFrame()")
            counts.append(await page.evaluate(COUNT_LONG_TASKS))
    return Line(f"tasks over 50 ms of {LETTERS_OF_A_RUN} letters, {document.blocks:,} blocks", median(counts), limit=0)


async def milliseconds_of_changes(page: Page, change: Callable[[], Awaitable[object]]) -> float:
    """Return the time from the moment that the page hears of a change to the end of the next frame."""
    times: list[float] = []
    for _ in range(LETTERS):
        shown = asyncio.create_task(page.evaluate(SHOWN))
        await page.evaluate("0")  # the observer is in place
        await change()
        times.append(await shown)
    return median(times[len(times) // 3 :])


async def remote_letter(windows: Windows, document: Document) -> Line:
    async with windows.open() as page, document.typist() as type_one:
        await show(page, f"/doc/{document.id}", document.blocks)
        ours = await milliseconds_of_changes(page, type_one)
    async with windows.bare(bare(document.blocks)) as page:
        await show(page, "/bare", document.blocks)
        theirs = await milliseconds_of_changes(page, partial(page.evaluate, CHANGED, TEXT.format(number=REMOTE)))
    return Line(f"another's letter, {document.blocks:,} blocks, ms", ours, theirs)


async def remote_letters(windows: Windows, few: Document, many: Document) -> list[Line]:
    """Compare what another's letter costs beside a bare page, and how that ratio grows with the document."""
    lines = [await remote_letter(windows, document) for document in (few, many)]
    return [*lines, Line("how the ratio to the bare page grows", lines[1].ratio, lines[0].ratio, 2.0)]


async def opening(windows: Windows, document: Document, limit: float) -> Line:
    ours, theirs = [], []
    for _ in range(OPENINGS):
        async with windows.open() as page:
            ours.append(await show(page, f"/doc/{document.id}", document.blocks))
        async with windows.bare(bare(document.blocks)) as page:
            theirs.append(await show(page, "/bare", document.blocks))
    return Line(f"opening {document.blocks:,} blocks, ms", median(ours) * 1e3, median(theirs) * 1e3, limit)


async def clicking(windows: Windows, document: Document) -> Line:
    """Compare a click on a row of a list, until the first paragraph is in sight, with one on a link to the bare page."""
    ours, theirs = [], []
    for _ in range(OPENINGS):
        async with windows.open() as page:
            await page.goto(f"/drive/{document.documents.drive_id}")
            ours.append(await milliseconds_of_click(page, f"[role=grid] a[href='/doc/{document.id}']"))
        async with windows.bare(bare(document.blocks)) as page:
            await page.route("**/link", lambda route: route.fulfill(body=LINK, content_type="text/html"))
            await page.goto("/link")
            theirs.append(await milliseconds_of_click(page, "a"))
    return Line(f"click to first text of {document.blocks:,} blocks, ms", median(ours), median(theirs), 2.0)


async def milliseconds_of_click(page: Page, link: str) -> float:
    await page.locator(link).click()
    shown = await page.wait_for_function(FIRST_TEXT)
    return float(await shown.json_value())


async def scrolling(windows: Windows, documents: Documents) -> list[Line]:
    async with windows.open() as page:
        await page.goto(f"/drive/{documents.drive_id}")
        await page.locator(f"[role=grid][aria-rowcount='{ROWS + 1}']").wait_for()
        ours, rows = await page.evaluate(SCROLL, ["[role=grid]", FRAMES, STEP])
    async with windows.bare(bare_rows()) as page:
        await page.goto("/bare")
        theirs, _ = await page.evaluate(SCROLL, [None, FRAMES, STEP])
    slowest = [quantiles(times, n=20)[-1] for times in (ours, theirs)]
    return [
        Line(f"a frame of scrolling {ROWS:,} rows, p95, ms", *slowest, 2.0),
        Line("rows in the page at once", rows, limit=MOST_ROWS),
    ]


async def sizes(windows: Windows, document: Document) -> list[Line]:
    """Return the sizes of the scripts of the first page, and of those that a document needs beyond, after gzip."""
    async with windows.open() as page:
        await page.goto("/trash")
        first = await scripts(page)
        await show(page, f"/doc/{document.id}", document.blocks)
        editor = await scripts(page) - first
        return [
            Line("scripts of the first load, kB", await gzipped(first), limit=FIRST_LOAD / 1000),
            Line("scripts of the editor beyond, kB", await gzipped(editor), limit=EDITOR / 1000),
        ]


async def scripts(page: Page) -> set[str]:
    return {*await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")}


async def gzipped(addresses: set[str]) -> float:
    sizes = 0
    async with httpx.AsyncClient(headers={"accept-encoding": "gzip"}, trust_env=False) as client:
        for address in addresses:
            if not address.endswith(".js"):
                continue
            async with client.stream("GET", address) as answer:
                sizes += len(b"".join([part async for part in answer.aiter_raw()]))
    return sizes / 1000


async def lines(windows: Windows, documents: Documents) -> AsyncIterator[Line]:
    made = [documents.make(f"Document {number:05}") for number in range(ROWS)]
    for line in await scrolling(windows, documents):  # before there are documents that the server indexes
        yield line
    few, some, many = map(documents.write, made, (FEW, SOME, MANY))
    yield await typing(windows, some, 1.3)
    yield await typing(windows, many, 1.2)
    for line in await remote_letters(windows, few, many):
        yield line
    yield await opening(windows, some, 5.0)
    yield await opening(windows, many, 3.0)
    yield await clicking(windows, some)
    yield await typing_in_the_middle(windows, some)
    yield await long_tasks(windows, some)  # which changes the last paragraph, for whose text an opening waits
    for line in await sizes(windows, few):
        yield line


async def measure(process: Process) -> bool:
    """Print each line as soon as it is known; return whether all hold."""
    print(f"{'':52}{'limit':>9}{'ratio':>9}{'ours':>11}{'theirs':>11}", flush=True)
    hold = True
    async with browsing(WHOLE) as browser:
        async for line in lines(Windows(browser, process), Documents(process)):
            print(line, flush=True)
            hold = hold and line.holds
    return hold


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as process:
        return 0 if asyncio.run(measure(process)) else 1


if __name__ == "__main__":
    sys.exit(main())
