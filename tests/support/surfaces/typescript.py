"""The TypeScript client as tests ask it: built from its sources, in one Node process for each test process."""

import atexit
import fcntl
import json
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.processes.node import NODE, install, npm

HERE = Path(__file__).parent
PACKAGE = HERE.parents[2] / "clients" / "typescript"
ENTRY = PACKAGE / "dist" / "index.js"


def built() -> Path:
    """Build the client unless it is built from these sources, and return its entry; of several workers one builds."""
    install(PACKAGE)
    with Path(tempfile.gettempdir(), "codrive-typescript-build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = PACKAGE / "dist" / ".built"
        sources = "".join(path.read_text() for path in sorted(PACKAGE.glob("src/*.ts")))
        if not stamp.exists() or stamp.read_text() != sources:
            npm(PACKAGE, "run", "build")
            stamp.write_text(sources)
    return ENTRY


@cache
def process() -> subprocess.Popen[str]:
    command = [NODE, str(HERE / "asker.mjs"), str(built())]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(started.communicate)  # it ends with its input
    return started


def ask(operation: str, asked: object, options: dict[str, Any], **details: object) -> dict[str, Any]:
    """Run one call and return `{value, empty}` or `{error}` as the client has it."""
    node = process()
    line = json.dumps({"id": 1, "operation": operation, "input": asked, "options": options, **details})
    print(line, file=node.stdin, flush=True)
    assert node.stdout
    answer = json.loads(node.stdout.readline())
    assert "fault" not in answer, answer["fault"]
    return answer
