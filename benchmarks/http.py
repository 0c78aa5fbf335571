"""Compares the CPU of a request, and the memory of the server, with a bare Node server in the same run.

    python -m benchmarks http [-- ROUNDS SECONDS]

The benchmark reads everything once before, so documents.read measures documents that are unchanged since their last read. It
needs `wrk` and `node` (on Debian: `apt-get install wrk nodejs`). CPU is what the kernel counts for the processes, so that other
processes change little; each figure is the median of the rounds.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.filled import Filled, fill
from benchmarks.served import Client, Process, Used, reference, resident_bytes, server, used

CONNECTIONS = 8
USER = "cleo"  # whose drives are nearly empty in the demo world
MAX_RESIDENT = 200_000_000
ITEM = "/api/v1/drive-items/"
DOCUMENT = "/api/v1/documents/"
HEAD = f"{'':34}{'limit':>7}{'server':>9}{'postgres':>10}{'requests/s':>12}{'ms':>8}"


@dataclass(frozen=True)
class Row:
    """One operation under load; `limit` is in multiples of the reference. Each request replaces `#` in the body."""

    name: str
    limit: float
    paths: Sequence[str]
    method: str = "GET"
    body: str = ""


@dataclass(frozen=True)
class Cost:
    """CPU seconds per 1,000 requests, and requests answered per second."""

    used: Used
    a_second: float


def rows(filled: Filled) -> list[Row]:
    items = [ITEM + document for document in filled.small]
    return [
        Row("documents.read, 5 KB", 60, [DOCUMENT + document for document in filled.small]),
        Row("documents.read, 200 KB, unchanged", 80, [DOCUMENT + filled.large]),
        Row("driveItems.get", 60, [*items, *(ITEM + folder for folder in filled.folders)]),
        Row("drives.list", 350, ["/api/v1/drives"]),
        Row("driveItems.rename", 100, items, "PATCH", '{"name": "Renamed #"}'),
        Row(
            "driveItems.share",
            100,
            [f"{path}/access" for path in items],
            "POST",
            '{"email": "guest-#@elsewhere.example", "permission": "read_only"}',
        ),
    ]


def load(process: Process, row: Row, key: str, mark: str, seconds: int) -> Cost:
    """Send requests for `seconds`; an unsuccessful answer ends the benchmark."""
    with tempfile.NamedTemporaryFile("w", suffix=".paths") as file:
        file.write("\n".join(row.paths))
        file.flush()
        command = ["wrk", "-t", "1", "-c", str(CONNECTIONS), "-d", f"{seconds}s", "--timeout", "30s"]
        command += ["-s", str(Path(__file__).with_name("load.lua")), f"http://127.0.0.1:{process.port}"]
        command += ["--", row.method, key, mark, row.body, file.name]
        before = used(process.pid)
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        spent = used(process.pid) - before
    told = next(line for line in said.splitlines() if line.startswith("told "))
    requests, microseconds, wrong = (int(number) for number in told.split()[1:])
    if wrong or not requests:
        raise SystemExit(f"{row.name}: {wrong} of {requests} requests failed\n{said}")
    thousands = requests / 1000
    return Cost(Used(spent.own / thousands, spent.below / thousands), requests / microseconds * 1e6)


def measure(rounds: int, seconds: int, folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield the lines of the table, and whether each is within its limit."""
    with reference() as node, server(folder) as process:
        key = process.credentials["users"][USER]["apiKey"]
        client = Client(process, key)
        asked = [Row("a kilobyte by Node, ms of CPU", 0, ["/"]), *rows(fill(client))]
        for path in (path for row in asked[1:] if row.method == "GET" for path in row.paths):
            client.ask("GET", path)
        costs: dict[str, list[Cost]] = {row.name: [] for row in asked}
        for turn in range(rounds + 1):
            for place, row in enumerate(asked):
                cost = load(process if place else node, row, key, str(turn), seconds if turn else 1)
                costs[row.name] += [cost] if turn else []  # the first round only warms up
        resident = resident_bytes(process.pid)
    yield HEAD, True
    one = median(cost.used.own for cost in costs[asked[0].name])
    yield _line(asked[0], costs[asked[0].name], None), True
    for row in asked[1:]:
        ratio = median(cost.used.own for cost in costs[row.name]) / one
        yield _line(row, costs[row.name], one), ratio <= row.limit
    yield f"{'memory of the server, MB':34}{MAX_RESIDENT / 1e6:7.0f}{resident / 1e6:9.0f}", resident <= MAX_RESIDENT


def _line(row: Row, costs: Sequence[Cost], one: float | None) -> str:
    own = median(cost.used.own for cost in costs)
    below = median(cost.used.below for cost in costs)
    a_second = median(cost.a_second for cost in costs)
    if one is None:
        return f"{row.name:34}{'':7}{own:9.3f}{'':10}{a_second:12,.0f}"
    return f"{row.name:34}{row.limit:7.0f}{own / one:9.1f}{below / one:10.1f}{a_second:12,.0f}{own:8.2f}"


def main() -> int:
    if missing := [tool for tool in ("wrk", "node") if shutil.which(tool) is None]:
        print(f"install {' and '.join(missing)} first (on Debian: apt-get install wrk nodejs)")
        return 2
    rounds, seconds = [int(number) for number in (*sys.argv[1:], *("3", "3")[len(sys.argv) - 1 :])]
    with tempfile.TemporaryDirectory(prefix="codrive-benchmark-") as folder:
        lines = list(measure(rounds, seconds, Path(folder)))
    for line, holds in lines:
        print(line + ("" if holds else "  MISSED"))
    return 0 if all(holds for _, holds in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
