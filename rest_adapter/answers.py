"""What leaves the server: a status, headers and a body, the envelope of every failure among them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import msgspec
from graphql import GraphQLError
from litestar.types import Receive, Scope, Send

from domain.errors import Code, Rejection
from graphql_api.refused import rejection_of

type Headers = tuple[tuple[bytes, bytes], ...]

JSON: Final = (b"content-type", b"application/json")
NO_STORE: Final = (b"cache-control", b"no-store")
NOTHING_TO_SNIFF: Final = (b"x-content-type-options", b"nosniff")

encode: Final = msgspec.json.Encoder().encode

STATUS: Final[Mapping[Code, int]] = MappingProxyType(
    {
        Code.BAD_REQUEST: 400,
        Code.UNAUTHORIZED: 401,
        Code.FORBIDDEN: 403,
        Code.NOT_FOUND: 404,
        Code.METHOD_NOT_SUPPORTED: 405,
        Code.DRIVE_NOT_EMPTY: 409,
        Code.IDEMPOTENCY_KEY_REUSED: 409,
        Code.LAST_ADMIN: 409,
        Code.LAST_OWNER: 409,
        Code.NO_ACTIVE_ORGANIZATION: 409,
        Code.NOT_A_SHARED_DRIVE: 409,
        Code.NOT_IN_TRASH: 409,
        Code.SELF_SHARE: 409,
        Code.SHARE_EXISTS: 409,
        Code.UNPUBLISH_FIRST: 409,
        Code.PAYLOAD_TOO_LARGE: 413,
        Code.UNSUPPORTED_MEDIA_TYPE: 415,
        Code.CROSS_ORGANIZATION_MOVE: 422,
        Code.LIMIT_EXCEEDED: 422,
        Code.MOVE_CYCLE: 422,
        Code.NOT_A_DOCUMENT: 422,
        Code.NOT_A_FOLDER: 422,
        Code.PARENT_NOT_IN_DRIVE: 422,
        Code.TREE_TOO_DEEP: 422,
        Code.TOO_MANY_REQUESTS: 429,
        Code.INTERNAL_SERVER_ERROR: 500,
        Code.SERVICE_UNAVAILABLE: 503,
    }
)

FAULT: Final = rejection_of(GraphQLError(""))
UNAUTHORIZED: Final = Rejection(Code.UNAUTHORIZED, "send a valid API key in the `x-api-key` header")
METHOD_NOT_SUPPORTED: Final = Rejection(
    Code.METHOD_NOT_SUPPORTED, "this address does not support that method: use one that the `Allow` header lists"
)
TOO_MANY_REQUESTS: Final = Rejection(
    Code.TOO_MANY_REQUESTS, "you asked too often: wait as long as the `Retry-After` header says"
)
TOO_MUCH_ARRIVES: Final = Rejection(
    Code.TOO_MANY_REQUESTS, "too much of your requests is on the way at once: wait for their answers"
)
UNAVAILABLE: Final = Rejection(
    Code.SERVICE_UNAVAILABLE, "the service is not available just now: send the same request again in a moment"
)
UNAVAILABLE_SECONDS: Final = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that can be sent as it is; its length is added then."""

    status: int
    headers: Headers
    body: bytes = b""

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        headers = [*self.headers]
        if self.status not in (204, 304):
            headers.append((b"content-length", b"%d" % len(self.body)))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


EMPTY: Final = Answer(200, (JSON, NO_STORE))


def answer_json(body: object) -> Answer:
    return Answer(200, (JSON, NO_STORE), encode(body))


def failure(rejection: Rejection, *extra: tuple[bytes, bytes]) -> Answer:
    """Return the envelope: exactly `code` and `message`, under the status of the code."""
    status = STATUS[rejection.code]
    if status == 503:
        extra = (*extra, (b"retry-after", b"%d" % UNAVAILABLE_SECONDS))
    body = encode({"code": rejection.code.value, "message": rejection.message})
    return Answer(status, (JSON, NO_STORE, *extra), body)
