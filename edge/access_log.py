"""Writes the access log: one JSON line for each request, those of a tenth of a second together.

Through structlog's pipeline, and with a system call of its own, the line cost a tenth of a small answer. At a terminal
the lines go through that pipeline.
"""

import asyncio
import atexit
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import msgspec
import structlog

from domain.key import LOOKS_LIKE_A_KEY
from edge.app import Observe, RequestLog

BATCH_SECONDS: Final = 0.1  # seconds for which lines are gathered
_encode: Final = msgspec.json.Encoder().encode


class BatchedWriter:
    """Writes the access log: one JSON line for each request, those of a tenth of a second together.

    Through structlog's pipeline, and with a system call of its own, the line cost a tenth of a small answer. At a terminal
    the lines go through that pipeline.
    """

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._lines: list[bytes] = []

    def add(self, line: bytes) -> None:
        if not self._lines:
            asyncio.get_running_loop().call_later(BATCH_SECONDS, self.flush)
        self._lines.append(line)

    def flush(self) -> None:
        if self._lines:
            lines, self._lines = self._lines, []
            self._write(b"".join(lines))


def access_log(*, text: bool) -> Observe:
    """Return what writes the line of a request, as text or as JSON."""
    if text:
        return as_text()
    lines = BatchedWriter(_to_standard_error)
    atexit.register(lines.flush)
    return as_json(lines)


def _to_standard_error(lines: bytes) -> None:
    sys.stderr.buffer.write(lines)
    sys.stderr.buffer.flush()


def fields(seen: RequestLog) -> dict[str, object]:
    return {
        "request_id": LOOKS_LIKE_A_KEY.sub("[cut]", seen.request_id),  # the caller may have chosen it
        "method": seen.method,
        "operation": seen.operation or "other",
        "user_id": seen.user_id,
        "status": seen.status,
        "milliseconds": round(seen.seconds * 1000, 1),
    }


def as_json(lines: BatchedWriter) -> Observe:
    """Writes the access log: one JSON line for each request, those of a tenth of a second together.

    Through structlog's pipeline, and with a system call of its own, the line cost a tenth of a small answer. At a terminal
    the lines go through that pipeline.
    """
    enabled = logging.getLogger("access").isEnabledFor

    def observe(seen: RequestLog) -> None:
        if enabled(logging.INFO):
            at = datetime.now(UTC)
            told = {**fields(seen), "event": "answered", "level": "info", "logger": "access", "timestamp": at}
            lines.add(_encode(told) + b"\n")

    return observe


def as_text() -> Observe:
    log = structlog.get_logger("access")

    def observe(seen: RequestLog) -> None:
        log.info("answered", **fields(seen))

    return observe
