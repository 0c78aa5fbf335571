"""Applies one update to one document in a process of its own: both come on standard input, the cost goes out."""

import sys
import time
from typing import Any, Final

import msgspec
from pycrdt import Doc

from documents.cost import is_costly
from documents.scan import IMPORT, MAX_TREE_DEPTH, Refused, scan
from documents.snapshot import apply_updates, load, state_differs, state_vector
from documents.tree import depth
from live.limits import limit_process

CPU_SECONDS: Final = 20
TOO_DEEP: Final = Refused(f"the document would be nested deeper than {MAX_TREE_DEPTH}")


def try_on(doc: Doc[Any], update: bytes) -> tuple[bool, Refused | None]:
    """Return whether applying the update to the document is too costly, or why it may not be applied."""
    scanned = scan(update, IMPORT)
    if isinstance(scanned, Refused):
        return False, scanned
    after = scanned.after(state_vector(doc))
    began = time.thread_time()
    refused = apply_updates(doc, (update,))
    if is_costly(len(update), time.thread_time() - began):
        return True, None
    return False, refused or state_differs(doc, after) or (TOO_DEEP if depth(doc) > MAX_TREE_DEPTH else None)


def main() -> None:
    limit_process(CPU_SECONDS)
    state, update = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=tuple[bytes, bytes])
    doc = load(state)
    if isinstance(doc, Refused):
        raise SystemExit(doc.reason)
    costly, refused = try_on(doc, update)
    sys.stdout.buffer.write(msgspec.msgpack.encode((costly, refused.reason if refused else "")))


if __name__ == "__main__":
    main()
