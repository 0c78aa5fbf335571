"""Writes the pages of documents from their trees, which are encoded as JSON."""

import hashlib
from collections.abc import Mapping

import msgspec

from documents.markdown.html import CHART, Html, chart_specifications, html
from documents.markdown.html_inline import Picture


def write_page(tree: bytes, pictures: Mapping[str, Picture], charts: str | None) -> Html:
    """Write the page of a document; each chart is a frame whose page is below the address `charts`, or a specification."""

    def frame(specification: str) -> str:
        return f"{charts}/{_digest(specification)}"

    return html(msgspec.json.decode(tree), pictures, frame if charts else None)


def write_chart(tree: bytes, digest: str) -> str | None:
    """Write the chart of a document whose specification has this digest."""
    for specification in chart_specifications(msgspec.json.decode(tree)):
        if _digest(specification) == digest:
            block = {
                "type": "codeBlock",
                "attrs": {"language": CHART},
                "content": [{"type": "text", "text": specification}],
            }
            return html({"type": "doc", "content": [block]}, {}).body
    return None


def _digest(specification: str) -> str:
    return hashlib.sha256(specification.encode()).hexdigest()[:32]
