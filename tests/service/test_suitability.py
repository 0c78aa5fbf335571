"""A database or a place that does not suit is told of in a line, before anything is made in it."""

import os
import socket
import subprocess
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
import pytest

from persistence.postgres.installation import CannotStart
from persistence.postgres.suitability import check_suitable
from tests.support.database.clusters import url_of
from tests.support.processes.debian import installed
from tests.support.processes.servers import PATIENCE, eventually, free_port, operator

pytestmark = pytest.mark.slow


@contextmanager
def pooled(url, folder, mode, turns):
    """Yield the address of PgBouncer in front of the database."""
    port, there = free_port(), psycopg.conninfo.conninfo_to_dict(url)
    settings = {
        "listen_addr": "127.0.0.1",
        "listen_port": port,
        "unix_socket_dir": "",
        "auth_type": "any",
        "pool_mode": mode,
        "server_round_robin": turns,
    }
    database = f"* = host={there['host']} port={there['port']} user={there['user']}"
    written = folder / "pgbouncer.ini"
    lines = [f"{name} = {value}" for name, value in settings.items()]
    written.write_text("\n".join(["[databases]", database, "[pgbouncer]", *lines, ""]))
    written.chmod(0o644)
    user = ["-u", "postgres"] if os.geteuid() == 0 else []  # it refuses to be root
    command = [installed("pgbouncer", "pgbouncer"), *user, str(written)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            address = f"postgresql://{there['user']}@127.0.0.1:{port}{urlsplit(url).path}"
            eventually(lambda: answers(address))
            yield address
        finally:
            process.terminate()
            process.wait(PATIENCE)


def answers(url):
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


@pytest.fixture
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("pool")
    for each in (made, *made.parents[:2]):
        each.chmod(0o755)
    return made


@pytest.mark.parametrize("mode", ["transaction", "statement"])
@pytest.mark.parametrize("turns", [0, 1])
def test_a_pool_that_shares_connections_is_refused(fresh_database, folder, mode, turns):
    url = fresh_database()
    with pooled(url, folder, mode, turns) as address, pytest.raises(CannotStart, match="pool in session mode"):
        check_suitable(address)


def test_a_pool_in_session_mode_and_no_pool_suit(fresh_database, folder):
    url = fresh_database()
    check_suitable(url)
    with pooled(url, folder, "session", 1) as address:
        check_suitable(address)


def test_a_database_in_another_encoding_is_refused(cluster_url):
    with psycopg.connect(cluster_url, autocommit=True) as connection:
        connection.execute("drop database if exists in_ascii")
        connection.execute("create database in_ascii encoding 'SQL_ASCII' template template0 locale 'C'")
    with pytest.raises(CannotStart, match="must be encoded in UTF8, and this one is in SQL_ASCII"):
        check_suitable(url_of("in_ascii", cluster_url))


@pytest.mark.parametrize("url", ["nonsense", "postgresql://ada:secret@:x/y?z", "host", ""])
def test_an_address_of_no_database_is_refused_without_its_password(url):
    with pytest.raises(CannotStart, match="`DATABASE_URL` must be postgresql://") as refused:
        check_suitable(url or "=")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--database-url", "nonsense"), "`DATABASE_URL` must be"),
        (("--data", "/proc/nothing"), "`/proc/nothing`: "),
        (("--data", "/proc/nothing", "account", "list"), "`/proc/nothing`: "),
    ],
)
def test_what_keeps_the_server_from_starting_is_told_in_a_line(arguments, said):
    done = operator(*arguments)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_says_nothing_is_given_up_in_a_line():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        done = operator("--database-url", f"postgresql://ada:secret@127.0.0.1:{silent.getsockname()[1]}/codrive")
    assert done.returncode == 1
    assert "the database cannot be reached just now: connection timeout expired" in done.stderr
    assert "secret" not in done.stderr
