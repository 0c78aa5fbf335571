"""Builds `web/static/vega.js` reproducibly: `uv run python -m tools.vega.build`.

It installs the packages of `package-lock.json` and bundles them with esbuild into one file; `web/licences` holds the licence of
each bundled package. `--check` compares the committed files with the build.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.processes.node import ENVIRONMENT, install

HERE: Final = Path(__file__).parent
WEB: Final = HERE.parents[1] / "web"
BUNDLE: Final = "static/vega.js"
LICENCES: Final = "licences/vega.txt"
FLAGS: Final = (
    "--bundle",
    "--minify",
    "--format=iife",
    "--target=es2022",
    "--charset=utf8",
    "--legal-comments=none",  # they are in the other file
    "--log-level=warning",
)


def build(into: Path) -> None:
    install(HERE)
    meta = into / "meta.json"
    esbuild = HERE / "node_modules" / ".bin" / "esbuild"
    subprocess.run(
        [esbuild, "entry.js", *FLAGS, f"--outfile={into / BUNDLE}", f"--metafile={meta}"],
        cwd=HERE,
        env=ENVIRONMENT,
        check=True,
    )
    used = sorted({_package(Path(each)) for each in json.loads(meta.read_text())["inputs"] if "node_modules" in each})
    (into / LICENCES).parent.mkdir(exist_ok=True)
    (into / LICENCES).write_text("\n".join(map(_licence, used)))
    meta.unlink()


def _package(source: Path) -> Path:
    """Return the folder of the package that a file belongs to."""
    parts = source.parts
    at = len(parts) - parts[::-1].index("node_modules")
    return Path(*parts[: at + (2 if parts[at].startswith("@") else 1)])


def _licence(package: Path) -> str:
    folder = HERE / package
    told = json.loads((folder / "package.json").read_text())
    found = sorted(each for each in folder.iterdir() if each.name.lower().startswith(("license", "licence")))
    text = found[0].read_text().strip() if found else f"Licensed under {told['license']}."
    return f"{told['name']} {told['version']} ({told['license']})\n\n{text}\n\n{'-' * 80}\n"


def main() -> None:
    with TemporaryDirectory() as made:
        build(Path(made))
        for name in (BUNDLE, LICENCES):
            content = Path(made, name).read_bytes()
            if "--check" in sys.argv[1:]:
                assert (WEB / name).read_bytes() == content, (
                    f"web/{name} differs from the build: run `uv run python -m tools.vega.build`"
                )
            else:
                (WEB / name).write_bytes(content)
                print(f"{name}: {len(content)} bytes")


if __name__ == "__main__":
    main()
