"""Finds words that come back in an undo beside, or around, what others wrote in the place of what had replaced them.

An edit writes what replaces a word between the letters that go (`documents.editing.apply_text`), so what others write there
later would stand in the middle of the word.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from documents.history.item_runs import Piece
from documents.history.moves import are_one_word
from documents.yjs.scan import TEXT, Id

MAX_ASIDE: Final = 2**6  # pieces that are looked at on either side of what comes back


def torn_words(
    pieces: Sequence[Piece], back: Collection[Piece], removed: Collection[Piece], is_chosen: Callable[[int], bool]
) -> Iterator[tuple[list[Piece], Id | None]]:
    """Yield the pieces of each text that would come back torn, or as one word with one of others, and before what it can stand.

    None where that is nowhere: the word of others has taken its place.
    """
    for places in _texts(pieces, back):
        first, last = places[0], places[-1]
        deleted = pieces[first].deleted or 0
        around = [*_aside(pieces, range(first - 1, -1, -1), deleted)][::-1]
        around += [*range(first, last + 1), *_aside(pieces, range(last + 1, len(pieces)), deleted)]
        texts = [at for at in around if pieces[at].item.kind == TEXT and pieces[at] not in back]
        seen = [at for at in texts if pieces[at].deleted is None]
        theirs = [at for at in seen if pieces[at] not in removed and pieces[at].inserted > deleted]
        if not theirs or not any(is_chosen(pieces[at].inserted) for at in texts):
            continue
        said = "".join(pieces[at].text for at in places)
        mine = [at for at in seen if pieces[at] in removed]
        is_torn = any(first < at < last for at in theirs)
        if not is_torn and _stands_apart(pieces, said, (mine, theirs), first):
            continue
        candidates = mine[:1] or [theirs[0], last]
        fits = (place for place in candidates if _stands_apart(pieces, said, (mine, theirs), place))
        place = next(fits, None)
        if place is None:
            yield [pieces[at] for at in places], None
        else:
            yield [pieces[at] for at in places if at != place], pieces[place].id


def _stands_apart(pieces: Sequence[Piece], said: str, around: tuple[Sequence[int], Sequence[int]], place: int) -> bool:
    """Whether a text that comes back at a place is one word with one of others only where the text that it replaces is."""
    mine, theirs = around
    before = next((at for at in reversed(theirs) if at < place), None)
    behind = next((at for at in theirs if at >= place), None)
    if before is not None and are_one_word(pieces[before].text[-1:], said[:1]):
        other = next((at for at in mine if at > before), None)
        if other is None or not are_one_word(pieces[before].text[-1:], pieces[other].text[:1]):
            return False
    if behind is not None and are_one_word(said[-1:], pieces[behind].text[:1]):
        other = next((at for at in reversed(mine) if at < behind), None)
        return other is not None and are_one_word(pieces[other].text[-1:], pieces[behind].text[:1])
    return True


def _texts(pieces: Sequence[Piece], back: Collection[Piece]) -> Iterator[list[int]]:
    """Yield the places of pieces that were side by side when one act deleted them."""
    found: list[int] = []
    deleted = 0
    for at, piece in enumerate(pieces):
        if found and (_stayed(piece, deleted) or (piece in back and piece.deleted != deleted)):
            yield found
            found = []
        if piece in back and piece.item.kind == TEXT:
            found.append(at)
            deleted = piece.deleted or 0
    if found:
        yield found


def _aside(pieces: Sequence[Piece], places: Sequence[int], deleted: int) -> Iterator[int]:
    """Yield the places from one on up to what was there before this act and after it."""
    for at in places[:MAX_ASIDE]:
        if _stayed(pieces[at], deleted):
            return
        yield at


def _stayed(piece: Piece, number: int) -> bool:
    return piece.is_countable and piece.inserted < number and piece.is_there(number)
