"""Schema of one operation: its inputs, its answer, and the parsing of inputs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from domain.errors import Rejection
from domain.values import bad
from graphql_api.operations import Operation
from graphql_api.scalars import JsonSchema, Parse


class ContractError(Exception):
    """The rows, the documents and the GraphQL schema do not fit together; raised at start-up."""


class Location(StrEnum):
    PATH = "path"
    QUERY = "query"
    BODY = "body"


@dataclass(frozen=True, slots=True)
class OperationInput:
    """One input. `schema` admits null where it may be null; a required one must be present even then."""

    name: str
    place: Location
    required: bool
    nullable: bool
    schema: JsonSchema
    parse: Parse
    description: str


@dataclass(frozen=True, slots=True)
class OperationSchema:
    """One operation as every surface presents it; `answer` is None where it answers nothing."""

    operation: Operation
    summary: str
    inputs: Mapping[str, OperationInput]
    answer: JsonSchema | None

    def placed(self, place: Location) -> list[OperationInput]:
        return [each for each in self.inputs.values() if each.place == place]


def parse_inputs(shape: OperationSchema, values: Mapping[str, object]) -> dict[str, object] | Rejection:
    """Return the inputs as variables of the operation's document, or a Rejection that names the first wrong one."""
    inputs = shape.inputs
    for name in values:
        if name not in inputs:
            return bad(_shown(name), "is no field of this request: leave it out")
    parsed: dict[str, object] = {}
    for name, each in inputs.items():
        if name not in values:
            if each.required:
                return bad(name, "is missing: send it, or `null` for none" if each.nullable else "is missing: send it")
            continue
        value = values[name]
        if value is None and not each.nullable:
            return bad(name, "must not be null")
        result = None if value is None else each.parse(value, name)
        if isinstance(result, Rejection):
            return result
        parsed[name] = result
    return parsed


def _shown(name: str) -> str:
    return "".join(character if character.isprintable() else "\ufffd" for character in name[:40])


def object_of(properties: Mapping[str, JsonSchema]) -> JsonSchema:
    """Return the schema of an object that has exactly these properties."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
