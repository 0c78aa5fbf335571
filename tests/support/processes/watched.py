"""The server, with a file that says how long its event loop's thread was busy at a stretch, at most.

    python -m tests.support.processes.watched FILE ARGUMENT...

A stretch is the CPU time of the thread between two beats of the loop, which come as often as it has time for them. The file
holds two doubles of the machine's own form, in seconds: the longest stretch, where whoever reads it may write 0.0 to begin
anew, and what the thread needs for the reference, a mebibyte of JSON that is decoded.
"""

import asyncio
import json
import mmap
import os
import struct
import sys
import time
from pathlib import Path

from service import server

EVERY = 0.002
SECONDS = struct.Struct("d")
MEBIBYTE = json.dumps(
    [{"id": each, "name": f"name {each}", "at": [each, each / 7, None, True]} for each in range(13_800)]
)
TRIES = 20


def reference() -> float:
    """Return the CPU time of the thread for the reference, the least of some tries: whatever else the host does only adds to it."""
    tried = []
    for _ in range(TRIES):
        begun = time.thread_time()
        json.loads(MEBIBYTE)
        tried.append(time.thread_time() - begun)
    return min(tried)


def beating(loop: asyncio.AbstractEventLoop, longest: mmap.mmap) -> asyncio.AbstractEventLoop:
    last = time.thread_time()

    def beat() -> None:
        nonlocal last
        now = time.thread_time()
        (known,) = SECONDS.unpack_from(longest)
        if now - last > known:
            SECONDS.pack_into(longest, 0, now - last)
        last = now
        loop.call_later(EVERY, beat)

    loop.call_soon(beat)
    return loop


def main() -> None:
    file = Path(sys.argv.pop(1))
    file.write_bytes(SECONDS.pack(0.0) + SECONDS.pack(reference()))
    with file.open("r+b") as opened:
        longest = mmap.mmap(opened.fileno(), 2 * SECONDS.size)
    make = server._loop_factory()
    server._loop_factory = lambda: lambda: beating(make(), longest)
    from service.command import main as run  # noqa: PLC0415 - it takes its arguments from those that are left

    sys.argv[0] = "codrive-server"
    os.environ.pop("PYTHONPATH", None)
    run()


if __name__ == "__main__":
    main()
