"""Errors: the closed list of codes, and Rejection, the value that carries one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Code(StrEnum):
    """Every code a caller can meet, on any surface; grouped by the status a REST caller sees."""

    BAD_REQUEST = "BAD_REQUEST"
    UNAUTHORIZED = "UNAUTHORIZED"
    FORBIDDEN = "FORBIDDEN"
    NOT_FOUND = "NOT_FOUND"
    METHOD_NOT_SUPPORTED = "METHOD_NOT_SUPPORTED"

    CROSS_ORGANIZATION_MOVE = "CROSS_ORGANIZATION_MOVE"
    DRIVE_NOT_EMPTY = "DRIVE_NOT_EMPTY"
    IDEMPOTENCY_KEY_REUSED = "IDEMPOTENCY_KEY_REUSED"
    LAST_ADMIN = "LAST_ADMIN"
    LAST_OWNER = "LAST_OWNER"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    MOVE_CYCLE = "MOVE_CYCLE"
    NO_ACTIVE_ORGANIZATION = "NO_ACTIVE_ORGANIZATION"
    NOT_A_DOCUMENT = "NOT_A_DOCUMENT"
    NOT_A_FOLDER = "NOT_A_FOLDER"
    NOT_A_SHARED_DRIVE = "NOT_A_SHARED_DRIVE"
    NOT_IN_TRASH = "NOT_IN_TRASH"
    PARENT_NOT_IN_DRIVE = "PARENT_NOT_IN_DRIVE"
    PASSAGE_AMBIGUOUS = "PASSAGE_AMBIGUOUS"
    PASSAGE_NOT_FOUND = "PASSAGE_NOT_FOUND"
    REVISION_CHANGED = "REVISION_CHANGED"
    REVISION_GONE = "REVISION_GONE"
    SELF_SHARE = "SELF_SHARE"
    SHARE_EXISTS = "SHARE_EXISTS"
    STORAGE_FULL = "STORAGE_FULL"
    TREE_TOO_DEEP = "TREE_TOO_DEEP"
    UNPUBLISH_FIRST = "UNPUBLISH_FIRST"

    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"

    TOO_MANY_REQUESTS = "TOO_MANY_REQUESTS"
    INTERNAL_SERVER_ERROR = "INTERNAL_SERVER_ERROR"
    SERVICE_UNAVAILABLE = "SERVICE_UNAVAILABLE"


@dataclass(frozen=True, slots=True)
class Rejection:
    """A refusal: a code for programs and one plain sentence for people.

    `details` are what GraphQL adds in the `extensions` of its error, by name, as JSON values.
    """

    code: Code
    message: str
    details: Mapping[str, object] = field(default_factory=dict, compare=False)


# INVARIANT: whatever ended a credential, and wherever that is noticed, is answered by this one value.
UNAUTHORIZED = Rejection(Code.UNAUTHORIZED, "send a valid API key in the `x-api-key` header")
# INVARIANT: hidden and missing are this one value, so nobody can tell them apart.
NOT_FOUND = Rejection(Code.NOT_FOUND, "there is nothing here that you can see")


def forbidden(what: str) -> Rejection:
    return Rejection(Code.FORBIDDEN, f"you may not {what}")


class Unavailable(Exception):  # noqa: N818 - a state of the service that callers see
    """State cannot be reached just now, and nothing was changed; the same request may succeed later."""


def in_seconds(count: int) -> str:
    return "1 second" if count == 1 else f"{count} seconds"


class BudgetSpent(Exception):  # noqa: N818 - a state of the caller
    """A user has had more computed than they may; in `seconds` the same may be accepted."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds

    @property
    def rejection(self) -> Rejection:
        message = f"your requests took too much computing time: wait {in_seconds(self.seconds)}, as `Retry-After` says"
        return Rejection(Code.TOO_MANY_REQUESTS, message)


class Quarantined(Unavailable):
    """Loading the document ended the last processes, so it is not loaded until the operator releases it."""


QUARANTINED = Rejection(
    Code.SERVICE_UNAVAILABLE,
    "the document is quarantined, since it ended the processes that read it: ask the operator to release it",
)
