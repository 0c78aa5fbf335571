"""How a list in memory is cut into pages that go on after a place, whatever came or went meanwhile."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime

from domain.cursor import Cursor, decode_cursor, encode_cursor
from domain.questions import NOWHERE, Page
from domain.values import is_id

type Key = tuple[str | int, ...]


def moment(at: datetime | None) -> int:
    """Return a time as a whole number that sorts as it does."""
    return 0 if at is None else round(at.timestamp() * 1000)


def closed(place: Key) -> Cursor:
    """Return a place in a list as opaque text."""
    return encode_cursor(json.dumps(place, ensure_ascii=False).encode())


def opened(cursor: str, kinds: tuple[type, ...]) -> Key | None:
    """Return the place, or None where the cursor is none of a list that is ordered by keys of these kinds, an id last."""
    encoded = decode_cursor(cursor)
    if encoded is None:
        return None
    try:
        place = json.loads(encoded)
    except ValueError:
        return None
    whole = isinstance(place, list) and tuple(type(part) for part in place) == kinds
    return tuple(place) if whole and is_id(place[-1]) else None


def page[Row](
    rows: Iterable[Row],
    key: Callable[[Row], Key],
    kinds: tuple[type, ...],
    first: int,
    after: str | None,
    *,
    descending: bool = False,
) -> Page[Row]:
    """Return the first rows in the order of `key`, whose parts are of `kinds`, after the place that `after` names."""
    ranked = sorted(rows, key=key, reverse=descending)
    if after is not None:
        place = opened(after, kinds)
        if place is None:
            return NOWHERE
        ranked = [row for row in ranked if (key(row) < place if descending else key(row) > place)]
    shown = tuple(ranked[:first])
    cursors = tuple(closed(key(row)) for row in shown)
    return Page(shown, cursors[-1] if shown and len(ranked) > first else None, cursors)
