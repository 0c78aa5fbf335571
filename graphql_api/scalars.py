"""What the contract's scalars are as JSON: which values are published, and which are accepted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from graphql import GraphQLEnumType, GraphQLNamedType

from domain.cursor import CURSOR_PATTERN, MAX_CURSOR_LENGTH, cursor
from domain.errors import Rejection
from domain.values import EMAIL_LENGTH, NAME_LENGTH, NAME_PATTERN, bad, email, item_name, text_fault

type Schema = dict[str, object]
type Parse = Callable[[object, str], object | Rejection]

# What PostgreSQL can store; lone surrogates, the other thing it cannot, are no characters to a pattern.
TEXT_PATTERN: Final = r"^[^\u0000]*$"


@dataclass(frozen=True, slots=True)
class Scalar:
    """`published` as JSON Schema for inputs and, where they differ, `answered` for answers."""

    published: Schema
    parse: Parse | None = None
    answered: Schema | None = None


def _text(parse: Callable[[str, str], object | Rejection]) -> Parse:
    def strictly(value: object, field: str) -> object | Rejection:
        return parse(value, field) if isinstance(value, str) else bad(field, "must be a string")

    return strictly


def _storable(value: str, field: str) -> str | Rejection:
    fault = text_fault(value)
    return value if fault is None else bad(field, fault)


def _boolean(value: object, field: str) -> object | Rejection:
    return value if isinstance(value, bool) else bad(field, "must be true or false")


_STRING: Final[Schema] = {"type": "string"}
_TEXT: Final = Scalar({"type": "string", "pattern": TEXT_PATTERN}, _text(_storable), _STRING)

SCALARS: Final[Mapping[str, Scalar]] = {
    "ID": _TEXT,
    "String": _TEXT,
    "Boolean": Scalar({"type": "boolean"}, _boolean),
    "Int": Scalar({"type": "integer"}),
    "Float": Scalar({"type": "number"}),
    "ItemName": Scalar(
        {"type": "string", "minLength": 1, "maxLength": NAME_LENGTH, "pattern": NAME_PATTERN}, _text(item_name)
    ),
    "EmailAddress": Scalar({"type": "string", "format": "email", "maxLength": EMAIL_LENGTH}, _text(email)),
    "Cursor": Scalar(
        {"type": "string", "minLength": 1, "maxLength": MAX_CURSOR_LENGTH, "pattern": CURSOR_PATTERN}, _text(cursor)
    ),
    "Timestamp": Scalar({"type": "string", "format": "date-time"}),
    "JSON": Scalar({}),
}


def one_of(names: Mapping[str, object]) -> Parse:
    allowed = ", ".join(f"`{name}`" for name in names)

    def parse(value: object, field: str) -> object | Rejection:
        return value if isinstance(value, str) and value in names else bad(field, f"must be one of {allowed}")

    return parse


def scalar(leaf: GraphQLNamedType) -> Scalar:
    """Return how a scalar or enum of the schema is published; raises KeyError for one that the table has not."""
    if isinstance(leaf, GraphQLEnumType):
        return Scalar({"type": "string", "enum": list(leaf.values)}, one_of(leaf.values))
    return SCALARS[leaf.name]


def nullable(schema: Schema) -> Schema:
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    if "type" not in schema:
        return schema
    widened = schema | {"type": [schema["type"], "null"]}
    values = schema.get("enum")
    return widened | {"enum": [*values, None]} if isinstance(values, list) else widened
