"""Computes ETags: a digest of the whole answer, in which large parts are represented by their own digests.

A document's projections are the same objects until it changes, so their digests are cached with them: at 2 GB/s the
digest of a long document would be a third of the cost of reading it. Few bytes are kept, since whoever edits and reads a
document of megabytes makes other objects each time.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import msgspec
from cachetools import LRUCache

from edge.responses import encode

LARGE: Final = 16_384
MAX_KEPT_BYTES: Final = 8 * 1024 * 1024


def _digest(content: bytes | memoryview) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class _Kept:
    value: object
    digest: str
    size: int


class ETags:
    """Makes ETags, keeping the large values whose digests were asked for last."""

    def __init__(self) -> None:
        # INVARIANT: a value is kept as long as its digest, so that its id is nobody else's
        self._kept: LRUCache[int, _Kept] = LRUCache(MAX_KEPT_BYTES, lambda kept: kept.size)

    def tag(self, answer: object) -> str:
        told = {name: self._told(value) for name, value in answer.items()} if isinstance(answer, dict) else answer
        return f'"{_digest(encode(told))}"'

    def _told(self, value: object) -> object:
        """Return what tells `value` from any other: itself, or in a list, which no answer is, its digest."""
        match value:
            case str() if len(value) > LARGE:
                return [self._known(value) or self._keep(value, value.encode())]
            case msgspec.Raw() if len(content := memoryview(value)) > LARGE:
                return [self._known(value) or self._keep(value, content)]
            case _:
                return value

    def _known(self, value: object) -> str | None:
        kept = self._kept.get(id(value))
        return kept.digest if kept else None

    def _keep(self, value: object, content: bytes | memoryview) -> str:
        kept = _Kept(value, _digest(content), len(content))
        with suppress(ValueError):  # it is larger than all that is kept
            self._kept[id(value)] = kept
        return kept.digest
