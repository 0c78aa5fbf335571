"""Compares the changes of a document, and their undo, with its first read, in time of the CPU.

    python -m benchmarks changes

Two people and an agent wrote the document in `EDITS` keystrokes, in turns of `TURN` at one place each. Listed are all changes;
taken back is all that the agent did. Times are the median of `ROUNDS`; the goal is `MOST` first reads. The stored updates come from
memory, so the database is in none of the times.
"""

import gc
import random
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any, Final, cast

from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from computing.changes import list_changes, undo_document
from computing.versions import read_document
from documents.history.changes import UndoRequest
from domain.document import DocumentLogSince, DocumentState, LoggedUpdate
from domain.errors import Rejection

ROUNDS: Final = 3
MOST: Final = 20.0
EDITS: Final = 100_000
TURN: Final = 50
AUTHORS: Final = (("ada", None), ("ben", None), ("ada", "research-assistant"))
DELETED: Final = 0.1  # of the keystrokes
BLOCK: Final = 500  # characters, after which a new block begins


def typed() -> tuple[LoggedUpdate, ...]:
    chance, at = random.Random(1), datetime(2026, 1, 1, tzinfo=UTC)
    docs: list[Doc[Any]] = [Doc(client_id=number + 1) for number in range(len(AUTHORS))]
    log: list[LoggedUpdate] = []
    while len(log) < EDITS:
        number = chance.randrange(len(docs))
        turn = turn_of(docs[number], chance)
        for update in turn:
            at += timedelta(milliseconds=200)
            log.append(LoggedUpdate(update, *AUTHORS[number], at))
            for other in (*docs[:number], *docs[number + 1 :]):
                other.apply_update(update)
        at += timedelta(seconds=chance.randrange(120))
    return tuple(log[:EDITS])


def turn_of(doc: Doc[Any], chance: random.Random) -> list[bytes]:
    """Return the updates of what somebody types at one place without a pause."""
    made: list[bytes] = []
    heard = doc.observe(lambda event: made.append(event.update))
    text = place(doc, chance)
    letter = chance.randrange(len(str(text)) + 1)
    for _ in range(TURN):
        if letter and chance.random() < DELETED:
            letter -= 1
            del text[letter]
        else:
            text.insert(letter, chance.choice("abcdefgh "))
            letter += 1
    doc.unobserve(heard)
    return made


def place(doc: Doc[Any], chance: random.Random) -> XmlText:
    blocks = doc.get("default", type=XmlFragment).children
    if len(blocks):
        text = cast("Any", blocks[chance.randrange(len(blocks))]).children[0]
        if len(str(text)) < BLOCK:
            return cast("XmlText", text)
    block = blocks.insert(chance.randrange(len(blocks) + 1), XmlElement("paragraph"))
    return cast("XmlText", block.children.append(XmlText()))


def seconds(act: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        gc.collect()
        start = time.process_time()
        assert not isinstance(act(), Rejection)
        times.append(time.process_time() - start)
    return median(times)


def main() -> int:
    log = typed()
    state, since = (
        DocumentState(None, tuple([each.update for each in log]), len(log)),
        DocumentLogSince(0, (), (), log, None),
    )
    request = UndoRequest(0, (), "ada", "research-assistant")
    read = seconds(lambda: read_document(state))
    listed = seconds(lambda: list_changes(since, None))
    undone = seconds(lambda: undo_document(since, request, ()))
    print(f"{EDITS:,} edits: {read * 1e3:.0f} ms read first")
    for name, took in (("changes", listed), ("undo", undone)):
        print(f"{name:10}{took * 1e3:8.0f} ms ({took / read:.1f}x)")
    holds = max(listed, undone) <= MOST * read
    print(f"each costs at most {MOST:g} first reads{'' if holds else '  MISSED'}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
