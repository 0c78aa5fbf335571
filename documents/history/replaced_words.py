"""Finds where text comes back that an undo would tear: others wrote between its letters, in what had replaced it.

An edit writes what replaces a word between the letters that go (`documents.editing.apply_text`), so what others write there
later would stand in the middle of the word.
"""

from collections.abc import Callable, Collection, Iterator, Sequence

from documents.history.item_runs import Piece
from documents.history.moves import are_one_word
from documents.yjs.scan import TEXT, Id


def torn_texts(
    pieces: Sequence[Piece], back: Collection[Piece], removed: Collection[Piece], is_chosen: Callable[[int], bool]
) -> Iterator[tuple[list[Piece], Id | None]]:
    """Yield the pieces of each text that would come back torn, and before what all of it can stand.

    None where it would run together with a word of others: theirs has taken its place.
    """
    for places in _texts(pieces, back):
        first, last = places[0], places[-1]
        deleted = pieces[first].deleted or 0
        within = [at for at in range(first + 1, last) if pieces[at].item.kind == TEXT and pieces[at] not in back]
        mine = [at for at in within if pieces[at] in removed]
        theirs = [
            at
            for at in within
            if pieces[at].deleted is None and pieces[at] not in removed and pieces[at].inserted > deleted
        ]
        if not theirs or not any(is_chosen(pieces[at].inserted) for at in within):
            continue
        said = "".join(pieces[at].text for at in places)
        for place in mine[:1] or [theirs[0], last]:
            before, behind = (
                "".join(pieces[at].text for at in found)
                for found in ([at for at in theirs if at < place], [at for at in theirs if at >= place])
            )
            if not are_one_word(before[-1:], said[:1]) and not are_one_word(said[-1:], behind[:1]):
                yield [pieces[at] for at in places if at != place], pieces[place].id
                break
        else:
            yield [pieces[at] for at in places], None


def _texts(pieces: Sequence[Piece], back: Collection[Piece]) -> Iterator[list[int]]:
    """Yield the places of pieces that were side by side when one act deleted them, where these are several."""
    found: list[int] = []
    for at, piece in enumerate(pieces):
        if found and (deleted := pieces[found[0]].deleted) is not None:
            stands_between = piece.is_countable and piece.inserted < deleted and piece.is_there(deleted)
            if stands_between or (piece in back and piece.deleted != deleted):
                if len(found) > 1:
                    yield found
                found = []
        if piece in back and piece.item.kind == TEXT:
            found.append(at)
    if len(found) > 1:
        yield found
