"""Whether the operator's commands load only what they work with."""

import subprocess
import sys

from tests.support.processes.servers import PATIENCE

ONLY_TO_SERVE = {"litestar", "mcp", "picows", "strawberry", "uvicorn"}


def test_a_command_loads_nothing_of_what_only_serves():
    loaded = "import sys, service.command; print(*sys.modules)"
    said = subprocess.run(
        [sys.executable, "-c", loaded], check=True, capture_output=True, text=True, timeout=PATIENCE
    ).stdout.split()
    assert "persistence.store" in said
    assert not ONLY_TO_SERVE & set(said)
