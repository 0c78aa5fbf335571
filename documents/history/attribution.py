"""Attributes every stretch of a document's text to its author and minute, and to who moved it where it is.

The library does not expose the client id and clock of a character. So the document is loaded twice: as it is, and from
the same updates with every character replaced by one that stands for its author and mover, its colour. The place, deletion and
formatting of characters do not depend on what they are, so the two trees have the same shape, and the second holds the
authors of the text in the first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import Final

from documents.history.copied_text import Copied
from documents.history.credits import NOBODY, Credits, Source
from documents.history.move_candidates import may_move
from documents.history.replay import moved_in
from documents.tree.tree import Json, tree
from documents.yjs.keystroke import Contents, contents
from documents.yjs.lib0 import uint, utf16_length
from documents.yjs.scan import Refused, Text, text_spans
from documents.yjs.snapshot import load

# Colours are characters that take one unit of UTF-16; those below are left for what nobody is known to have written.
_FIRST: Final = 0x100
_COLOURS: Final = 0xD800 - _FIRST


@dataclass(frozen=True, slots=True)
class Logged:
    """One update with whom it is credited to, but for what in it is `copied` from what others wrote.

    `copied` is None where that was not recorded: `with_moves` finds it in the log.
    """

    update: bytes
    source: Source
    copied: tuple[Copied, ...] | None = None


@dataclass(frozen=True, slots=True)
class AttributedText:
    """A stretch of one text node: `path` leads to it by places in `content`, `start` and `stop` are units of UTF-16.

    `mover` is who put it there later, by a move, an undo or a restore.
    """

    path: tuple[int, ...]
    start: int
    stop: int
    source: Source
    mover: Source | None = None


@dataclass(slots=True)
class CreditedRange:
    """A run of clocks of one Yjs client, one for each unit of UTF-16; every letter of it that is shown is of `source`.

    `mover` as in AttributedText.
    """

    client: int
    clock: int
    length: int
    source: Source
    mover: Source | None = None


def credits_of_snapshot(encoded: bytes | None, snapshot: bytes | None) -> Credits | Refused:
    """Return the credits that were kept with a snapshot (both None at the beginning of a log).

    Deletions of the snapshot that they do not credit were made before deletions were credited: they belong to nobody, and
    not to an author who repeats them later.
    """
    known = Credits.decode(encoded)
    if snapshot is None or (encoded is not None and known.tells_deletions):
        return known
    read = text_spans(snapshot)
    if isinstance(read, Refused):
        return read
    known.delete(read.deleted, None)
    known.tells_deletions = True
    return known


def with_moves(snapshot: bytes | None, log: Sequence[Logged]) -> Sequence[Logged] | Refused:
    """Return the log with what each of its updates copied: text that one moved is a copy of what it deletes.

    A log that cannot be laid out moves nothing.
    """
    read = _contents(log)
    return read if isinstance(read, Refused) else _with_moves(snapshot, log, read)


def _contents(log: Iterable[Logged]) -> list[Contents] | Refused:
    made: list[Contents] = []
    for each in log:
        read = contents(each.update)
        if isinstance(read, Refused):
            return read
        made.append(read)
    return made


def _with_moves(snapshot: bytes | None, log: Sequence[Logged], read: Sequence[Contents]) -> Sequence[Logged]:
    updates = [each.update for each in log]
    asked = may_move(updates, read, (place for place, each in enumerate(log) if each.copied is None))
    moved = moved_in(snapshot, updates, read, asked) if asked else {}
    if not moved or isinstance(moved, Refused):
        return log
    made = [*log]
    for place, copied in moved.items():
        made[place] = replace(made[place], copied=copied)
    return made


def credited(known: Credits, log: Sequence[Logged]) -> Credits | Refused:
    """Add what the updates brought and deleted, in their order, to what is known."""
    read = _contents(log)
    return read if isinstance(read, Refused) else _credited(known, log, read)


def _credited(known: Credits, log: Sequence[Logged], read: Sequence[Contents]) -> Credits:
    for each, of in zip(log, read, strict=True):
        known.add(of.ends, each.source, each.copied or ())
        known.delete(of.deleted, each.source)
    return known


def attributions(snapshot: bytes | None, known: Credits, log: Sequence[Logged]) -> list[AttributedText] | Refused:
    """Return who wrote what of the document that the snapshot, credited as `known`, and the log after it make."""
    begun, read = _begun(snapshot), _contents(log)
    if isinstance(begun, Refused):
        return begun
    if isinstance(read, Refused):
        return read
    whose = _credited(known, _with_moves(snapshot, log, read), read)
    updates = [*([snapshot] if snapshot else []), *(each.update for each in log)]
    texts = [*([begun.texts] if snapshot else []), *(of.texts for of in read)]
    colours = _Colours(whose)
    painted = [colours.paint(update, of) for update, of in zip(updates, texts, strict=True)]
    doc, coloured = load(None, updates), load(None, painted)
    if isinstance(doc, Refused):
        return doc
    if isinstance(coloured, Refused):
        return coloured
    return list(_compared(tree(doc), tree(coloured), colours))


def credited_ranges(snapshot: bytes | None, known: Credits, log: Sequence[Logged]) -> list[CreditedRange] | Refused:
    """Return whose the letters are that are not deleted, as `attributions` does, in the order of clients and clocks.

    A range goes on over what is deleted or no letter, so that there are no more of them than changes of author and mover.
    Letters that nobody is known to have written are in none.
    """
    begun, read = _begun(snapshot), _contents(log)
    if isinstance(begun, Refused):
        return begun
    if isinstance(read, Refused):
        return read
    known.delete(begun.deleted, None)
    whose = _credited(known, _with_moves(snapshot, log, read), read)
    ranges: list[CreditedRange] = []
    before = (NOBODY, NOBODY, NOBODY)
    for client, clock, length, writer, mover in _letters(chain(begun.texts, *(of.texts for of in read)), whose):
        if before == (client, writer, mover):
            ranges[-1].length = clock + length - ranges[-1].clock
        else:
            before = client, writer, mover
            ranges.append(CreditedRange(client, clock, length, whose.sources[writer], _mover(whose, mover)))
    return ranges


def _mover(whose: Credits, number: int) -> Source | None:
    return None if number == NOBODY else whose.sources[number]


def _begun(snapshot: bytes | None) -> Contents | Refused:
    return contents(snapshot) if snapshot else Contents({}, [], [])


def _letters(texts: Iterable[Text], known: Credits) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield the client, clock, length, author and mover of letters that are not deleted, each once though updates repeat it."""
    client, done = -1, 0
    for text in sorted(texts):
        if text.client != client:
            client, done = text.client, 0
        for clock, stop in known.alive(client, max(text.clock, done), text.clock + text.units):
            for length, writer, mover in known.of(client, clock, stop - clock):
                if writer != NOBODY:
                    yield client, clock, length, writer, mover
                clock += length  # noqa: PLW2901
        done = max(done, text.clock + text.units)


class _Colours:
    """Characters that stand for an author and a mover, by the numbers of their sources.

    Past 55,040 of them, some share a colour: the last one.
    """

    def __init__(self, whose: Credits) -> None:
        self._whose = whose
        self._numbers: dict[tuple[int, int], int] = {}

    def paint(self, update: bytes, texts: Iterable[Text]) -> bytes:
        """Put colours in the place of characters, one for each unit: nothing else of the update changes."""
        parts: list[bytes] = []
        done = 0
        for text in texts:
            runs = self._whose.of(text.client, text.clock, text.units)
            raw = "".join(self._colour(writer, mover) * length for length, writer, mover in runs).encode()
            parts += [update[done : text.start], uint(len(raw)), raw]
            done = text.stop
        return b"".join([*parts, update[done:]])

    def _colour(self, writer: int, mover: int) -> str:
        if writer == NOBODY:
            return "."
        return chr(_FIRST + min(self._numbers.setdefault((writer, mover), len(self._numbers)), _COLOURS - 1))

    def sources(self) -> Sequence[tuple[Source, Source | None]]:
        """Return whom the colours stand for, in their order."""
        return [(self._whose.sources[writer], _mover(self._whose, mover)) for writer, mover in self._numbers]


def _compared(plain: Json, painted: Json, colours: _Colours) -> Iterator[AttributedText]:
    sources = colours.sources()
    stack: list[tuple[Json, Json, tuple[int, ...]]] = [(plain, painted, ())]
    while stack:
        node, coloured, path = stack.pop()
        if node["type"] != coloured["type"]:
            continue
        if node["type"] == "text":
            yield from _stretches(node["text"], coloured["text"], path, sources)
            continue
        children = zip(node.get("content", ()), coloured.get("content", ()), strict=False)
        stack += [(one, other, (*path, place)) for place, (one, other) in enumerate(children)][::-1]


def _stretches(
    text: str, colours: str, path: tuple[int, ...], sources: Sequence[tuple[Source, Source | None]]
) -> Iterator[AttributedText]:
    if utf16_length(text) != len(colours):
        return
    start = 0
    for colour, run in groupby(colours):
        stop = start + sum(1 for _ in run)
        if ord(colour) >= _FIRST:
            yield AttributedText(path, start, stop, *sources[ord(colour) - _FIRST])
        start = stop
