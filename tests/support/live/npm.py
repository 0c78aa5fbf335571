"""Real clients from npm, on Node: what a test asks of them, and what they answer."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.support.processes.node import NODE, install
from tests.support.processes.servers import LONG_PATIENCE, PATIENCE, ran_out

FOLDER = Path(__file__).with_name("clients")
HOCUSPOCUS = ("4", "3", "2")
TURNS = 20
LATE = "Error: not in time: "


class Clients:
    """One Node process with any number of clients in it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.numbers = count(1)
        self.waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.origins: dict[str, str] = {}  # of the server that each client is at
        self.reading = asyncio.create_task(self._read())

    async def __call__(self, act: str, who: str = "", **details: Any) -> dict[str, Any]:
        if act == "open":
            self.origins[who] = urlsplit(details["url"])._replace(scheme="http", path="").geturl()
        number = next(self.numbers)
        self.waiting[number] = asyncio.get_running_loop().create_future()
        line = json.dumps({"id": number, "do": act, "as": who, **details})
        assert self.process.stdin
        self.process.stdin.write(line.encode() + b"\n")
        async with asyncio.timeout(
            LONG_PATIENCE
        ):  # where Node answers nothing at all: it has the patience of a wait itself
            answer = await self.waiting[number]
        said = answer.get("error")
        if said and said.startswith(LATE):
            raise await asyncio.to_thread(ran_out, f"{act} {who}: {said}", self.origins.get(who))
        assert not said, f"{act} {who}: {said}"
        return answer

    async def _read(self) -> None:
        assert self.process.stdout
        while line := await self.process.stdout.readline():
            answer = json.loads(line)
            self.waiting.pop(answer["id"]).set_result(answer)
        for waiting in self.waiting.values():
            waiting.cancel()


@asynccontextmanager
async def clients() -> AsyncIterator[Clients]:
    install(FOLDER)
    process = await asyncio.create_subprocess_exec(
        NODE,
        "clients.mjs",
        str(PATIENCE),
        cwd=FOLDER,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=64 * 1024 * 1024,
    )
    made = Clients(process)
    try:
        yield made
    finally:
        assert process.stdin
        process.stdin.close()
        try:
            async with asyncio.timeout(PATIENCE):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
        await made.reading


async def settled(
    clients: Clients,
    names: Sequence[str],
    mark: str,
    followed: Callable[[], Awaitable[object]],
    readers: Sequence[str] = (),
) -> None:
    """Have editors write until each has all of the others, and neither they nor the server have changed anything else since.

    The binding of y-prosemirror mends what it receives, in edits of its own: two texts that stand side by side become one. The
    server has what was written into a moved block follow it: `followed` waits for that, and returns how often it did.
    """
    for turn in range(TURNS):
        before, brought = [(await clients("edited", name))["times"] for name in names], await followed()
        for name in names:
            await clients("write", name, text=f"{mark} {turn} {name}")
        for name in (*names, *readers):
            for other in names:
                await clients("sees", name, text=f"{mark} {turn} {other}")
        for name in names:
            await clients("acknowledged", name)
        after = [(await clients("edited", name))["times"] for name in names]
        if after == [times + 1 for times in before] and await followed() == brought:
            break
    else:
        raise AssertionError(f"after {TURNS} turns editors and the server still mend what they receive")


async def converged(clients: Clients, *names: str) -> None:
    for one in names:
        marker = f"end of {one}"
        await clients("type", one, text=marker)
        for other in names:
            await clients("sees", other, text=marker)
    text = (await clients("text", names[0]))["text"]
    for name in names:
        assert (await clients("text", name))["text"] == text
