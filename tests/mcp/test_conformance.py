"""Which scenarios of the official conformance runner the server passes, and why the others are not run.

The runner signs in nowhere, so it comes to the tools by a door of the test's own that adds a key and changes nothing
else. The authorization server it meets itself; only what a person does in a browser is done for it.
"""

import json
import re
import socket
import subprocess
import threading
from contextlib import closing
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from edge.mcp_resources import MCP_RESOURCES
from tests.support.processes.node import ENVIRONMENT, NODE, install
from tests.support.processes.servers import PATIENCE

FOLDER = Path(__file__).with_name("clients")
RUNNER = FOLDER / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
WIRE = "wire-schema-valid"  # is checked beside every scenario
FIXTURE = "calls a tool that a server has for this runner alone"
NO_HEADERS = "no tool takes an argument from a header"
NO_PROMPTS = "there are no prompts"
NO_RESOURCES = "there are no resources: documents are read with a tool"
NO_SKILLS = "the extension for skills, which are resources, is not spoken"
NO_STREAMS = "answers are JSON: there is nothing to stream, and no session to come back to"
NO_TASKS = "the extension for tasks is not spoken: every call is answered at once"
PASSED = {
    "caching": {
        "sep-2549-prompts-list-caching-hints": NO_PROMPTS,
        "sep-2549-resources-list-caching-hints": NO_RESOURCES,
        "sep-2549-resources-templates-list-caching-hints": NO_RESOURCES,
    },
    "dns-rebinding-protection": {},
    "http-header-validation": {},
    "input-required-result-unsupported-methods": {},
    "ping": {},
    "server-initialize": {},
    "server-sse-multiple-streams": {"server-sse-multiple-streams-session": NO_STREAMS},
    "server-stateless": {
        "sep-2575-http-server-no-independent-requests-on-stream": FIXTURE,
        "sep-2575-missing-capability-http-400": FIXTURE,
        "sep-2575-server-no-log-without-loglevel": FIXTURE,
        "sep-2575-server-rejects-undeclared-capability": FIXTURE,
    },
    "tools-list": {},
}
"""The scenarios that are run, each with the checks in it that are not passed, and why."""
LEFT_OUT = {
    "completion-complete": "there is nothing to complete: no prompts, no resource templates",
    "elicitation-sep1034-defaults": FIXTURE,
    "elicitation-sep1330-enums": FIXTURE,
    "http-custom-header-server-validation": NO_HEADERS,
    "input-required-result-basic-elicitation": FIXTURE,
    "input-required-result-basic-list-roots": FIXTURE,
    "input-required-result-basic-sampling": FIXTURE,
    "input-required-result-capability-check": FIXTURE,
    "input-required-result-ignore-extra-params": FIXTURE,
    "input-required-result-missing-input-response": FIXTURE,
    "input-required-result-multi-round": FIXTURE,
    "input-required-result-multiple-input-requests": FIXTURE,
    "input-required-result-non-tool-request": NO_PROMPTS,
    "input-required-result-request-state": FIXTURE,
    "input-required-result-result-type": FIXTURE,
    "input-required-result-tampered-state": FIXTURE,
    "input-required-result-validate-input": FIXTURE,
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
    "sep-2164-resource-not-found": NO_RESOURCES,
    "sep-2640-skills-directory": NO_SKILLS,
    "sep-2640-skills-enumeration": NO_SKILLS,
    "sep-2640-skills-manifest": NO_SKILLS,
    "server-session-lifecycle": NO_STREAMS,
    "server-sse-polling": NO_STREAMS,
    "tasks-capability-negotiation": NO_TASKS,
    "tasks-dispatch-and-envelope": NO_TASKS,
    "tasks-lifecycle": NO_TASKS,
    "tasks-mrtr-composition": NO_TASKS,
    "tasks-mrtr-input": NO_TASKS,
    "tasks-request-headers": NO_TASKS,
    "tasks-request-state-removal": NO_TASKS,
    "tasks-required-task-error": NO_TASKS,
    "tasks-status-notifications": NO_TASKS,
    "tasks-wire-fields": NO_TASKS,
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
    """Passes requests on with a key: `server.way` is the service's host and port, `server.key` the key."""

    protocol_version = "HTTP/1.1"

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        with closing(HTTPConnection(self.server.way, timeout=PATIENCE)) as way:
            way.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in [*self.headers.items(), ("x-api-key", self.server.key)]:
                way.putheader(name, value)
            way.endheaders(body)
            answer = way.getresponse()
            content = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name not in ("connection", "date", "content-length"):
                self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = do_OPTIONS = pass_on  # noqa: N815 - the library's names

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def opening():
    with ThreadingHTTPServer(("127.0.0.1", 0), Door) as opening:
        yield opening


@pytest.fixture(scope="module")
def server(opening, running):
    """A server that knows the pages of the door for its own."""
    origin = f"http://127.0.0.1:{opening.server_port}"
    with running("--no-rate-limits", "--client-documents", "--allowed-origins", origin) as started:
        yield started
        assert started.faults() == []


@pytest.fixture(scope="module")
def door(opening, server):
    """The origin of the tools behind the door."""
    opening.way, opening.key = urlsplit(server.origin).netloc, server.credentials["users"]["ada"]["apiKey"]
    threading.Thread(target=opening.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{opening.server_port}"
    opening.shutdown()


@pytest.fixture(scope="module")
def scenarios():
    """`scenarios(which)` are those of one kind, each with the revisions of the protocol that it is for."""
    install(FOLDER)

    def of(which):
        with started(FOLDER, "list", which) as process:
            found = re.findall(r"^ +- (\S+) \[(.+)\]$", process.communicate(timeout=PATIENCE)[0], re.MULTILINE)
        return {name: revisions.split(",") for name, revisions in found}

    return of


def started(folder, *words):
    """The runner, which leaves what it finds in the folder."""
    return subprocess.Popen(
        [NODE, str(RUNNER), *words], cwd=folder, env=ENVIRONMENT,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def verdicts(folder):
    """What came of each check that the runner wrote down below a folder: (check, status, why)."""
    for written in folder.rglob("checks.json"):
        for check in json.loads(written.read_text()):
            yield check["id"], check["status"], check.get("errorMessage")


def test_every_scenario_for_servers_is_passed_or_left_out_for_a_reason(scenarios):
    assert sorted(scenarios("--server")) == sorted([*PASSED, *LEFT_OUT])


@pytest.mark.parametrize("resource", MCP_RESOURCES, ids=lambda resource: resource.point)
@pytest.mark.parametrize("scenario", PASSED)
def test_a_scenario_that_needs_no_tools_of_its_own_is_passed_in_every_revision(
    scenario, resource, scenarios, door, tmp_path
):
    url = resource.at(door)
    for revision in set(scenarios("--server")[scenario]).intersection(REVISIONS):
        words = ("server", "--url", url, "--scenario", scenario, "--spec-version", revision, "-o", revision)
        with started(tmp_path, *words) as process:
            said = process.communicate(timeout=PATIENCE)[0]
        judged = {status for check, status, _ in verdicts(tmp_path / revision) if check != WIRE}
        assert judged - {"INFO", "SKIPPED"}, said
    missed = {check: why for check, status, why in verdicts(tmp_path) if status in ("FAILURE", "WARNING")}
    assert missed.keys() == PASSED[scenario].keys(), missed


def test_the_authorization_server_passes_both_of_its_scenarios(scenarios, server, browser, tmp_path):
    assert scenarios("--authorization").keys() == {"authorization-server-metadata-endpoint", "authorization-code-grant"}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    asked = {"client_name": "Runner", "redirect_uris": [f"http://127.0.0.1:{port}/callback"]}
    registered = httpx.post(f"{server.origin}/oauth/register", json=asked, trust_env=False, timeout=PATIENCE)
    assert registered.status_code == 201, registered.text
    with started(
        tmp_path, "authorization", "--url", server.origin, "--resource", f"{server.base_url}/mcp", "--port", str(port),
        "--client-id", registered.json()["client_id"], "-o", "found",
    ) as process:  # fmt: skip
        try:
            url = next(line.strip() for line in process.stdout if line.startswith(f"{server.origin}/oauth/authorize?"))
            called_back = httpx.get(browser(url), trust_env=False, timeout=PATIENCE)
            assert called_back.status_code == 200, called_back.text
            process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 0
    found = list(verdicts(tmp_path))
    assert {status for _, status, _ in found} == {"SUCCESS"}, found
    checks = {"authorization-server-metadata", "authorization-server-metadata-cimd", "authorization-code-grant"}
    assert {check for check, _, _ in found} == checks
