"""Whether the published descriptions satisfy the linters that their readers use."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.processes.node import ENVIRONMENT, install
from tests.support.processes.servers import LONG_PATIENCE

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NO_REPORTS = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "SCARF_ANALYTICS": "false"}
# the wire's values, `read_only` and `docs_workbook`, are what the enumerations of GraphQL are called as well
SETTLED = ["enum-values-all-caps"]

pytestmark = pytest.mark.slow


def lint(*words):
    install(HERE)
    command = HERE / "node_modules" / ".bin" / words[0]
    return subprocess.run(
        [command, *words[1:]],
        cwd=HERE,
        env=ENVIRONMENT | NO_REPORTS,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_PATIENCE,
    )


@pytest.mark.parametrize(
    "words",
    [
        ("redocly", "lint", str(ROOT / "openapi.json"), "--format", "json"),
        ("spectral", "lint", str(ROOT / "openapi.json"), "--ruleset", "spectral.yaml", "--fail-severity", "error"),
    ],
)
def test_openapi_has_no_error(words):
    done = lint(*words)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_schema_of_graphql_has_no_error():
    done = lint("graphql-schema-linter", str(ROOT / "schema.graphql"), "--format", "json")
    errors = json.loads(done.stdout)["errors"]
    assert [each for each in errors if each["rule"] not in SETTLED] == []
    assert errors  # the linter ran
