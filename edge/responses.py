"""Responses: a status, headers and a body, including the envelope of failures."""

from dataclasses import dataclass
from typing import Final

import msgspec
from graphql import GraphQLError
from litestar.types import Receive, Scope, Send

from domain.errors import Code, Rejection
from edge.statuses import STATUS
from graphql_api.errors import rejection_of

type Headers = tuple[tuple[bytes, bytes], ...]

JSON: Final = (b"content-type", b"application/json")
NO_STORE: Final = (b"cache-control", b"no-store")
NOSNIFF: Final = (b"x-content-type-options", b"nosniff")

encode: Final = msgspec.json.Encoder().encode

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
class Response:
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


EMPTY: Final = Response(200, (JSON, NO_STORE))


def json_response(body: object) -> Response:
    return Response(200, (JSON, NO_STORE), encode(body))


def error_response(rejection: Rejection, *extra: tuple[bytes, bytes]) -> Response:
    """Return the envelope: exactly `code` and `message`, under the status of the code."""
    status = STATUS[rejection.code]
    if status == 503:
        extra = (*extra, (b"retry-after", b"%d" % UNAVAILABLE_SECONDS))
    body = encode({"code": rejection.code.value, "message": rejection.message})
    return Response(status, (JSON, NO_STORE, *extra), body)
