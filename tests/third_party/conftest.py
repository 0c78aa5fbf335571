"""A running server with the demo world, and folders in which the packages of others are used."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.processes.node import ENVIRONMENT, NODE, install
from tests.support.processes.servers import LONG_PATIENCE
from tests.support.surfaces.approval import browser  # noqa: F401 - who approves what an application asks for
from tests.support.surfaces.fixtures import GENEROUS, ada, ben, client, people  # noqa: F401 - the same people, of the server below

HERE = Path(__file__).parent
STRICT = {
    "strict": True,
    "target": "es2022",
    "lib": ["es2022", "dom"],
    "module": "nodenext",
    "skipLibCheck": True,
    "types": [],
}


@pytest.fixture(scope="session")
def server(shared_server):
    return shared_server(*GENEROUS)


class Project:
    """A folder of somebody's sources beside the packages."""

    def __init__(self, folder):
        self.folder = folder
        install(HERE)
        (folder / "node_modules").symlink_to(HERE / "node_modules")
        (folder / "package.json").write_text('{"type": "module", "private": true}')
        (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": STRICT}))

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def runs(self, *words, **variables):
        """Run a program with Node and return what it printed; raises with what it said where it fails."""
        done = subprocess.run(
            [NODE, *words],
            cwd=self.folder,
            env=ENVIRONMENT | variables,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONG_PATIENCE,
        )
        assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout

    def compiles(self):
        """Check the types of the TypeScript sources, and write JavaScript beside them."""
        self.runs("node_modules/typescript/bin/tsc")


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)
