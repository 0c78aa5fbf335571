"""Compacts one document in a process of its own: the input comes on standard input, the result goes to standard output.

Replaying a large document holds the interpreter, and a damaged one may take any amount of memory and time: here both
are bounded, and end with the process.
"""

import sys
from typing import Final

import msgspec

from documents.compaction import Compacted, CompactionInput, compact
from documents.scan import Refused
from live.limits import limit_process

CPU_SECONDS: Final = 120


def main() -> None:
    limit_process(CPU_SECONDS)
    made = compact(msgspec.msgpack.decode(sys.stdin.buffer.read(), type=CompactionInput))
    answer: tuple[str, Compacted | None] = (made.reason, None) if isinstance(made, Refused) else ("", made)
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


if __name__ == "__main__":
    main()
