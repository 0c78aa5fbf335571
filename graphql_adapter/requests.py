"""Reads a GraphQL request out of a query string or a body, within the bounds of its sizes."""

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from types import MappingProxyType
from typing import Any, Final

import msgspec
from graphql import FieldNode
from litestar import Request

from contract.errors import RejectionError
from contract.operations import MediaType
from domain.caller import Caller
from domain.errors import Code, Rejection
from edge.app import request_context
from edge.operations import spend
from edge.requests import TOO_MANY_VALUES, has_many_values, may_have_many_values, refuse_encoded, stream
from graphql_adapter.endpoint import MAX_LONG_BODIES, GraphQLEndpoint
from graphql_api.request_limits import MAX_QUERY_LENGTH, ParsedDocument, bad_request, query_too_long

JSON: Final = MediaType.JSON.value
LONG_FIELD: Final = "importYjsUpdate"  # the one field whose request may be long
TREE_FIELD: Final = "markdownOf"  # the one field whose request may have many values
MAX_TREE_VALUES: Final = 100_000
ALLOW: Final = {"allow": "GET, HEAD, POST, OPTIONS"}
TOO_MANY_LONG: Final = Rejection(
    Code.TOO_MANY_REQUESTS, f"at most {MAX_LONG_BODIES} long bodies are taken at once: wait for their answers"
)


class GraphQLRequest(msgspec.Struct, frozen=True, rename="camel"):
    query: str = ""
    variables: dict[str, Any] | None = None
    operation_name: str | None = None
    extensions: dict[str, Any] | None = None


class RefusedRequestError(RejectionError):
    """The request is none that is run; `headers` go with the answer that says so."""

    def __init__(self, rejection: Rejection, headers: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(rejection)
        self.headers = headers


async def read_request(
    endpoint: GraphQLEndpoint, request: Request[Any, Any, Any], caller: Caller, held: ExitStack
) -> GraphQLRequest:
    """Return the request, of which a long body has cost a write already; raises RejectionError."""
    if request.method == "GET":
        return _of_bounded_text(_from_query(request.query_params.dict()))
    if request.method != "POST":
        raise RefusedRequestError(
            Rejection(Code.METHOD_NOT_SUPPORTED, f"`{request.method}` is not supported: use GET or POST"), ALLOW
        )
    refuse_encoded(request.scope)
    kind, parameters = request.content_type
    if kind.lower() != JSON or parameters.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise RefusedRequestError(Rejection(Code.UNSUPPORTED_MEDIA_TYPE, f"the body must be `{JSON}` in UTF-8"))
    sizes, body = endpoint.sizes, await _body(endpoint, request, caller, held)
    is_long = len(body) > sizes.body
    if is_long and may_have_many_values(body):  # its one long value is base64
        raise _too_large(sizes.body)
    has_many = not is_long and has_many_values(body)
    if has_many and has_many_values(body, MAX_TREE_VALUES):
        raise RefusedRequestError(TOO_MANY_VALUES)
    asked, read = _of_bounded_text(_from_body(body)), endpoint.schema.documents.read
    if has_many and not _asks_for(read(asked.query), TREE_FIELD):
        raise RefusedRequestError(TOO_MANY_VALUES)
    if is_long:
        if not _asks_for(read(asked.query), LONG_FIELD):
            raise _too_large(sizes.body)
        await asyncio.sleep(0)  # what is executed then decodes megabytes once more
    return asked


async def _body(endpoint: GraphQLEndpoint, request: Request[Any, Any, Any], caller: Caller, held: ExitStack) -> bytes:
    """Read the body. A long one costs a write before it is read, and its place among them is `held` until the answer."""
    sizes, arrived, declared = endpoint.sizes, bytearray(), request.content_length or 0
    if declared > sizes.long_body:
        raise _too_large(sizes.long_body)
    is_long = declared > sizes.body
    if is_long:
        _admit_long_body(endpoint, request, caller, held)
    async for part in stream(request.receive):
        arrived += part
        if len(arrived) > sizes.long_body:
            raise _too_large(sizes.long_body)
        if not is_long and len(arrived) > sizes.body:
            is_long = True
            _admit_long_body(endpoint, request, caller, held)
    return bytes(arrived)


def _admit_long_body(
    endpoint: GraphQLEndpoint, request: Request[Any, Any, Any], caller: Caller, held: ExitStack
) -> None:
    """Admit a long body, for the price of a write; raises RejectionError."""
    if not held.enter_context(endpoint.long_bodies.holding(caller.user_id)):
        raise RejectionError(TOO_MANY_LONG)
    if limiter := endpoint.edge.limiter:
        spend(limiter, limiter.rates.writes, request_context(request.scope))


def _of_bounded_text(asked: GraphQLRequest) -> GraphQLRequest:
    if len(asked.query) > MAX_QUERY_LENGTH:
        raise RefusedRequestError(query_too_long())
    return asked


def _from_body(body: bytes) -> GraphQLRequest:
    try:
        return msgspec.json.decode(body, type=GraphQLRequest)
    except msgspec.ValidationError as error:
        raise RefusedRequestError(bad_request(f"the body is no GraphQL request: {error}")) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise RefusedRequestError(bad_request("the body is not valid JSON")) from None


def _from_query(given: Mapping[str, Any]) -> GraphQLRequest:
    members: dict[str, Any] = {name: values[-1] for name, values in given.items() if values[-1]}
    try:
        for name in ("variables", "extensions"):
            if name in members:
                members[name] = msgspec.json.decode(members[name])
        return msgspec.convert(members, GraphQLRequest)
    except msgspec.ValidationError as error:
        raise RefusedRequestError(bad_request(f"the query string is no GraphQL request: {error}")) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise RefusedRequestError(bad_request("`variables` and `extensions` must be JSON")) from None


def _asks_for(read: ParsedDocument, field: str) -> bool:
    """Whether a document asks for nothing but this field, however often."""
    chosen = [each for operation in read.operations for each in operation.selection_set.selections]
    return {each.name.value if isinstance(each, FieldNode) else None for each in chosen} == {field}


def _too_large(most: int) -> RefusedRequestError:
    return RefusedRequestError(Rejection(Code.PAYLOAD_TOO_LARGE, f"the body must be at most {most} bytes"))
