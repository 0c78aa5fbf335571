"""Budget of document contents that one operation answers with, in bytes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from domain.errors import Code, Rejection
from graphql_api.ports import Projected
from graphql_api.refused import Refused

MAX_CONTENT_BYTES: Final = 16 * 1024 * 1024  # of one operation; a single content may be larger
MAX_VERSIONS: Final = 20  # of one operation: each may be a whole document that is put together from the log


def markdown_size(projected: Projected) -> int:
    return len(projected.markdown)


def tree_size(projected: Projected) -> int:
    return memoryview(projected.tree).nbytes


def whole_size(projected: Projected) -> int:
    return markdown_size(projected) + tree_size(projected)


class Contents:
    """What an operation has answered with so far. Contents are loaded one at a time, and none once the budget is spent."""

    __slots__ = ("_bytes", "_most", "_turn", "_versions")

    def __init__(self, most: int = MAX_CONTENT_BYTES) -> None:
        self._most = most
        self._bytes = 0
        self._versions: set[tuple[str, int]] = set()
        self._turn = asyncio.Lock()

    async def of_document(self, load: Callable[[], Awaitable[Projected]]) -> Projected:
        """Return what `load` does; raises Refused where that is too much beside what was loaded before."""
        return await self._loaded(load, whole_size)

    async def of_version(
        self,
        version: tuple[str, int],
        load: Callable[[], Awaitable[Projected]],
        size: Callable[[Projected], int],
    ) -> Projected:
        """As `of_document`, for the part of a version that `size` weighs."""
        self._versions.add(version)
        if len(self._versions) > MAX_VERSIONS:
            said = f"at most {MAX_VERSIONS} versions are answered with their content at once: ask for fewer"
            raise Refused(Rejection(Code.LIMIT_EXCEEDED, said))
        return await self._loaded(load, size)

    async def _loaded(self, load: Callable[[], Awaitable[Projected]], size: Callable[[Projected], int]) -> Projected:
        async with self._turn:
            self._spend(0)
            projected = await load()
            self._spend(size(projected))
        return projected

    def _spend(self, size: int) -> None:
        if self._bytes and self._bytes + size > self._most:
            said = f"at most {self._most} bytes of contents are answered at once: ask for fewer documents"
            raise Refused(Rejection(Code.LIMIT_EXCEEDED, said))
        self._bytes += size
