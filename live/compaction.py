"""Compacts a document in a disposable process, which is killed when it takes too long."""

import asyncio
import sys
from dataclasses import dataclass
from typing import Final

import msgspec

from documents.compaction import Compacted, CompactionInput
from documents.scan import Refused

SECONDS: Final = 180.0
_ANSWER: Final = msgspec.msgpack.Decoder(tuple[str, Compacted | None])


@dataclass(frozen=True, slots=True)
class CompactionProcess:
    """A worker that takes longer than `seconds`, or more memory than it may, compacts nothing."""

    seconds: float = SECONDS
    command: tuple[str, ...] = (sys.executable, "-m", "live.compaction_worker")

    async def compact(self, past: CompactionInput) -> Compacted | Refused:
        worker = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={},  # none of our secrets
        )
        try:
            async with asyncio.timeout(self.seconds):
                output, _ = await worker.communicate(msgspec.msgpack.encode(past))
        except TimeoutError:
            return Refused(f"it takes longer than {self.seconds:g} seconds")
        finally:
            if worker.returncode is None:
                worker.kill()
                await worker.wait()
        if worker.returncode:
            return Refused(f"the worker ended with {worker.returncode}")
        reason, made = _ANSWER.decode(output)
        return made or Refused(reason)
