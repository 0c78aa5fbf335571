"""A document is projected as y-prosemirror reads it, whatever three writers did to it at the same time."""

import base64
import json
import subprocess

import pytest
from pycrdt import Doc

from documents.tree.tree import walk, walk_public
from documents.yjs.snapshot import load
from tests.documents.editor_trees import as_projected
from tests.support.live.npm import FOLDER
from tests.support.processes.node import NODE, install
from tests.support.processes.servers import PATIENCE
from tests.support.suite.rounds import ROUNDS, seed

SEED = str(seed())
DOCUMENTS = 200 if ROUNDS == 1 else 500 * ROUNDS


@pytest.mark.slow
def test_a_document_reads_as_y_prosemirror_reads_it():
    install(FOLDER)
    command = [NODE, "random_documents.mjs", SEED, str(DOCUMENTS)]
    written = subprocess.run(
        command, cwd=FOLDER, capture_output=True, text=True, check=True, timeout=PATIENCE
    ).stdout.splitlines()
    assert len(written) == DOCUMENTS
    for number, line in enumerate(written):
        made = json.loads(line)
        doc = load(base64.b64decode(made["update"]))
        assert isinstance(doc, Doc)
        assert walk(doc) == walk_public(doc)
        read, expected = walk(doc).tree, as_projected(made["tree"])
        # as JSON, where true is not 1
        assert json.dumps(read, sort_keys=True) == json.dumps(expected, sort_keys=True), f"{SEED}, {number}"
