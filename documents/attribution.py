"""Attributes every stretch of a document's text to its author and minute.

The library does not expose the client id and clock of a character. So the document is loaded twice: as it is, and from
the same updates with every character replaced by one that stands for its author, its colour. The place, deletion and
formatting of characters do not depend on what they are, so the two trees have the same shape, and the second holds the
authors of the text in the first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from pycrdt import Doc

from documents.copies import Copied
from documents.credits import NOBODY, Credits, Source
from documents.keystroke import Contents, contents
from documents.lib0 import uint
from documents.replay import LoggedEdit, LogSince, replayed
from documents.scan import Refused, Text, text_spans
from documents.snapshot import load
from documents.tree import Json, tree

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
    """A stretch of one text node: `path` leads to it by places in `content`, `start` and `stop` are units of UTF-16."""

    path: tuple[int, ...]
    start: int
    stop: int
    source: Source


@dataclass(slots=True)
class CreditedRange:
    """A run of clocks of one Yjs client, one for each unit of UTF-16; every letter of it that is shown is of `source`."""

    client: int
    clock: int
    length: int
    source: Source


def kept(encoded: bytes | None, snapshot: bytes | None) -> Credits | Refused:
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


def _with_moves(snapshot: bytes | None, log: Sequence[Logged], read: Iterable[Contents]) -> Sequence[Logged]:
    may_move = [each.copied is None and bool(of.texts and of.deleted) for each, of in zip(log, read, strict=True)]
    if not any(may_move):
        return log
    edits = [
        LoggedEdit(each.update, each.source.user_id, each.source.agent, each.source.at, each.copied if moves else ())
        for each, moves in zip(log, may_move, strict=True)
    ]
    made = replayed(LogSince(0, (snapshot,) if snapshot else (), tuple(edits)))
    if isinstance(made, Refused):
        return log
    found = zip(log, may_move, made.copied, strict=True)
    return [replace(each, copied=copied) if moves else each for each, moves, copied in found]


def credited(known: Credits, log: Iterable[Logged]) -> Credits | Refused:
    """Add what the updates brought and deleted, in their order, to what is known."""
    for each in log:
        read = contents(each.update)
        if isinstance(read, Refused):
            return read
        known.add(read.ends, each.source, each.copied or ())
        known.delete(read.deleted, each.source)
    return known


def attributions(snapshot: bytes | None, known: Credits, log: Sequence[Logged]) -> list[AttributedText] | Refused:
    """Return who wrote what of the document that the snapshot, credited as `known`, and the log after it make."""
    updates = [*([snapshot] if snapshot else []), *(each.update for each in log)]
    doc = load(None, updates)
    logged = with_moves(snapshot, log)
    whose = logged if isinstance(logged, Refused) else credited(known, logged)
    if isinstance(doc, Refused):
        return doc
    if isinstance(whose, Refused):
        return whose
    painted = _painted(updates, whose)
    if isinstance(painted, Refused):
        return painted
    return list(_compared(tree(doc), tree(painted), whose.sources))


def credited_ranges(snapshot: bytes | None, known: Credits, log: Sequence[Logged]) -> list[CreditedRange] | Refused:
    """Return whose the letters are that are not deleted, as `attributions` does, in the order of clients and clocks.

    A range goes on over what is deleted or no letter, so that there are no more of them than changes of the author.
    Letters that nobody is known to have written are in none.
    """
    texts: list[Text] = []
    if snapshot:
        begun = text_spans(snapshot)
        if isinstance(begun, Refused):
            return begun
        texts += begun.texts
        known.delete(begun.deleted, None)
    read = _contents(log)
    if isinstance(read, Refused):
        return read
    for each, of in zip(_with_moves(snapshot, log, read), read, strict=True):
        texts += of.texts
        known.add(of.ends, each.source, each.copied or ())
        known.delete(of.deleted, each.source)
    ranges: list[CreditedRange] = []
    for client, clock, length, source in _letters(texts, known):
        last = ranges[-1] if ranges else None
        if last and last.client == client and last.source == source:
            last.length = clock + length - last.clock
        else:
            ranges.append(CreditedRange(client, clock, length, source))
    return ranges


def _letters(texts: Iterable[Text], known: Credits) -> Iterator[tuple[int, int, int, Source]]:
    """Yield the client, clock, length and source of letters that are not deleted, each once though updates repeat it."""
    client, done = -1, 0
    for text in sorted(texts):
        if text.client != client:
            client, done = text.client, 0
        for clock, stop in known.alive(client, max(text.clock, done), text.clock + text.units):
            for length, number in known.of(client, clock, stop - clock):
                if number != NOBODY:
                    yield client, clock, length, known.sources[number]
                clock += length  # noqa: PLW2901
        done = max(done, text.clock + text.units)


def _painted(updates: Iterable[bytes], whose: Credits) -> Doc[Any] | Refused:
    made: list[bytes] = []
    for update in updates:
        read = contents(update)
        if isinstance(read, Refused):
            return read
        made.append(_paint(update, read.texts, whose))
    return load(None, made)


def _paint(update: bytes, texts: Iterable[Text], whose: Credits) -> bytes:
    """Put colours in the place of characters, one for each unit: nothing else of the update changes."""
    parts: list[bytes] = []
    done = 0
    for text in texts:
        paint = "".join(_colour(number) * length for length, number in whose.of(text.client, text.clock, text.units))
        raw = paint.encode()
        parts += [update[done : text.start], uint(len(raw)), raw]
        done = text.stop
    return b"".join([*parts, update[done:]])


def _colour(number: int) -> str:
    """Past 55,040 minutes in which somebody wrote, some share a colour: the last one."""
    return "." if number == NOBODY else chr(_FIRST + min(number, _COLOURS - 1))


def _compared(plain: Json, painted: Json, sources: Sequence[Source]) -> Iterator[AttributedText]:
    stack: list[tuple[Json, Json, tuple[int, ...]]] = [(plain, painted, ())]
    while stack:
        node, colours, path = stack.pop()
        if node["type"] != colours["type"]:
            continue
        if node["type"] == "text":
            yield from _stretches(node["text"], colours["text"], path, sources)
            continue
        children = zip(node.get("content", ()), colours.get("content", ()), strict=False)
        stack += [(one, other, (*path, place)) for place, (one, other) in enumerate(children)][::-1]


def _stretches(text: str, colours: str, path: tuple[int, ...], sources: Sequence[Source]) -> Iterator[AttributedText]:
    if len(text.encode("utf-16-le", "surrogatepass")) // 2 != len(colours):
        return
    start = 0
    for colour, run in groupby(colours):
        stop = start + sum(1 for _ in run)
        if ord(colour) >= _FIRST:
            yield AttributedText(path, start, stop, sources[ord(colour) - _FIRST])
        start = stop
