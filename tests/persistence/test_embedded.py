import asyncio
import ctypes
import os
import pwd
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from psycopg_pool import AsyncConnectionPool

from persistence.postgres import processes
from persistence.postgres.embedded import start, supervise, url_of_running
from persistence.postgres.installation import PACKAGE, CannotStart, account_for, installed
from tests.support.processes.servers import PATIENCE

SET_CHILD_SUBREAPER = 36
NOBODY = 65534
REPOSITORY = Path(__file__).parents[2]

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be closed out by root's own directories")
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="orphans come to us on Linux only")


@pytest.fixture
def unreaped_orphans():
    """Orphans become ours and we do not reap them, as in a container without an init: the dead stay zombies."""
    library = ctypes.CDLL(None)
    assert library.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    yield
    assert library.prctl(SET_CHILD_SUBREAPER, 0, 0, 0, 0) == 0


@pytest.fixture
def open_directory():
    """A directory that every user may pass."""
    directory = Path(tempfile.mkdtemp(prefix="codrive-tests-"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


@contextmanager
def committing(data, *arguments):
    """A small server as a child; gives it, its postmaster's pid and a way to read its committed numbers."""
    command = [sys.executable, str(Path(__file__).with_name("committing.py")), str(data), *arguments]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    ) as server:
        first = server.stdout.readline()
        assert first, "the small server did not start"
        try:
            yield server, int(first)
        finally:
            kill(server.pid)


def kill(pid):
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def numbers_in(url):
    with psycopg.connect(url) as connection:
        return [n for (n,) in connection.execute("select n from number order by n")]


def killed_in_the_middle(data, victims, after, *arguments):
    """Run the small server, kill -9 `victims` after so many answers, and return all its answers."""
    with committing(data, *arguments) as (server, postmaster):
        answered = [int(server.stdout.readline()) for _ in range(after)]
        for victim in victims:
            kill({"server": server.pid, "postgres": postmaster}[victim])
        answered += [int(line) for line in server.stdout if line.endswith("\n")]
    return answered, postmaster


def starts_with_all_of(answered, data):
    with start(data) as running:
        stored = numbers_in(running.url)
    # one more may be stored: committed, and killed before the answer was out
    return stored[: len(answered)] == answered and len(stored) <= len(answered) + 1


def test_what_was_committed_is_there_after_a_stop_and_a_start(tmp_path):
    with start(tmp_path / "data") as running, psycopg.connect(running.url) as connection:
        connection.execute("create table number as select generate_series(1, 3) as n")
    assert not processes.occupants(tmp_path / "data" / "cluster")
    with start(tmp_path / "data") as running:
        assert numbers_in(running.url) == [1, 2, 3]


def test_text_is_utf8_and_sorts_by_code_point(cluster_url):
    with psycopg.connect(cluster_url) as connection:
        asked = "select getdatabaseencoding(), datlocprovider, datlocale from pg_database where datname = 'codrive'"
        assert connection.execute(asked).fetchone() == ("UTF8", "b", "C.UTF-8")


@pytest.mark.parametrize(("durable", "fsync"), [(True, "on"), (False, "off")])
def test_only_tests_give_up_durability(tmp_path, durable, fsync):
    with start(tmp_path, durable=durable) as running, psycopg.connect(running.url) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute(f"show {setting}").fetchone() == (fsync,)


@only_root
def test_root_makes_an_account_for_postgres_where_there_is_none_and_finds_it_again():
    name = f"codrive-{os.getpid()}"
    made = account_for((), (name,))
    try:
        assert pwd.getpwuid(made.uid).pw_name == name
        assert made.uid not in (0, NOBODY)
        assert account_for((), (name,)) == made
    finally:
        subprocess.run(["userdel", name], check=True, timeout=PATIENCE)


def test_nobody_but_the_account_and_root_reaches_the_socket_and_there_is_no_tcp(cluster_url):
    (sockets,) = parse_qs(urlsplit(cluster_url).query)["host"]
    assert Path(sockets).stat().st_mode & 0o777 == 0o700
    with psycopg.connect(cluster_url) as connection:
        assert connection.execute("show listen_addresses").fetchone() == ("",)
        rules = "select type, auth_method, user_name from pg_hba_file_rules"
        assert connection.execute(rules).fetchall() == [("local", "peer", ["codrive"])]


def test_a_second_server_on_the_same_directory_is_refused(tmp_path):
    with start(tmp_path) as running:
        with pytest.raises(CannotStart, match="another server is running"):
            start(tmp_path)
        assert not running.exited()


def test_a_command_beside_the_server_finds_the_running_database(tmp_path):
    assert url_of_running(tmp_path) is None
    with start(tmp_path) as running:
        assert url_of_running(tmp_path) == running.url
    assert url_of_running(tmp_path) is None


def test_the_terminals_interrupt_does_not_reach_postgres(tmp_path):
    with start(tmp_path) as running:
        assert os.getsid(running.pid) == running.pid


def test_a_path_too_long_for_a_socket_still_works(open_directory):
    data = open_directory / ("long" * 30) / "with a space, and more"
    with start(data) as running:
        with psycopg.connect(running.url) as connection:
            assert connection.execute("select 1").fetchone() == (1,)
        runtime = (data / "runtime").readlink()
        assert runtime.exists()
    assert not runtime.exists()


@only_root
def test_a_data_directory_in_a_closed_home_works_and_stays_closed(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    with start(home / ".codrive" / "postgres") as running, psycopg.connect(running.url) as connection:
        connection.execute("create table number (n int)")
        connection.execute("checkpoint")
    assert home.stat().st_mode & 0o777 == 0o700


@only_root
def test_programs_that_postgres_may_not_read_are_copied_to_where_it_may(tmp_path, open_directory):
    closed = tmp_path / PACKAGE / installed().name
    shutil.copytree(installed(), closed, ignore=shutil.ignore_patterns("include"))
    libraries = f"{PACKAGE}.libs"
    shutil.copytree(installed().parent.parent / libraries, tmp_path / libraries)
    with start(open_directory / "data", installation=closed) as running, psycopg.connect(running.url) as connection:
        assert connection.execute("select 1").fetchone() == (1,)
        assert running.cluster.programs.is_relative_to(open_directory)


@only_root
def test_root_gives_postgres_to_an_ordinary_account(tmp_path):
    with start(tmp_path) as running:
        assert Path(f"/proc/{running.pid}").stat().st_uid != 0


@only_root
@pytest.mark.usefixtures("unreaped_orphans")
def test_an_ordinary_user_runs_postgres_as_themselves(open_directory):
    os.chown(open_directory, NOBODY, NOBODY)
    data = open_directory / "data"
    answered, _ = killed_in_the_middle(data, ("server", "postgres"), 20, str(NOBODY))
    again, postmaster = killed_in_the_middle(data, ("server",), 20, str(NOBODY))
    assert again[0] in {answered[-1] + 1, answered[-1] + 2}
    assert Path(f"/proc/{postmaster}").stat().st_uid == NOBODY
    with start(data) as running:  # root, on what that user made: it stays that user's
        assert set(answered + again) <= set(numbers_in(running.url))
        assert (data / "cluster").stat().st_uid == NOBODY


def test_a_database_of_another_major_version_is_refused_and_left_alone(tmp_path):
    start(tmp_path).stop()
    (tmp_path / "cluster" / "PG_VERSION").write_text("17\n")
    with pytest.raises(CannotStart, match="was made by Postgres 17 and this release brings Postgres 18"):
        start(tmp_path)


def test_a_database_that_was_only_half_made_is_made_again(tmp_path):
    (tmp_path / "cluster.new" / "base").mkdir(parents=True)
    start(tmp_path).stop()
    assert not (tmp_path / "cluster.new").exists()


def test_a_postmaster_file_that_names_another_program_is_no_obstacle(tmp_path):
    start(tmp_path).stop()
    (tmp_path / "cluster" / "postmaster.pid").write_text(f"{os.getpid()}\n{tmp_path}/cluster\n1\n5432\n\n\n\n")
    start(tmp_path).stop()


def test_a_failing_start_says_why_and_leaves_nothing_running(tmp_path):
    start(tmp_path).stop()
    (tmp_path / "cluster" / "global" / "pg_control").unlink()
    with pytest.raises(CannotStart, match="pg_control"):
        start(tmp_path)
    for name in ("server.lock", "postgres.lock"):
        processes.file_lock(tmp_path / name).release()
    runtime = tmp_path / "runtime"
    assert not runtime.is_symlink() or not runtime.readlink().exists()


@only_linux
@pytest.mark.parametrize("victims", [("server",), ("postgres",), ("server", "postgres"), ("postgres", "server")])
@pytest.mark.usefixtures("unreaped_orphans")
def test_after_kill_9_the_next_start_has_every_committed_row(tmp_path, victims):
    answered, _ = killed_in_the_middle(tmp_path, victims, 50)
    assert starts_with_all_of(answered, tmp_path)


@only_linux
@pytest.mark.usefixtures("unreaped_orphans")
def test_a_zombie_postmaster_counts_as_dead(tmp_path):
    answered, postmaster = killed_in_the_middle(tmp_path, ("server", "postgres"), 10)
    assert processes.wait_for(lambda: state_of(postmaster) == "Z" or None, PATIENCE)
    assert processes.recorded_postmaster(tmp_path / "cluster") == postmaster
    assert starts_with_all_of(answered, tmp_path)
    assert state_of(postmaster) == "Z"
    os.waitpid(postmaster, 0)


def gone(cluster):
    return not processes.occupants(cluster) or None


@only_linux
def test_postgres_ends_by_itself_once_its_server_was_killed(tmp_path):
    with committing(tmp_path) as (server, _):
        answered = [int(server.stdout.readline()) for _ in range(20)]
        kill(server.pid)
        answered += [int(line) for line in server.stdout if line.endswith("\n")]
    assert processes.wait_for(lambda: gone(tmp_path / "cluster"), PATIENCE)
    assert not (tmp_path / "cluster" / "postmaster.pid").exists(), "it had the time to stop in order"
    processes.file_lock(tmp_path / "postgres.lock").release()
    assert starts_with_all_of(answered, tmp_path)


@only_root
@only_linux
def test_postgres_ends_by_itself_where_an_ordinary_user_ran_its_server(open_directory):
    os.chown(open_directory, NOBODY, NOBODY)
    killed_in_the_middle(open_directory / "data", ("server",), 5, str(NOBODY))
    assert processes.wait_for(lambda: gone(open_directory / "data" / "cluster"), PATIENCE)


RESTARTING = """
import os, signal, sys
from pathlib import Path
from persistence.postgres.embedded import start
running = start(Path(sys.argv[1]))
os.kill(running.pid, signal.SIGKILL)
while not running.exited():
    pass
running.restart()
os.kill(os.getpid(), signal.SIGKILL)
"""


@only_linux
def test_a_postgres_that_was_started_again_ends_by_itself_too(tmp_path):
    command = [sys.executable, "-c", RESTARTING, str(tmp_path)]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(REPOSITORY)}, check=False, timeout=PATIENCE)
    assert ended.returncode == -signal.SIGKILL
    assert processes.wait_for(lambda: gone(tmp_path / "cluster"), PATIENCE)


@only_linux
def test_a_stop_leaves_no_process_behind(tmp_path):
    before = children_of(os.getpid())
    with start(tmp_path) as running:
        started = children_of(os.getpid()) - before
        assert running.pid in started
    assert not started & children_of(os.getpid())


def children_of(pid):
    return {int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def state_of(pid):
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


@only_linux
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.usefixtures("unreaped_orphans")
def test_kill_9_at_any_moment_loses_nothing(tmp_path, seed):
    chance = random.Random(seed)
    answered = []
    for _ in range(3):
        victims = chance.choice([("server",), ("postgres",), ("server", "postgres")])
        answered += killed_in_the_middle(tmp_path, victims, chance.randrange(400))[0]
    with start(tmp_path) as running:
        assert set(answered) <= set(numbers_in(running.url))


async def test_a_database_that_dies_under_the_server_comes_back_at_the_same_address(tmp_path):
    running = await asyncio.to_thread(start, tmp_path)
    watch = asyncio.create_task(supervise(running))
    try:
        async with AsyncConnectionPool(running.url, min_size=1, max_size=1, open=False) as pool:
            async with pool.connection() as connection:
                await connection.execute("create table number as select generate_series(1, 3) as n")
            before = running.pid
            kill(before)
            with pytest.raises(psycopg.OperationalError):
                async with pool.connection() as connection:
                    await connection.execute("select pg_sleep(60)")
            async with pool.connection(timeout=PATIENCE) as connection:
                found = await connection.execute("select count(*) from number")
                assert await found.fetchone() == (3,)
        assert running.pid != before
    finally:
        watch.cancel()
        await asyncio.to_thread(running.stop)


async def test_a_stopped_database_is_not_brought_back(tmp_path):
    running = await asyncio.to_thread(start, tmp_path)
    running.stop()
    running.restart()
    running.stop()
    assert running.exited()


def test_a_fresh_database_is_empty_and_each_is_another(fresh_database):
    one, other = fresh_database(migrated=False), fresh_database(migrated=False)
    assert one != other
    with psycopg.connect(one) as connection:
        connection.execute("create table number (n int)")
    with psycopg.connect(other) as connection:
        assert connection.execute("select to_regclass('number')").fetchone() == (None,)
