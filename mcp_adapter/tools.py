"""Describes each operation of the contract as an MCP tool: its name, schemas and annotations.

At `/mcp` a tool is all that the contract says of its operation. At `/mcp-full` it is what a model needs: a short description,
inputs without what only a validator reads, and no schema of the answer, which is made for models as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from contract.contract import Contract, tool_name
from contract.descriptions import spelled
from contract.operation_schema import OperationInput, OperationSchema, object_of
from contract.operations import Operation, Surface
from contract.scalars import MAX_INT, JsonSchema
from mcp_adapter.descriptions import FOR_MODELS, INPUTS

# Of a schema of inputs, what the server checks anyway and a model writes no better for.
_CHECKS: Final = frozenset(
    {"pattern", "format", "minLength", "maxLength", "minItems", "maxItems", "contentMediaType", "additionalProperties"}
)
INCLUDE: Final = "include"
TREE: Final = "tree"
_INCLUDE: Final[JsonSchema] = {
    "type": "array",
    "items": {"type": "string", "enum": [TREE]},
    "description": "What to add: the ProseMirror tree.",
}
_COMPONENTS: Final = "#/components/schemas/"
_DEFINED: Final = "#/$defs/"


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; `schema` is of its arguments, `answer` of its structured content (None where there is none, or none is told).

    `with_tree` is the operation with the ProseMirror tree in its answer, where a model has to ask for it.
    """

    name: str
    shape: OperationSchema
    title: str
    description: str
    schema: JsonSchema
    answer: JsonSchema | None
    with_tree: OperationSchema | None = None

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
    make = _model_tool if surface is Surface.MCP_FULL else _tool
    made = (make(contract, shape) for shape in shapes)
    return {tool.name: tool for tool in made}


def _tool(contract: Contract, shape: OperationSchema) -> Tool:
    told = shape.description
    schema = object_of({each.name: _argument(each) for each in shape.inputs.values()})
    schema["required"] = [each.name for each in shape.inputs.values() if each.required]
    answer = None if shape.answer is None else _whole(shape.answer, contract.components)
    name, text = tool_name(shape.operation.name), told.spelled(tool_name)
    return Tool(name, shape, told.title, text, _whole(schema, contract.components), answer)


def _model_tool(contract: Contract, whole: OperationSchema) -> Tool:
    """Return the tool of an operation as models have it."""
    row = whole.operation
    shape, own = contract.for_models.get(row.name), contract.model_components
    if shape is None:
        shape, own = whole, contract.components
    schema: JsonSchema = {"type": "object", "properties": {each.name: _lean(each) for each in shape.inputs.values()}}
    has_tree = row.read_only and "prosemirrorDoc" in str(_whole(whole.answer or {}, contract.components))
    if has_tree:
        cast("JsonSchema", schema["properties"])["include"] = _INCLUDE
    schema["required"] = [each.name for each in shape.inputs.values() if each.required]
    schema = cast("JsonSchema", _without_checks(_inlined(schema, own)))
    text = spelled(FOR_MODELS[row.name], tool_name)
    return Tool(tool_name(row.name), shape, whole.description.title, text, schema, None, whole if has_tree else None)


def _lean(each: OperationInput) -> JsonSchema:
    """Return what a model is told of an input: null, which is as good as to leave it out, only where it must be sent."""
    schema = each.type.schema if each.required else each.type.present
    default: JsonSchema = {} if each.default is None else {"default": each.default}
    told = INPUTS.get(each.name, "" if each.name.endswith("Id") else each.description)
    return {**schema, **default, "description": told} if told else {**schema, **default}


def _inlined(value: object, components: Mapping[str, JsonSchema]) -> object:
    """Return a part of a schema with what it refers to in its place, without descriptions: no input refers to itself."""
    if isinstance(value, list):
        return [_inlined(each, components) for each in value]
    if not isinstance(value, dict):
        return value
    if "$ref" not in value:
        return {name: _inlined(each, components) for name, each in value.items()}
    properties = cast("JsonSchema", components[_name(value)]["properties"])
    bare = {name: {"type": cast("JsonSchema", each)["type"]} for name, each in properties.items()}
    return {"type": "object", "properties": bare, "required": components[_name(value)]["required"]}


def _without_checks(value: object) -> object:
    """Return a part of a schema without what only those need who validate."""
    if isinstance(value, list):
        return [_without_checks(each) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {name: each for name, each in value.items() if name not in _CHECKS or isinstance(each, dict)}
    if kept.get("maximum") == MAX_INT:
        kept = {name: each for name, each in kept.items() if name not in ("minimum", "maximum")}
    return {name: _without_checks(each) for name, each in kept.items()}


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
