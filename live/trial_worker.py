"""Applies one update to one document in a process of its own: both come on standard input, the cost goes out."""

import sys
import time
from typing import Final

import msgspec

from documents.cost import is_costly
from documents.scan import Refused
from documents.snapshot import apply_updates, load
from live.limits import limit_process

CPU_SECONDS: Final = 20


def main() -> None:
    limit_process(CPU_SECONDS)
    state, update = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=tuple[bytes, bytes])
    doc = load(state)
    if isinstance(doc, Refused):
        raise SystemExit(doc.reason)
    began = time.thread_time()
    refused = apply_updates(doc, (update,))
    costly = is_costly(len(update), time.thread_time() - began)
    sys.stdout.buffer.write(msgspec.msgpack.encode((costly, refused.reason if refused else "")))


if __name__ == "__main__":
    main()
