"""Allow-list of link addresses, and their spelling in Markdown."""

import re

_UNSAFE_IN_URL = re.compile(r"[\x00-\x20\x7f\\<>]|\s")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_LINK_SCHEMES = frozenset({"http:", "https:", "mailto:", "tel:"})
_IMAGE_SCHEMES = frozenset({"http:", "https:"})
OWN_IMAGE = re.compile(r"(?:https?://[^/]+)?/images/([0-9a-f-]{36})")
"""The address of an image that a service like this one stores, and its id."""
IMAGE_IDS = re.compile(r"/images/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b")
"""The ids in the addresses of such images within a text."""
OWN_ITEM = re.compile(r"(?:https?://[^/]+)?/(?:doc|folder)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#].*)?")
"""The address of an item of a service like this one, and its id."""
_IMAGE_DATA = re.compile(r"data:image/(?:png|jpeg|gif|webp)[;,]")


def _scheme(url: str) -> str | None:
    found = _SCHEME.match("".join(url.split()).lstrip("".join(map(chr, range(33)))))
    return found[0].lower() if found else None


def safe_link(url: str) -> bool:
    scheme = _scheme(url)
    return scheme is None or scheme in _LINK_SCHEMES


def safe_image(url: str) -> bool:
    scheme = _scheme(url)
    return scheme is None or scheme in _IMAGE_SCHEMES or _IMAGE_DATA.match(url) is not None


def quoted(url: str) -> str:
    """The URL with what Markdown cannot hold percent-encoded."""
    return _UNSAFE_IN_URL.sub(
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace")), url
    )


def destination(url: str) -> str:
    url = quoted(url).replace("&", "&amp;")
    return f"<{url}>" if not url or "(" in url or ")" in url else url
