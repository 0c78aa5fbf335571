"""Derivation of an operation's inputs and answer from its row, its document and the GraphQL schema."""

import re
from dataclasses import dataclass, field
from typing import Final

from graphql import (
    ArgumentNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLArgument,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    ObjectFieldNode,
    ObjectValueNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_input_type,
    is_leaf_type,
    type_from_ast,
    value_from_ast,
)

from contract.bounds import MAX_IDS, MAX_PAGE, MAX_PASSAGES
from contract.descriptions import DESCRIPTIONS
from contract.input_types import MAX_QUERY_ENTRIES, InputType, InputTypes
from contract.operation_schema import MARKDOWN, ContractError, Location, OperationInput, OperationSchema, object_of
from contract.operations import Answer, MediaType, Method, Operation
from contract.scalars import MAX_INT, JsonSchema, nullable, scalar_of
from domain.document import IMAGE_EXTENSIONS

_BRACES: Final = re.compile(r"\{(\w+)\}")
# The bounds of inputs with these names: of the number, or of a list's length.
BOUNDS: Final = {
    "first": (1, MAX_PAGE), "base": (0, MAX_INT), "sinceRevision": (0, MAX_INT), "untilRevision": (0, MAX_INT),
    "ids": (1, MAX_IDS), "passages": (0, MAX_PASSAGES), "fromBlock": (0, MAX_INT), "toBlock": (0, MAX_INT),
    "characters": (1, MAX_INT),
}  # fmt: skip
# The inputs with these names are Markdown, which may be long.
TEXTS: Final = frozenset({"replace", "append"})
MAX_SELECTIONS: Final = 10  # of one type in one document, each of other fields
_WITH_BODY: Final = frozenset({Method.POST, Method.PUT, Method.PATCH})


# What the contract promises of the answers' fields beyond their GraphQL types, by type and field.
_NARROWED: Final[dict[str, dict[str, JsonSchema]]] = {
    "Image": {
        "url": {"format": "uri"},
        "contentType": {"enum": sorted(IMAGE_EXTENSIONS)},
        "width": {"minimum": 1},
        "height": {"minimum": 1},
        "byteSize": {"minimum": 1},
    }
}


@dataclass(slots=True)
class Derivation:
    schema: GraphQLSchema
    document: DocumentNode
    components: dict[str, JsonSchema] = field(default_factory=dict)
    operations: dict[str, OperationDefinitionNode] = field(init=False)
    fragments: dict[str, FragmentDefinitionNode] = field(init=False)

    def __post_init__(self) -> None:
        nodes = self.document.definitions
        self.operations = {n.name.value: n for n in nodes if isinstance(n, OperationDefinitionNode) and n.name}
        self.fragments = {n.name.value: n for n in nodes if isinstance(n, FragmentDefinitionNode)}

    def shape(self, row: Operation) -> OperationSchema:
        if row.name not in DESCRIPTIONS:
            raise ContractError(f"{row.name} has no description")
        node = self.operations.get(row.document)
        if node is None or (node.operation is OperationType.QUERY) is not row.read_only:
            raise ContractError(f"{row.name} has no document of its kind named {row.document}")
        root = self.schema.get_root_type(node.operation)
        assert root is not None
        fields = self._fields(root, node.selection_set)
        if len(fields) != 1 and row.answer is not Answer.DATA:
            raise ContractError(f"{row.name} answers one value, so its document has one field at the top")
        first = next(iter(fields.values()))[0].name.value
        answer = None if row.answer is Answer.EMPTY else self._answer(row, root, node.selection_set)
        # further paragraphs are about GraphQL's own answer
        summary = (root.fields[first].description or row.name).partition("\n\n")[0]
        return OperationSchema(row, summary, DESCRIPTIONS[row.name], self._inputs(row, node, root), answer)

    def _inputs(
        self, row: Operation, node: OperationDefinitionNode, root: GraphQLObjectType
    ) -> dict[str, OperationInput]:
        in_path = set(_BRACES.findall(row.path))
        described = self._descriptions(node, root)
        types = InputTypes(lambda name, description, schema: self._component(row, name, description, schema))
        inputs: dict[str, OperationInput] = {}
        for variable in node.variable_definitions or ():
            name = variable.variable.name.value
            declared = type_from_ast(self.schema, variable.type)
            assert is_input_type(declared)
            try:
                kind = types.of(declared)
            except (KeyError, ValueError) as fault:
                raise ContractError(
                    f"{row.name} takes {name} as {declared}, which the contract cannot parse"
                ) from fault
            if name in BOUNDS:
                bounds = BOUNDS[name]
                kind = kind.of_length(*bounds) if kind.is_list else kind.within(*bounds)
            if name in TEXTS:
                kind = kind.of_media(MARKDOWN)
            place = _place(row, kind, in_path=name in in_path)
            if place is Location.QUERY and kind.is_list:
                kind = kind.of_length(0, MAX_QUERY_ENTRIES)
            # what a body may hold as null must be there, unless its default says what it is good for to leave it out
            optional = variable.default_value is not None or (place is Location.QUERY and kind.nullable)
            in_text = kind.scalar is not None and not (place is Location.PATH and (kind.is_list or kind.nullable))
            if (place in (Location.PATH, Location.QUERY) and not in_text) or (place is Location.PATH and optional):
                raise ContractError(f"{row.name} takes {name} as {declared} in its {place}")
            default = value_from_ast(variable.default_value, declared) if variable.default_value else None
            inputs[name] = OperationInput(name, place, not optional, kind, described.get(name, ""), default)
        if missing := in_path - inputs.keys():
            raise ContractError(f"{row.name} has {', '.join(missing)} in its path alone")
        held = Location.PART if row.body is MediaType.MULTIPART else Location.BODY
        if any(each.place in {Location.PART, Location.BODY} - {held} for each in inputs.values()):
            raise ContractError(f"{row.name} has inputs that no body of {row.body} holds")
        return inputs

    def _descriptions(self, node: OperationDefinitionNode, root: GraphQLObjectType) -> dict[str, str]:
        """Return the descriptions of the arguments, or the fields of these, that the variables are passed to, by variable."""
        arguments = [
            (argument, root.fields[top.name.value].args[argument.name.value])
            for nodes in self._fields(root, node.selection_set).values()
            for top in nodes
            for argument in top.arguments or ()
        ]
        found: dict[str, str] = {}
        for passed, declared in arguments:
            given: list[tuple[ArgumentNode | ObjectFieldNode, GraphQLArgument | GraphQLInputField]] = [
                (passed, declared)
            ]
            kind = get_named_type(declared.type)
            if isinstance(passed.value, ObjectValueNode) and isinstance(kind, GraphQLInputObjectType):
                given = [(each, kind.fields[each.name.value]) for each in passed.value.fields]
            for each, of in given:
                if isinstance(each.value, VariableNode):
                    found[each.value.name.value] = of.description or ""
        return found

    def _fields(self, parent: GraphQLObjectType, *selections: SelectionSetNode) -> dict[str, list[FieldNode]]:
        """Return the selected fields by their response names."""
        collected: dict[str, list[FieldNode]] = {}
        for node in (node for selection in selections for node in selection.selections):
            if node.directives:
                raise ContractError(f"a selection on {parent.name} depends on a directive")
            if isinstance(node, FieldNode):
                collected.setdefault((node.alias or node.name).value, []).append(node)
            elif isinstance(node, FragmentSpreadNode):
                for name, nodes in self._fields(parent, self.fragments[node.name.value].selection_set).items():
                    collected.setdefault(name, []).extend(nodes)
            else:
                raise ContractError(f"a selection on {parent.name} has an inline fragment: name it")
        return collected

    def _answer(self, row: Operation, root: GraphQLObjectType, selections: SelectionSetNode) -> JsonSchema:
        properties = self._properties(row, root, [selections], always_present=True)
        # the description of a root field is the summary of the operation
        bare = {
            name: {key: part for key, part in value.items() if key != "description"}
            for name, value in properties.items()
        }
        if row.answer is Answer.DATA:
            return object_of(bare)
        (value,) = bare.values()
        return value

    def _properties(
        self,
        row: Operation,
        parent: GraphQLObjectType,
        selections: list[SelectionSetNode],
        *,
        always_present: bool = False,
    ) -> dict[str, JsonSchema]:
        """Return the schema of each field; `always_present` at the root, where null comes with an error, not an answer."""
        properties: dict[str, JsonSchema] = {}
        for name, nodes in self._fields(parent, *selections).items():
            declared = parent.fields[nodes[0].name.value]
            kind = GraphQLNonNull(get_nullable_type(declared.type)) if always_present else declared.type
            value = self._value(row, kind, [node.selection_set for node in nodes if node.selection_set])
            narrowed = value | _NARROWED.get(parent.name, {}).get(name, {})
            properties[name] = narrowed | {"description": declared.description} if declared.description else narrowed
        return properties

    def _value(self, row: Operation, declared: GraphQLOutputType, inner: list[SelectionSetNode]) -> JsonSchema:
        if isinstance(declared, GraphQLNonNull):
            return self._present(row, declared.of_type, inner)
        return nullable(self._present(row, declared, inner))

    def _present(self, row: Operation, declared: GraphQLOutputType, inner: list[SelectionSetNode]) -> JsonSchema:
        if isinstance(declared, GraphQLList):
            return {"type": "array", "items": self._value(row, declared.of_type, inner)}
        if isinstance(declared, GraphQLObjectType):
            schema = object_of(self._properties(row, declared, inner))
            return self._component(row, declared.name, declared.description, schema)
        if not is_leaf_type(declared):
            raise ContractError(f"{row.name} selects {declared}, whose shape depends on more than the selection")
        kind = scalar_of(declared)
        return kind.answer_schema or kind.json_schema

    def _component(self, row: Operation, name: str, description: str | None, schema: JsonSchema) -> JsonSchema:
        """Add a component and return its reference; another selection of the same type has its document in its name."""
        if description:
            schema = {"description": description} | schema
        others = (f"{name}In{row.document}{number}" for number in ("", *range(2, MAX_SELECTIONS)))
        for each in (name, *others):
            if self.components.setdefault(each, schema) == schema:
                return {"$ref": f"#/components/schemas/{each}"}
        raise ContractError(f"{row.name} selects {name} in more than {MAX_SELECTIONS} ways")


def _place(row: Operation, kind: InputType, *, in_path: bool) -> Location:
    if in_path:
        return Location.PATH
    if kind.scalar is not None and kind.scalar.media_types:
        return Location.PART
    return Location.BODY if row.method in _WITH_BODY else Location.QUERY
