"""Cache of the latest listings, each valid while the page that it is a view of is the same."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from cachetools import LRUCache

from domain.questions import DriveContents, Page

MAX_CACHED_ITEMS: Final = 5_000  # one page of a listing, at about 3 KB each


type ListingPlace = tuple[str | None, int]


class ListingCache[Listing]:
    """Listings by their user and place: the cursor and the size of the page; a listing keeps its answers."""

    def __init__(self, most: int = MAX_CACHED_ITEMS) -> None:
        self._entries: LRUCache[tuple[str, ListingPlace], tuple[Page[DriveContents], Listing]] = LRUCache(
            most, lambda entry: 1 + sum(len(contents.items) for contents in entry[0].rows)
        )

    def get(self, user_id: str, place: ListingPlace, page: Page[DriveContents], make: Callable[[], Listing]) -> Listing:
        """Return the cached listing if its page equals `page`, or else cache and return what `make` returns."""
        known = self._entries.get((user_id, place))
        if known and known[0] == page:
            return known[1]
        listing = make()
        with suppress(ValueError):  # it is larger than the cache
            self._entries[user_id, place] = page, listing
        return listing
