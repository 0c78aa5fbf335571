"""How the server starts, stops and comes again: told once, in order, with nobody cut off and nothing lost."""

import json
import signal
import socket
import stat
import subprocess
import threading

import httpx
import psycopg
import pytest

from persistence.postgres import processes
from persistence.postgres.embedded import url_of_running
from persistence.postgres.migrations import LOCK as MIGRATING
from tests.support.database.clusters import OTHER_BACKENDS
from tests.support.processes.servers import (
    ANSWERS,
    PATIENCE,
    anywhere,
    eventually,
    launch,
    launch_demo,
    operator,
    pages,
    program,
    serving,
)

WAITING = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"


def answered_in_threads(*asks):
    """Ask all at once; gives the threads and the list that their answers come to."""
    answers = []
    threads = [threading.Thread(target=lambda ask=ask: answers.append(ask())) for ask in asks]
    for thread in threads:
        thread.start()
    return threads, answers


def refuses(origin):
    url = httpx.URL(origin)
    try:
        socket.create_connection((url.host, url.port), timeout=1).close()
    except ConnectionRefusedError:
        return True
    return None


def test_sigterm_answers_what_is_in_flight_and_stops_the_database(home):
    with serving(home / "drained") as served, served.client() as client:
        drive = client.get("/api/v1/drives").json()["drives"][0]["id"]
        postgres = served.data / "postgres"
        url = url_of_running(postgres)

        def ask(name):
            return client.post(f"/api/v1/drives/{drive}/items", json={"name": name, "driveItemType": "folder"})

        with psycopg.connect(url) as holder:
            holder.execute("lock table item in exclusive mode")
            threads, answers = answered_in_threads(*(lambda name=name: ask(name) for name in ("one", "two", "three")))
            with psycopg.connect(url, autocommit=True) as watcher:
                eventually(lambda: watcher.execute(WAITING).fetchone()[0] or None)
            served.process.send_signal(signal.SIGTERM)
            eventually(lambda: refuses(served.origin))
            assert served.process.poll() is None
        for thread in threads:
            thread.join(PATIENCE)
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        assert served.ended() == 0
        assert not processes.occupants(postgres / "cluster")
        assert not (postgres / "cluster" / "postmaster.pid").exists()
        assert "Traceback" not in served.errors
    with serving(home / "drained") as again, again.client() as client:
        names = {item["name"] for drive in pages(client) for item in drive["items"]}
        assert names >= {"one", "two", "three"}


def test_control_c_is_the_same(home):
    with serving(home / "interrupted") as served:
        assert served.end(signal.SIGINT) == 0
        assert not processes.occupants(served.data / "postgres" / "cluster")


def test_sigterm_while_it_starts_leaves_nothing_running(home):
    starting = launch_demo(home / "hasty")
    postgres = starting.data / "postgres"
    eventually(lambda: processes.occupants(postgres / "cluster") or None)
    assert starting.end() == 0
    assert not processes.occupants(postgres / "cluster")


def test_the_database_ends_by_itself_once_the_server_was_killed_and_the_next_start_has_everything(home):
    with serving(home / "killed") as served, served.client() as client:
        cluster = served.data / "postgres" / "cluster"
        drive = client.get("/api/v1/drives").json()["drives"][0]["id"]
        folder = {"name": "answered", "driveItemType": "folder"}
        client.post(f"/api/v1/drives/{drive}/items", json=folder).raise_for_status()
        with psycopg.connect(url_of_running(served.data / "postgres")) as beside:
            beside.execute("select 1")  # a command beside the server does not keep it up
            assert served.end(signal.SIGKILL) == -signal.SIGKILL
            eventually(lambda: not processes.occupants(cluster) or None)
            with pytest.raises(psycopg.OperationalError):
                beside.execute("select 1")
    assert not (cluster / "postmaster.pid").exists(), "it was stopped in order"
    with serving(home / "killed") as again, again.client() as client:
        assert "answered" in {item["name"] for drive in pages(client) for item in drive["items"]}


def test_a_second_server_on_the_same_data_says_so(home):
    with serving(home / "twice") as served:
        second = operator("--data", served.data, "--port", 0)
        assert second.returncode == 1
        assert "another server is running" in second.stderr
        assert "choose another data directory" in second.stderr
        assert "Traceback" not in second.stderr
        with served.client() as client:
            assert client.get("/api/v1/drives").status_code == 200


def test_a_taken_port_is_told_and_the_database_stopped(home):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        data = home / "taken"
        data.mkdir(mode=0o711)
        refused = operator("--data", data, "--port", port)
    assert refused.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not processes.occupants(data / "postgres" / "cluster")


def test_the_credentials_are_written_once_the_server_answers_and_for_its_owner_alone(home):
    data = home / "credentials"
    starting = launch_demo(data)
    file = data / "credentials.json"
    eventually(lambda: file.exists() or None)
    found = starting.credentials
    try:
        assert httpx.get(f"{found['origin']}/healthz", timeout=PATIENCE).status_code == 200
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert list(found) == ["baseUrl", "origin", "users", "agentKey"]
        assert found["baseUrl"] == f"{found['origin']}/api/v1"
        assert found["users"].keys() == {"grace", "ada", "ben", "cleo", "gus"}
        assert all(list(user) == ["userId", "email", "password", "apiKey"] for user in found["users"].values())
        assert found["agentKey"].keys() == {"user", "agent", "apiKey"}
        assert (found["agentKey"]["user"], found["agentKey"]["agent"]) == ("ada", "research-assistant")
        for key in [user["apiKey"] for user in found["users"].values()] + [found["agentKey"]["apiKey"]]:
            assert (
                httpx.get(f"{found['baseUrl']}/drives", headers={"x-api-key": key}, timeout=PATIENCE).status_code == 200
            )
    finally:
        assert starting.end() == 0


def test_a_restart_keeps_everything_and_tells_no_secret_again(home):
    data = home / "restarted"
    with serving(data) as first, first.client() as client:
        before, credentials = anywhere(first, pages(client)), first.credentials
        assert credentials["users"]["ada"]["apiKey"] in first.text
    with serving(data) as second, second.client() as client:
        assert anywhere(second, pages(client)) == before
        assert "cdr_" not in second.text + second.errors
        assert second.credentials["users"] == credentials["users"]
        assert second.credentials["agentKey"] == credentials["agentKey"]
        assert second.credentials["origin"] == second.origin, "the file says where the server is now"
        (data / "credentials.json").unlink()
    third = launch_demo(data)
    try:
        assert third.origin
        assert "credentials.json" in third.text, "whoever waits for the file is told why it does not come"
        assert not (data / "credentials.json").exists()
    finally:
        third.end()


def test_while_a_server_starts_it_says_each_step_that_may_take_long(home):
    with serving(home / "said") as served:
        told = [json.loads(line)["event"] for line in served.errors.splitlines()]
        steps = ["starting the database", "loading the server", "making the database", "making the demo world"]
        assert [each for each in told if each in steps] == steps


def test_of_two_first_starts_on_one_database_only_the_one_with_the_credentials_goes_on(home, fresh_database):
    url, shared = fresh_database(migrated=False), ("--blobs", home / "images")
    with psycopg.connect(url, autocommit=True) as holder:
        holder.execute("select pg_advisory_lock(%s)", [MIGRATING])
        both = [launch_demo(home / name, *shared, DATABASE_URL=url) for name in ("one", "other")]
        eventually(
            lambda: holder.execute(f"select 1 from {OTHER_BACKENDS} and wait_event = 'advisory' offset 1").fetchone()
        )
        holder.execute("select pg_advisory_unlock(%s)", [MIGRATING])
        try:
            loser = eventually(lambda: next((each for each in both if each.process.poll() is not None), None))
            (winner,) = (each for each in both if each is not loser)
            assert loser.ended() == 1
            assert "another server filled this database" in loser.errors
            assert "answers" not in loser.text
            assert not (loser.data / "credentials.json").exists()
            with winner.client() as client:
                assert client.get(f"{winner.origin}/api/v1/drives").status_code == 200
        finally:
            for each in both:
                if each.process.poll() is None:
                    each.end()


def test_an_unknown_credentials_file_is_left_alone(home):
    data = home / "unknown"
    with serving(data):
        pass
    (data / "credentials.json").write_text("{}")
    with serving(data):
        assert json.loads((data / "credentials.json").read_text()) == {}


def test_the_first_start_makes_an_account_and_says_what_to_do_next(home):
    data = home / "first"
    served = launch(data)
    try:
        origin = served.origin
        eventually(lambda: "curl" in served.text or None)
        said = served.text
        assert "admin@codrive.example" in said
        key = said.split("API key (shown this once): ")[1].split()[0]
        answer = httpx.get(f"{origin}/api/v1/drives", headers={"x-api-key": key}, timeout=PATIENCE)
        assert [drive["kind"] for drive in answer.raise_for_status().json()["drives"]] == ["personal"]
        made = httpx.post(
            f"{origin}/api/v1/drives", headers={"x-api-key": key}, json={"name": "Ours"}, timeout=PATIENCE
        )
        assert made.status_code == 200, "there is an organization to make drives in"
        assert "cdr_" not in served.errors
    finally:
        served.end()


def test_a_port_is_as_it_was_asked_for(home):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command, environment = program("--data", home / "port", "--port", port, "--log-format", "text")
    (home / "port").mkdir(mode=0o711)
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as own:
        found = next(match for match in map(ANSWERS.search, own.stdout) if match)
        assert found[1] == f"http://127.0.0.1:{port}"
        assert httpx.get(f"{found[1]}/healthz", timeout=PATIENCE).text == "ok\n"
        own.terminate()
