"""Rate limiter: token buckets, each stored as the time at which it is full again."""

import ipaddress
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Final

from domain.caller import Caller

MAX_BUCKETS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Rate:
    """`quota` requests in `window` seconds: a bucket of that many tokens which fills up in that time.

    `divided`: among the servers on one database, in equal parts.
    """

    name: str
    quota: int
    window: float = 60.0
    divided: bool = False

    @property
    def reserved(self) -> int:
        """How much of a user's quota their web session alone may spend: keys and connected applications share the rest."""
        return self.quota // 4


@dataclass(frozen=True, slots=True)
class RateLimitResult:
    """Whether the request may go on, and what the bucket is like after it; seconds are from now."""

    rate: Rate
    allowed: bool
    remaining: int
    full_in: float
    next_in: float

    @property
    def headers(self) -> tuple[tuple[bytes, bytes], ...]:
        """The headers of draft-ietf-httpapi-ratelimit-headers: the policy and its remainder."""
        rate = self.rate
        return (
            (b"ratelimit-policy", f'"{rate.name}";q={rate.quota};w={math.ceil(rate.window)}'.encode()),
            (b"ratelimit", f'"{rate.name}";r={self.remaining};t={math.ceil(self.full_in)}'.encode()),
        )

    @property
    def retry_after(self) -> int:
        return max(1, math.ceil(self.next_in))


def spend_tokens(full_at: float, rate: Rate, now: float, tokens: int = 1) -> tuple[float, RateLimitResult]:
    """Take `tokens` (0 only looks) from the bucket that is full again at `full_at`; a refusal takes none."""
    each = rate.window / rate.quota
    full_at = max(full_at, now)
    taken = full_at + tokens * each
    allowed = taken - now <= rate.window + each * 1e-6
    after = taken if allowed else full_at
    remaining = max(0, math.floor((rate.window - (after - now)) / each + 1e-6))
    return after, RateLimitResult(rate, allowed, remaining, after - now, max(0.0, after + each - rate.window - now))


@dataclass(frozen=True, slots=True)
class Rates:
    """The rate limits; each is a setting, but that of the refusals and that of the messages over GraphQL's sockets that go at once."""

    reads: Rate = Rate("reads", 600, divided=True)
    writes: Rate = Rate("writes", 600, divided=True)
    images: Rate = Rate("images", 30)
    failed_sign_ins: Rate = Rate("failed-sign-ins", 20)
    invitations: Rate = Rate("invitations", 50, 86_400.0)
    accounts: Rate = Rate("accounts", 20, 3_600.0)
    registrations: Rate = Rate("registrations", 20, 3_600.0)
    token_requests: Rate = Rate("token-requests", 120)
    refusals: Rate = Rate("refusals", 60)
    messages: Rate = Rate("messages", 1_800)


@dataclass(slots=True)
class RateLimiter:
    """Token buckets, at most `most` of them; full ones are dropped, since a new bucket is full. `servers` counts those on the database.

    A user has two for each rate: one that all their credentials share, and one for their web session alone, which it
    empties first. So no agent locks its own user out. What is counted by a name, such as an address, has one.
    """

    rates: Rates = Rates()
    now: Callable[[], float] = monotonic
    most: int = MAX_BUCKETS
    servers: Callable[[], int] = lambda: 1
    _full_at: dict[tuple[str, str], float] = field(default_factory=dict)

    def spend(self, rate: Rate, who: str | Caller) -> RateLimitResult:
        return self._take(rate, who, 1)

    def peek(self, rate: Rate, who: str | Caller) -> RateLimitResult:
        return self._take(rate, who, 0)

    def refund(self, rate: Rate, who: str) -> None:
        """Undo a `spend`, where only failures count and this was none."""
        self._update(rate, who, -1)

    def _take(self, rate: Rate, who: str | Caller, tokens: int) -> RateLimitResult:
        if rate.divided and (servers := self.servers()) > 1:
            rate = replace(rate, quota=max(1, rate.quota // servers))
        if isinstance(who, str):
            return self._update(rate, who, tokens)
        shared = replace(rate, quota=rate.quota - rate.reserved)
        if who.session_id is None or not rate.reserved:
            return self._update(shared, who.user_id, tokens)
        own = self._update(replace(rate, quota=rate.reserved), f"session of {who.user_id}", tokens)
        rest = self._update(shared, who.user_id, 0 if own.allowed else tokens)
        return RateLimitResult(
            rate,
            own.allowed or rest.allowed,
            own.remaining + rest.remaining,
            max(own.full_in, rest.full_in),
            min(own.next_in, rest.next_in),
        )

    def _update(self, rate: Rate, who: str, tokens: int) -> RateLimitResult:
        key, now = (rate.name, who), self.now()
        full_at, verdict = spend_tokens(self._full_at.get(key, 0.0), rate, now, tokens)
        if tokens:
            if key not in self._full_at and len(self._full_at) >= self.most:
                self._forget(now)
            self._full_at[key] = full_at
        return verdict

    def _forget(self, now: float) -> None:
        for key in [key for key, full_at in self._full_at.items() if full_at <= now]:
            del self._full_at[key]
        # the others spent recently: the fullest tenth goes, and gains the least by it
        surplus = len(self._full_at) - self.most + max(1, self.most // 10)
        for key in sorted(self._full_at, key=self._full_at.__getitem__)[: max(0, surplus)]:
            del self._full_at[key]


def sign_in_rate_headers(limiter: RateLimiter | None, address: str) -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers of an answer to nobody at the address, as `client_network` has it; none where nothing is limited."""
    return limiter.peek(limiter.rates.failed_sign_ins, address).headers if limiter else ()


def client_network(address: str) -> str:
    """Return what counts as one address: an IPv6 user has a whole /64 of them."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))
    return address
