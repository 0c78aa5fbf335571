"""Loads what Vite built of `app/` into `web/built`: the assets, and which of them a page of the application begins with."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

BUILT: Final = Path(__file__).with_name("built")
AT: Final = "/static/app/"
ENTRY: Final = "src/main.tsx"
EDITOR: Final = "src/document/DocumentScreen.tsx"
FAILED: Final = "failed.txt"
REPEAT: Final = "uv sync --no-dev --reinstall-package codrive-server"
"""Builds the application again, where the packages could not be had before."""
_TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
_ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the application; `encoded` are its bytes by content coding, the smallest first. It holds nothing of anybody."""

    media_type: str
    content: bytes
    encoded: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class BuiltApplication:
    """The application as it is served: its assets by name, and the addresses that a page names in its head."""

    assets: Mapping[str, Asset]
    script: str
    modules: tuple[str, ...]
    editor: tuple[str, ...]
    """The modules that a document needs beside them."""
    styles: tuple[str, ...]
    version: str


class NotBuilt(Exception):  # noqa: N818 - an answer
    """There is no application in the folder; the message says why, as far as that is known."""


def built_application(folder: Path = BUILT) -> BuiltApplication:
    """Return the application that was built into `folder`; raises NotBuilt."""
    manifest = folder / "manifest.json"
    if not manifest.is_file():
        failed = folder / FAILED
        raise NotBuilt(_reason(failed.read_text("utf-8")) if failed.is_file() else "it was never built")
    chunks: dict[str, Any] = msgspec.json.decode(manifest.read_bytes())
    first = _with_imports(chunks, ENTRY)
    return BuiltApplication(
        {path.name: _asset(path) for path in sorted(folder.iterdir()) if path.suffix in _TYPES},
        AT + first[0]["file"],
        tuple(AT + chunk["file"] for chunk in first[1:]),
        tuple(AT + chunk["file"] for chunk in _with_imports(chunks, EDITOR) if chunk not in first),
        tuple(AT + name for chunk in first for name in chunk.get("css", ())),
        hashlib.sha256(manifest.read_bytes()).hexdigest()[:12],
    )


def _with_imports(chunks: Mapping[str, Any], name: str) -> list[Any]:
    return [chunks[name], *(chunks[imported] for imported in chunks[name].get("imports", ()))]


def _asset(path: Path) -> Asset:
    content = path.read_bytes()
    beside = {coding: path.with_name(path.name + suffix) for coding, suffix in _ENCODINGS.items()}
    encoded = {coding: file.read_bytes() for coding, file in beside.items() if file.is_file()}
    return Asset(_TYPES[path.suffix], content, encoded)


def _reason(output: str) -> str:
    """Return the line of a failed build's output that says why: npm ends with advice and the name of its own log."""
    lines = [line.strip().removeprefix("npm error").strip() for line in output.splitlines()]
    telling = [line for line in lines if re.search(r"reason:|[Ee]rror:|Cannot|No space|not found|not installed", line)]
    rest = [line for line in lines if line]
    return telling[0] if telling else rest[-1] if rest else "its build failed"
