"""Both clients as packages: built, installed into empty projects elsewhere, type-checked there, and used from there."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.client_model import model
from codegen.python_client import python_client
from tests.support.processes.node import ENVIRONMENT, NODE, npm
from tests.support.processes.running import ROOT
from tests.support.processes.servers import LONG_PATIENCE
from tests.support.surfaces import typescript

CONTRACT = json.loads((ROOT / "contract.json").read_text())
MODEL = model(CONTRACT)
RESULT = {"made": "Elsewhere", "nothing": None, "code": "NOT_FOUND", "status": 404}


@pytest.fixture(scope="module")
def server(running):
    with running("--no-rate-limits") as started:
        yield started


def given(call):
    return {each["name"]: each["example"] for each in call.operation["inputs"]}


def ran(command, folder, **variables):
    done = subprocess.run(
        command,
        cwd=folder,
        env=ENVIRONMENT | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_PATIENCE,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def typescript_project(tmp_path_factory):
    """An empty project with the packed client in it."""
    folder = tmp_path_factory.mktemp("typescript-project")
    package = folder / "package"
    typescript.built()
    shutil.copytree(typescript.PACKAGE, package, ignore=shutil.ignore_patterns("node_modules"))
    packed = json.loads(npm(package, "pack", "--json", "--ignore-scripts", "--pack-destination", str(folder)))
    files = {each["path"] for each in packed[0]["files"]}
    assert {"package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts"} <= files
    project = folder / "project"
    project.mkdir()
    (project / "package.json").write_text('{"type": "module", "private": true}')
    npm(project, "install", "--no-audit", "--no-fund", str(folder / packed[0]["filename"]))
    return project


def test_typescript_calls_every_method_with_its_exact_types(typescript_project):
    lines = ['import { Codrive } from "@codrive/client";', 'import type * as types from "@codrive/client";']
    lines += ["type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;"]
    lines += ["declare const client: Codrive;", "function exactly<A, B>(_: Same<A, B>): void {}"]
    for call in MODEL.calls:
        answer = f"types.{call.answers}" if call.answers else "undefined"
        lines.append(f"const {call.name.replace('.', '_')} = await client.{call.name}({json.dumps(given(call))});")
        lines.append(f"exactly<typeof {call.name.replace('.', '_')}, {answer}>(true);")
        if not call.optional:
            lines += ["// @ts-expect-error an input is missing", f"await client.{call.name}({{}});"]
            lines += ["// @ts-expect-error there is no such input", f"await client.{call.name}({{ color: 1 }});"]
    lines += ["// @ts-expect-error the key is required", "new Codrive({});"]
    (typescript_project / "every.ts").write_text("\n".join(lines))
    compiler = typescript.PACKAGE / "node_modules" / "typescript" / "bin" / "tsc"
    flags = ("--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--types", "")
    ran([NODE, str(compiler), *flags, "every.ts"], typescript_project)


def test_typescript_works_from_its_package(typescript_project, server):
    (typescript_project / "use.mjs").write_text("""
import { Codrive, NotFoundError } from "@codrive/client";

const client = new Codrive({ apiKey: process.env.KEY, agent: "packaged", baseUrl: process.env.BASE });
const { drive } = await client.drives.create({ name: "Elsewhere" });
const nothing = await client.drives.rename({ driveId: drive.id, name: "Elsewhere" });
const error = await client.driveItems.get({ itemId: "nothing" }).catch((fault) => fault);
if (!(error instanceof NotFoundError)) throw error;
const { code, status } = error;
console.log(JSON.stringify({ made: drive.name, nothing: nothing ?? null, code, status }));
""")
    said = ran([NODE, "use.mjs"], typescript_project, KEY=key(server), BASE=server.base_url)
    assert json.loads(said) == RESULT


def key(server):
    return server.credentials["users"]["ada"]["apiKey"]


@pytest.fixture(scope="module")
def python_project(tmp_path_factory):
    """An empty project whose environment holds the built wheel, and nothing of ours besides."""
    folder = tmp_path_factory.mktemp("python-project")
    package = folder / "package"
    shutil.copytree(ROOT / "clients" / "python", package)
    uv = os.environ.get("UV") or shutil.which("uv")
    ran([uv, "build", "--wheel", "--quiet", "--python", sys.executable, "--out-dir", str(folder), str(package)], folder)
    ran([uv, "venv", "--quiet", "--python", sys.executable, str(folder / "env")], folder)
    (wheel,) = folder.glob("*.whl")
    ran([uv, "pip", "install", "--quiet", "--python", str(folder / "env"), str(wheel)], folder)
    return folder


def test_python_calls_every_method_with_its_exact_types(python_project):
    assert "py.typed" in {path.name for path in (python_project / "env").rglob("codrive_client/*")}
    lines = ["from typing import assert_type", "from codrive_client import AsyncCodrive, Codrive, types"]
    lines += ["async def every(client: Codrive, later: AsyncCodrive) -> None:"]
    for call in MODEL.calls:
        group, method = call.operation["clients"]["python"]
        answer = f"types.{call.answers}" if call.answers else "None"
        for asked in (f"client.{group}.{method}", f"client.{call.name}", f"await later.{group}.{method}"):
            asks = f"{asked}({given(call)!r})"
            lines.append(f"    assert_type({asks}, {answer})" if call.answers else f"    {asks}")
        if not call.optional:
            lines.append(f"    client.{group}.{method}({{}})  # type: ignore[typeddict-item]")
    (python_project / "every.py").write_text("\n".join([*lines, ""]))
    interpreter = str(python_project / "env" / "bin" / "python")
    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", interpreter, "--config-file", os.devnull]
    ran([*mypy, "every.py"], python_project)


def test_python_works_from_its_wheel(python_project, server):
    (python_project / "use.py").write_text("""
import json, os
from codrive_client import Codrive, NotFoundError

with Codrive(api_key=os.environ["KEY"], agent="packaged", base_url=os.environ["BASE"]) as client:
    drive = client.drives.create({"name": "Elsewhere"})["drive"]
    nothing = client.drives.rename({"driveId": drive["id"], "name": "Elsewhere"})
    try:
        client.driveItems.get({"itemId": "nothing"})
    except NotFoundError as error:
        print(json.dumps({"made": drive["name"], "nothing": nothing, "code": error.code, "status": error.status}))
""")
    interpreter = str(python_project / "env" / "bin" / "python")
    said = ran([interpreter, "-W", "error", "use.py"], python_project, KEY=key(server), BASE=server.base_url)
    assert json.loads(said) == RESULT


def test_the_command_line_works_from_the_wheel(python_project, server):
    command = str(python_project / "env" / "bin" / "codrive")
    variables = {"SERVICE_API_KEY": key(server), "SERVICE_BASE_URL": server.base_url}
    said = ran([command, "drives", "create", "--name", "Elsewhere", "--pick", "drive"], python_project, **variables)
    assert json.loads(said)["name"] == "Elsewhere"
    assert ran([command, "--version"], python_project).startswith("codrive ")


def test_the_generated_modules_are_those_of_the_contract():
    for path, text in python_client(MODEL, CONTRACT["errors"]).items():
        assert Path(ROOT, path).read_text() == text
