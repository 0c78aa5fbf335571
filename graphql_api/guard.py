"""What happens to a client's document before it runs, and to the errors of its answer.

Before: bounded parsing, the limits, validation without suggestions, each remembered for short documents. After: errors
that carry a code are the service's own words; those that graphql-core found wrong with the request become BAD_REQUEST;
anything else is logged, and the client learns nothing of it.
"""

import logging
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import strawberry
from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    parse,
    validate,
)
from strawberry.extensions import SchemaExtension
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from domain.errors import Code, Rejection, Unavailable
from graphql_api.limits import Limits, refusal, refusals
from graphql_api.refused import rejection_of

REMEMBERED: Final = 256  # documents
REMEMBERED_LENGTH: Final = 16_384  # characters; longer ones are parsed each time, and hold few tokens all the same
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
        super().__init__(query, mutation, subscription, config=config, extensions=[lambda: Guard(limits)], **options)

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Nothing: `public` logs what deserves it, once."""


class Guard(SchemaExtension):
    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.streams = False

    def on_parse(self) -> Iterator[None]:
        context = self.execution_context
        try:
            context.graphql_document = parsed(context.query or "", self.limits.tokens)
        except GraphQLError:  # Strawberry parses again, to tell the error in its place
            context.parse_options = {"max_tokens": self.limits.tokens}
        yield

    def on_validate(self) -> Iterator[None]:
        context = self.execution_context
        schema, document = context.schema._schema, context.graphql_document  # noqa: SLF001 - it has no public name
        assert document is not None
        errors = refusals(schema, document, context.variables or {}, self.limits)
        context.pre_execution_errors = (
            errors or validated(schema, context.query or "", self.limits.tokens) or _unnamed(context, document)
        )
        yield

    def on_operation(self) -> Iterator[None]:
        yield
        result = self.execution_context.result
        if result is not None and not self.streams:
            _make_public(result)

    def on_stream_result(self, result: Any) -> Iterator[None]:
        self.streams = True
        _make_public(result)
        yield


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


def parsed(text: str, tokens: int) -> DocumentNode:
    """The document; raises GraphQLSyntaxError."""
    return (_remembered_parse if len(text) <= REMEMBERED_LENGTH else _parse)(text, tokens)


def validated(schema: GraphQLSchema, text: str, tokens: int) -> list[GraphQLError]:
    """What is wrong with the document, other than its size."""
    return list((_remembered_validate if len(text) <= REMEMBERED_LENGTH else _validate)(schema, text, tokens))


def _parse(text: str, tokens: int) -> DocumentNode:
    return parse(text, max_tokens=tokens)  # comments are tokens


def _validate(schema: GraphQLSchema, text: str, tokens: int) -> tuple[GraphQLError, ...]:
    errors = validate(schema, parsed(text, tokens), max_errors=5, hide_suggestions=True)
    return tuple(_coded(error, bad_request(error.message)) for error in errors)


# keyed by the text: graphql-core's nodes hash by their whole content
_remembered_parse: Final = lru_cache(maxsize=REMEMBERED)(_parse)
_remembered_validate: Final = lru_cache(maxsize=REMEMBERED)(_validate)
