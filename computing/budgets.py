"""CPU seconds that each user may have computed: token buckets that jobs are taken from by what they really took."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from domain.credit import Payer, payer_id
from domain.errors import BudgetSpent

MAX_BUCKETS: Final = 100_000
RESERVED: Final = 0.25  # of a user's budget, for their web session alone: no agent locks its own user out
SECONDS_PER_BYTE: Final = 0.5 / 2**20  # what a job is taken to need of its inputs before it begins; measured

type Settle = Callable[[float], None]
"""Corrects the bucket that an estimate was taken from, once it is known how many seconds a job took."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A bucket of `seconds` of CPU time, to which `refill` seconds are added in each second."""

    seconds: float = 60.0
    refill: float = 0.5

    def share(self, of: float) -> "Budget":
        return Budget(self.seconds * of, self.refill * of)


@dataclass(slots=True)
class _Bucket:
    budget: Budget
    left: float  # below zero where a job took more than was there
    at: float

    def fill(self, now: float) -> None:
        self.left = min(self.budget.seconds, self.left + (now - self.at) * self.budget.refill)
        self.at = now

    def wait(self, seconds: float) -> float:
        """Return in how many seconds there is as much; a full bucket has enough for anything."""
        return max(0.0, (min(seconds, self.budget.seconds) - self.left) / self.budget.refill)


@dataclass(slots=True)
class Budgets:
    """The buckets of all payers, at most `most`; `now` is in seconds. What the service itself has computed costs nobody."""

    budget: Budget = Budget()
    now: Callable[[], float] = monotonic
    most: int = MAX_BUCKETS
    _buckets: dict[str, _Bucket] = field(default_factory=dict)

    def reserve(self, by: Payer, size: int) -> Settle:
        """Take what a job of `size` bytes may need from a bucket of the payer's. Raises BudgetSpent."""
        if not payer_id(by):
            return lambda _: None
        estimate, waits = size * SECONDS_PER_BYTE, list[float]()
        for bucket in self._buckets_of(by):
            wait = bucket.wait(estimate)
            if wait <= 0:
                bucket.left -= estimate
                return lambda took: self._settle(bucket, took - estimate)
            waits.append(wait)
        raise BudgetSpent(max(1, math.ceil(min(waits))))

    def _settle(self, bucket: _Bucket, more: float) -> None:
        bucket.fill(self.now())
        bucket.left -= more

    def _buckets_of(self, by: Payer) -> Iterator[_Bucket]:
        """Yield the buckets of a payer, in the order in which they are emptied."""
        if not isinstance(by, str) and by.is_session:
            yield self._bucket(f"session of {by.user_id}", self.budget.share(RESERVED))
        yield self._bucket(payer_id(by), self.budget.share(1 - RESERVED))

    def _bucket(self, key: str, budget: Budget) -> _Bucket:
        now = self.now()
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self.most:
                self._forget(now)
            bucket = self._buckets[key] = _Bucket(budget, budget.seconds, now)
        bucket.fill(now)
        return bucket

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again, and the fullest tenth of the others."""
        for bucket in self._buckets.values():
            bucket.fill(now)
        fullest = sorted(self._buckets, key=lambda key: self._buckets[key].wait(math.inf))
        full = sum(1 for each in self._buckets.values() if each.left >= each.budget.seconds)
        for key in fullest[: max(full, self.most // 10, 1)]:
            del self._buckets[key]
