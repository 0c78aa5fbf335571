"""The application's own tests, by Vitest on Node: its hooks, tables of states and components, and the guard of documents."""

import subprocess
from pathlib import Path

from tests.support.processes.node import ENVIRONMENT, NODE, install
from tests.support.processes.servers import LONG_PATIENCE
from tools.application import TOOLS

APP = Path(__file__).parents[2] / "app"
VITEST = "node_modules/vitest/vitest.mjs"


def test_what_needs_no_browser():
    install(APP, TOOLS)
    done = subprocess.run(
        [NODE, VITEST, "run", "--no-color"],
        cwd=APP,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_PATIENCE,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-8000:]
