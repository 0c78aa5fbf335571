"""Programs of Debian that tests run, installed where they are missing."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.support.processes.servers import LONG_PATIENCE

PLACES = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"])


def installed(program: str, *packages: str) -> str:
    """Return where a program is; of several workers one installs `packages` where it is missing."""
    with Path(tempfile.gettempdir(), "codrive-debian.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = shutil.which(program, path=PLACES)
        if found is None:
            _install(packages)
            found = shutil.which(program, path=PLACES)
    assert found, f"{program} is needed for these tests: install Debian's packages {', '.join(packages)}"
    return found


def _install(packages: Sequence[str]) -> None:
    rights = [] if os.geteuid() == 0 else ["sudo", "-n"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        done = subprocess.run(
            [*rights, "apt-get", "-q", *words],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONG_PATIENCE,
        )
        assert done.returncode == 0, f"apt-get {' '.join(words)}: {done.stdout}{done.stderr}"
