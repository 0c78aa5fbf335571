"""A stop that does not come to its end: what is said of it, and that it ends."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes.servers import PATIENCE, end_of

PROGRAM = """
import asyncio, os, signal, sys, threading, uvloop
from contextlib import asynccontextmanager, suppress
from service import shutdown
from service.logs import configure

configure("json", "info")
shutdown.SECONDS = 0.2
begun = threading.Event()  # what a thread has not begun is cancelled

@asynccontextmanager
async def tidies_for_ever():
    try:
        yield
    finally:
        while True:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

async def hears_nothing():
    begun.set()
    async with tidies_for_ever():
        pass

async def in_a_thread():
    await asyncio.to_thread(waits_for_ever)

def waits_for_ever():
    begun.set()
    threading.Event().wait()

async def ends():
    begun.set()
    await asyncio.Event().wait()

async def main():
    task = asyncio.create_task(globals()[sys.argv[1]](), name="the task")
    await asyncio.to_thread(begun.wait)
    os.kill(os.getpid(), signal.SIGTERM)
    await task

def stop(*_):
    shutdown.begin()
    raise SystemExit(0)

signal.signal(signal.SIGTERM, stop)
runner = asyncio.Runner(loop_factory={"asyncio": None, "uvloop": uvloop.new_event_loop}[sys.argv[2]])
try:
    with shutdown.ended_in_time(runner, lambda: print("the database is stopped", flush=True)), runner:
        runner.run(main())
finally:
    print("left to count:", signal.getitimer(signal.ITIMER_REAL)[0])
"""


def stopped(work, loop):
    command = [sys.executable, "-c", PROGRAM, work, loop]
    root = Path(__file__).parents[2]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
@pytest.mark.parametrize(
    ("work", "place"), [("hears_nothing", "tidies_for_ever ("), ("in_a_thread", "in waits_for_ever")]
)
def test_a_stop_that_waits_for_ever_says_for_what_and_ends_with_its_database(work, place, loop):
    done = stopped(work, loop)
    assert (done.returncode, done.stdout) == (1, "the database is stopped\n"), done.stderr
    assert "the server does not stop" in done.stderr
    assert place in done.stderr


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_a_stop_that_comes_to_its_end_is_left_alone(loop):
    done = stopped("ends", loop)
    assert (done.returncode, done.stdout) == (0, "left to count: 0.0\n"), done.stderr


def test_a_server_that_does_not_end_in_a_test_is_ended_and_what_it_logged_is_told(tmp_path):
    log = tmp_path / "log"
    log.write_text("a task has not ended")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        with pytest.raises(AssertionError, match="a task has not ended"):
            end_of(process, tmp_path, log, patience=0.01)
        assert process.returncode == -signal.SIGKILL
