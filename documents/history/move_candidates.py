"""Finds the updates that may move text, without laying out the document: they insert letters that they delete.

`documents.history.moves` says which of them do. It takes the whole text of a text node, so that all letters of an inserted run are among
the deleted ones, or MIN_LETTERS of them.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from documents.history.moves import MIN_LETTERS
from documents.yjs.keystroke import Contents
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import DeletedRun, Text

_SPACES: Final = frozenset(unit for unit in range(2**16) if chr(unit).isspace())

type _Units = Counter[int]
"""How often each unit of UTF-16 occurs, white space left out."""


def may_move(updates: Sequence[bytes], read: Sequence[Contents], asked: Iterable[int]) -> list[int]:
    """Return the places of those of the `asked` updates that may move text; `read` is what the updates contain."""
    places = [place for place in asked if read[place].texts and read[place].deleted]
    if not places:
        return []
    letters = _Letters(updates, read)
    return [place for place in places if _inserts_what_it_deletes(updates[place], read[place], letters)]


def _inserts_what_it_deletes(update: bytes, of: Contents, letters: "_Letters") -> bool:
    deleted: _Units = Counter()
    for run in of.deleted:
        found = letters.of(run)
        if found is None:
            return True
        deleted.update(found)
    shared: _Units = Counter()
    for text in of.texts:
        own = Counter(_units(_data(update, text)))
        if own and own.keys() <= deleted.keys():
            return True
        shared.update(own)
    return (shared & deleted).total() >= MIN_LETTERS


class _Letters:
    """The letters that updates bring, by client and clock.

    Of all that they delete, not more is read than they bring: what honest updates delete, each deletes once.
    """

    def __init__(self, updates: Iterable[bytes], read: Iterable[Contents]) -> None:
        self._texts: dict[int, list[tuple[Text, bytes]]] = {}
        self._left = 0
        for update, of in zip(updates, read, strict=True):
            for text in of.texts:
                self._texts.setdefault(text.client, []).append((text, update))
                self._left += text.units
        for texts in self._texts.values():
            texts.sort()
        self._read: dict[tuple[int, int], bytes] = {}
        self._clocks = {client: [text.clock for text, _ in texts] for client, texts in self._texts.items()}

    def of(self, run: DeletedRun) -> Sequence[int] | None:
        """Return the letters of a run as units of UTF-16; None where some of it was not brought, or is no text."""
        texts = self._texts.get(run.client, ())
        place, clock, stop = (
            bisect_right(self._clocks.get(run.client, ()), run.clock) - 1,
            run.clock,
            run.clock + run.length,
        )
        self._left -= run.length
        if place < 0 or self._left < 0:
            return None
        found: list[int] = []
        while clock < stop:
            text = texts[place][0] if place < len(texts) else None
            if text is None or not text.clock <= clock < text.clock + text.units:
                return None
            end = min(stop, text.clock + text.units)
            data = self._data_at(run.client, place)
            found += _units(data[2 * (clock - text.clock) : 2 * (end - text.clock)])
            clock, place = end, place + 1
        return found

    def _data_at(self, client: int, place: int) -> bytes:
        data = self._read.get((client, place))
        if data is None:
            text, update = self._texts[client][place]
            data = self._read[client, place] = _data(update, text)
        return data


def _data(update: bytes, text: Text) -> bytes:
    return Decoder(update, text.start).text().encode("utf-16-le")


def _units(data: bytes) -> list[int]:
    return [unit for unit in memoryview(data).cast("H") if unit not in _SPACES]
