"""How a request that is sent again is known, so that its effect happens once."""

from dataclasses import dataclass

from domain.errors import Code, Rejection


@dataclass(frozen=True, slots=True)
class Once:
    """One request under an idempotency key, which belongs to a user and an operation; `digest` is of the request."""

    user_id: str
    operation: str
    key: str
    digest: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the first request under the key was, and the id of what it made ("" where it made nothing)."""

    digest: str
    result_id: str


def again(once: Once, remembered: Remembered) -> str | Rejection:
    """Return what the first request made, where this is the same request."""
    if remembered.digest != once.digest:
        return Rejection(Code.IDEMPOTENCY_KEY_REUSED, "this idempotency key came with another request: use a new key")
    return remembered.result_id
