"""A real ProseMirror editor in which tests change the structure of documents, without a server."""

import base64
import json
import subprocess
from contextlib import contextmanager

from documents.tree.schema import SCHEMA
from tests.support.live.npm import FOLDER
from tests.support.processes.node import NODE, install

ACTS = ("heading", "list", "task", "quote", "unwrap", "split", "join", "move", "items", "row")


class Editor:
    """One Node process, which opens a document anew for each act."""

    def __init__(self, process):
        self.process = process

    def act(self, updates, act, seed):
        """Return the updates that an act makes of a document; none where there is nothing to do."""
        asked = {"updates": [base64.b64encode(each).decode() for each in updates], "schema": SCHEMA, "act": act}
        self.process.stdin.write(json.dumps(asked | {"seed": 1 + seed % 2_000_000_000}).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return [base64.b64decode(each) for each in answer["updates"]]


@contextmanager
def editor():
    install(FOLDER)
    with subprocess.Popen(
        [NODE, "structure.mjs"], cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield Editor(process)
        process.stdin.close()
