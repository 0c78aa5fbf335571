"""Takes the screenshots of the web pages in docs/images, light and dark, except those of the published page.

Run it as `uv run python -m tools.settings`: it starts a server with the demo world and signs in as Grace.
"""

import asyncio
import io
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
from PIL import Image

from tests.support.processes.browser import browsing
from tests.support.processes.running import Server, running

PICTURES = Path(__file__).parents[1] / "docs" / "images"
COLOURS = 96
WINDOW = {"width": 1200, "height": 800}
OUTSIDE = ("sign-in", "sign-up", "forgotten")
PAGES = {
    "home": "/",
    "settings-keys": "/settings/keys",
    "settings-organizations": "/settings/organizations",
    "settings-agents": "/settings/agents",
    "settings-apps": "/settings/apps",
    "settings-profile": "/settings/profile",
}


async def draw(server: Server) -> None:
    async with browsing() as browser:
        for scheme in ("light", "dark"):
            context = await browser.new_context(base_url=server.origin, color_scheme=scheme, viewport=WINDOW)
            page = await context.new_page()
            for name in OUTSIDE:
                await page.goto(f"/{name}")
                save(f"{name}-{scheme}.png", await page.screenshot())
            await page.goto("/sign-in")
            await enter(page, server.credentials["users"]["grace"])
            for name, path in PAGES.items():
                await page.goto(path)
                save(f"{name}-{scheme}.png", await page.screenshot())
            await page.goto("/")
            await page.get_by_role("link", name="Engineering").click()
            await page.get_by_role("heading", name="Engineering").wait_for()
            save(f"drive-{scheme}.png", await page.screenshot())
            await page.get_by_role("link", name="Projects").click()
            await page.get_by_role("link", name="Orbit", exact=True).click()
            await page.get_by_role("link", name="Orbit plan").click()
            await page.get_by_role("heading", name="Edited by").wait_for()
            save(f"document-{scheme}.png", await page.screenshot())
            await page.goto("/settings/organizations")
            await page.get_by_role("link", name="Acme").click()
            await page.get_by_role("heading", name="Invite somebody").wait_for()
            save(f"settings-members-{scheme}.png", await page.screenshot())
            await page.goto("/settings/keys")
            await page.get_by_label("What is it for?").fill("nightly backup")
            await page.get_by_role("button", name="Make a key").click()
            await page.get_by_role("button", name="Copy").wait_for()
            save(f"settings-new-key-{scheme}.png", await page.screenshot())
            await page.goto(await asked(server))
            await page.get_by_role("button", name="Approve").wait_for()
            save(f"consent-{scheme}.png", await page.screenshot(full_page=True))
            await context.close()


async def asked(server: Server) -> str:
    """Register an application, and return the address to which it would send a browser."""
    back = "https://research.example/back"
    async with httpx.AsyncClient(base_url=server.origin) as client:
        body = {"client_name": "Research assistant", "redirect_uris": [back]}
        made = (await client.post("/oauth/register", json=body)).raise_for_status().json()
    parts = {
        "response_type": "code",
        "client_id": made["client_id"],
        "redirect_uri": back,
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        "code_challenge_method": "S256",
        "resource": f"{server.base_url}/mcp",
        "state": "drawn",
    }
    return f"/oauth/authorize?{urlencode(parts)}"


async def enter(page: Any, user: dict[str, str]) -> None:
    await page.get_by_label("E-mail address").fill(user["email"])
    await page.get_by_label("Password").fill(user["password"])
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/")


def save(name: str, content: bytes) -> None:
    """Save with few colours, which suffice for a page and make a small file."""
    path = PICTURES / name
    Image.open(io.BytesIO(content)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{name}: {path.stat().st_size} bytes")


def main() -> None:
    with running("--no-app") as server:
        asyncio.run(draw(server))


if __name__ == "__main__":
    main()
