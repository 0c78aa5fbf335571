"""deploy/compose.yaml is a compose file, holds no secret, and what it starts works together, as far as it starts without containers."""

import json
import os
import re
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path

import httpx
import jsonschema
import pytest
import yaml

from service.settings import Settings
from tests.service.proxies import haproxy
from tests.support.processes.debian import installed
from tests.support.processes.servers import PATIENCE, eventually, free_port, http, launch, serving

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
TEXT = (DEPLOY / "compose.yaml").read_text()
COMPOSE = yaml.safe_load(TEXT)
SERVERS = ("one", "other")
SECRETS = {"POSTGRES_PASSWORD", "S3_SECRET_KEY"}
_VARIABLE = re.compile(r"\$\{(\w+)(?::[-?]([^}]*))?\}")


def example():
    lines = [line for line in (DEPLOY / "example.env").read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def filled(text, variables):
    """Return a text with its variables as compose puts them in."""
    return _VARIABLE.sub(lambda found: variables.get(found[1]) or found[2] or "", text)


def test_it_is_a_compose_file():
    schema = json.loads(files("check_jsonschema.builtin_schemas.vendor").joinpath("compose-spec.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(COMPOSE)
    broken = COMPOSE | {"services": {"one": {"imagee": "x"}}}
    assert not jsonschema.Draft202012Validator(schema).is_valid(broken)


def test_the_example_names_every_variable_and_holds_no_secret():
    assert {name for name, _ in _VARIABLE.findall(TEXT)} == set(example())
    assert {name for name in SECRETS if example()[name]} == set()
    for name in SECRETS:
        assert re.search(rf"\$\{{{name}:\?", TEXT), "without a password nothing starts"


def test_images_of_others_have_exact_versions():
    images = {each["image"] for each in COMPOSE["services"].values()} - {"codrive"}
    assert all(re.search(r":v?\d+\.\d+(\.\d+)?$", image) for image in images), images


def test_the_variables_of_the_servers_are_settings():
    known = {f"CODRIVE_{each.name.upper()}" for each in fields(Settings)}
    for name in SERVERS:
        given = COMPOSE["services"][name]["environment"]
        assert {each for each in given if each.startswith("CODRIVE_")} <= known


def test_nginx_knows_the_servers_and_the_port_of_the_image():
    text = (DEPLOY / "nginx.conf").read_text()
    assert re.findall(r"server (\w+):8000 ", text) == list(SERVERS)
    assert "EXPOSE 8000" in (ROOT / "Containerfile").read_text()
    (published,) = COMPOSE["services"]["proxy"]["ports"]
    assert f"listen {published.rsplit(':', 1)[1]};" in text


@dataclass(frozen=True)
class Address:
    """Where a server answers, whatever its origin is."""

    origin: str


@pytest.fixture
def started(fresh_database, tmp_path):
    """The two servers with their environment, but for the addresses of the database and the store of images."""
    port, ports = free_port(), {name: free_port() for name in SERVERS}
    given = example() | dict.fromkeys(SECRETS, "x" * 48) | {"CODRIVE_ORIGIN": f"http://127.0.0.1:{port}"}
    environment = {name: filled(value, given) for name, value in COMPOSE["services"]["one"]["environment"].items()}
    here = {"DATABASE_URL": fresh_database(migrated=False), "CODRIVE_BLOBS": str(tmp_path / "images")}
    assert environment == {
        name: filled(value, given) for name, value in COMPOSE["services"]["other"]["environment"].items()
    }
    with ExitStack() as stack:
        one, other = (
            stack.enter_context(serving(tmp_path / name, "--port", ports[name], begin=launch, **environment | here))
            for name in SERVERS
        )
        yield port, [Address(f"http://127.0.0.1:{ports[name]}") for name in SERVERS], one, other


def nginx(folder, port, *servers):
    """Return the command of nginx with the file that compose mounts."""
    text = (DEPLOY / "nginx.conf").read_text()
    for name, server in zip(SERVERS, servers, strict=True):
        text = text.replace(f"server {name}:8000", f"server {server.origin.removeprefix('http://')}")
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};").replace("/tmp/", f"{folder}/")
    owner = "user root;\n" if os.geteuid() == 0 else ""
    written = folder / "nginx.conf"
    written.write_text(owner + text)
    return [installed("nginx", "nginx-light"), "-p", folder, "-c", written, "-g", "daemon off;"], {}


@pytest.mark.rotate(12, "the files that it starts from, one by one")
@pytest.mark.slow
@pytest.mark.parametrize("command_of", [nginx, haproxy])
def test_the_servers_answer_behind_a_proxy_also_when_one_is_gone(started, tmp_path, command_of):
    port, servers, one, other = started
    command, _ = command_of(tmp_path, port, *servers)
    with (tmp_path / "proxy.log").open("w") as log:
        proxy = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        with http(f"http://127.0.0.1:{port}") as client:

            def answers():
                assert proxy.poll() is None, (tmp_path / "proxy.log").read_text()
                try:
                    return client.get("/healthz").status_code == 200 or None
                except httpx.TransportError:
                    return None

            eventually(answers)
            paths = [f"/sign-in?next={number}" for number in range(20)]
            assert {client.get(path).status_code for path in paths} == {200}
            assert client.get("/metrics").status_code == 404
            key = re.search(r"API key \(shown this once\): (\S+)", one.text + other.text)[1]
            for _ in range(2):
                drives = client.get("/api/v1/drives", headers={"x-api-key": key})
                assert drives.status_code == 200, drives.text
                one.process.kill()
                one.process.wait(PATIENCE)
            assert {client.get(path).status_code for path in paths} == {200}
    finally:
        proxy.terminate()
        proxy.wait(PATIENCE)
