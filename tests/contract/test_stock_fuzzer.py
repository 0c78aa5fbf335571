"""A fuzzer that knows no more than `openapi.json` finds nothing, with the command that the page on REST tells to type.

In CI it sends fewer examples than that command alone would, drawn from one seed; with `CODRIVE_ROUNDS` it is run as it is
typed. Then it may find, once in many runs, an address like `x6%29yp@example.com`: Schemathesis 4.32 does not escape a `%` before
two hexadecimal digits in a path, so the server receives `x6)yp@example.com`, which is no valid address, and refuses it.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from contract.operations import OPERATIONS
from tests.support.processes.running import ROOT
from tests.support.processes.servers import LONG_PATIENCE
from tests.support.suite.rounds import ROUNDS

FEWER = "" if ROUNDS > 1 else " --max-examples 25 --seed 1"
COMMAND = re.compile(r"^schemathesis run [^\n]+$", re.MULTILINE)


@pytest.mark.slow
def test_the_documented_run_of_schemathesis_finds_nothing(running, tmp_path):
    (command,) = COMMAND.findall((ROOT / "docs" / "rest.md").read_text())
    with running("--no-rate-limits") as server:
        found = {"API": server.base_url, "KEY": server.credentials["users"]["ada"]["apiKey"]}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", command + FEWER],
            cwd=tmp_path,  # where no configuration of ours is found
            env={**os.environ, **found, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=LONG_PATIENCE,
        )
        assert done.returncode == 0, done.stdout
        rows = len(OPERATIONS)
        assert f"{rows - 1} selected / {rows} total" in done.stdout
        assert server.faults() == []
