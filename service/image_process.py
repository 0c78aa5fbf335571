"""Re-encodes images outside this process: one disposable worker for each, few at a time, killed when stuck."""

import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

from domain.document import EncodedImage, ImageFile
from domain.errors import Code, Rejection

WORKER: Final = Path(__file__).with_name("image_worker.py")
SECONDS: Final = 30.0
_FORMATS: Final = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}
_DAMAGED: Final = Rejection(Code.BAD_REQUEST, "`file` is damaged: it cannot be decoded")
_TOO_LARGE: Final = Rejection(
    Code.PAYLOAD_TOO_LARGE, "`file` takes too much to decode: send at most 40 megapixels and 200 frames"
)


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

    async def encode(self, file: ImageFile, user_id: str) -> EncodedImage | Rejection:
        async with self._users.setdefault(user_id, asyncio.Lock()), self._workers:
            output = await self._ask(file.content, _FORMATS[file.content_type])
        head, _, made = output.partition(b"\n")
        report: dict[str, Any] = json.loads(head) if head else {"outcome": "too large"}
        match report["outcome"]:
            case "made":
                return EncodedImage(made, report["width"], report["height"])
            case "damaged":
                return _DAMAGED
            case _:
                return _TOO_LARGE

    async def _ask(self, content: bytes, kind: str) -> bytes:
        """Return the worker's output; nothing where it was killed or exceeded its limits."""
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
                output, _ = await worker.communicate(content)
        except TimeoutError:
            return b""
        finally:
            if worker.returncode is None:
                worker.kill()
                await worker.wait()
        return output if worker.returncode == 0 else b""
