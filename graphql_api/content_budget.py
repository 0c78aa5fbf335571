"""Budget of the document contents in one operation's answer, in bytes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from domain.errors import Code, Rejection
from graphql_api.errors import RejectionError
from graphql_api.ports import DocumentContent

MAX_CONTENT_BYTES: Final = 16 * 1024 * 1024  # of one operation; a single content may be larger
MAX_VERSIONS: Final = 20  # of one operation: each may be a whole document, put together from the log


def markdown_size(content: DocumentContent) -> int:
    return len(content.markdown)


def tree_size(content: DocumentContent) -> int:
    return memoryview(content.tree).nbytes


def whole_size(content: DocumentContent) -> int:
    return markdown_size(content) + tree_size(content)


class ContentBudget:
    """Budget of one operation, whose contents are loaded one at a time, and none once it is spent."""

    __slots__ = ("_bytes", "_lock", "_most", "_versions")

    def __init__(self, most: int = MAX_CONTENT_BYTES) -> None:
        self._most = most
        self._bytes = 0
        self._versions: set[tuple[str, int]] = set()
        self._lock = asyncio.Lock()

    async def of_document(self, load: Callable[[], Awaitable[DocumentContent]]) -> DocumentContent:
        """Return what `load` does; raises RejectionError (LIMIT_EXCEEDED) where the budget does not hold it."""
        return await self._loaded(load, whole_size)

    async def of_version(
        self,
        version: tuple[str, int],
        load: Callable[[], Awaitable[DocumentContent]],
        size: Callable[[DocumentContent], int],
    ) -> DocumentContent:
        """Return what `load` does, as `of_document`, and spend what `size` says of it."""
        self._versions.add(version)
        if len(self._versions) > MAX_VERSIONS:
            message = f"at most {MAX_VERSIONS} versions are answered with their content at once: ask for fewer"
            raise RejectionError(Rejection(Code.LIMIT_EXCEEDED, message))
        return await self._loaded(load, size)

    async def _loaded(
        self, load: Callable[[], Awaitable[DocumentContent]], size: Callable[[DocumentContent], int]
    ) -> DocumentContent:
        async with self._lock:
            self._spend(0)
            content = await load()
            self._spend(size(content))
        return content

    def _spend(self, size: int) -> None:
        if self._bytes and self._bytes + size > self._most:
            message = f"at most {self._most} bytes of contents are answered at once: ask for fewer documents"
            raise RejectionError(Rejection(Code.LIMIT_EXCEEDED, message))
        self._bytes += size
