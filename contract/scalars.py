"""The scalars of the schema in one table: name, description, JSON Schema, parser and serializer of each.

GraphQL (`graphql_api.scalar_types`), the contract and all that is derived from it take their scalars from here.
"""

import math
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NewType, cast

import msgspec
from graphql import GraphQLEnumType, GraphQLNamedType

from domain.cursor import CURSOR_PATTERN, MAX_CURSOR_LENGTH, Cursor, cursor
from domain.document import IMAGE_EXTENSIONS, ImageFile
from domain.errors import Rejection
from domain.values import (
    AGENT_LENGTH,
    EMAIL_LENGTH,
    NAME_LENGTH,
    NAME_PATTERN,
    AgentName,
    Email,
    ItemName,
    agent_name,
    bad,
    email,
    item_name,
    text_fault,
)

type JsonSchema = dict[str, object]
type Parse = Callable[[object, str], object | Rejection]

Json = NewType("Json", object)
ByteCount = NewType("ByteCount", int)

# What PostgreSQL can store; lone surrogates, the other thing it cannot, are no characters to a pattern.
TEXT_PATTERN: Final = r"^[^\u0000]*$"
MAX_INT: Final = 2**31 - 1  # GraphQL's Int has 32 bits
MIN_INT: Final = -(2**31)
_whole_number: Final = re.compile(r"-?(0|[1-9][0-9]{0,18})")
_number: Final = re.compile(r"-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,4})?")
_MICROSECONDS: Final = len('"2026-01-02T03:04:05.678901Z"')
_encode: Final = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Scalar:
    """One scalar of the schema.

    `json_schema` describes its inputs, and its answers where `answer_schema` is None. `parse` returns the value of an
    input, or a Rejection that names the field it is given; None: the contract takes no such input. `from_text` returns the
    JSON value that a text of a path or query stands for, or the text itself, which `parse` then refuses. `python_type` is
    the type that declarations use for it; None: it is one of GraphQL's own. `media_types` are those of the files that are
    its values; where there are none, it is no file.
    """

    name: str
    json_schema: JsonSchema
    parse: Parse | None = None
    answer_schema: JsonSchema | None = None
    from_text: Callable[[str], object] = str
    python_type: object = None
    description: str = ""
    serialize: Callable[[Any], object] = lambda value: value
    media_types: tuple[str, ...] = ()


def timestamp_text(moment: datetime) -> str:
    """Return a moment as `2026-01-02T03:04:05.678Z`; raises ValueError for one without a zone."""
    if moment.tzinfo is UTC:
        text = _encode(moment)  # a fifth of the time of `isoformat`, which lists of thousands of items feel
        if len(text) == _MICROSECONDS:
            return text[1:24].decode() + "Z"
    if moment.tzinfo is None:
        raise ValueError("a moment needs a time zone")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")[:23] + "Z"


def unlike(value: object, field: str, wanted: str) -> Rejection:
    """Refuse a value of another type than the wanted one."""
    return bad(field, "must not be null" if value is None else wanted)


def _text(parse: Callable[[str, str], object | Rejection]) -> Parse:
    def parse_text(value: object, field: str) -> object | Rejection:
        return parse(value, field) if isinstance(value, str) else unlike(value, field, "must be a string")

    return parse_text


def _storable(value: str, field: str) -> str | Rejection:
    fault = text_fault(value)
    return value if fault is None else bad(field, fault)


def _boolean(value: object, field: str) -> object | Rejection:
    return value if isinstance(value, bool) else unlike(value, field, "must be true or false")


def _integer(value: object, field: str) -> object | Rejection:
    """Return a whole number of 32 bits; as JSON Schema has it, 1e2 is one."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if isinstance(value, float) and value.is_integer():
        value, whole = int(value), True
    if whole and MIN_INT <= cast("int", value) <= MAX_INT:
        return value
    return unlike(value, field, f"must be a whole number from {MIN_INT} to {MAX_INT}")


def _float(value: object, field: str) -> object | Rejection:
    number = math.inf
    if isinstance(value, int | float) and not isinstance(value, bool):
        with suppress(OverflowError):
            number = float(value)
    return number if math.isfinite(number) else unlike(value, field, "must be a number that 64 bits can hold")


_WITHOUT_PLUS: Final = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.]+ \d\d:?\d\d")  # the plus became a space in a query


def _timestamp(value: object, field: str) -> object | Rejection:
    """Return the moment that a text of RFC 3339 names, in UTC."""
    with suppress(msgspec.ValidationError, OverflowError, UnicodeEncodeError):
        moment = msgspec.convert(value, datetime)
        if isinstance(value, str) and moment.tzinfo is not None:
            return moment.astimezone(UTC)
    if isinstance(value, str) and _WITHOUT_PLUS.fullmatch(value):
        return unlike(value, field, "has a space before its time zone: write a `+` in an address as `%2B`")
    return unlike(value, field, "must be a moment with a time zone, such as `2026-01-02T03:04:05.678Z`")


def _image_file(value: object, field: str) -> object | Rejection:
    """Return a file that the server read from a request's body; nothing else can be one."""
    if isinstance(value, ImageFile):
        return value
    return unlike(
        value,
        field,
        "is a file, which only the body of `POST /api/v1/drive-items/{itemId}/images` holds: send it there",
    )


def _whole_number_in(text: str) -> object:
    return int(text) if _whole_number.fullmatch(text) else text


def _number_in(text: str) -> object:
    return float(text) if _number.fullmatch(text) else text


def _truth_in(text: str) -> object:
    return {"true": True, "false": False}.get(text, text)


def _string(minimum: int, maximum: int, pattern: str) -> JsonSchema:
    return {"type": "string", "minLength": minimum, "maxLength": maximum, "pattern": pattern}


_STORABLE: Final[JsonSchema] = {"type": "string", "pattern": TEXT_PATTERN}

_TABLE: Final = (
    Scalar("ID", _STORABLE, _text(_storable), {"type": "string"}),
    Scalar("String", _STORABLE, _text(_storable), {"type": "string"}),
    Scalar("Boolean", {"type": "boolean"}, _boolean, from_text=_truth_in),
    Scalar(
        "Int",
        {"type": "integer", "minimum": MIN_INT, "maximum": MAX_INT},
        _integer,
        {"type": "integer"},
        from_text=_whole_number_in,
    ),
    Scalar("Float", {"type": "number"}, _float, from_text=_number_in),
    Scalar(
        "ItemName",
        _string(1, NAME_LENGTH, NAME_PATTERN),
        _text(item_name),
        python_type=ItemName,
        description="A name: 1 to 255 characters, one of them visible, none a control.",
    ),
    Scalar(
        "EmailAddress",
        {"type": "string", "format": "email", "maxLength": EMAIL_LENGTH},
        _text(email),
        python_type=Email,
        description="An e-mail address, compared in lower case and by IDNA A-labels.",
    ),
    Scalar(
        "AgentName",
        {"type": "string", "minLength": 1, "maxLength": AGENT_LENGTH},
        _text(agent_name),
        python_type=AgentName,
        description="The name of an agent: 1 to 64 printable characters.",
    ),
    Scalar(
        "Cursor",
        _string(1, MAX_CURSOR_LENGTH, CURSOR_PATTERN),
        _text(cursor),
        python_type=Cursor,
        description="A place in a list, as an answer gave it. It is opaque: at most "
        f"{MAX_CURSOR_LENGTH:,} characters of `{CURSOR_PATTERN}`. Anything else is BAD_REQUEST; one that names no place "
        "of the list is NOT_FOUND.",
    ),
    Scalar(
        "Timestamp",
        {"type": "string", "format": "date-time"},
        _timestamp,
        python_type=datetime,
        description="A moment, as `2026-01-02T03:04:05.678Z`.",
        serialize=timestamp_text,
    ),
    Scalar(
        "ImageFile",
        {"type": "string", "contentMediaType": "application/octet-stream"},
        _image_file,
        python_type=ImageFile,
        description="The file of an image. The server makes it of the body of `POST /api/v1/drive-items/{itemId}/images`; no "
        "literal or variable of a GraphQL request is one.",
        media_types=tuple(IMAGE_EXTENSIONS),
    ),
    Scalar(
        "ByteCount",
        {"type": "integer"},
        python_type=ByteCount,
        description="A number of bytes: a whole number of up to 53 bits, where an Int has 32.",
    ),
    Scalar("JSON", {}, python_type=Json, description="Any JSON value."),
)
SCALARS: Final[Mapping[str, Scalar]] = {scalar.name: scalar for scalar in _TABLE}


def scalar_of(leaf: GraphQLNamedType) -> Scalar:
    """Return a scalar or enum of the schema as a `Scalar`; raises KeyError for one that is not in the table."""
    if isinstance(leaf, GraphQLEnumType):
        return Scalar(leaf.name, {"type": "string", "enum": list(leaf.values)}, _one_of(leaf))
    return SCALARS[leaf.name]


def _one_of(enum: GraphQLEnumType) -> Parse:
    allowed = f"must be one of {', '.join(f'`{name}`' for name in enum.values)}"

    def parse(value: object, field: str) -> object | Rejection:
        if not isinstance(value, str) or value not in enum.values:
            return unlike(value, field, allowed)
        member: object = enum.coerce_input_value(value)
        return member

    return parse


def nullable(schema: JsonSchema) -> JsonSchema:
    """Return the JSON Schema of the same values and null."""
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    if "type" not in schema:
        return schema
    widened = schema | {"type": [schema["type"], "null"]}
    values = schema.get("enum")
    return widened | {"enum": [*values, None]} if isinstance(values, list) else widened
