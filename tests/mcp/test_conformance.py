"""Which scenarios of the official conformance runner the server passes, and why the others are not run.

The runner signs in nowhere, so it comes by a door of the test's own that adds a key and changes nothing else.
"""

import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from surfaces.running import running

from tests.node import ENVIRONMENT, NODE, install

FOLDER = Path(__file__).with_name("clients")
RUNNER = FOLDER / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
PASSED = ("server-initialize", "ping", "tools-list", "dns-rebinding-protection")
FIXTURE = "calls a tool that a server has for this runner alone"
NO_PROMPTS = "there are no prompts"
NO_RESOURCES = "there are no resources: documents are read with a tool"
NO_STREAMS = "answers are JSON: there is nothing to stream, and no session to come back to"
LEFT_OUT = {
    "completion-complete": "there is nothing to complete: no prompts, no resource templates",
    "elicitation-sep1034-defaults": FIXTURE,
    "elicitation-sep1330-enums": FIXTURE,
    "json-schema-2020-12": FIXTURE,
    "logging-set-level": "the server logs for its operator, never to clients",
    "prompts-get-embedded-resource": NO_PROMPTS,
    "prompts-get-simple": NO_PROMPTS,
    "prompts-get-with-args": NO_PROMPTS,
    "prompts-get-with-image": NO_PROMPTS,
    "prompts-list": NO_PROMPTS,
    "resources-list": NO_RESOURCES,
    "resources-read-binary": NO_RESOURCES,
    "resources-read-text": NO_RESOURCES,
    "resources-subscribe": NO_RESOURCES,
    "resources-templates-read": NO_RESOURCES,
    "resources-unsubscribe": NO_RESOURCES,
    "server-sse-multiple-streams": NO_STREAMS,
    "server-sse-polling": NO_STREAMS,
    "tools-call-audio": FIXTURE,
    "tools-call-elicitation": FIXTURE,
    "tools-call-embedded-resource": FIXTURE,
    "tools-call-error": FIXTURE,
    "tools-call-image": FIXTURE,
    "tools-call-mixed-content": FIXTURE,
    "tools-call-sampling": FIXTURE,
    "tools-call-simple-text": FIXTURE,
    "tools-call-with-logging": FIXTURE,
    "tools-call-with-progress": FIXTURE,
}
pytestmark = pytest.mark.slow


class Door(BaseHTTPRequestHandler):
    """Passes requests on with a key: `server.way` is a client of the service, `server.key` the key."""

    protocol_version = "HTTP/1.1"

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = [(name, value) for name, value in self.headers.items() if name.lower() != "connection"]
        way = self.server.way
        answer = way.request(self.command, self.path, headers=[*headers, ("x-api-key", self.server.key)], content=body)
        self.send_response(answer.status_code)
        for name, value in answer.headers.items():
            if name not in ("connection", "date", "content-length"):
                self.send_header(name, value)
        self.send_header("content-length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    do_GET = do_POST = do_DELETE = do_OPTIONS = pass_on  # noqa: N815 - the library's names

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def door():
    """A door at a port of its own, whose pages the service knows for its own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Door) as door:
        origin = f"http://127.0.0.1:{door.server_port}"
        with (
            running("--no-rate-limits", "--allowed-origins", origin) as server,
            httpx.Client(base_url=server.origin, timeout=30, trust_env=False) as way,
        ):
            door.way, door.key = way, server.credentials["users"]["ada"]["apiKey"]
            threading.Thread(target=door.serve_forever, daemon=True).start()
            yield f"{origin}/api/v1/mcp"
            door.shutdown()
            assert server.faults() == []


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    install(FOLDER)

    def go(*words):
        return subprocess.run(
            [NODE, str(RUNNER), *words], cwd=tmp_path_factory.mktemp("runner"), env=ENVIRONMENT,
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    return go


def test_every_scenario_for_servers_is_passed_or_left_out_for_a_reason(run):
    listed = run("list").stdout.partition("Client scenarios")[0]
    scenarios = re.findall(r"^ +- (\S+)", listed, re.MULTILINE)
    assert sorted(scenarios) == sorted([*PASSED, *LEFT_OUT])


@pytest.mark.parametrize("scenario", PASSED)
def test_a_scenario_that_needs_no_tools_of_its_own_is_passed(scenario, run, door):
    done = run("server", "--url", door, "--scenario", scenario)
    assert done.returncode == 0, done.stdout + done.stderr
