"""Limits of clients' documents before they run, and masking of the errors in their answers.

Before: bounded parsing, the limits, validation; the document of a text is parsed and validated once
and cached, and measured once unless its cost may exceed the limits with some variables. After: errors with a code are the service's own; those that graphql-core found in the request become
BAD_REQUEST; any other is logged and masked.
"""

import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

import strawberry
from cachetools import LRUCache
from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    Token,
    parse,
    validate,
)
from strawberry.extensions import SchemaExtension
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from contract.errors import RejectionError, rejection_of
from domain.errors import QUARANTINED, BudgetSpent, Code, Quarantined, Rejection, Unavailable
from graphql_api.cooperative_executor import CooperativeExecutor
from graphql_api.not_found_timing import next_step
from graphql_api.query_limits import QueryLimits, limit_errors, may_exceed, request_error
from graphql_api.strawberry_internals import core_schema, requested_operation_name

MAX_QUERY_LENGTH: Final = 64 * 1024  # characters of a document: long values belong in its variables
MAX_CACHED: Final = 16 * 1024 * 1024  # bytes of memory, about
TOKEN_WEIGHT: Final = 420  # bytes that a parsed document takes for each of its tokens, measured
CHARACTER_WEIGHT: Final = 8  # bytes for each character of its text, and of the errors that quote it

log: Final = logging.getLogger(__name__)


class LimitedSchema(strawberry.Schema):
    """A schema that checks the limits of clients' documents."""

    def __init__(
        self,
        query: type,
        mutation: type | None = None,
        subscription: type | None = None,
        *,
        config: StrawberryConfig | None = None,
        limits: QueryLimits = QueryLimits(),  # noqa: B008 - a frozen value
        **options: Any,
    ) -> None:
        self.limits = limits
        super().__init__(
            query,
            mutation,
            subscription,
            config=config,
            extensions=[lambda: RequestLimitsExtension(self)],
            execution_context_class=CooperativeExecutor,
            **options,
        )
        self.documents = DocumentCache(core_schema(self), limits)

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Do nothing: `mask_error` logs masked errors, once."""


@dataclass(slots=True)
class ParsedDocument:
    """A parsed text: its document, or the errors of parsing; `invalid` is None until it is validated.

    `may_exceed`: a limit of cost, with some variables, or it is not valid.
    """

    document: DocumentNode | None
    errors: Sequence[GraphQLError] = ()
    invalid: Sequence[GraphQLError] | None = None
    may_exceed: bool = True

    @property
    def operations(self) -> list[OperationDefinitionNode]:
        definitions = self.document.definitions if self.document else ()
        return [node for node in definitions if isinstance(node, OperationDefinitionNode)]

    @property
    def may_write(self) -> bool:
        """Whether there is a mutation among its operations."""
        return any(operation.operation is OperationType.MUTATION for operation in self.operations)


class DocumentCache:
    """The documents of the latest texts, parsed, validated and measured once; `most` bounds their memory in bytes."""

    def __init__(self, schema: GraphQLSchema, limits: QueryLimits, most: int = MAX_CACHED) -> None:
        self._schema = schema
        self._limits = limits
        # keyed by the text: graphql-core's nodes hash by their whole content
        self._cached: LRUCache[str, tuple[int, ParsedDocument]] = LRUCache(most, lambda kept: kept[0])

    def __contains__(self, text: str) -> bool:
        return text in self._cached

    def read(self, text: str) -> ParsedDocument:
        known = self._cached.get(text)
        if known is not None:
            return known[1]
        made = self._parsed(text)
        with suppress(ValueError):  # it is larger than the cache
            self._cached[text] = _weight(text, made), made
        return made

    def faults(self, text: str, variables: Mapping[str, Any]) -> list[GraphQLError]:
        """Return the limits that a text exceeds, or else the errors of its validation; it could be parsed."""
        read, schema, limits = self.read(text), self._schema, self._limits
        if not read.may_exceed:
            return []
        assert read.document is not None
        if exceeded := limit_errors(schema, read.document, variables, limits):
            return exceeded
        if read.invalid is None:
            errors = validate(schema, read.document, max_errors=5)
            read.invalid = tuple(_coded(error, bad_request(error.message)) for error in errors)
            read.may_exceed = bool(errors) or may_exceed(schema, read.document, limits)
        return list(read.invalid)

    def _parsed(self, text: str) -> ParsedDocument:
        try:
            document = parse(text, max_tokens=self._limits.tokens)  # comments are tokens
            _unlink_tokens(document)
            return ParsedDocument(document)
        except GraphQLError as error:
            return ParsedDocument(None, (mask_error(error),))
        except RecursionError:
            return ParsedDocument(None, (request_error("the document is nested too deeply"),))


def _unlink_tokens(document: DocumentNode) -> None:
    """End the circles in a document: tokens know each other, and old circles stay in memory until a full collection."""
    token: Token | None = document.loc.start_token if document.loc else None
    while token:
        after, token.prev, token.next = token.next, None, None
        token = after


def _weight(text: str, read: ParsedDocument) -> int:
    tokens = read.document.token_count if read.document else 0
    return CHARACTER_WEIGHT * len(text) + TOKEN_WEIGHT * tokens


class RequestLimitsExtension(SchemaExtension):
    def __init__(self, schema: LimitedSchema) -> None:
        self.schema = schema
        self.streams = False
        self.begun = perf_counter()

    def on_parse(self) -> Iterator[None]:
        context = self.execution_context
        context.graphql_document = self.schema.documents.read(context.query or "").document
        if context.graphql_document is None:  # strawberry parses again, which gives the error its position
            context.parse_options = {"max_tokens": self.schema.limits.tokens}
        yield

    def on_validate(self) -> Iterator[None]:
        context = self.execution_context
        document = context.graphql_document
        assert document is not None
        faults = self.schema.documents.faults(context.query or "", context.variables or {})
        context.pre_execution_errors = faults or _unnamed(context, document)
        yield

    async def on_operation(self) -> AsyncIterator[None]:
        yield
        result = self.execution_context.result
        if result is not None and not self.streams:
            await self._publish(result)

    async def on_stream_result(self, result: Any) -> AsyncIterator[None]:
        self.streams = True
        await self._publish(result)
        yield

    async def _publish(self, result: Any) -> None:
        """Mask the errors, and delay an answer with NOT_FOUND, so that hidden takes as long as missing."""
        if not result.errors:
            return
        result.errors = [mask_error(error) for error in result.errors]
        if any((error.extensions or {}).get("code") == Code.NOT_FOUND.value for error in result.errors):
            await next_step(self.begun)


def mask_error(error: GraphQLError) -> GraphQLError:
    """Return the error for a client, always with a code and without its traceback; a masked error is logged."""
    masked = _masked(error)
    _forget_tracebacks(error)
    _forget_tracebacks(masked)
    return masked


def _forget_tracebacks(error: BaseException) -> None:
    """Forget where an error and those below it were raised.

    A frame in a traceback keeps what a refused read had loaded, and holds the error itself. Such a circle is only ended by
    the garbage collector, which runs by the number of objects, not by their bytes.
    """
    left: list[BaseException | None] = [error]
    seen = set[int]()
    while left:
        each = left.pop()
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            each.__traceback__ = None
            left += (getattr(each, "original_error", None), each.__cause__, each.__context__)


def _masked(error: GraphQLError) -> GraphQLError:
    if error.extensions and "code" in error.extensions:
        return error
    cause = error.original_error
    if isinstance(cause, BudgetSpent):
        refused = RejectionError(cause.rejection, cause.seconds)
        places = error.nodes, error.source, error.positions, error.path
        return GraphQLError(refused.message, *places, original_error=refused, extensions=refused.extensions)
    if isinstance(cause, Quarantined):
        return _coded(error, QUARANTINED)
    if isinstance(cause, Unavailable):
        return _coded(error, Rejection(Code.SERVICE_UNAVAILABLE, "try again in a moment: nothing was changed"))
    asked_wrongly = (
        error.path is None if cause is None else isinstance(cause, GraphQLError) and _is_client_error(error, cause)
    )
    if asked_wrongly:
        return _coded(error, bad_request(error.message))
    log.error("a resolver failed at %s", error.path, exc_info=cause or error)
    return _coded(error, rejection_of(error))


def query_too_long() -> Rejection:
    message = f"`query` must have at most {MAX_QUERY_LENGTH} characters: send long values as variables"
    return Rejection(Code.PAYLOAD_TOO_LARGE, message)


def bad_request(message: str) -> Rejection:
    return Rejection(Code.BAD_REQUEST, message)


def _is_client_error(error: GraphQLError, cause: GraphQLError) -> bool:
    """Whether graphql-core found `cause` in the request: before it ran, or at an argument of the document."""
    return error.path is None or bool(cause.nodes)


def _coded(error: GraphQLError, rejection: Rejection) -> GraphQLError:
    code = {"code": rejection.code.value}
    return GraphQLError(rejection.message, error.nodes, error.source, error.positions, error.path, extensions=code)


def _unnamed(context: ExecutionContext, document: DocumentNode) -> list[GraphQLError]:
    """Return an error where none of several operations is named: strawberry would run the first."""
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    if len(operations) == 1 or requested_operation_name(context) is not None:
        return []
    return [request_error("`operationName` must say which of the operations to run")]
