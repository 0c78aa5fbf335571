"""Idempotency keys: recognizes a repeated request, so that its effect happens once."""

from dataclasses import dataclass

from domain.errors import Code, Rejection


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """One request under an idempotency key, which belongs to a user and an operation; `digest` is of the request."""

    user_id: str
    operation: str
    key: str
    digest: str


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """The first request with the key, and the id of the object that it made ("" if none)."""

    digest: str
    result_id: str


def replay(key: IdempotencyKey, recorded: RecordedRequest) -> str | Rejection:
    """Return what the first request made, where this is the same request."""
    if recorded.digest != key.digest:
        return Rejection(Code.IDEMPOTENCY_KEY_REUSED, "this idempotency key came with another request: use a new key")
    return recorded.result_id
