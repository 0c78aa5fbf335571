"""Computes which formatting letters have without what one author set, by going through the log of one text.

The items that set formatting cannot simply be taken away: where others formatted within what this author formatted, theirs
end by setting the author's formatting again.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from documents.history.item_runs import Piece
from documents.yjs.lib0 import Decoder
from documents.yjs.structs import FORMAT

MAX_LOOKS: Final = 2**21  # at pieces of one text, in all

type _Attributes = dict[str, str]
"""Names with values as JSON; a value of null is not there."""

_NONE: Final[_Attributes] = {}


@dataclass(slots=True)
class Formats:
    """The formatting that each letter is to have, and what follows on the last one."""

    end: _Attributes = field(default_factory=dict)
    _of: dict[Piece | None, _Attributes] = field(default_factory=dict)

    def of(self, piece: Piece) -> _Attributes:
        return self._of.get(piece, _NONE)

    def same(self, piece: Piece, other: Piece) -> None:
        self._of[piece] = self.of(other)


def format_of(piece: Piece) -> tuple[str, str]:
    decoder = Decoder(piece.item.data)
    return decoder.text(), decoder.text()


def is_involved(pieces: Iterable[Piece], back: Collection[Piece], is_chosen: Callable[[int], bool]) -> bool:
    """Whether what was chosen set formatting in this text, or deleted letters that may have had some."""
    return bool(back) or any(
        is_chosen(piece.inserted) or (piece.deleted is not None and is_chosen(piece.deleted))
        for piece in pieces
        if piece.item.kind == FORMAT
    )


def expected(pieces: Sequence[Piece], back: Iterable[Piece], is_chosen: Callable[[int], bool]) -> Formats | None:
    """Return the formatting of the pieces of a text without what was chosen; None where that takes too much work."""
    spans = _spans(pieces, back, is_chosen)
    if 2 * len(spans) * len(pieces) > MAX_LOOKS:
        return None
    look = _Look(pieces)
    for first, last, is_theirs in spans:
        look.at(first - 1, is_taken=False)
        look.at(last, is_taken=is_theirs)
    look.at(len(pieces) and max(_last(pieces), *(last for _, last, _ in spans), 0), is_taken=False)
    return Formats(look.wanted[None], look.wanted)


def _last(pieces: Iterable[Piece]) -> int:
    return max(max(piece.inserted, piece.deleted or 0) for piece in pieces)


def _spans(
    pieces: Iterable[Piece], back: Iterable[Piece], is_chosen: Callable[[int], bool]
) -> list[tuple[int, int, bool]]:
    """Return the first and the last act of each run of acts that are all chosen or all not, where they matter here."""
    acts = {piece.deleted for piece in back if piece.deleted}
    for piece in pieces:
        if piece.item.kind == FORMAT:
            acts |= {piece.inserted, piece.deleted or 0}
    acts.discard(0)
    runs = [list(run) for _, run in groupby(sorted(acts), key=is_chosen)]
    return [(run[0], run[-1], is_chosen(run[0])) for run in runs]


class _Look:
    """Looks at a text after one act and another; what stands under None is the end of the text."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.wanted: dict[Piece | None, _Attributes] = {}
        self._seen: dict[Piece | None, _Attributes] = {}
        self._pieces = pieces

    def at(self, number: int, *, is_taken: bool) -> None:
        """Take over what was set since the last look, unless it `is_taken` back. New letters are as those before them."""
        left: tuple[_Attributes, _Attributes] | None = None
        for piece, now in self._formatted(number):
            wanted = self.wanted.get(piece)
            if wanted is None:
                wanted = now if left is None else _with(left[1], left[0], now)
            elif not is_taken:
                wanted = _with(wanted, self._seen[piece], now)
            self.wanted[piece], self._seen[piece] = wanted, now
            left = now, wanted

    def _formatted(self, number: int) -> Iterator[tuple[Piece | None, _Attributes]]:
        now: _Attributes = {}
        for piece in self._pieces:
            if not piece.is_there(number):
                continue
            if piece.item.kind != FORMAT:
                yield piece, now
                continue
            name, value = format_of(piece)
            if value == "null":
                now = {key: each for key, each in now.items() if key != name}
            elif now.get(name) != value:
                now = now | {name: value}
        yield None, now


def _with(wanted: _Attributes, was: _Attributes, now: _Attributes) -> _Attributes:
    """Return what is wanted with what changed from one to the other."""
    if was is now or was == now:
        return wanted
    changed = {name for name in (*was, *now) if was.get(name) != now.get(name)}
    kept = {name: value for name, value in wanted.items() if name not in changed}
    return kept | {name: value for name, value in now.items() if name in changed}
