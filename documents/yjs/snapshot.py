"""Loads, changes and encodes a document's Yjs state without trusting the bytes.

Three guards surround every update: the scan, which finds hostile shapes before native code does; the state vector,
which must afterwards equal the scan's, since the library may read an update otherwise or keep it pending, where its
own encoding forgets it; and a handler of panics, which the library raises as BaseException.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pycrdt import Doc, Snapshot

from documents.yjs.lib0 import Decoder
from documents.yjs.pycrdt_internals import apply_each, is_undecodable
from documents.yjs.scan import Refused, Scanned, UpdateLimits, scan

# What UTF-8 makes of a surrogate pair; other bytes of an update look like it now and then.
_PAIR = re.compile(rb"[\xf0-\xf4][\x80-\xbf]{3}")
_PASS_ON = (KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError)


@dataclass(frozen=True, slots=True)
class Incomplete(Refused):
    """Nothing wrong with the update, but it builds on others that have not arrived: ask the sender to begin again."""


@dataclass(frozen=True, slots=True)
class Undecodable(Refused):
    """The library could not decode the update, and so has not begun to bring it in: the document is as it was."""


_INCOMPLETE = Incomplete("the update builds on changes that are not here")
_DIFFERS = Refused("the update does something else than it says")


def guarded[T](act: Callable[[], T]) -> T | Refused:
    try:
        return act()
    except _PASS_ON:
        raise
    except BaseException as error:  # noqa: BLE001  a panic of the library is no Exception
        refused = Undecodable if is_undecodable(error) else Refused
        return refused(f"the update cannot be read ({type(error).__name__})")


def apply_updates(doc: Doc[Any], updates: Iterable[bytes]) -> Refused | None:
    """Apply updates that were scanned or accepted before.

    INVARIANT: each in a transaction of its own, however many they are. What the library made of an update depends on what
    was deleted and collected before, at the ends of transactions; so a document that is read again comes about in the same
    steps as when its updates were accepted. Together, it may refuse them or panic.
    """
    return guarded(lambda: apply_each(doc, updates))


def load(state: bytes | None, updates: Iterable[bytes] = ()) -> Doc[Any] | Refused:
    """Build a document from its stored form: a snapshot and the updates after it, all accepted before."""
    doc: Doc[Any] = Doc()
    return apply_updates(doc, (*([state] if state else ()), *updates)) or doc


def apply(
    doc: Doc[Any],
    update: bytes,
    limits: UpdateLimits = UpdateLimits(),  # noqa: B008  a frozen value
    scanned: Scanned | Refused | None = None,
    state: dict[int, int] | None = None,
) -> Scanned | Refused:
    """Scan the update, where it was not `scanned` already, and apply it; `state` is the document's state vector.

    After a refusal that is not from the scan, `doc` may be damaged: drop it. An `Incomplete` found before the library saw
    the update leaves the document as it was.
    """
    scanned = scanned or scan(update, limits)
    if isinstance(scanned, Refused):
        return scanned
    state = state_vector(doc) if state is None else state
    if scanned.missing(state):
        return _INCOMPLETE
    return apply_exactly(doc, (update,), scanned.after(state)) or scanned


def apply_exactly(doc: Doc[Any], updates: Iterable[bytes], after: dict[int, int]) -> Refused | None:
    """As `apply_updates`, and the document's state vector must be `after` it. After a refusal `doc` may be damaged.

    INVARIANT: the library did with an update what the scan predicted. Everything that is asked of an update before it is
    applied (whose clocks it writes, whether something is missing, how deep it nests) was asked of the scan.
    """
    return apply_updates(doc, updates) or state_differs(doc, after)


def state_differs(doc: Doc[Any], after: dict[int, int]) -> Refused | None:
    return None if state_vector(doc) == after else _DIFFERS


def encode_state(doc: Doc[Any]) -> bytes:
    return doc.get_update()


def encode_deleted(doc: Doc[Any]) -> bytes:
    """Return what is deleted in a document, as updates have it: `documents.yjs.structs.read_deletions` reads it."""
    return Snapshot.from_doc(doc).encode()


def cannot_be_halved(updates: Iterable[bytes]) -> bool:
    """Whether no text in a document that these updates make ever held a surrogate pair, so that nobody cut one in half."""
    return not any(_PAIR.search(update) for update in updates)


def state_vector(doc: Doc[Any]) -> dict[int, int]:
    """Return the clock of each client in this document."""
    decoder = Decoder(doc.get_state())
    return {decoder.uint(): decoder.uint() for _ in range(decoder.uint())}
