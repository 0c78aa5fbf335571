"""Whether a page can be used by everybody, as far as a machine can tell: axe-core's rules, in both colour schemes."""

import json
from pathlib import Path

from tests.node import install

AXE = Path(__file__).with_name("axe")
COUNTED = ("serious", "critical")


async def check_accessible(page, counted=COUNTED):
    """Fail for every finding of axe-core on the page as it is now; `counted` are the weights that fail.

    Where a page's policy lets no script run at all, open it with `bypass_csp`.
    """
    install(AXE)
    await page.evaluate((AXE / "node_modules" / "axe-core" / "axe.min.js").read_text())
    for scheme in ("light", "dark"):
        await page.emulate_media(color_scheme=scheme)
        found = await page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
        told = [
            {"rule": each["id"], "weight": each["impact"], "where": [node["html"] for node in each["nodes"]]}
            for each in found["violations"]
            if each["impact"] in counted
        ]
        assert not told, f"{scheme}: {json.dumps(told, indent=1)}"
    await page.emulate_media(color_scheme=None)
