"""Is each request's line written whole, soon, and without secrets?"""

import asyncio
import json
import logging

import pytest

from edge.app import RequestLog
from edge.observability import BatchedWriter, as_json

SEEN = RequestLog("r1", "GET", "drives.list", "u1", 200, 0.01234)


@pytest.fixture(autouse=True)
def _everything_is_logged(caplog):
    caplog.set_level(logging.INFO)


async def test_the_lines_of_a_moment_are_written_together():
    written = asyncio.Queue()
    observe = as_json(BatchedWriter(written.put_nowait))
    observe(SEEN)
    observe(SEEN)
    assert written.empty()
    first, second = (json.loads(line) for line in (await written.get()).splitlines())
    assert first.pop("timestamp") <= second.pop("timestamp")
    assert first == second
    assert (first["event"], first["logger"], first["level"]) == ("answered", "access", "info")
    assert (first["request_id"], first["user_id"], first["status"]) == ("r1", "u1", 200)
    assert (first["method"], first["operation"], first["milliseconds"]) == ("GET", "drives.list", 12.3)


async def test_what_is_gathered_can_be_written_at_once():
    written = []
    lines = BatchedWriter(written.append)
    lines.add(b"one\n")
    lines.add(b"two\n")
    lines.flush()
    lines.flush()
    assert written == [b"one\ntwo\n"]


async def test_a_key_that_was_sent_as_the_request_id_is_cut():
    written = []
    lines = BatchedWriter(written.append)
    as_json(lines)(RequestLog("cdr_" + "a" * 36, "GET", None, None, 401, 0.0))
    lines.flush()
    assert b"cdr_" not in written[0]
    assert json.loads(written[0])["operation"] == "other"


async def test_nothing_is_written_where_only_warnings_are_asked_for(caplog):
    caplog.set_level(logging.WARNING, "access")
    written = []
    lines = BatchedWriter(written.append)
    as_json(lines)(SEEN)
    lines.flush()
    assert written == []
