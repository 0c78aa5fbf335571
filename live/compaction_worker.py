"""Compacts one document in a process of its own: what is to be compacted comes on standard input, the result goes out.

Replaying a large document holds the interpreter, and a damaged one may take any amount of memory and time: here both
are bounded, and end with the process.
"""

import resource
import sys
from typing import Final

import msgspec

from documents.compaction import Compacted, Past, compacted
from documents.scan import Refused

MEMORY: Final = 2 << 30
CPU_SECONDS: Final = 120


def main() -> None:
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
    made = compacted(msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Past))
    said: tuple[str, Compacted | None] = (made.reason, None) if isinstance(made, Refused) else ("", made)
    sys.stdout.buffer.write(msgspec.msgpack.encode(said))


if __name__ == "__main__":
    main()
