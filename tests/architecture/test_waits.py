"""No test depends on the host's speed: whatever it waits for has the one patience, and no second of a clock is compared."""

import ast
import re
from collections import Counter
from functools import cache

import pytest

from tests.architecture.sources import ROOT, name, tree

TESTS = sorted(path for path in (ROOT / "tests").rglob("*.py") if "node_modules" not in path.parts)
PATIENCE = {"PATIENCE", "LONG_PATIENCE", "PAGE_PATIENCE"}
"""What a limit of a wait is made of: the first two are of the servers in tests/support/processes, the third is that of pages, of the browser there."""
OF_PATIENCE = {
    "tests/support/processes/servers.py",
    "tests/support/processes/browser.py",
    "tests/architecture/test_waits.py",
}
REQUESTS = {"Client", "AsyncClient", "get", "post", "put", "patch", "delete", "head", "options", "request", "stream"}
CLOCKS = {"monotonic", "perf_counter", "thread_time", "process_time", "monotonic_ns", "perf_counter_ns", "time_ns"}
LOOKS = {"count", "get_attribute", "input_value", "inner_text", "text_content", "is_visible", "is_hidden", "is_disabled", "is_enabled"}  # fmt: skip

# kind -> file -> how many there are, and why. A list that may only shrink: what is not needed any more is no longer listed.
REASONED = {
    "a sleep": {
        "tests/support/processes/servers.py": (1, "asks another process again and again, within its patience"),
        "tests/web/test_late_bodies.py": (1, "waits until a body is late for the server"),
    },
    "a wait without the limit of its kind": {
        "tests/failures/test_life.py": (1, "a connection that may be refused or not, asked again until it is"),
        "tests/support/live/subscriptions.py": (1, "the time between two changes that a subscription may hear of"),
        "tests/live/test_floods.py": (2, "the time between two bursts of a flood"),
        "tests/live/test_viewer_changes.py": (1, "the time between two changes that a subscription may hear of"),
        "tests/persistence/test_compacted_log.py": (1, "a moment that nobody chose, at which a process is killed"),
        "tests/support/processes/servers.py": (1, "the time of a probe, which only tells late from missing"),
    },
    "a second of a clock": {
        "tests/support/processes/watched.py": (4, "CPU of a thread, compared with a reference of the same thread"),
        "tests/contract/fuzz.py": (2, "told to whoever runs it"),
        "tests/documents/test_building.py": (2, "CPU of a thread, compared with that of less work in the same thread"),
        "tests/live/test_rooms.py": (1, "the beginning of a clock that the test sets"),
        "tests/web/test_oauth_journeys.py": (3, "waits until the server's own time for a body is over"),
    },
    "a look that is not repeated": {
        "tests/app/test_document_charts.py": (1, "what is hostile must not be there for a moment"),
        "tests/app/test_hostile_documents.py": (1, "what is hostile must not be there for a moment"),
        "tests/app/test_palette.py": (1, "what must not have happened"),
        "tests/web/test_payloads.py": (2, "what is hostile must not be there for a moment, nor with other spaces"),
    },
}  # fmt: skip


@cache
def calls(node):
    return [each for each in ast.walk(node) if isinstance(each, ast.Call)]


@cache
def called(call):
    """The whole name of what is called, and the last part of it."""
    whole = ast.unparse(call.func)
    return whole, whole.rpartition(".")[2]


def is_patience(value):
    return any(
        isinstance(each, ast.Name | ast.Attribute) and ast.unparse(each).rpartition(".")[2] in PATIENCE
        for each in ast.walk(value)
    )


def sleeps(module):
    for call in calls(module):
        whole, last = called(call)
        pauses = whole in {"time.sleep", "asyncio.sleep", "sleep"} and ast.unparse(call.args[0]) != "0"
        if pauses or last == "wait_for_timeout":
            yield call


def unlimited(module):
    within = {
        id(call)
        for block in ast.walk(module)
        if isinstance(block, ast.AsyncWith) and limits(block)
        for call in calls(block)
    }
    for call in calls(module):
        whole, last = called(call)
        given = {word.arg: word.value for word in call.keywords}
        asks = re.fullmatch(r"httpx2?", whole.rpartition(".")[0]) and last in REQUESTS
        runs = whole in {
            "subprocess.run",
            "subprocess.check_output",
            "subprocess.check_call",
            "socket.create_connection",
        }
        ends = last == "communicate" and id(call) not in within
        limit = given.get("timeout", given.get("open_timeout"))
        if limit is None and (whole == "asyncio.timeout" or (last == "wait_for" and len(call.args) > 1)):
            limit = call.args[-1]
        if (asks or runs or ends) if limit is None else not is_patience(limit):
            yield call
    for made in ast.walk(module):
        if isinstance(made, ast.ClassDef) and any(
            re.fullmatch(r"httpx2?\.(Async)?Client", ast.unparse(base)) for base in made.bases
        ):
            begun = [call for call in calls(made) if ast.unparse(call.func) == "super().__init__"]
            if not any(word.arg == "timeout" and is_patience(word.value) for call in begun for word in call.keywords):
                yield made


def limits(block):
    return any(
        called(call)[0] == "asyncio.timeout" and is_patience(call.args[0])
        for item in block.items
        for call in calls(item)
    )


def clocks(module):
    for call in calls(module):
        whole, last = called(call)
        if last in CLOCKS or whole == "time.time" or (last == "time" and "loop" in whole.rpartition(".")[0]):
            yield call


def looks(module):
    for asserted in ast.walk(module):
        if not isinstance(asserted, ast.Assert):
            continue
        for awaited in ast.walk(asserted):
            if isinstance(awaited, ast.Await) and isinstance(awaited.value, ast.Call):
                whole, last = called(awaited.value)
                if (last in LOOKS and last != whole) or (
                    last == "evaluate" and re.search(r"activeElement\b(?!\.closest)", ast.unparse(awaited))
                ):
                    yield asserted
                    break


KINDS = {
    "a sleep": sleeps,
    "a wait without the limit of its kind": unlimited,
    "a second of a clock": clocks,
    "a look that is not repeated": looks,
}


@cache
def found(kind):
    places = [(name(path), each.lineno) for path in TESTS for each in KINDS[kind](tree(path))]
    return [place for place in places if place[0] != name(ROOT / "tests" / "architecture" / "test_waits.py")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_test_waits_for_what_it_means(kind):
    reasoned = REASONED[kind]
    counted = Counter(path for path, _ in found(kind))
    new = [f"{path}:{line}" for path, line in found(kind) if counted[path] > reasoned.get(path, (0, ""))[0]]
    assert new == [], f"{kind}: use what servers.py or browser.py of tests/support/processes has for it"
    assert {path: most for path, (most, _) in reasoned.items()} == counted, f"{kind}: the list may only shrink"


def test_patience_is_said_once():
    said = {
        f"{name(path)}: {ast.unparse(each)}"
        for path in TESTS
        if name(path) not in OF_PATIENCE
        for each in ast.walk(tree(path))
        if isinstance(each, ast.Assign) and PATIENCE.intersection(map(ast.unparse, each.targets))
    }
    assert said == set()


def test_clients_of_sockets_and_contexts_of_browsers_are_made_in_one_place():
    made = {
        f"{name(path)}:{each.lineno}"
        for path in TESTS
        for each in ast.walk(tree(path))
        if (
            isinstance(each, ast.ImportFrom)
            and re.match(r"websockets\b.*client|urllib\.request|requests$", each.module or "")
        )
        or (
            isinstance(each, ast.Attribute)
            and re.fullmatch(r"(browser|chromium)\.new_(context|page)", ast.unparse(each))
        )
    }
    assert {place.partition(":")[0] for place in made} <= {"tests/support/processes/browser.py"}, made


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("a sleep", "time.sleep(0.1)"),
        ("a sleep", "async def wait():\n    await asyncio.sleep(some)"),
        ("a sleep", "page.wait_for_timeout(100)"),
        ("a wait without the limit of its kind", "httpx.Client(base_url=origin)"),
        ("a wait without the limit of its kind", "httpx.get(origin, timeout=30)"),
        ("a wait without the limit of its kind", "httpx2.AsyncClient(auth=auth)"),
        ("a wait without the limit of its kind", "class Visitor(httpx.Client):\n    pass"),
        ("a wait without the limit of its kind", "subprocess.run(command, check=False)"),
        ("a wait without the limit of its kind", "process.communicate()"),
        ("a wait without the limit of its kind", "process.wait(timeout=60)"),
        ("a wait without the limit of its kind", "socket.create_connection(address)"),
        ("a wait without the limit of its kind", "socket.recv(timeout=5)"),
        ("a wait without the limit of its kind", "asyncio.wait_for(event.wait(), 30)"),
        ("a wait without the limit of its kind", "async def wait():\n    async with asyncio.timeout(20):\n        pass"),
        ("a second of a clock", "assert time.monotonic() - begun < 1"),
        ("a second of a clock", "assert perf_counter() < end"),
        ("a second of a clock", "asyncio.get_running_loop().time()"),
        ("a look that is not repeated", "async def look():\n    assert await rows.count() == 2"),
        ("a look that is not repeated", "async def look():\n    assert await page.evaluate('document.activeElement.id') == 'main'"),
    ],
)  # fmt: skip
def test_it_is_seen(kind, source):
    assert list(KINDS[kind](ast.parse(source)))


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("a sleep", "async def give_way():\n    await asyncio.sleep(0)"),
        ("a wait without the limit of its kind", "httpx.get(origin, timeout=PATIENCE)"),
        ("a wait without the limit of its kind", "class Visitor(httpx.Client):\n    def __init__(self):\n        super().__init__(timeout=PATIENCE)"),
        ("a wait without the limit of its kind", "async def wait():\n    async with asyncio.timeout(LONG_PATIENCE * 2):\n        await process.communicate()"),
        ("a wait without the limit of its kind", "httpx.URL(origin)"),
        ("a second of a clock", "datetime.now(UTC)"),
        ("a look that is not repeated", "async def look():\n    await expect(rows).to_have_count(2)"),
    ],
)  # fmt: skip
def test_what_waits_as_it_should_is_let_be(kind, source):
    assert not list(KINDS[kind](ast.parse(source)))
