"""The library says of a document what Yjs says of it, after each update: text, tree, maps, lists and state vector.

Several clients of Yjs change one document at random: texts with emoji, marks and embeds, concurrent attributes and keys of maps,
undo and redo, with and without garbage collection. Where a client cuts a surrogate pair in half, its update is found.
"""

import asyncio
import json
from base64 import b64decode, b64encode
from contextlib import asynccontextmanager

import pytest
from pycrdt import Array, Map, Text, XmlElement, XmlFragment, XmlText

from documents.admission.surrogate_pairs import SurrogatePairs
from documents.yjs.scan import Refused, scan
from documents.yjs.snapshot import apply_updates, load, state_vector
from tests.support.live.npm import FOLDER
from tests.support.processes.node import NODE, install
from tests.support.processes.servers import LONG_PATIENCE
from tests.support.suite.rounds import ROUNDS, seed

DOCUMENTS = 20 * ROUNDS**2
STEPS = 120
PARTS = 4


@asynccontextmanager
async def yjs():
    """A function that asks Yjs on Node."""
    install(FOLDER)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        NODE, "differential.mjs", cwd=FOLDER, stdin=pipe, stdout=pipe, limit=2**28
    )

    async def ask(**asked):
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        async with asyncio.timeout(LONG_PATIENCE):
            answer = json.loads(await process.stdout.readline())
        assert "error" not in answer, answer
        return answer

    try:
        yield ask
    finally:
        process.stdin.close()
        await process.wait()


def tree(shared):
    match shared:
        case XmlText() | Text():
            return [[tree(each), attributes or {}] for each, attributes in shared.diff()]
        case XmlElement():
            attributes = {key: tree(value) for key, value in shared.attributes}
            return {"name": shared.tag, "attributes": attributes, "children": [tree(each) for each in shared.children]}
        case XmlFragment():
            return [tree(each) for each in shared.children]
        case Map():
            return {"map": {key: tree(value) for key, value in shared.items()}}
        case Array():
            return {"array": [tree(each) for each in shared]}
    return shared


def says(doc):
    found = {
        "default": tree(doc.get("default", type=XmlFragment)),
        "map": tree(doc.get("map", type=Map)),
        "list": tree(doc.get("list", type=Array)),
    }
    return {"tree": found, "vector": {str(name): clock for name, clock in state_vector(doc).items()}}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
async def test_the_library_and_yjs_make_the_same_of_each_update(part):
    cut = 0
    async with yjs() as ask:
        for number in range(part * DOCUMENTS, (part + 1) * DOCUMENTS):
            made = await ask(seed=seed() + number, steps=STEPS)
            doc, pairs, stored = load(None), SurrogatePairs(), []
            for place, told in enumerate(made["told"]):
                where = f"document {number}, update {place}: {told['update']}"
                update = b64decode(told["update"])
                scanned = scan(update)
                assert not isinstance(scanned, Refused), where
                brought = pairs.cutting(update)
                assert pairs.are_cut_by(brought, state_vector(doc)) == told["cuts"], where
                cut += told["cuts"]
                if not told["cuts"]:
                    assert apply_updates(doc, (update,)) is None, where
                    pairs.add(brought)
                    stored.append(update)
                assert says(doc) == {name: told[name] for name in ("tree", "vector")}, where
            last = says(doc)
            assert says(load(None, stored)) == last, number
            for state in (doc.get_update(), b64decode(made["state"])):
                assert says(load(None, [state])) == last, number
                assert await ask(updates=[b64encode(state).decode()]) == last, number
    assert cut > DOCUMENTS
