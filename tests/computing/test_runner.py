"""Jobs run in processes that have nothing of the server, can be killed, and end with it."""

import asyncio
import os
import resource
import signal
import socket
import subprocess
import sys
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from computing.jobs import CHECK_IMPORT, JOBS, LARGE, SMALL, SMALL_INPUTS, TRY_UPDATE, Failed
from computing.runner import Crashed, JobRunner, TooBusy, TooCostly
from computing.zygote import MAX_MESSAGE, Report, _Zygote
from domain.document import DocumentLog
from domain.errors import Quarantined
from tests.computing.expensive_updates import DOCUMENT, TEXT, searching, try_update, typed_backwards, until
from tests.support.processes.servers import eventually


@pytest.fixture(scope="module")
def long_text():
    return typed_backwards(20_000)


@pytest.fixture(scope="module")
def endless():
    return searching(20_000)


def children(pid):
    """The processes that a process has started, by their ids."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            stat = path.read_text()
        except OSError:
            continue
        state, parent = stat.rpartition(")")[2].split()[:2]
        if int(parent) == pid and state != "Z":
            found.append(int(path.parent.name))
    return found


def zygote(runner):
    return runner._processes.pid


async def running_job(runner):
    """The process of the one job that runs."""
    # one that a test before this one cancelled may not have been reaped yet
    (found,) = await until(lambda: runner._processes.pid and len(jobs := children(zygote(runner))) == 1 and jobs)
    return found


async def test_the_zygote_has_nothing_of_the_server(runner, monkeypatch):
    monkeypatch.setenv("CODRIVE_SMTP_URL", "smtp://user:password@host")
    reading, writing = os.pipe()
    try:
        os.set_inheritable(reading, True)
        await runner.aclose()
        assert await try_update(runner) is None
        await until(lambda: not children(zygote(runner)))
        process = Path(f"/proc/{zygote(runner)}")
        environment = {each.partition("=")[0] for each in (process / "environ").read_text().split("\0") if each}
        await until(lambda: len([*(process / "fd").iterdir()]) == 4)
        open_files = [each.readlink().as_posix() for each in (process / "fd").iterdir()]
    finally:
        os.close(reading)
        os.close(writing)
    assert environment <= {"LC_CTYPE"}
    assert sorted(each.partition(":")[0] for each in open_files) == ["/dev/null", "/dev/null", "/dev/null", "socket"]
    assert "NoNewPrivs:\t1\n" in (process / "status").read_text()


async def test_a_job_has_nothing_but_its_socket_and_its_limits(runner, long_text, endless):
    running = asyncio.create_task(try_update(runner, long_text, endless))
    process = Path(f"/proc/{await running_job(runner)}")
    await until(lambda: "Max file size             0" in (process / "limits").read_text())
    open_files = {each.name: each.readlink().as_posix() for each in (process / "fd").iterdir()}
    assert {*open_files} == {"0", "1", "2", "3"}
    assert "NoNewPrivs:\t1\n" in (process / "status").read_text()
    limits = (process / "limits").read_text().splitlines()
    assert any(line.startswith("Max address space") and str(TRY_UPDATE.memory) in line for line in limits)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_job_that_nobody_waits_for_is_killed(runner, long_text, endless):
    running = asyncio.create_task(try_update(runner, long_text, endless))
    await running_job(runner)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await until(lambda: not children(zygote(runner)))


async def test_a_job_is_killed_when_its_time_is_over(runner, long_text, endless):
    with pytest.raises(TooCostly, match="longer than 0\\.2 seconds"):
        await try_update(runner, long_text, endless, replace(TRY_UPDATE, seconds=0.2))
    await until(lambda: not children(zygote(runner)))
    with pytest.raises(TooCostly, match="longer than 1 seconds"):
        await try_update(runner, long_text, endless, replace(TRY_UPDATE, cpu_seconds=1))
    assert await try_update(runner) is None


async def test_a_job_that_takes_more_memory_than_it_may_is_ended(runner):
    with pytest.raises(TooCostly, match="of memory"):
        await try_update(runner, bytes(400 << 20), job=replace(TRY_UPDATE, memory=300 << 20))
    assert await try_update(runner) is None


def test_a_process_took_what_the_system_took_for_it_too():
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    script = "import os\nwhile os.times().system < 0.05: open('/dev/zero', 'rb').read(1 << 24)"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with ours, theirs, subprocess.Popen([sys.executable, "-c", script]) as process:
        zygote = _Zygote(theirs)
        descriptor = os.pidfd_open(process.pid)
        zygote._poll.register(descriptor)
        zygote._running[descriptor] = 7, process.pid
        zygote._ended(descriptor)
        report = msgspec.msgpack.decode(ours.recv(MAX_MESSAGE), type=Report)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    assert (report.number, report.status) == (7, 0)
    assert report.cpu_seconds == pytest.approx(took, abs=0.001)


async def test_what_a_job_took_is_told(runner):
    told = []
    runner.listeners.append(told.append)
    await try_update(runner)
    report = await until(lambda: told and told[0])
    runner.listeners.remove(told.append)
    assert (report.job, report.user_id, report.done) == ("try_update", "ada", True)
    assert 0 < report.cpu_seconds < 10


async def test_a_fault_of_a_job_is_raised_with_its_traceback(runner):
    nonsense = DocumentLog(None, None, (None,), 1)
    with pytest.raises(Failed, match="Expected `object`, got `None`"):
        await runner.run(replace(CHECK_IMPORT, inline=0), "ada", DOCUMENT, nonsense, TEXT, None, ("ada", None))


async def test_jobs_of_a_zygote_that_is_killed_are_done_by_another(runner, long_text, endless):
    assert await try_update(runner) is None
    os.kill(zygote(runner), signal.SIGKILL)
    assert await try_update(runner) is None
    before = zygote(runner)
    running = asyncio.create_task(try_update(runner, long_text, endless, replace(TRY_UPDATE, cpu_seconds=2)))
    await running_job(runner)
    os.kill(before, signal.SIGKILL)
    with pytest.raises(TooCostly):
        await running
    assert zygote(runner) != before


async def test_stored_bytes_that_end_a_process_are_counted_and_those_of_a_caller_are_not(long_text, endless):
    counted = []

    async def crashed(document_id):
        counted.append(document_id)

    async with aclosing(JobRunner(crashed=crashed)) as runner:

        async def ended(job, by):
            running = asyncio.create_task(try_update(runner, long_text, endless, job))
            os.kill(await running_job(runner), by)
            with pytest.raises(Crashed, match=f"-{by:d}"):
                await running
            await until(lambda: not children(zygote(runner)))

        stored = replace(TRY_UPDATE, is_of_stored=True)
        for crashes in (1, 2):
            await ended(stored, signal.SIGSEGV)
            assert counted == [DOCUMENT] * crashes
        await ended(TRY_UPDATE, signal.SIGSEGV)
        await ended(stored, signal.SIGKILL)
        with pytest.raises(TooCostly):
            await try_update(runner, long_text, endless, replace(stored, seconds=0.0))
        assert counted == [DOCUMENT] * 2


async def test_a_document_in_quarantine_is_given_to_no_process():
    def loading(document_id):
        raise Quarantined(document_id)

    with pytest.raises(Quarantined):
        await try_update(JobRunner(loading))


async def test_who_gets_no_turn_in_time_is_told(runner, long_text, endless):
    lane = replace(SMALL, slots=1, patience=0.0, beside=0)
    running = asyncio.create_task(try_update(runner, long_text, endless, replace(TRY_UPDATE, lane=lane)))
    await running_job(runner)
    with pytest.raises(TooBusy):
        await try_update(runner, job=replace(TRY_UPDATE, lane=lane), user="ben")
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert await try_update(runner, job=replace(TRY_UPDATE, lane=lane), user="ben") is None


async def test_a_job_that_takes_long_keeps_nobody_else_waiting(runner, long_text, endless):
    lane = replace(LARGE, slots=1, patience=None)
    running = asyncio.create_task(try_update(runner, long_text, endless, replace(TRY_UPDATE, lane=lane)))
    await running_job(runner)
    assert await try_update(runner, job=replace(TRY_UPDATE, lane=lane), user="ben") is None
    assert not running.done()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_no_lane_waits_for_another(runner, long_text, endless):
    running = asyncio.create_task(try_update(runner, long_text, endless))
    await running_job(runner)
    lanes = {job.lane_of(size) for job in JOBS.values() for size in (0, SMALL_INPUTS)}
    assert len({lane.name for lane in lanes}) == len(lanes) == 5
    for lane in lanes - {LARGE}:
        assert await try_update(runner, job=replace(TRY_UPDATE, lane=lane)) is None
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


OWNER = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from computing.runner import JobRunner
from tests.computing.expensive_updates import searching, try_update, typed_backwards

async def main():
    await try_update(JobRunner(), typed_backwards(20_000), searching(20_000))

asyncio.run(main())
"""


@pytest.mark.parametrize("order", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_server_that_ends_leaves_no_process(order):
    root = Path(__file__).parents[2]
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(root)], stderr=subprocess.DEVNULL)
    try:
        (forked_from,) = eventually(lambda: children(owner.pid))
        (job,) = eventually(lambda: children(forked_from))
    finally:
        owner.send_signal(order)
        owner.wait()
    eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in (forked_from, job)))
