"""Describes each operation of the contract as an MCP tool: its name, schemas and annotations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from graphql_api.contract import Contract, tool_name
from graphql_api.operation_schema import OperationInput, OperationSchema, object_of
from graphql_api.operations import Operation, Surface
from graphql_api.scalars import JsonSchema

_COMPONENTS: Final = "#/components/schemas/"
_DEFINED: Final = "#/$defs/"


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; `schema` is of its arguments, `answer` of its structured content (None where there is none)."""

    name: str
    shape: OperationSchema
    title: str
    description: str
    schema: JsonSchema
    answer: JsonSchema | None

    @property
    def annotations(self) -> dict[str, bool]:
        return annotations(self.shape.operation)

    def listed(self) -> dict[str, Any]:
        """Return the tool as `tools/list` has it."""
        told: dict[str, Any] = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.schema,
            "annotations": self.annotations,
        }
        return told if self.answer is None else told | {"outputSchema": self.answer}


def annotations(row: Operation) -> dict[str, bool]:
    """Return MCP's hints: whether it only reads, takes something away, may be repeated, reaches beyond the service."""
    return {
        "readOnlyHint": row.hints.read_only,
        "destructiveHint": row.hints.destructive,
        "idempotentHint": row.hints.idempotent,
        "openWorldHint": row.hints.open_world,
    }


def tools(contract: Contract, surface: Surface = Surface.MCP) -> dict[str, Tool]:
    """Return every tool of a surface by its name, in the order of the contract's rows."""
    shapes = (shape for shape in contract.shapes.values() if surface in shape.operation.surfaces)
    made = (_tool(contract, shape) for shape in shapes)
    return {tool.name: tool for tool in made}


def _tool(contract: Contract, shape: OperationSchema) -> Tool:
    told = shape.description
    schema = object_of({each.name: _argument(each) for each in shape.inputs.values()})
    schema["required"] = [each.name for each in shape.inputs.values() if each.required]
    answer = None if shape.answer is None else _whole(shape.answer, contract.components)
    name, text = tool_name(shape.operation.name), told.spelled(tool_name)
    return Tool(name, shape, told.title, text, _whole(schema, contract.components), answer)


def _argument(each: OperationInput) -> JsonSchema:
    given: JsonSchema = {} if each.default is None else {"default": each.default}
    return {**each.type.schema, **given, "description": each.description}


def _whole(answer: JsonSchema, components: Mapping[str, JsonSchema]) -> JsonSchema:
    """Return a schema that needs nothing outside itself: an object, with `$defs` for all that it refers to."""
    root = components[_name(answer)] if "$ref" in answer else answer
    found: dict[str, JsonSchema] = {}
    inner = cast("JsonSchema", _defined(root, components, found))
    return inner | {"$defs": dict(sorted(found.items()))} if found else inner


def _name(reference: Mapping[str, object]) -> str:
    return str(reference["$ref"]).removeprefix(_COMPONENTS)


def _defined(value: object, components: Mapping[str, JsonSchema], found: dict[str, JsonSchema]) -> object:
    """Return a part of a schema with its references turned to `$defs`, whose schemas are gathered in `found`."""
    if isinstance(value, list):
        return [_defined(each, components, found) for each in value]
    if not isinstance(value, dict):
        return value
    if "$ref" not in value:
        return {name: _defined(each, components, found) for name, each in value.items()}
    name = _name(value)
    if name not in found:
        found[name] = {}  # so that a schema may refer to itself
        found[name] = cast("JsonSchema", _defined(components[name], components, found))
    return value | {"$ref": _DEFINED + name}
