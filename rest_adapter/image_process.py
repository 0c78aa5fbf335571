"""Re-encodes images outside this process: one disposable worker for each, few at a time, killed when stuck."""

import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

from domain.errors import Code
from edge.requests import refused

WORKER: Final = Path(__file__).with_name("image_worker.py")
SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Made:
    content: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ImageProcess:
    """Runs at most `most` workers at a time, and kills one that takes longer than `seconds`.

    Users take turns: each has one image in the queue at a time, so that nobody waits for all the images of another.
    """

    most: int = 1
    seconds: float = SECONDS
    command: tuple[str, ...] = (sys.executable, "-I", str(WORKER))
    _workers: asyncio.Semaphore = field(init=False)
    _users: WeakValueDictionary[str, asyncio.Lock] = field(init=False, default_factory=WeakValueDictionary)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_workers", asyncio.Semaphore(self.most))

    async def make(self, content: bytes, kind: str, user_id: str) -> Made:
        """Return the image anew; raises Refused for one that is damaged (400) or takes too much to decode (413)."""
        async with self._users.setdefault(user_id, asyncio.Lock()), self._workers:
            said = await self._ask(content, kind)
        head, _, made = said.partition(b"\n")
        told: dict[str, Any] = json.loads(head) if head else {"outcome": "too large"}
        match told["outcome"]:
            case "made":
                return Made(made, told["width"], told["height"])
            case "damaged":
                raise refused(Code.BAD_REQUEST, "`file` is damaged: it cannot be decoded")
            case _:
                raise refused(
                    Code.PAYLOAD_TOO_LARGE,
                    "`file` takes too much to decode: send at most 40 megapixels and 200 frames",
                )

    async def _ask(self, content: bytes, kind: str) -> bytes:
        """Return what the worker says; nothing where it had to be killed or fell over its limits."""
        worker = await asyncio.create_subprocess_exec(
            *self.command,
            kind,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={},
        )
        try:
            async with asyncio.timeout(self.seconds):
                said, _ = await worker.communicate(content)
        except TimeoutError:
            return b""
        finally:
            if worker.returncode is None:
                worker.kill()
                await worker.wait()
        return said if worker.returncode == 0 else b""
