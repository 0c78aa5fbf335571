"""Schema of one operation: its inputs and its answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, cast

from contract.descriptions import Description
from contract.input_types import InputType
from contract.operations import MediaType, Operation
from contract.scalars import JsonSchema


class ContractError(Exception):
    """The rows, the documents and the GraphQL schema do not fit together; raised at start-up."""


class Location(StrEnum):
    PATH = "path"
    QUERY = "query"
    BODY = "body"
    PART = "part"  # of a multipart body: a file


@dataclass(frozen=True, slots=True)
class OperationInput:
    """One input. A required one must be present even where it may be null; `schema` has the default of any other."""

    name: str
    place: Location
    required: bool
    type: InputType
    description: str
    default: object = None

    @property
    def schema(self) -> JsonSchema:
        """The JSON Schema of its values; a path or query has no null, though the input may be null elsewhere."""
        schema = self.type.schema if self.place is Location.BODY else self.type.present
        return schema if self.default is None else {**schema, "default": self.default}

    @property
    def kind(self) -> str:
        """Its type in words, for readers of the documentation."""
        return (
            f"{_kind(self.type.present)} or null" if self.type.nullable and self.required else _kind(self.type.present)
        )


@dataclass(frozen=True, slots=True)
class OperationSchema:
    """One operation as every surface presents it; `answer` is None where it answers nothing."""

    operation: Operation
    summary: str
    description: Description
    inputs: Mapping[str, OperationInput]
    answer: JsonSchema | None

    @property
    def file(self) -> OperationInput | None:
        """The input that is a file, which only a multipart body holds."""
        return next(iter(self.placed(Location.PART)), None)

    @property
    def body(self) -> MediaType | None:
        """The media type of its body; None where it has none."""
        return self.operation.body if self.file or self.placed(Location.BODY) else None

    def placed(self, place: Location) -> list[OperationInput]:
        return [each for each in self.inputs.values() if each.place == place]


MARKDOWN: Final = "text/markdown"
_KINDS: Final = {"boolean": "true or false", "integer": "whole number", "number": "number"}


def _kind(schema: JsonSchema) -> str:
    if media_type := schema.get("contentMediaType"):
        return "Markdown" if media_type == MARKDOWN else "file"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in cast("list[object]", schema["enum"]) if value is not None)
    if reference := schema.get("$ref"):
        return f"`{str(reference).rpartition('/')[2]}`"
    if schema.get("type") == "array":
        return f"list of {_kind(cast('JsonSchema', schema['items']))}"
    return "moment" if schema.get("format") == "date-time" else _KINDS.get(str(schema.get("type")), "text")


def object_of(properties: Mapping[str, JsonSchema]) -> JsonSchema:
    """Return the schema of an object that has exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
