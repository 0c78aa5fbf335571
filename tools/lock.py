"""Resolves all dependencies again in a copy, and writes their versions into pyproject.toml."""

import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

import click

ROOT = Path(__file__).parent.parent
PROJECT = "pyproject.toml"
# a requirement in one of the lists: its name, its extras, and the version it is pinned to
_pin = re.compile(
    r'(?m)^(?P<start>\s*(?:requires = \[)?")(?P<name>[A-Za-z0-9._-]+)(?P<extras>\[[^\]]*\])?==(?P<version>[^"]+)"'
)
_constraints = re.compile(r"(?m)^constraint-dependencies = \[\n(?:.*\n)*?\]\n")


def named(name: str) -> str:
    """Return the one spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def loosened(text: str) -> str:
    """Return the project with its direct requirements free and without constraints, as it is resolved."""
    return _pin.sub(
        lambda found: f'{found["start"]}{found["name"]}{found["extras"] or ""}"', _without_constraints(text)
    )


def _without_constraints(text: str) -> str:
    return _constraints.sub("constraint-dependencies = []\n", text)


def pinned(text: str, versions: Mapping[str, str]) -> str:
    """Return the project with direct requirements at these versions, and all the others as constraints."""
    bare = _without_constraints(text)
    direct = {named(found["name"]) for found in _pin.finditer(bare)}

    def at(found: re.Match[str]) -> str:
        version = versions.get(named(found["name"]), found["version"])
        return f'{found["start"]}{found["name"]}{found["extras"] or ""}=={version}"'

    others = [f'    "{name}=={version}",\n' for name, version in sorted(versions.items()) if name not in direct]
    written = f"constraint-dependencies = [\n{''.join(others)}]\n"
    return _pin.sub(at, bare).replace("constraint-dependencies = []\n", written)


def versions_in(lock: str) -> dict[str, str]:
    """Return the versions that a lock file of uv's holds, but for the project itself."""
    packages = [each for each in tomllib.loads(lock)["package"] if not {"editable", "virtual"} & each["source"].keys()]
    names = [package["name"] for package in packages]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise click.ClickException(f"resolved to several versions, pin by hand: {', '.join(twice)}")
    return {package["name"]: package["version"] for package in packages}


def resolve(text: str, root: Path) -> dict[str, str]:
    """Resolve the project in a directory of its own; nothing of it stays."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / PROJECT).write_text(text, "utf-8")
        shutil.copy(root / "README.md", folder)
        shutil.copy(root / "LICENSE", folder)
        shutil.copy(root / ".python-version", folder)
        done = subprocess.run(["uv", "lock", "--project", made], capture_output=True, text=True, check=False)
        if done.returncode:
            raise click.ClickException(done.stderr.strip())
        return versions_in((folder / "uv.lock").read_text("utf-8"))


@click.command()
@click.option("--keep", is_flag=True, help="Keep the direct versions; resolve only what they bring with them.")
def main(*, keep: bool) -> None:
    """Resolve the dependencies anew and write every version into pyproject.toml; uv.lock is never committed."""
    file = ROOT / PROJECT
    text = file.read_text("utf-8")
    written = pinned(text, resolve(_without_constraints(text) if keep else loosened(text), ROOT))
    file.write_text(written, "utf-8")
    click.echo("nothing newer" if written == text else "pinned anew: run `uv sync`, then the tests")


if __name__ == "__main__":
    main()
