"""Tells whether more goes with updates than they delete by themselves: what lies in a node that one of them deletes."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Final

from pycrdt import Doc, TransactionEvent

from documents.history.credits import Credits
from documents.yjs.keystroke import contents
from documents.yjs.pycrdt_internals import deleted_in
from documents.yjs.scan import DeletedRun, Refused
from documents.yjs.snapshot import apply_updates
from documents.yjs.structs import named_by

_MAX_COMPARED_SIZE: Final = 64 * 1024  # bytes of updates, and of what went with them, that are compared
_NO_STRUCTS: Final = b"\0"
_NOTHING: Final = b"\0"  # the set of no deletions


def note(went: list[bytes], event: TransactionEvent) -> None:
    """Add what the library deleted in a transaction, if anything."""
    if (deleted := deleted_in(event)) != _NOTHING:
        went.append(deleted)


def runs_of(went: Iterable[bytes]) -> list[DeletedRun]:
    """Return what was deleted in transactions, as `note` has it."""
    return [run for each in went for run in _deleted(each)]


def are_large(went: Sequence[bytes], updates: Sequence[bytes]) -> bool:
    return sum(map(len, went)) > _MAX_COMPARED_SIZE or sum(map(len, updates)) > _MAX_COMPARED_SIZE


def unnamed(went: Sequence[bytes], runs: Sequence[DeletedRun], updates: Sequence[bytes]) -> list[DeletedRun]:
    """Return what of all that `went`, which is these runs, the updates do not delete by themselves."""
    erased = {update[1:] for update in updates if update.startswith(_NO_STRUCTS)}
    if all(each in erased for each in went):
        return []
    named = Credits()
    named.delete((run for update in updates for run in named_by(update)), None)
    return [
        DeletedRun(run.client, start, stop - start)
        for run in runs
        for start, stop in named.alive(run.client, run.clock, run.clock + run.length)
    ]


def applied(doc: Doc[Any], updates: Iterable[bytes]) -> bool | Refused:
    """Apply updates that were accepted before; return whether more went with one of them than it deletes, or may have."""
    went: list[bytes] = []
    watch = doc.observe(partial(note, went))
    found = False
    try:
        for update in updates:
            if refused := apply_updates(doc, (update,)):
                return refused
            found = found or (
                bool(went) and (are_large(went, (update,)) or bool(unnamed(went, runs_of(went), (update,))))
            )
            went.clear()
    finally:
        doc.unobserve(watch)
    return found


def _deleted(went: bytes) -> Iterable[DeletedRun]:
    read = contents(_NO_STRUCTS + went)  # which knows the form of most by one look
    return () if isinstance(read, Refused) else read.deleted
