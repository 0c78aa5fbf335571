"""Writes the TypeScript module of the web application's GraphQL documents: each text, with the types of its answer and variables.

The application is checked by `tsc` against these types, so a document that no longer fits a screen is an error of the build.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Final

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLEnumType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLNullableInputType,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    GraphQLType,
    OperationDefinitionNode,
    SelectionSetNode,
    TypeNode,
    is_input_type,
    parse,
    print_ast,
    type_from_ast,
)

from web.application import application_documents

PATH: Final = "app/src/graphql/generated.ts"
_HEAD: Final = """\
// Written by `python -m codegen.generate` from web/application.graphql and the schema.

/** The text of an operation, with the types of its answer and of its variables. */
export type Document<Data, Variables> = string & { readonly typed?: (variables: Variables) => Data };
"""
_SCALARS: Final = {"Int": "number", "Float": "number", "ByteCount": "number", "Boolean": "boolean", "JSON": "unknown"}


def application_types(schema: GraphQLSchema) -> dict[str, str]:
    """Return the module by its path."""
    texts = application_documents()
    writer = _Writer(schema)
    operations = [part for name in sorted(texts) for part in writer.operation(name, texts[name])]
    fragments = writer.fragments()
    enums = [
        f"export type {each.name} = {' | '.join(f'"{value}"' for value in each.values)};" for each in writer.enums()
    ]
    return {PATH: "\n".join([_HEAD, *enums, "", *fragments, "", *operations])}


class _Writer:
    """Writes types, and keeps which enumerations and fragments they name."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self._schema = schema
        self._enums: dict[str, GraphQLEnumType] = {}
        self._fragments: dict[str, FragmentDefinitionNode] = {}

    def operation(self, name: str, text: str) -> Iterator[str]:
        definitions = parse(text, no_location=True).definitions
        self._fragments |= {each.name.value: each for each in definitions if isinstance(each, FragmentDefinitionNode)}
        (operation,) = (each for each in definitions if isinstance(each, OperationDefinitionNode))
        root = self._schema.get_root_type(operation.operation)
        assert root is not None
        yield f"export type {name}Data = {self._selection(root, operation.selection_set)};"
        variables = [
            f"{each.variable.name.value}{'' if _needed(each.type) else '?'}: {self._input(each.type)}"
            for each in operation.variable_definitions or ()
        ]
        yield (
            f"export type {name}Variables = {{ {'; '.join(variables)} }};"
            if variables
            else (f"export type {name}Variables = Record<string, never>;")
        )
        yield f"export const {name}: Document<{name}Data, {name}Variables> ="
        yield f"  {json.dumps(text)};"
        yield ""

    def fragments(self) -> list[str]:
        written = []
        for name in sorted(self._fragments):
            node = self._fragments[name]
            kind = self._schema.type_map[node.type_condition.name.value]
            assert isinstance(kind, GraphQLObjectType)
            written.append(f"export type {name} = {self._selection(kind, node.selection_set)};")
        return written

    def enums(self) -> Iterable[GraphQLEnumType]:
        return [self._enums[name] for name in sorted(self._enums)]

    def _selection(self, kind: GraphQLObjectType, selections: SelectionSetNode) -> str:
        fields, spread = [], []
        for each in selections.selections:
            if isinstance(each, FragmentSpreadNode):
                spread.append(each.name.value)
            elif isinstance(each, FieldNode):
                name = (each.alias or each.name).value
                fields.append(f"{name}: {self._output(kind.fields[each.name.value].type, each.selection_set)}")
        own = [f"{{ {'; '.join(fields)} }}"] if fields else []
        return " & ".join([*spread, *own])

    def _output(self, kind: GraphQLOutputType, selections: SelectionSetNode | None) -> str:
        if isinstance(kind, GraphQLNonNull):
            return self._present(kind.of_type, selections)
        return f"{self._present(kind, selections)} | null"

    def _present(self, kind: GraphQLType, selections: SelectionSetNode | None) -> str:
        if isinstance(kind, GraphQLList):
            return f"Array<{self._output(kind.of_type, selections)}>"
        if isinstance(kind, GraphQLObjectType):
            assert selections is not None
            return self._selection(kind, selections)
        assert isinstance(kind, GraphQLNamedType)
        return self._scalar(kind)

    def _scalar(self, kind: GraphQLNamedType) -> str:
        if isinstance(kind, GraphQLEnumType):
            self._enums[kind.name] = kind
            return kind.name
        return _SCALARS.get(kind.name, "string")

    def _input(self, node: TypeNode) -> str:
        kind = type_from_ast(self._schema, node)
        assert is_input_type(kind), print_ast(node)
        return self._given(kind)

    def _given(self, kind: GraphQLInputType) -> str:
        if not isinstance(kind, GraphQLNonNull):
            return f"{self._value(kind)} | null"
        return self._value(kind.of_type)

    def _value(self, kind: GraphQLNullableInputType) -> str:
        if isinstance(kind, GraphQLList):
            return f"Array<{self._given(kind.of_type)}>"
        assert isinstance(kind, GraphQLNamedType)
        return self._scalar(kind)


def _needed(node: TypeNode) -> bool:
    return node.kind == "non_null_type"
