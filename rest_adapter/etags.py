"""Computes ETags: a digest of the whole answer, in which large parts are represented by their own digests.

A document's projections are the same objects until it changes, so their digests are cached with them: at 2 GB/s the
digest of a long document would be a third of the cost of reading it.
"""

import hashlib
from typing import Final

import msgspec
from cachetools import FIFOCache

from edge.responses import encode

LARGE: Final = 16_384
MAX_KEPT: Final = 16


def _digest(content: bytes | memoryview) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


class ETags:
    """Makes ETags, keeping the large values whose digests were asked for last."""

    def __init__(self) -> None:
        # INVARIANT: a value is kept as long as its digest, so that its id is nobody else's
        self._kept: FIFOCache[int, tuple[object, str]] = FIFOCache(MAX_KEPT)

    def tag(self, answer: object) -> str:
        told = {name: self._told(value) for name, value in answer.items()} if isinstance(answer, dict) else answer
        return f'"{_digest(encode(told))}"'

    def _told(self, value: object) -> object:
        """Return what tells `value` from any other: itself, or in a list, which no answer is, its digest."""
        match value:
            case str() if len(value) > LARGE:
                return [self._known(value) or self._keep(value, _digest(value.encode()))]
            case msgspec.Raw() if len(content := memoryview(value)) > LARGE:
                return [self._known(value) or self._keep(value, _digest(content))]
            case _:
                return value

    def _known(self, value: object) -> str | None:
        kept = self._kept.get(id(value))
        return kept[1] if kept else None

    def _keep(self, value: object, digest: str) -> str:
        self._kept[id(value)] = (value, digest)
        return digest
