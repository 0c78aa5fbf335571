"""Loads what Vite built of `app/` into `web/built`: the assets, and which of them a page begins with."""

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
GRAPHIQL: Final = "graphiql"
GRAPHIQL_AT: Final = "/static/graphiql/"
GRAPHIQL_ENTRY: Final = "src/graphiql/main.tsx"
NEVER: Final = "it was never built"
FAILED: Final = "failed.txt"
REPEAT: Final = "uv sync --no-dev --reinstall-package codrive-server"
"""Builds the application again, where the packages could not be had before."""
_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".woff2": "font/woff2",
}
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


@dataclass(frozen=True, slots=True)
class BuiltGraphiQL:
    """GraphiQL as it is served: the files of its assets, which are read when they are asked for, and what its page names."""

    assets: Mapping[str, Path]
    script: str
    modules: tuple[str, ...]
    styles: tuple[str, ...]


class NotBuilt(Exception):  # noqa: N818 - an answer
    """There is no application in the folder; the message says why, as far as that is known."""


def built_application(folder: Path = BUILT) -> BuiltApplication:
    """Return the application that was built into `folder`; raises NotBuilt."""
    chunks, version = _manifest(folder)
    first = _with_imports(chunks, ENTRY)
    return BuiltApplication(
        {path.name: asset(path) for path in _assets(folder)},
        AT + first[0]["file"],
        tuple(AT + chunk["file"] for chunk in first[1:]),
        tuple(AT + chunk["file"] for chunk in _with_imports(chunks, EDITOR) if chunk not in first),
        tuple(AT + name for chunk in first for name in chunk.get("css", ())),
        version,
    )


def built_graphiql(folder: Path = BUILT) -> BuiltGraphiQL:
    """Return the GraphiQL that was built beside the application; raises NotBuilt."""
    inside = folder / GRAPHIQL
    if not inside.is_dir():
        _manifest(folder)  # says why
        raise NotBuilt(NEVER)
    chunks, _ = _manifest(inside)
    first = _with_imports(chunks, GRAPHIQL_ENTRY)
    return BuiltGraphiQL(
        {path.name: path for path in _assets(inside)},
        GRAPHIQL_AT + first[0]["file"],
        tuple(GRAPHIQL_AT + chunk["file"] for chunk in first[1:]),
        tuple(GRAPHIQL_AT + name for chunk in first for name in chunk.get("css", ())),
    )


def _manifest(folder: Path) -> tuple[dict[str, Any], str]:
    """Return the chunks that were built into a folder, and a digest of them; raises NotBuilt."""
    manifest = folder / "manifest.json"
    if not manifest.is_file():
        failed = folder / FAILED
        raise NotBuilt(_reason(failed.read_text("utf-8")) if failed.is_file() else NEVER)
    content = manifest.read_bytes()
    return msgspec.json.decode(content), hashlib.sha256(content).hexdigest()[:12]


def _assets(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if path.suffix in _TYPES]


def _with_imports(chunks: Mapping[str, Any], name: str) -> list[Any]:
    return [chunks[name], *(chunks[imported] for imported in chunks[name].get("imports", ()))]


def asset(path: Path) -> Asset:
    """Read an asset with what was compressed beside it."""
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
