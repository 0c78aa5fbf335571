"""Whether the command line is one to work with: in a real terminal, in a pipe, and where something is wrong."""

import json
import os
import re
import shlex
import subprocess
import sys
import unicodedata
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner

from codrive_client._row import Input, Operation
from codrive_client.command import command_of
from tests.support.processes.faulty import answer, faulty
from tests.support.processes.servers import PATIENCE
from tests.support.surfaces.clients import SOURCES, CommandLine

KEY = "cdr_00000000000000000000000000000000"
ITEM = {
    "id": "one",
    "name": "Plan \u001b[31m[b]red",
    "driveItemType": "folder",
    "createdBy": {"name": "Ada", "agent": "bot"},
}
SHARED = answer(200, json.dumps({"items": [ITEM, ITEM | {"id": "two", "name": "Grün 日本"}]}))
MADE = answer(200, json.dumps({"item": ITEM}))


@pytest.fixture
def run():
    """`run(script, *words)` runs the command against a server that answers as the script says."""

    def make(script, *words, stdin=None, **variables):
        with faulty(*script) as server:
            done = CommandLine(server.url, KEY).run(*words, stdin=stdin, **variables)
        done.requests = server.requests
        return done

    return make


def terminal(url, *words, columns=120, **variables):
    """Run the command in a terminal of so many columns and return what it showed, and how it ended."""
    environment = os.environ | {"PYTHONPATH": SOURCES, "SERVICE_API_KEY": KEY, "SERVICE_BASE_URL": url, "TERM": "xterm"}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "codrive_client", *words],
        env=environment | variables,
        dimensions=(40, columns),
        encoding="utf-8",
        timeout=PATIENCE,
    )
    shown = child.read()
    child.close()
    return shown, child.exitstatus


def test_a_pipe_gets_json_and_nothing_else(run):
    done = run([SHARED], "drive-items", "shared-with-me")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["items"][0] == ITEM


def test_a_terminal_gets_a_table_that_does_nothing_to_it():
    with faulty(SHARED, SHARED) as server:
        shown, status = terminal(server.url, "drive-items", "shared-with-me")
        as_json, _ = terminal(server.url, "drive-items", "shared-with-me", "--json")
    assert status == 0
    rows = [re.sub(r"\x1b\[[0-9;]*m", "", line).split() for line in shown.splitlines()]
    assert ["name", "driveItemType", "createdBy", "id"] in rows
    assert ["Grün", "日本", "folder", "Ada", "via", "bot", "two"] in rows
    assert "\ufffd[31m[b]red" in shown
    assert json.loads(as_json)["items"][1]["id"] == "two"


def test_what_is_in_a_row_is_shown_as_columns_of_the_row():
    hit = {
        "item": ITEM | {"updatedBy": {"name": "Ben", "agent": None}},
        "rank": 1,
        "inName": False,
        "excerpt": [{"text": "the ", "match": False}, {"text": "plan", "match": True}],
        "folders": [{"id": "a", "name": "Papers"}, {"id": "b", "name": "2026"}],
    }
    with faulty(answer(200, json.dumps({"results": [hit], "nextCursor": None}))) as server:
        shown, status = terminal(server.url, "drive-items", "search", "--text", "plan", columns=200)
    assert status == 0
    _, head, line = (re.sub(r"\x1b\[[0-9;]*m", "", each) for each in shown.splitlines())
    told = dict(zip(re.split(r"  +", head.strip()), re.split(r"  +", line.strip()), strict=True))
    assert {name: told[name] for name in ("driveItemType", "excerpt", "folders", "id")} == {
        "driveItemType": "folder",
        "excerpt": "the plan",
        "folders": "Papers, 2026",
        "id": "one",
    }


def test_an_event_tells_what_who_and_when():
    event = {
        "id": "7",
        "type": "itemRenamed",
        "at": "2026-11-22T20:30:53.123Z",
        "by": {"userId": "u", "name": "Ada", "agent": "bot"},
        "itemId": "i",
        "driveId": "d",
        "details": {"name": "Plan"},
    }
    with faulty(answer(200, json.dumps({"events": [event], "nextCursor": None}))) as server:
        shown, _ = terminal(server.url, "drives", "events", "--drive-id", "d")
    assert "Plan  itemRenamed  Ada via bot  2026-11-22T20:30:53.123Z  7" in shown


def test_an_event_names_the_item_that_it_is_about():
    at, by = "2026-11-22T20:30:53.123Z", {"userId": "u", "name": "Ada", "agent": None}
    edited = {"id": "8", "type": "documentEdited", "at": at, "by": by, "itemId": "i", "itemName": "Plan", "details": {}}
    renamed = edited | {"id": "7", "type": "itemRenamed", "details": {"name": "Plan"}}
    gone = edited | {"id": "6", "type": "driveRenamed", "itemId": None, "itemName": None, "details": {"name": "Board"}}
    with faulty(answer(200, json.dumps({"events": [edited, renamed, gone], "nextCursor": "6"}))) as server:
        shown, _ = terminal(server.url, "viewer", "events", columns=80)
    for line in (f"Plan   documentEdited  Ada  {at}  8", f"Plan   itemRenamed     Ada  {at}  7"):
        assert line in shown
    assert f"Board  driveRenamed    Ada  {at}  6" in shown


def test_the_trash_tells_when_and_a_hit_where():
    rights = {"driveItemType": "docs_workbook", "role": "manager", "permission": "read_write", "published": False}
    old = {"id": "one", "name": "Old plan", **rights, "trashedAt": "2026-11-22T20:30:53.123Z"}
    excerpt, folders = [{"text": "the plan", "match": True}], [{"id": "a", "name": "Papers"}]
    hit = {"item": {"id": "two", "name": "Plan", **rights}, "rank": 1, "excerpt": excerpt, "folders": folders}
    trash, found = {"items": [old], "nextCursor": None}, {"results": [hit], "nextCursor": None}
    with faulty(answer(200, json.dumps(trash)), answer(200, json.dumps(found))) as server:
        shown, _ = terminal(server.url, "drive-items", "trashed", columns=80)
        hits, _ = terminal(server.url, "drive-items", "search", "--text", "plan", columns=80)
    assert "Old plan  docs_workbook  2026-11-22T20:30:53.123Z" in shown
    assert "Plan  docs_workbook  the plan  Papers" in hits


def test_a_text_of_one_line_is_named_and_a_longer_one_stands_as_it_is():
    viewer = {"id": "u", "name": "Ada", "email": "ada@acme.example", "agent": None, "organization": None, "limits": {}}
    part = {
        "revision": 7,
        "markdown": "# Plan\n\n- one\n",
        "fromBlock": 0,
        "toBlock": 2,
        "blocks": 2,
        "nextBlock": None,
    }
    with faulty(answer(200, json.dumps(viewer)), answer(200, json.dumps(part))) as server:
        lines = terminal(server.url, "viewer", "get")[0].splitlines()
        shown, _ = terminal(server.url, "documents", "read-part", "--document-id", "a")
    assert lines[:3] == ["id  u", "name  Ada", "email  ada@acme.example"]
    assert "revision  7\r\n# Plan\r\n\r\n- one\r\n" in shown


def test_a_number_is_a_number():
    edited = {"revision": 1, "markdown": "a\n", "changes": [], "kept": [], "conflicts": [], "lost": []}
    with faulty(answer(200, json.dumps(edited))) as server:
        shown, _ = terminal(server.url, "documents", "edit", "--document-id", "a", "--append", "a")
    assert "revision  1" in shown
    assert "yes" not in shown


@pytest.mark.parametrize("words", [(), ("--pick", "items"), ("--json",)])
def test_a_disk_that_is_full_is_told_in_a_line(words):
    environment = os.environ | {"PYTHONPATH": SOURCES, "SERVICE_API_KEY": KEY}
    command = [sys.executable, "-m", "codrive_client", "drive-items", "shared-with-me", *words]
    with faulty(SHARED) as server, Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command, env=environment | {"SERVICE_BASE_URL": server.url}, stdout=full, stderr=subprocess.PIPE,
            timeout=PATIENCE, check=False, text=True,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "Error: the answer could not be written: No space left on device\n")


def test_whoever_reads_may_stop():
    environment = os.environ | {"PYTHONPATH": SOURCES, "SERVICE_API_KEY": KEY}
    many = answer(200, json.dumps({"items": [ITEM] * 5_000}))
    with faulty(many) as server:
        command = [sys.executable, "-m", "codrive_client", "drive-items", "shared-with-me"]
        variables = environment | {"SERVICE_BASE_URL": server.url}
        with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""
            process.wait(PATIENCE)


def test_a_table_fits_80_columns_with_a_line_for_each_row_and_whole_ids():
    identifier = "01a204f3-cea5-7b94-9139-bd9bde9e8fda"
    names = ["A plan that has a very long name, and then some more of it", "計画" * 40, "two\nlines", "Short"]
    rows = [
        {
            "name": name, "driveItemType": "docs_workbook", "role": "contributor", "permission": "read_write",
            "published": False, "updatedAt": "2026-11-22T20:30:53.123Z", "id": identifier,
        }
        for name in names
    ]  # fmt: skip
    with faulty(answer(200, json.dumps({"items": rows}))) as server:
        shown, status = terminal(server.url, "drive-items", "shared-with-me", columns=80)
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in shown.splitlines()]
    assert status == 0
    assert max(map(wide, lines)) <= 80
    title, head, *below = lines
    assert (title, head.split()[:2], head.split()[-1]) == ("items", ["name", "driveItemType"], "id")
    assert len(below) == len(names)
    assert all(line.endswith(f"  {identifier}") for line in below)
    assert re.match(r"A plan that .*\u2026  ", below[0])
    assert re.match(r"(計画)+計? ?\u2026 ", below[1])
    assert [line.partition("  ")[0] for line in below[2:]] == ["two lines", "Short"]


def wide(line):
    """Return how many columns of a terminal the line takes."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


def test_one_thing_is_shown_in_two_columns():
    with faulty(MADE) as server:
        words = ("--item-id", "a", "--name", "b", "--drive-item-type", "folder")
        shown, _ = terminal(server.url, "drive-items", "create-child", *words)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert re.search(r"createdBy\s+Ada via bot", plain)


def test_a_failure_is_the_envelope_on_standard_error_and_ends_with_1(run):
    envelope = '{"code": "NOT_FOUND", "message": "there is nothing here that you can see"}'
    done = run([answer(404, envelope)], "documents", "read", "--document-id", "x")
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads(done.stderr) == json.loads(envelope)


def test_a_field_is_picked_raw(run):
    document = answer(
        200, json.dumps({"item": ITEM, "markdown": "# Hi\n", "prosemirrorDoc": {"type": "doc"}, "authors": []})
    )
    words = ("documents", "read", "--document-id", "x", "--pick")
    assert run([document], *words, "markdown").stdout == "# Hi\n"
    assert run([document], *words, "prosemirrorDoc").stdout == '{"type": "doc"}'
    empty = answer(200, json.dumps({"item": ITEM, "markdown": "", "prosemirrorDoc": {}, "authors": []}))
    assert run([empty], *words, "markdown").stdout == ""


def test_an_unknown_field_is_found_before_anything_is_asked(run):
    done = run([MADE], "drives", "create", "--name", "a", "--pick", "nothing")
    assert (done.returncode, done.stdout, done.requests) == (2, "", [])
    assert "drive" in done.stderr
    assert run([], "drives", "rename", "--drive-id", "a", "--name", "b", "--pick", "drive").returncode == 2


@pytest.mark.parametrize(
    "words",
    [
        ("drives", "create"),
        ("drives", "nothing"),
        ("drives", "create", "--name", "a", "--key", "secret"),
        ("drive-items", "create-child", "--item-id", "a", "--name", "b", "--drive-item-type", "file"),
        ("drive-items", "set-publication", "--item-id", "a", "--published", "yes"),
        ("documents", "read", "--document-id", ""),
    ],
)
def test_what_is_asked_wrongly_ends_with_2(words, run):
    done = run([], *words)
    assert (done.returncode, done.stdout, done.requests) == (2, "", [])
    assert done.stderr


@pytest.mark.parametrize(
    "variables", [{"SERVICE_API_KEY": ""}, {"SERVICE_BASE_URL": "nowhere"}, {"SERVICE_AGENT": "ü"}]
)
def test_what_the_environment_lacks_ends_with_2_and_is_named(variables, run):
    done = run([], "drives", "list", **variables)
    assert (done.returncode, done.stdout, done.requests) == (2, "", [])
    assert next(iter(variables)).rpartition("_")[2].lower() in done.stderr.lower()


def test_null_is_the_root_and_a_flag_takes_what_looks_like_one(run):
    done = run([answer(200)], "drive-items", "move", "--item-id", "-x", "--drive-id", "--name", "--parent-id", "null")
    assert done.returncode == 0, done.stderr
    (request,) = done.requests
    assert request.startswith("POST /api/v1/drive-items/-x/move")
    assert json.loads(request.rpartition("\r\n\r\n")[2]) == {"driveId": "--name", "parentId": None}


FOUND = answer(200, json.dumps({"results": [], "nextCursor": None}))
EVENTS = answer(200, json.dumps({"events": [], "nextCursor": None}))


def test_a_number_is_sent_as_one_and_a_list_is_a_flag_for_each_of_its_entries(run):
    done = run([FOUND], "drive-items", "search", "--text", "20", "--first", "20")
    assert done.requests[0].startswith("GET /api/v1/search?text=20&first=20 ")
    done = run([EVENTS], "drives", "events", "--drive-id", "d", "--types", "itemMoved", "--types", "itemRenamed")
    assert done.requests[0].startswith("GET /api/v1/drives/d/events?types=itemMoved&types=itemRenamed ")
    done = run([EVENTS], "drives", "events", "--drive-id", "d")
    assert done.requests[0].startswith("GET /api/v1/drives/d/events ")


@pytest.mark.parametrize("value", ["", "ten", "1.5", "true", "null", "[1]", '"1"', "NaN", "020"])
def test_what_is_no_whole_number_is_found_before_anything_is_asked(value, run):
    done = run([], "drive-items", "search", "--text", "a", "--first", value)
    assert (done.returncode, done.stdout, done.requests) == (2, "", [])
    assert "--first" in done.stderr


def made_up(**of):
    plain = {
        "place": "body",
        "required": False,
        "nullable": False,
        "many": False,
        "description": "",
        "example": "",
        "shown": False,
    }
    inputs = [
        Input(name="passages", flag="--passages", kind="json", choices=(), **(plain | {"many": True})),
        Input(name="dryRun", flag="--dry-run", kind="boolean", choices=(), **plain),
        Input(name="base", flag="--base", kind="integer", choices=(), **(plain | {"nullable": True})),
        Input(name="ratio", flag="--ratio", kind="number", choices=(), **plain),
    ]
    flags = {"read_only": False, "idempotency_key": True}
    row = Operation("documents.take", "PATCH", "/take", ("documents", "take"), ("documents", "take"), "", (), rejections=(),
                    inputs=tuple(inputs), **flags)  # fmt: skip
    with faulty(answer(200)) as server:
        environment = {"SERVICE_API_KEY": KEY, "SERVICE_BASE_URL": server.url}
        done = CliRunner().invoke(command_of(row), of["words"], env=environment)
    return done, [json.loads(request.rpartition("\r\n\r\n")[2]) for request in server.requests]


@pytest.mark.parametrize(
    ("words", "sent"),
    [
        ([], {}),
        (["--dry-run"], {"dryRun": True}),
        (["--dry-run", "--base", "4"], {"dryRun": True, "base": 4}),
        (["--dry-run", "false", "--base", "null"], {"dryRun": False, "base": None}),
        (["--ratio", "1e3"], {"ratio": 1000.0}),
        (["--passages", '{"old": "a", "new": "b"}'], {"passages": [{"old": "a", "new": "b"}]}),
        (["--passages", '{"old": "1"}', "--passages", "{}"], {"passages": [{"old": "1"}, {}]}),
    ],
)
def test_booleans_stand_alone_and_objects_are_json(words, sent):
    done, requests = made_up(words=words)
    assert (done.exit_code, requests) == (0, [sent]), done.output


@pytest.mark.parametrize(
    "words", [["--passages", "old"], ["--passages", "[]"], ["--passages", "1"], ["--dry-run", "yes"], ["--base", "true"],
              ["--ratio", "x"], ["--passages", "{" * 100_000]],
)  # fmt: skip
def test_a_wrong_boolean_or_object_is_found_before_anything_is_asked(words):
    done, requests = made_up(words=words)
    assert (done.exit_code, requests) == (2, [])
    assert words[0] in done.output


EDITED = answer(
    200, json.dumps({"revision": 2, "markdown": "", "changes": [], "kept": [], "conflicts": [], "lost": []})
)
LONG = "# Größe\r\n\n" + "a line that is long enough\n" * 10_000  # more than a command line may hold


def sent_by(done):
    assert (done.returncode, done.stderr) == (0, "")
    (request,) = done.requests
    return json.loads(request.rpartition("\r\n\r\n")[2])


@pytest.mark.parametrize("flag", ["--append", "--append-file", "--replace", "--replace-file"])
def test_a_text_is_read_from_standard_input_as_it_is(flag, run):
    done = run([EDITED], "documents", "edit", "--document-id", "x", flag, "-", stdin=LONG)
    assert sent_by(done) == {flag[2:].removesuffix("-file"): LONG}


@pytest.mark.parametrize("name", ["append", "replace"])
def test_a_text_is_read_from_a_file_as_it_is(name, run, tmp_path):
    (tmp_path / "notes.md").write_bytes(LONG.encode())
    done = run([EDITED], "documents", "edit", "--document-id", "x", f"--{name}-file", str(tmp_path / "notes.md"))
    assert sent_by(done) == {name: LONG}


@pytest.mark.parametrize("text", ["@notes.md", "@", "null", "--", "-- ", " -", ""])
def test_every_other_text_is_itself(text, run):
    assert sent_by(run([EDITED], "documents", "edit", "--document-id", "x", "--append", text)) == {"append": text}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--append-file", "nowhere.md"], "'nowhere.md' cannot be read: No such file or directory"),
        (["--append-file", "/"], "'/' cannot be read: Is a directory"),
        (["--append", "a", "--append-file", "b"], "give `--append` or `--append-file`, not both"),
        (["--append", "-", "--append-file", "-"], "give `--append` or `--append-file`, not both"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_before_anything_is_asked(words, said, run):
    done = run([], "documents", "edit", "--document-id", "x", *words)
    assert (done.returncode, done.stdout, done.requests) == (2, "", [])
    assert said in done.stderr


def test_what_is_not_utf_8_is_told_before_anything_is_asked(run, tmp_path):
    (tmp_path / "latin").write_bytes(b"Gr\xf6\xdfe")
    done = run([], "documents", "edit", "--document-id", "x", "--append-file", str(tmp_path / "latin"))
    assert (done.returncode, done.requests) == (2, [])
    assert "is not UTF-8" in done.stderr


def test_the_example_of_the_help_of_an_edit_is_one_that_runs(run):
    told = CommandLine("", "").run("documents", "edit", "--help").stdout
    example = shlex.split(re.search(r"Example:\n  (.*)", told)[1])
    assert sent_by(run([EDITED], *example[1:])) == {"append": "- Book the venue"}


def test_the_agent_of_the_environment_is_sent(run):
    done = run([SHARED], "drive-items", "shared-with-me", SERVICE_AGENT="tester")
    assert "x-service-agent: tester" in done.requests[0].lower()


def test_every_command_has_help_with_an_example():
    groups = CommandLine("", "").run("--help").stdout
    for group in ("documents", "drive-items", "drives"):
        assert group in groups
        for command in re.findall(r"^  ([a-z-]+)  ", CommandLine("", "").run(group, "--help").stdout, re.MULTILINE):
            told = CommandLine("", "").run(group, command, "--help").stdout
            assert f"codrive {group} {command}" in told
            assert "--pick FIELD" in told


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_offered_for_the_shell(shell):
    done = CommandLine("", "").run("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert "_CODRIVE_COMPLETE" in done.stdout


def test_bash_completes_commands_and_values_in_a_terminal(tmp_path):
    command = tmp_path / "codrive"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{SOURCES}" exec "{sys.executable}" -m codrive_client "$@"\n')
    command.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PS1": "> ", "TERM": "dumb"}
    shell = pexpect.spawn("bash", ["--norc", "--noprofile"], env=environment, encoding="utf-8", timeout=PATIENCE)
    shell.sendline('eval "$(codrive completion bash)"; echo rea""dy')
    shell.expect("ready")
    shell.send("codrive drive-items create-c\t")
    shell.expect("create-child ")
    shell.send("--drive-item-type docs\t")
    shell.expect("docs_workbook ")
    shell.close(force=True)
