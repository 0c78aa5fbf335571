"""Limits of what operations read: questions asked of the store, what one user has done at once, and contents of documents."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final
from weakref import WeakValueDictionary

from contract.errors import RejectionError
from domain.errors import Code, Rejection
from graphql_api.ports import DocumentContent

MAX_QUESTIONS: Final = 1_000  # of one operation
FREE_QUESTIONS: Final = 10  # of one operation, which do not wait
MAX_AT_ONCE: Final = 2  # of one user beyond the free ones, so that a quarter of the readers serves any one user
MAX_REQUESTS: Final = 4  # of one user that run at once, over all surfaces; further ones wait
MAX_DRIVE_READS: Final = 1  # of the new events of one drive, so that who follows it meanwhile shares the next one
MAX_SEARCHES: Final = 1  # of one user at once
SEARCH_SECONDS: Final = 2.0  # of one search: some words are in so many items that it takes longer
MAX_LISTED_FIELDS: Final = 500_000  # of one operation, in lists that are looked up for many parents at once
MAX_CONTENT_BYTES: Final = 16 * 1024 * 1024  # of one operation; a single content may be larger
MAX_VERSIONS: Final = 20  # of one operation: each may be a whole document, put together from the log


def too_many_questions() -> RejectionError:
    message = f"answering this takes more than {MAX_QUESTIONS} look-ups: ask for fewer items, or for less of each"
    return RejectionError(Rejection(Code.LIMIT_EXCEEDED, message))


def too_long_a_search() -> RejectionError:
    message = "the search takes too long: search a drive or a folder, or for rarer words"
    return RejectionError(Rejection(Code.LIMIT_EXCEEDED, message))


class Slots:
    """Bound on what is done at once of one user (or drive), `at_once` of a kind; one with nothing under way takes no memory."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._slots: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def slot(self, id_: str) -> asyncio.Semaphore:
        """Return what is held while something of this user (or drive) is done."""
        return self._slots.setdefault(id_, asyncio.Semaphore(self._at_once))


def markdown_size(content: DocumentContent) -> int:
    return len(content.markdown)


def tree_size(content: DocumentContent) -> int:
    return memoryview(content.tree).nbytes


class ListingBudget:
    """Budget of one operation for the fields of items that are looked up for many parents at once."""

    __slots__ = ("_fields", "_most")

    def __init__(self, most: int = MAX_LISTED_FIELDS) -> None:
        self._most = most
        self._fields = 0

    def spend(self, fields: int) -> None:
        """Count fields that are answered; raises RejectionError (LIMIT_EXCEEDED) where they are too many."""
        self._fields += fields
        if self._fields > self._most:
            message = f"the lists within lists hold more than {self._most} fields: ask for a smaller `first`, or for fewer fields"
            raise RejectionError(Rejection(Code.LIMIT_EXCEEDED, message))


class ContentBudget:
    """Budget of one operation, whose contents are loaded one at a time, and none once it is spent."""

    __slots__ = ("_bytes", "_lock", "_most", "_versions")

    def __init__(self, most: int = MAX_CONTENT_BYTES) -> None:
        self._most = most
        self._bytes = 0
        self._versions: set[tuple[str, int]] = set()
        self._lock = asyncio.Lock()

    async def loaded[Content](
        self, load: Callable[[], Awaitable[Content]], *sizes: Callable[[Content], int]
    ) -> Content:
        """Return what `load` does and spend the `sizes` of it; raises RejectionError (LIMIT_EXCEEDED) where they are too much."""
        async with self._lock:
            self._check(0)
            content = await load()
            size = sum([each(content) for each in sizes])
            self._check(size)
            self._bytes += size
        return content

    async def of_version(
        self,
        version: tuple[str, int],
        load: Callable[[], Awaitable[DocumentContent]],
        size: Callable[[DocumentContent], int],
    ) -> DocumentContent:
        """As `loaded`, within the number of versions."""
        self._versions.add(version)
        if len(self._versions) > MAX_VERSIONS:
            message = f"at most {MAX_VERSIONS} versions are answered with their content at once: ask for fewer"
            raise RejectionError(Rejection(Code.LIMIT_EXCEEDED, message))
        return await self.loaded(load, size)

    def add(self, size: int) -> None:
        """Count content that is answered in any case, since it tells what was done."""
        self._bytes += size

    def _check(self, size: int) -> None:
        if self._bytes and self._bytes + size > self._most:
            message = f"at most {self._most} bytes of contents are answered at once: ask for fewer documents"
            raise RejectionError(Rejection(Code.LIMIT_EXCEEDED, message))
