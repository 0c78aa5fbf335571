"""Does the endpoint pass the audit suite of the graphql-http package?"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.support.processes.node import NODE, install
from tests.support.processes.servers import PATIENCE

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def url():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        os.set_inheritable(listening.fileno(), True)  # the kernel keeps early callers waiting: nobody has to sleep
        served = ("tests.graphql_api.toy:app", "--factory", "--fd", str(listening.fileno()))
        server = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", *served, "--log-level", "warning"],
            pass_fds=[listening.fileno()],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        try:
            made = f"http://127.0.0.1:{listening.getsockname()[1]}/graphql"
            httpx.post(made, json={"query": "{ caller }"}, timeout=PATIENCE).raise_for_status()
            yield made
        finally:
            server.terminate()
            server.wait(timeout=PATIENCE)


def test_every_requirement_of_the_audit_is_met(url: str) -> None:
    install(HERE)
    told = subprocess.run(
        [NODE, "audit.js", url], cwd=HERE, check=True, capture_output=True, text=True, timeout=PATIENCE
    )
    audits = [json.loads(line) for line in told.stdout.splitlines()]
    assert len(audits) > 50
    assert [audit for audit in audits if audit["status"] != "ok"] == []
