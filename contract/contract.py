"""The contract that every surface derives from: each operation's schema and spellings, and `contract.json`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from graphql import GraphQLSchema, parse, print_ast, validate
from graphql.utilities import separate_operations

from contract.derivation import Derivation
from contract.examples import example
from contract.operation_schema import ContractError, Location, OperationInput, OperationSchema
from contract.operations import OPERATIONS, Operation
from contract.scalars import JsonSchema
from domain.errors import Code

DOCUMENTS: Final = Path(__file__).with_name("operations.graphql")
MODEL_DOCUMENTS: Final = Path(__file__).with_name("models.graphql")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Contract:
    """Every operation's schema by its name, and the components that they refer to.

    `for_models` has those of the answers to models, where they differ, with components of their own.
    """

    shapes: Mapping[str, OperationSchema]
    components: Mapping[str, JsonSchema]
    for_models: Mapping[str, OperationSchema]
    model_components: Mapping[str, JsonSchema]


def contract(schema: GraphQLSchema, text: str | None = None) -> Contract:
    """Derive the whole contract; raises ContractError where a row, its document and the schema disagree."""
    shapes, components = _derived(schema, text or DOCUMENTS.read_text("utf-8"), OPERATIONS)
    named = documents(MODEL_DOCUMENTS)
    rows = [row.for_models for row in OPERATIONS if row.for_models.document in named]
    return Contract(shapes, components, *_derived(schema, MODEL_DOCUMENTS.read_text("utf-8"), rows))


def _derived(
    schema: GraphQLSchema, text: str, rows: Sequence[Operation]
) -> tuple[dict[str, OperationSchema], dict[str, JsonSchema]]:
    document = parse(text)
    if errors := validate(schema, document):
        raise ContractError("; ".join(error.message for error in errors))
    derivation = Derivation(schema, document)
    shapes = {row.name: derivation.shape(row) for row in rows}
    if unused := derivation.operations.keys() - {row.document for row in rows}:
        raise ContractError(f"no row names {', '.join(sorted(unused))}")
    return shapes, derivation.components


def documents(file: Path = DOCUMENTS) -> dict[str, str]:
    """Return the text of each named document of a file, the contract's by default, with the fragments it uses."""
    return {name: print_ast(node) for name, node in separate_operations(parse(file.read_text("utf-8"))).items()}


def rejections(shape: OperationSchema) -> tuple[Code, ...]:
    """Return every code that the operation can be rejected with, those of any request included."""
    row = shape.operation
    codes = {Code.BAD_REQUEST, Code.UNAUTHORIZED, *row.rejects}
    if shape.body:
        codes |= {Code.PAYLOAD_TOO_LARGE, Code.UNSUPPORTED_MEDIA_TYPE}
    if row.takes_idempotency_key:
        codes.add(Code.IDEMPOTENCY_KEY_REUSED)
    codes |= {Code.TOO_MANY_REQUESTS, Code.INTERNAL_SERVER_ERROR, Code.SERVICE_UNAVAILABLE}
    return tuple(code for code in Code if code in codes)


def snake(name: str) -> str:
    return _HUMP.sub("_", name).lower()


def kebab(name: str) -> str:
    return _HUMP.sub("-", name).lower()


def tool_name(operation: str) -> str:
    """Return the name of the MCP tool: `drive_items_create_child` for `driveItems.createChild`."""
    return snake(operation).replace(".", "_")


def command_words(operation: str) -> list[str]:
    """Return the words of the command line: `drive-items`, `create-child` for `driveItems.createChild`."""
    return kebab(operation).split(".")


def contract_json(of: Contract) -> dict[str, object]:
    """Return the content of `contract.json`, from which the clients and the command line are generated."""
    return {
        "basePath": "/api/v1",
        "operations": [_operation(shape, of.components) for shape in of.shapes.values()],
        "components": {"schemas": dict(of.components)},
        "codes": list(Code),
    }


def _operation(shape: OperationSchema, components: Mapping[str, JsonSchema]) -> dict[str, object]:
    row: Operation = shape.operation
    return {
        "name": row.name,
        "method": row.method,
        "path": row.path,
        "summary": shape.summary,
        "title": shape.description.title,
        "description": shape.description.text,
        "extension": row.extension,
        "readOnly": row.read_only,
        "destructive": row.hints.destructive,
        "idempotent": row.hints.idempotent,
        "openWorld": row.hints.open_world,
        "conditional": row.conditional,
        "idempotencyKey": row.takes_idempotency_key,
        "surfaces": sorted(row.surfaces),
        "tool": tool_name(row.name),
        "command": command_words(row.name),
        "clients": {"python": snake(row.name).split("."), "typescript": row.name.split(".")},
        "inputs": [
            {
                "name": each.name,
                "in": each.place,
                "required": each.required,
                "nullable": each.type.nullable,
                "flag": f"--{kebab(each.name)}",
                "schema": each.schema,
                "description": each.description,
                "example": example(each.schema, components, each.name),
            }
            for each in shape.inputs.values()
            if each.place is not Location.PART
        ],
        "parts": [_part(each) for each in shape.placed(Location.PART)],
        "answer": shape.answer,
        "exampleAnswer": example(shape.answer, components) if shape.answer else None,
        "rejections": list(rejections(shape)),
    }


def _part(each: OperationInput) -> dict[str, object]:
    assert each.type.scalar is not None
    return {"name": each.name, "mediaTypes": list(each.type.scalar.media_types), "description": each.description}
