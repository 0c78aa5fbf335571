"""The code blocks of a page: what a reader would type, and what the page says comes of it."""

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.support.processes.servers import PATIENCE

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON_CLIENT = str(ROOT / "clients" / "python" / "src")
DEFAULT = "http://127.0.0.1:8000"


@dataclass(frozen=True)
class Block:
    """Shell commands or a program, and the JSON or the text that the page shows right after, if it does."""

    commands: str
    shown: object | None
    text: str | None


def blocks(page, language="sh"):
    found = FENCE.findall((ROOT / page).read_text())
    return [
        Block(
            text,
            json.loads(next_text) if next_kind == "json" else None,
            next_text if next_kind in {"json", "text"} else None,
        )
        for (kind, text), (next_kind, next_text) in pairwise([*found, ("", "")])
        if kind == language
    ]


def run(page, server):
    """Type all blocks of the page into one shell on the server's machine; returns what each printed."""
    parts = [f"{{\n{block.commands}\n}}\nprintf '\\f'" for block in blocks(page)]
    script = "\n".join(["set -euo pipefail", *parts]).replace(DEFAULT, server.origin).replace("<API_KEY>", server.key())
    with tempfile.TemporaryDirectory() as made:
        command = Path(made, "codrive")
        command.write_text(f'#!/bin/sh\nPYTHONPATH="{PYTHON_CLIENT}" exec "{sys.executable}" -m codrive_client "$@"\n')
        command.chmod(0o755)
        path = os.pathsep.join([made, str(Path(sys.executable).parent), os.environ["PATH"]])
        beside = {"CODRIVE_DATA": str(server.data), "DATABASE_URL": server.database}  # for the operator's commands
        return said(["bash", "-c", script], PATH=path, **beside).split("\f")[:-1]


def said(command, **variables):
    done = subprocess.run(
        command, env=os.environ | variables, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def holds(shown, real):
    """Whether all that the page shows is there; what it leaves out may be anything."""
    if isinstance(shown, dict):
        return isinstance(real, dict) and all(name in real and holds(each, real[name]) for name, each in shown.items())
    if isinstance(shown, list):
        if not isinstance(real, list) or bool(shown) != bool(real):
            return False
        return all(holds(*pair) for pair in zip(shown, real, strict=False)) and len(shown) <= len(real)
    return shown == real
