"""Real clients from npm, on Node: what a test asks of them, and what they answer."""

import asyncio
import json
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

from tests.node import NODE, install

FOLDER = Path(__file__).with_name("clients")
PATIENCE = 60.0
HOCUSPOCUS = ("4", "3", "2")


class Clients:
    """One Node process with any number of clients in it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.numbers = count(1)
        self.waiting: dict[int, asyncio.Future] = {}
        self.reading = asyncio.create_task(self._read())

    async def __call__(self, act, who="", **details):
        number = next(self.numbers)
        self.waiting[number] = asyncio.get_running_loop().create_future()
        line = json.dumps({"id": number, "do": act, "as": who, **details})
        self.process.stdin.write(line.encode() + b"\n")
        async with asyncio.timeout(PATIENCE):
            answer = await self.waiting[number]
        assert "error" not in answer, f"{act} {who}: {answer['error']}"
        return answer

    async def _read(self):
        while line := await self.process.stdout.readline():
            answer = json.loads(line)
            self.waiting.pop(answer["id"]).set_result(answer)
        for waiting in self.waiting.values():
            waiting.cancel()


@asynccontextmanager
async def clients():
    install(FOLDER)
    process = await asyncio.create_subprocess_exec(
        NODE,
        "clients.mjs",
        cwd=FOLDER,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=64 * 1024 * 1024,
    )
    made = Clients(process)
    try:
        yield made
    finally:
        process.stdin.close()
        try:
            async with asyncio.timeout(5):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
        await made.reading
