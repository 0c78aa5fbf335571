"""The scan says what the library does with an update, and Yjs can open every document that comes of it.

100,000 updates, put together at random; with CODRIVE_ROUNDS=10 they are ten million. The library has processes of its own,
so that a crash is a failure that names the update, and hands each document on to Yjs on Node.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from tests.documents.fuzz_worker import Notes
from tests.support.live.npm import FOLDER
from tests.support.processes.node import NODE, install
from tests.support.processes.servers import LONG_PATIENCE, PATIENCE
from tests.support.suite.rounds import ROUNDS, seed

SEED = seed()
UPDATES = 100_000 * ROUNDS**2
PARTS = 10  # one after the other, each with a seed of its own


async def fuzzed(folder: Path, seed: str, updates: int) -> tuple[dict, dict]:
    """Let the scan, the library and Yjs try so many updates; return what the worker reports and what Yjs says."""
    notes, report, errors = folder / "notes", folder / "report", folder / "errors"
    reading, writing = os.pipe()
    command = (sys.executable, "-m", "tests.documents.fuzz_worker", seed, str(updates), notes, report)
    with errors.open("wb") as said:
        worker = await asyncio.create_subprocess_exec(
            *command, stdout=writing, stderr=said, env=os.environ | {"RUST_BACKTRACE": "0"}
        )
    os.close(writing)
    yjs = await asyncio.create_subprocess_exec(
        NODE, "documents.mjs", cwd=FOLDER, stdin=reading, stdout=asyncio.subprocess.PIPE
    )
    os.close(reading)
    async with asyncio.timeout(LONG_PATIENCE * ROUNDS):
        answer, _ = await yjs.communicate()
        status = await worker.wait()
    assert status == 0, f"{seed}: the worker ended with {status} over {Notes.read(notes)}: {errors.read_text()[-2000:]}"
    *wrong, summary = [json.loads(line) for line in answer.splitlines()]
    assert not wrong, f"{seed}: Yjs cannot open {wrong}"
    return json.loads(report.read_text()), summary


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
async def test_the_library_does_what_the_scan_says_and_yjs_opens_what_comes_of_it(tmp_path, part):
    install(FOLDER)
    seed = f"{SEED} {part}"
    report, opened = await fuzzed(tmp_path, seed, UPDATES // PARTS)
    counts = report["counts"]
    assert not report["differences"], f"{seed}: {report['differences']}"
    assert counts["tried"] >= UPDATES // PARTS
    assert counts["applied"] > counts["tried"] // 4
    assert counts["cut"] > counts["tried"] // 200
    assert opened == {"documents": counts["documents"], "wrong": 0}


async def test_a_crash_of_the_library_is_told_with_the_update_that_caused_it(tmp_path):
    """The notes outlive the process: one that ends in the middle of an update leaves it behind."""
    code = (
        "import os, signal; from pathlib import Path; from tests.documents.fuzz_worker import Notes;"
        "notes = Notes(Path('notes')); notes.take([b'ab', b'cd']); os.kill(os.getpid(), signal.SIGSEGV)"
    )
    root = Path(__file__).parents[2]
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(root)}
    )
    async with asyncio.timeout(PATIENCE):
        assert await worker.wait() < 0
    assert Notes.read(tmp_path / "notes") == ["6162", "6364"]
