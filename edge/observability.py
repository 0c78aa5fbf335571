"""Observes answered requests: metrics for `/metrics`, and an access log of one line for each request."""

import asyncio
import atexit
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Final

import msgspec
import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, disable_created_metrics

from domain.key import LOOKS_LIKE_A_KEY
from edge.app import Observe, RequestLog

BATCH_SECONDS: Final = 0.1  # seconds for which lines are gathered
SLOW_SECONDS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10)
_encode: Final = msgspec.json.Encoder().encode
disable_created_metrics()  # type: ignore[no-untyped-call]  # a line for each counter, which nobody asks for


class RequestObserver:
    """Counts each answered request in the metrics of `registry`, and has `log` write its line."""

    def __init__(self, log: Observe) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        answers = Counter("codrive_answers_total", "Answers given", ["operation", "status"], registry=self.registry)
        seconds = Histogram(
            "codrive_answer_seconds",
            "How long answers took",
            ["operation"],
            buckets=SLOW_SECONDS,
            registry=self.registry,
        )
        # as many as there are operations and statuses
        self._count = cache(lambda operation, status: answers.labels(operation, str(status)).inc)
        self._lasted = cache(lambda operation: seconds.labels(operation).observe)
        self._log = log

    def observe(self, seen: RequestLog) -> None:
        operation = seen.operation or "other"
        self._count(operation, seen.status)()
        self._lasted(operation)(seen.seconds)
        self._log(seen)


class BatchedWriter:
    """Writes lines, those of a tenth of a second together: a system call for each cost a tenth of a small answer."""

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
    """Return what writes the line of a request: as text through structlog's pipeline, for a terminal, or as JSON."""
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
    """Return what writes JSON lines, not through structlog's pipeline, which cost a tenth of a small answer."""
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
