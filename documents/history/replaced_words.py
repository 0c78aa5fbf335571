"""Finds words that come back in an undo beside, or around, what others wrote in the place of what had replaced them.

An edit writes what replaces a word between the letters that go (`documents.editing.apply_text`), so what others write there
later would stand in the middle of the word.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from documents.history.item_runs import Piece
from documents.history.moves import are_one_word
from documents.yjs.scan import TEXT, Id

type Stays = Callable[[Piece, int], bool]
MAX_ASIDE: Final = 2**5  # pieces that are looked at on either side of what comes back


def torn_words(
    pieces: Sequence[Piece],
    back: Collection[Piece],
    removed: Collection[Piece],
    is_chosen: Callable[[int], bool],
    written: Callable[[Piece], int],
) -> Iterator[tuple[list[Piece], Id | None]]:
    """Yield the pieces of each text that would come back torn, or as one word with one of others, and before what it can stand.

    None where that is nowhere: the word of others has taken its place. What others wrote may come `back`, too, where the author
    deleted it later with all around it, as whoever moves a block does: it stands then where it stood. `written` returns the act
    that wrote first what a piece is.
    """
    first_deleted = min(piece.deleted or 0 for piece in back)
    later = {piece.deleted for piece in back if piece.inserted > first_deleted}
    seen_later = {piece for piece in pieces if piece.deleted in later}
    removed = {*removed, *(seen_later - {*back})}
    back = {*back} - seen_later

    def is_seen(piece: Piece) -> bool:
        return piece.deleted is None or piece in seen_later

    def stays(piece: Piece, deleted: int) -> bool:
        """Whether a piece was there before the act `deleted`, and is there after the undo."""
        return piece.is_countable and is_seen(piece) and piece not in removed and piece.inserted <= deleted

    for places in _texts(pieces, back, stays):
        first, last = places[0], places[-1]
        deleted = min(pieces[at].deleted or 0 for at in places)
        before, behind = range(first - 1, -1, -1), range(last + 1, len(pieces))
        around = [
            *[*_aside(pieces, before, stays, deleted)][::-1],
            *range(first, last + 1),
            *_aside(pieces, behind, stays, deleted),
        ]
        texts = [at for at in around if pieces[at].item.kind == TEXT and pieces[at] not in back]
        seen = [at for at in texts if is_seen(pieces[at])]
        theirs = [at for at in seen if pieces[at] not in removed and pieces[at].inserted > deleted]
        if not theirs or not any(is_chosen(written(pieces[at])) for at in texts):
            continue
        said = "".join(pieces[at].text for at in places)
        begun = min(written(pieces[at]) for at in theirs)
        mine = [
            at for at in seen if pieces[at] in removed and is_chosen(number := written(pieces[at])) and number < begun
        ]
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


def _texts(pieces: Sequence[Piece], back: Collection[Piece], stays: Stays) -> Iterator[list[int]]:
    """Yield the places of pieces that come back and were side by side when they were deleted."""
    found: list[int] = []
    deleted = 0
    for at, piece in enumerate(pieces):
        if found and stays(piece, deleted):
            yield found
            found = []
        if piece in back and piece.item.kind == TEXT:
            deleted = min(deleted, piece.deleted or 0) if found else piece.deleted or 0
            found.append(at)
    if found:
        yield found


def _aside(pieces: Sequence[Piece], places: range, stays: Stays, deleted: int) -> Iterator[int]:
    for at in places[:MAX_ASIDE]:
        if stays(pieces[at], deleted):
            return
        yield at
