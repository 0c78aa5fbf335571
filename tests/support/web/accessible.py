"""Whether a page can be used by everybody, as far as a machine can tell: axe-core's rules, in both colour schemes."""

import json
from collections.abc import Collection
from pathlib import Path

from playwright.async_api import Frame, Page

from tests.support.processes.node import install
from tests.support.suite.rounds import ROUNDS

AXE = Path(__file__).with_name("axe")
COUNTED = ("serious", "critical")
ALL = ("minor", "moderate", *COUNTED)
IN_FULL = ROUNDS > 1
# which headings a text has, and in which order, is its writer's
FINDINGS = """
async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false, iframes: false });
  const isWritten = ({ target }) => document.querySelector(target[0])?.closest("[role=textbox]");
  return violations
    .map(({ id, impact, nodes }) => ({
      rule: id,
      weight: impact,
      where: nodes.filter((node) => id !== "heading-order" || !isWritten(node)).map(({ html }) => html),
    }))
    .filter(({ where }) => where.length > 0);
}
"""


async def check_accessible(page: Page, counted: Collection[str] = COUNTED, frame: Frame | None = None) -> None:
    """Fail for every finding of axe-core on the page as it is now, or in a frame of it; `counted` are the weights that fail.

    Frames are looked at one by one: what axe-core posts to one without an origin is a warning in the console. Where a page's policy lets no script run at all, open it with `bypass_csp`.
    """
    install(AXE)
    looked_at = frame or page
    await looked_at.evaluate((AXE / "node_modules" / "axe-core" / "axe.min.js").read_text())
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        told = [each for each in await looked_at.evaluate(FINDINGS) if each["weight"] in counted]
        assert not told, f"{scheme}: {json.dumps(told, indent=1)}"
    await page.emulate_media(color_scheme=None)


async def check_everywhere(page: Page) -> None:
    """Fail for every finding of any weight, and where the page is wider than the window; in full at more widths than its own."""
    own = page.viewport_size
    assert own
    for width in (320, 768, 1200, 1920) if IN_FULL else (own["width"],):
        await page.set_viewport_size({"width": width, "height": own["height"]})
        await check_accessible(page, ALL)
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page.url, width)
    await page.set_viewport_size(own)
