"""Execution of documents that the server knows, prepared when one runs first: the contract's, the pages' and the application's.

A document is parsed, validated and collected once; its plain selections are answered by generated functions
(`graphql_api.selection_compiler`). Whatever those fall back from runs through graphql-core's own methods, so that answers
and errors are those of stock execution, byte for byte. Only documents prepared here are compiled: what clients send
is not, unless it is the exact text of one of them (`graphql_api.prepared_documents`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from graphql import (
    DocumentNode,
    ExecutionResult,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLResolveInfo,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    VariableValues,
    Visitor,
    default_field_resolver,
    default_type_resolver,
    execute,
    get_variable_values,
    parse,
    validate,
    visit,
)
from strawberry import Schema

from graphql_api.selection_compiler import SEQUENCES, AnsweredOnce, Plan, plan
from graphql_api.strawberry_internals import (
    AwaitableOrValue,
    CollectedFields,
    CoreExecutor,
    FieldDetailsList,
    FragmentDetails,
    GroupedFieldSet,
    Path,
    collect_fields,
    collect_subfields,
    core_schema,
    gather_with_cancel,
    optimized_is_awaitable,
)

NO_VARIABLES = VariableValues({}, {})
MAX_COERCION_ERRORS = 50  # as stock execution has it


@dataclass(frozen=True, slots=True, eq=False)
class PreparedDocument:
    """A valid document of one operation, with everything about it that does not depend on the request."""

    schema: GraphQLSchema
    document: DocumentNode
    operation: OperationDefinitionNode
    fragments: dict[str, FragmentDetails]
    fragment_definitions: dict[str, FragmentDefinitionNode]
    root_type: GraphQLObjectType
    root_fields: GroupedFieldSet | None  # None: it has directives, so the selection depends on the request
    defaults: Mapping[str, Any]  # of its variables, coerced
    # filled by running and bounded by the document; keyed by the ids of lists that they keep alive
    sub_fields: dict[tuple[GraphQLObjectType, int], tuple[FieldDetailsList, CollectedFields]] = field(
        default_factory=dict
    )
    plans: dict[tuple[GraphQLObjectType, int], Plan | None] = field(default_factory=dict)

    def collect(self, kind: GraphQLObjectType, details: FieldDetailsList) -> CollectedFields:
        """Return what is selected below `details`, collected once."""
        key = (kind, id(details))
        known = self.sub_fields.get(key)
        if known is None:
            collected = collect_subfields(
                self.schema, self.fragments, NO_VARIABLES, self.operation, kind, details, True
            )
            known = self.sub_fields[key] = (details, collected)
        return known[1]

    def fields(self, kind: GraphQLObjectType, details: FieldDetailsList) -> GroupedFieldSet:
        return self.collect(kind, details)[0]

    def plan(self, kind: GraphQLObjectType, details: FieldDetailsList) -> Plan | None:
        key = (kind, id(details))
        try:
            return self.plans[key]
        except KeyError:
            made = self.plans[key] = plan(kind, self.fields(kind, details), self.fields)
            return made


def prepare(schema: Schema, text: str) -> PreparedDocument:
    """Parse, validate and collect one document; raises ValueError, saying why, where it does not fit the schema."""
    core = core_schema(schema)
    document = parse(text, no_location=False)
    if errors := validate(core, document):
        raise ValueError("; ".join(error.message for error in errors))
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    if len(operations) != 1 or operations[0].operation is OperationType.SUBSCRIPTION:
        raise ValueError("a prepared document holds one query or mutation")
    operation = operations[0]
    definitions = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
    fragments = {name: FragmentDetails(node, None) for name, node in definitions.items()}
    root_type = cast("GraphQLObjectType", core.get_root_type(operation.operation))
    root_fields = None
    if not _has_directives(document):
        root_fields = collect_fields(core, fragments, NO_VARIABLES, root_type, operation, True)[0]
    with_default = [node for node in operation.variable_definitions or () if node.default_value]
    defaults = get_variable_values(core, with_default, {})
    assert isinstance(defaults, VariableValues), "the document is valid"
    return PreparedDocument(
        schema=core,
        document=document,
        operation=operation,
        fragments=fragments,
        fragment_definitions=definitions,
        root_type=root_type,
        root_fields=root_fields,
        defaults=defaults.coerced,
    )


async def execute_static(prepared: PreparedDocument, variables: Mapping[str, Any], context: object) -> ExecutionResult:
    """Run a prepared document; resolvers see the same `info.context` as through the endpoint."""
    if prepared.root_fields is None:
        return await execute_stock(prepared, variables, context)
    nodes = prepared.operation.variable_definitions or ()
    values = get_variable_values(prepared.schema, nodes, dict(variables), MAX_COERCION_ERRORS, True)
    if isinstance(values, list):
        return ExecutionResult(None, values)
    return await CompiledExecutor(prepared, values, context).run()


async def execute_coerced(prepared: PreparedDocument, values: Mapping[str, Any], context: object) -> ExecutionResult:
    """Run a prepared document without directives whose variables have the values that GraphQL would coerce them to.

    Where each came from, which stock execution notes too, matters only to variables inside a literal of a custom scalar.
    """
    return await CompiledExecutor(prepared, VariableValues({}, {**prepared.defaults, **values}), context).run()


async def execute_stock(prepared: PreparedDocument, variables: Mapping[str, Any], context: object) -> ExecutionResult:
    """Run a prepared document without generated code, as the measure of `execute_static`."""
    result = execute(
        prepared.schema,
        prepared.document,
        context_value=context,
        variable_values=dict(variables),
        executor_class=CoreExecutor,
        is_awaitable=optimized_is_awaitable,  # type: ignore[arg-type]
    )
    return result if isinstance(result, ExecutionResult) else await result


class CompiledExecutor(CoreExecutor):
    """Graphql-core's executor, which asks the document's plans before it completes an object or a list.

    It is made with its variables, which the public `build` would coerce once more.
    """

    def __init__(self, prepared: PreparedDocument, values: VariableValues, context: object) -> None:
        super().__init__(
            schema=prepared.schema,
            fragment_definitions=prepared.fragment_definitions,
            fragments=prepared.fragments,
            root_value=None,
            context_value=context,
            operation=prepared.operation,
            variable_values=values,
            field_resolver=default_field_resolver,
            type_resolver=default_type_resolver,
            subscribe_field_resolver=default_field_resolver,
            is_awaitable=optimized_is_awaitable,
        )
        self.prepared = prepared

    async def run(self) -> ExecutionResult:
        """Execute as `Executor.execute_operation` does, from the collected root fields on."""
        prepared = self.prepared
        serially = prepared.operation.operation is OperationType.MUTATION
        run_fields = self.execute_fields_serially if serially else self.execute_fields
        data: Any
        try:
            data = run_fields(prepared.root_type, None, None, cast("GroupedFieldSet", prepared.root_fields), None)
            if optimized_is_awaitable(data):
                data = await data
        except GraphQLError as error:
            self.collected_errors.add(error, None)
            data = None
        return ExecutionResult(data, self.collected_errors.errors or None)

    def collect_subfields(
        self, return_type: GraphQLObjectType, field_details_list: FieldDetailsList
    ) -> CollectedFields:
        return self.prepared.collect(return_type, field_details_list)

    def complete_object_value(
        self,
        return_type: GraphQLObjectType,
        field_details_list: FieldDetailsList,
        info: GraphQLResolveInfo[Any],
        path: Path,
        result: Any,
        position_context: Any,
    ) -> AwaitableOrValue[dict[str, Any]]:
        found = self.prepared.plan(return_type, field_details_list)
        if found is not None:
            try:
                once = isinstance(result, AnsweredOnce) and not found.resolved
                data = _kept(found, result) if once else found.one(result)
            except Exception:  # noqa: BLE001, S110 - stock execution finds and words the error
                pass
            else:
                return self._resolved(found, data, return_type, path, result) if found.resolved else data
        return super().complete_object_value(return_type, field_details_list, info, path, result, position_context)

    def complete_iterable_value(
        self,
        item_type: GraphQLOutputType,
        field_details_list: FieldDetailsList,
        info: GraphQLResolveInfo[Any],
        path: Path,
        items: Any,
        position_context: Any,
    ) -> AwaitableOrValue[list[Any]]:
        strict = isinstance(item_type, GraphQLNonNull)
        kind = item_type.of_type if isinstance(item_type, GraphQLNonNull) else item_type
        if items.__class__ in SEQUENCES and isinstance(kind, GraphQLObjectType):
            found = self.prepared.plan(kind, field_details_list)
            if found is not None and not found.resolved:
                try:
                    return found.many(items) if strict else found.many_or_null(items)
                except Exception:  # noqa: BLE001, S110 - stock execution finds and words the error
                    pass
        return super().complete_iterable_value(item_type, field_details_list, info, path, items, position_context)

    def _resolved(
        self, found: Plan, data: dict[str, Any], kind: GraphQLObjectType, path: Path, source: object
    ) -> AwaitableOrValue[dict[str, Any]]:
        """Run the fields with resolvers of their own, in the places kept for them, as `Executor.execute_fields` does."""
        waiting: list[str] = []
        try:
            for name, details in found.resolved:
                value = self.execute_field(kind, source, details, Path(path, name, kind.name), None)
                data[name] = value
                if optimized_is_awaitable(value):
                    waiting.append(name)
        except Exception:
            if waiting:
                self.settle_in_background([data[name] for name in waiting])
            raise
        return self._awaited(data, waiting) if waiting else data

    async def _awaited(self, data: dict[str, Any], waiting: list[str]) -> dict[str, Any]:
        if len(waiting) == 1:
            data[waiting[0]] = await data[waiting[0]]
        else:
            values = await gather_with_cancel(*(data[name] for name in waiting))
            data.update(zip(waiting, values, strict=True))
        return data


def _kept(found: Plan, value: AnsweredOnce) -> dict[str, Any]:
    """Return the answer that is kept with the value."""
    known = value.answers.get(found)
    if known is None:
        known = value.answers[found] = found.one(value)
    return known


def _has_directives(document: DocumentNode) -> bool:
    found: list[object] = []

    class Directives(Visitor):
        def enter_directive(self, node: object, *_: Any) -> None:
            found.append(node)

    visit(document, Directives())
    return bool(found)
