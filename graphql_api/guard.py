"""What happens to a client's document before it runs, and to the errors of its answer.

Before: bounded parsing, the limits, validation without suggestions, each done once for a text and remembered. After:
errors that carry a code are the service's own words; those that graphql-core found wrong with the request become
BAD_REQUEST; anything else is logged, and the client learns nothing of it.
"""

import logging
from collections.abc import AsyncIterator, Iterator, Sequence
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
    parse,
    validate,
)
from strawberry.extensions import SchemaExtension
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from domain.errors import Code, Rejection, Unavailable
from graphql_api.limits import Limits, refusal, refusals
from graphql_api.pacing import PacedExecutor
from graphql_api.refused import rejection_of
from graphql_api.steps import next_step

MAX_TEXT: Final = 64 * 1024  # characters of a document: long values belong in its variables
MAX_REMEMBERED: Final = 32 * 1024 * 1024  # bytes of memory, about
TOKEN_WEIGHT: Final = 420  # bytes that a parsed document takes for each of its tokens, measured
CHARACTER_WEIGHT: Final = 8  # bytes for each character of its text, and of the errors that quote it
SUGGESTION: Final = " Did you mean "  # which Strawberry cannot turn off for variables

log: Final = logging.getLogger(__name__)


class GuardedSchema(strawberry.Schema):
    """A schema for documents that strangers write."""

    def __init__(
        self,
        query: type,
        mutation: type | None = None,
        subscription: type | None = None,
        *,
        config: StrawberryConfig | None = None,
        limits: Limits = Limits(),  # noqa: B008 - a frozen value
        **options: Any,
    ) -> None:
        self.limits = limits
        super().__init__(
            query,
            mutation,
            subscription,
            config=config,
            extensions=[lambda: Guard(self)],
            execution_context_class=PacedExecutor,
            **options,
        )
        self.documents = Documents(self._schema, limits.tokens)

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Nothing: `public` logs what deserves it, once."""


@dataclass(slots=True)
class Read:
    """A text as it was read: `document`, or the errors that say why it is none; `invalid` None: not validated yet."""

    document: DocumentNode | None
    errors: Sequence[GraphQLError] = ()
    invalid: Sequence[GraphQLError] | None = None

    @property
    def operations(self) -> list[OperationDefinitionNode]:
        definitions = self.document.definitions if self.document else ()
        return [node for node in definitions if isinstance(node, OperationDefinitionNode)]

    @property
    def may_write(self) -> bool:
        """Whether there is a mutation among its operations."""
        return any(operation.operation is OperationType.MUTATION for operation in self.operations)


class Documents:
    """The texts that came lately, each parsed and validated once; `most` bounds the memory that they take."""

    def __init__(self, schema: GraphQLSchema, tokens: int, most: int = MAX_REMEMBERED) -> None:
        self._schema = schema
        self._tokens = tokens
        # keyed by the text: graphql-core's nodes hash by their whole content
        self._remembered: LRUCache[str, tuple[int, Read]] = LRUCache(most, lambda kept: kept[0])

    def read(self, text: str) -> Read:
        known = self._remembered.get(text)
        if known is not None:
            return known[1]
        made = self._parsed(text)
        with suppress(ValueError):  # it is larger than the cache
            self._remembered[text] = _weight(text, made), made
        return made

    def invalid(self, text: str) -> list[GraphQLError]:
        """Return what is wrong with a document that could be parsed, other than its size."""
        read = self.read(text)
        assert read.document is not None
        if read.invalid is None:
            errors = validate(self._schema, read.document, max_errors=5, hide_suggestions=True)
            read.invalid = tuple(_coded(error, bad_request(error.message)) for error in errors)
        return list(read.invalid)

    def _parsed(self, text: str) -> Read:
        try:
            return Read(parse(text, max_tokens=self._tokens))  # comments are tokens
        except GraphQLError as error:
            return Read(None, (public(error),))
        except RecursionError:
            return Read(None, (refusal("the document is nested too deeply"),))


def _weight(text: str, read: Read) -> int:
    tokens = read.document.token_count if read.document else 0
    return CHARACTER_WEIGHT * len(text) + TOKEN_WEIGHT * tokens


class Guard(SchemaExtension):
    def __init__(self, schema: GuardedSchema) -> None:
        self.schema = schema
        self.streams = False
        self.begun = perf_counter()

    def on_parse(self) -> Iterator[None]:
        context = self.execution_context
        context.graphql_document = self.schema.documents.read(context.query or "").document
        if context.graphql_document is None:  # Strawberry parses again, to tell the error in its place
            context.parse_options = {"max_tokens": self.schema.limits.tokens}
        yield

    def on_validate(self) -> Iterator[None]:
        context = self.execution_context
        schema, document = context.schema._schema, context.graphql_document  # noqa: SLF001 - it has no public name
        assert document is not None
        errors = refusals(schema, document, context.variables or {}, self.schema.limits)
        context.pre_execution_errors = (
            errors or self.schema.documents.invalid(context.query or "") or _unnamed(context, document)
        )
        yield

    async def on_operation(self) -> AsyncIterator[None]:
        yield
        result = self.execution_context.result
        if result is not None and not self.streams:
            await self.told(result)

    async def on_stream_result(self, result: Any) -> AsyncIterator[None]:
        self.streams = True
        await self.told(result)
        yield

    async def told(self, result: Any) -> None:
        """Have the errors as a client may see them, and when: what is hidden takes as long as what does not exist."""
        _make_public(result)
        if any((error.extensions or {}).get("code") == Code.NOT_FOUND.value for error in result.errors or ()):
            await next_step(self.begun)


def public(error: GraphQLError) -> GraphQLError:
    """The error as a client may see it, always with a code; what is masked is logged here."""
    if error.extensions and "code" in error.extensions:
        return error
    cause = error.original_error
    if isinstance(cause, Unavailable):
        return _coded(error, Rejection(Code.SERVICE_UNAVAILABLE, "try again in a moment: nothing was changed"))
    asked_wrongly = error.path is None if cause is None else isinstance(cause, GraphQLError) and _points(error, cause)
    if asked_wrongly:
        return _coded(error, bad_request(error.message.partition(SUGGESTION)[0]))
    log.error("a resolver failed at %s", error.path, exc_info=cause or error)
    return _coded(error, rejection_of(error))


def text_too_long() -> Rejection:
    said = f"`query` must have at most {MAX_TEXT} characters: send long values as variables"
    return Rejection(Code.PAYLOAD_TOO_LARGE, said)


def bad_request(message: str) -> Rejection:
    return Rejection(Code.BAD_REQUEST, message)


def _points(error: GraphQLError, cause: GraphQLError) -> bool:
    """Whether graphql-core found `cause` in the request: before it ran, or at an argument of the document."""
    return error.path is None or bool(cause.nodes)


def _make_public(result: Any) -> None:
    if result.errors:
        result.errors = [public(error) for error in result.errors]


def _coded(error: GraphQLError, said: Rejection) -> GraphQLError:
    code = {"code": said.code.value}
    return GraphQLError(said.message, error.nodes, error.source, error.positions, error.path, extensions=code)


def _unnamed(context: ExecutionContext, document: DocumentNode) -> list[GraphQLError]:
    """Strawberry would run the first of several operations where none is named."""
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    if len(operations) == 1 or context._provided_operation_name is not None:  # noqa: SLF001 - it has no public name
        return []
    return [refusal("`operationName` must say which of the operations to run")]
