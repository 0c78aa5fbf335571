"""Takes the screenshots docs/images/published-*.png of a published page: light, dark and on a phone.

Run it as `uv run python -m tools.published`: it starts a server and publishes the sample of the tests.
"""

import asyncio
import io
from pathlib import Path
from typing import Any

import httpx
from PIL import Image

from tests.support.processes.browser import browsing
from tests.support.processes.running import running
from tests.support.web.publishing import SAMPLE_NAME, publish, sample, sample_picture

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "images"
COLOURS = 128
WAYS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light", "viewport": {"width": 960, "height": 1500}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 960, "height": 1500}},
    "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 1500}},
}


async def draw(url: str) -> None:
    async with browsing() as browser:
        for way, options in WAYS.items():
            context = await browser.new_context(**options)
            page = await context.new_page()
            await page.goto(url)
            await page.wait_for_selector("[data-drawn=yes]", state="attached")
            save(PICTURES / f"published-{way}.png", await page.screenshot())
            await context.close()


def save(path: Path, content: bytes) -> None:
    """Save with few colours, which suffice for a page and make a small file."""
    picture = Image.open(io.BytesIO(content)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    picture.save(path, optimize=True)
    print(f"{path.name}: {picture.size[0]} x {picture.size[1]}, {path.stat().st_size} bytes")


def main() -> None:
    with running() as server:
        key = server.credentials["users"]["ada"]["apiKey"]
        with httpx.Client(base_url=server.origin, headers={"x-api-key": key}) as ada:
            _, url = publish(ada, sample(), SAMPLE_NAME, sample_picture())
        asyncio.run(draw(url))


if __name__ == "__main__":
    main()
