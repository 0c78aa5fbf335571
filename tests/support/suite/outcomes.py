"""Outcomes: what became of each test, written for the stages of the gate (`tools/gate.py`).

A failure is *late* where everything that failed is a time-out, in a browser's journey or an installation: these wait for
programs that are not ours, and may be run once more on a busy host. Anything else is wrong: an answer, a fault in a
server's log, a crash, a wait within the server.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import playwright.async_api
import pytest

TIME_OUTS = (TimeoutError, subprocess.TimeoutExpired, httpx.TimeoutException, playwright.async_api.TimeoutError)
BROWSERS = {"browser", "chromium"}
"""Fixtures that are a browser: a test that asks one is a journey."""


def is_time_out(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(is_time_out(each) for each in error.exceptions)
    return isinstance(error, TIME_OUTS)


class Outcomes:
    """Writes `{"counts", "late", "wrong"}` to a file when the session ends; the lists hold the names of tests."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.counts: Counter[str] = Counter()
        self.failed: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            late = getattr(report, "late", False)
            sys.stdout.write(
                f"\n{'LATE' if late else 'WRONG'} {report.nodeid}\n"
            )  # at once: the rest may not come to its end
            self.failed[report.nodeid] = self.failed.get(report.nodeid, True) and late
        elif report.when == "call" or report.skipped:
            self.counts[report.outcome] += 1

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.counts["left out"] += len(items)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed[report.nodeid] = False

    def pytest_sessionfinish(self) -> None:
        late = sorted(name for name, is_late in self.failed.items() if is_late)
        wrong = sorted(self.failed.keys() - set(late))
        told = {"counts": dict(self.counts) | {"failed": len(self.failed)}, "late": late, "wrong": wrong}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps(told, indent=2))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Function, call: pytest.CallInfo[Any]) -> Generator[None, Any, None]:
    """Note in the report of a failure whether it came late."""
    made = yield
    report = made.get_result()
    if report.failed and call.excinfo:
        may_be_late = not BROWSERS.isdisjoint(item.fixturenames) or item.get_closest_marker("installs") is not None
        report.late = may_be_late and is_time_out(call.excinfo.value)
