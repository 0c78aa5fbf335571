"""Whether clients that others' generators make of the published OpenAPI document work with the service."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes.servers import LONG_PATIENCE

HERE = Path(__file__).parent
GENERATOR = "openapi-python-client==0.29.1"
RESULT = {"made": "Plan", "markdown": "# Plan\n\n- one\n", "revision": 1, "shared": "read_write", "code": "NOT_FOUND"}

pytestmark = [pytest.mark.slow, pytest.mark.installs]


@pytest.fixture
def world(ada, ben, server):
    drive = ada.drive("Generated clients")
    return {"BASE": server.base_url, "KEY": ada.key, "DRIVE": drive, "EMAIL": ben.email}


def test_openapi_typescript_and_openapi_fetch(project, world):
    project.runs("node_modules/openapi-typescript/bin/cli.js", f"{world['BASE']}/openapi.json", "--output", "schema.ts")
    project.write("rest.ts", (HERE / "rest.ts").read_text())
    project.compiles()
    assert json.loads(project.runs("rest.js", **world)) == RESULT


def test_openapi_python_client(tmp_path, world):
    uv = os.environ.get("UV") or shutil.which("uv")
    python = str(tmp_path / "env" / "bin" / "python")

    def run(*command, **variables):
        done = subprocess.run(
            command, cwd=tmp_path, env=os.environ | variables, capture_output=True, text=True, check=False,
            timeout=LONG_PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    run(uv, "venv", "--quiet", "--python", sys.executable, "env")
    run(uv, "pip", "install", "--quiet", "--python", "env", GENERATOR)
    own = {"PATH": f"{tmp_path / 'env' / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": ""}
    described = f"{world['BASE']}/openapi.json"
    told = run(python, "-m", "openapi_python_client", "generate", "--url", described, "--meta", "none", **own)
    assert "WARNING" not in told.upper(), told
    shutil.copy(HERE / "generated_client.py", tmp_path)
    assert json.loads(run(python, "generated_client.py", **own, **world)) == RESULT
