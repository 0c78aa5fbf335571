"""The gate: what is late and what is wrong, which tests have their turn, and how the stages end."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.support.processes.running import ROOT
from tests.support.processes.servers import PATIENCE
from tests.support.suite import rounds, samples
from tools.gate import MAX_LATE, Stage, may_be_repeated
from tools.soak import PARTS

JOURNEYS = """
import asyncio, subprocess
import httpx, playwright.async_api, pytest

@pytest.fixture
def browser(): ...

def test_late(browser): raise playwright.async_api.TimeoutError("30 s")
def test_late_in_a_group(browser): raise ExceptionGroup("both", [TimeoutError(), httpx.ReadTimeout("5 s")])
@pytest.mark.installs
def test_late_installation(): raise subprocess.TimeoutExpired("npm", 60)
def test_late_within_the_server(): raise TimeoutError
def test_wrong(browser): assert 1 == 2
def test_wrong_beside_late(browser): raise ExceptionGroup("both", [TimeoutError(), AssertionError()])
def test_good(browser): pass
"""


def test_a_failure_is_late_where_all_of_it_is_a_time_out_of_a_journey_or_an_installation(tmp_path):
    file, told = tmp_path / "test_journeys.py", tmp_path / "told.json"
    file.write_text(JOURNEYS)
    (tmp_path / "conftest.py").write_text(
        "from tests.support.suite import outcomes\n"
        "def pytest_configure(config):\n"
        "    config.pluginmanager.register(outcomes)\n"
        f"    config.pluginmanager.register(outcomes.Outcomes(outcomes.Path({str(told)!r})))\n"
    )
    words = ["-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), str(tmp_path)]
    subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, check=False, timeout=PATIENCE
    )
    found = json.loads(told.read_text())
    names = {kind: [name.partition("::")[2] for name in found[kind]] for kind in ("late", "wrong")}
    assert names["late"] == ["test_late", "test_late_in_a_group", "test_late_installation"]
    assert names["wrong"] == ["test_late_within_the_server", "test_wrong", "test_wrong_beside_late"]
    assert found["counts"] == {"passed": 1, "failed": 6}


def test_only_a_few_late_tests_of_a_busy_host_are_repeated_and_none_beside_a_wrong_one():
    busy, quiet = (Stage("tests", "failed", 1.0, load) for load in (5.0, 1.0))
    assert may_be_repeated(busy, ["late"], [])
    assert not may_be_repeated(quiet, ["late"], [])
    assert not may_be_repeated(busy, ["late"], ["wrong"])
    assert not may_be_repeated(busy, [], [])
    assert not may_be_repeated(busy, ["late"] * (MAX_LATE + 1), [])


class Item:
    def __init__(self, nodeid):
        self.nodeid = nodeid

    def get_closest_marker(self, name): ...

    def add_marker(self, name): ...


CONFIG = SimpleNamespace(hook=SimpleNamespace(pytest_deselected=lambda **_: None))


def chosen(names, also=()):
    items = [Item(nodeid=name) for name in names]
    samples.choose(CONFIG, items, also)
    return {item.nodeid for item in items}


@pytest.mark.skipif(rounds.ROUNDS > 1, reason="nothing is left out")
@pytest.mark.parametrize("turns", [2, 3, 8])
def test_as_many_commits_as_a_row_has_turns_run_all_of_it(turns, monkeypatch):
    monkeypatch.setattr(samples, "changed", lambda _: False)
    monkeypatch.setattr(samples, "SAMPLES", (samples.Sample("sampled/", turns, ""),))
    names = ["a::b", *[f"sampled/{test}[{seed}]" for test in "xy" for seed in range(2 * turns)]]
    runs = []
    for number in range(turns):
        monkeypatch.setattr(rounds, "commits", lambda number=number: 1000 + number)
        runs.append(chosen(names))
    assert set().union(*runs) == set(names)
    assert all(len(run) == 1 + 4 and "a::b" in run for run in runs)


@pytest.mark.skipif(rounds.ROUNDS > 1, reason="nothing is left out")
def test_what_failed_before_runs_whatever_its_turn(monkeypatch):
    monkeypatch.setattr(samples, "SAMPLES", (samples.Sample("sampled/", 1000, ""),))
    names = [f"sampled/x[{number}]" for number in range(9)]
    assert "sampled/x[3]" in chosen(names, {"sampled/x[3]"})


def test_the_page_shows_what_runs_in_turns_and_the_parts_of_a_soak():
    page = (ROOT / "docs" / "testing.md").read_text()
    for sample in samples.SAMPLES:
        row = f"| `{sample.pattern.replace('|', chr(92) + '|')}` | {sample.turns} | {sample.because} |\n"
        assert sample.turns == 1 or row in page, row
    for part in PARTS:
        assert f"| `{part}` |" in page


def test_every_row_matches_a_test_of_today():
    files = [str(path.relative_to(ROOT / "tests")) for path in (ROOT / "tests").rglob("test_*.py")]
    for sample in samples.SAMPLES:
        folder = sample.pattern.split("/")[0]
        file = sample.pattern.split(r"\.py")[0]
        assert any(samples.re.search(file, name) for name in files) or (ROOT / "tests" / folder).is_dir(), (
            sample.pattern
        )
