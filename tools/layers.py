"""Draws docs/images/layers.svg: the packages in the layers that import-linter holds, light and dark.

Run it as `uv run python -m tools.layers`. The layers are those of the `layers` contract in `pyproject.toml`; a test
compares the picture with them.
"""

import tomllib
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PICTURE: Final = ROOT / "docs" / "images" / "layers.svg"
PURPOSES: Final = {
    "codegen": ["writes contract.json, the clients and", "the reference pages; not shipped"],
    "service": ["the composition root: settings, wiring,", "the server and its command"],
    "demo": ["the demo world"],
    "graphql_adapter": ["GraphQL over HTTP", "and WebSockets"],
    "mcp_adapter": ["operations as", "MCP tools"],
    "rest_adapter": ["operations", "as REST"],
    "web": ["pages, OAuth,", "published documents"],
    "edge": ["one request edge: credentials, limits,", "envelope and statuses, access log"],
    "accounts": ["use cases of people: sign in, verify,", "reset, invite, keys"],
    "graphql_api": ["the schema, its resolvers", "and their execution"],
    "persistence": ["PostgreSQL: reads, writes,", "the update log, migrations"],
    "live": ["rooms, awareness,", "group commit, WebSockets"],
    "computing": ["jobs on documents, and the processes", "that run them"],
    "contract": ["a row for each operation, and what", "the schema says of it"],
    "documents": ["updates, trees, Markdown; no I/O"],
    "domain": ["who may do what, and what follows; the standard library alone"],
}
WIDTH, HEIGHT, GAP, MARGIN = 960, 74, 12, 16
STYLE: Final = """
text { font: 13px system-ui, sans-serif; text-anchor: middle; fill: #57606a }
.name { font: 600 15px ui-monospace, monospace; fill: #1f2328 }
rect { fill: #f6f8fa; stroke: #d0d7de; rx: 8px }
@media (prefers-color-scheme: dark) {
  text { fill: #9198a1 } .name { fill: #f0f6fc } rect { fill: #151b23; stroke: #3d444d }
}
"""


def layers() -> list[list[str]]:
    """Return the names of the packages, the highest layer first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (contract,) = (each for each in project["contracts"] if each["name"] == "the layers of the house")
    return [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]


def drawn(rows: list[list[str]]) -> str:
    """Return the picture as SVG."""
    height = 2 * MARGIN + len(rows) * (HEIGHT + GAP) - GAP
    title = "The packages in their layers: each imports from those below it, and never from one beside or above it"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style>",
    ]
    for row, names in enumerate(rows):
        width = (WIDTH - 2 * MARGIN - GAP * (len(names) - 1)) / len(names)
        top = MARGIN + row * (HEIGHT + GAP)
        for column, name in enumerate(names):
            left = MARGIN + column * (width + GAP)
            middle = left + width / 2
            parts += [
                f'<rect x="{left:.0f}" y="{top}" width="{width:.0f}" height="{HEIGHT}"/>',
                f'<text class="name" x="{middle:.0f}" y="{top + 24}">{escape(name)}</text>',
            ]
            parts += [
                f'<text x="{middle:.0f}" y="{top + 44 + 17 * line}">{escape(text)}</text>'
                for line, text in enumerate(PURPOSES[name])
            ]
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(drawn(layers()))
