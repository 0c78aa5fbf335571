"""Tries an update on a copy of its document in a disposable process: whether it is too costly for the library, or damages it."""

import subprocess
import sys
from typing import Final

import msgspec

from documents.scan import Refused

MAX_SECONDS: Final = 30.0
COMMAND: Final = (sys.executable, "-m", "live.trial_worker")
TOO_COSTLY: Final = Refused("it takes the library too long to bring the update in")


def try_update(state: bytes, update: bytes, seconds: float = MAX_SECONDS) -> Refused | None:
    """Refuse an update that is too costly to apply to the document of this `state` or damages it; blocks, for a thread."""
    try:
        worker = subprocess.run(  # noqa: S603  the command is ours
            COMMAND,
            input=msgspec.msgpack.encode((state, update)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},  # none of our secrets
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return TOO_COSTLY
    if worker.returncode:
        return Refused(f"the update ended a process with {worker.returncode}")
    costly, reason = msgspec.msgpack.decode(worker.stdout, type=tuple[bool, str])
    return TOO_COSTLY if costly else Refused(reason) if reason else None
