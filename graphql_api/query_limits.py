"""Limits of a client's document: tokens, depth, aliases and cost, measured in time linear in its length.

Each fragment is measured once, however often it is spread. Cost is an estimate of the fields that an answer will hold:
one for each field, times the page size below a connection, times `QueryLimits.unpaged` below any other list of objects.
Look-ups are estimated in the same way: one for each field whose resolver asks the database, but one for all of a list where
they are made together. An operation makes `MAX_QUESTIONS` of them, so what stands below them costs no more than so many times the dearest of them.
Introspection has an allowance of its own, made to measure for the standard query of the common tools.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    get_named_type,
)

from contract.bounds import MAX_PAGE
from graphql_api.read_limits import MAX_QUESTIONS
from graphql_api.strawberry_internals import strawberry_field

PAGE_ARGUMENTS: Final = ("first", "last")
HELD: Final = "held"  # in a field's metadata: how many items its list is taken to hold, where that is many
TOGETHER: Final = "together"  # in a field's metadata: what all of a list ask for by it is one look-up
INTROSPECTION: Final = frozenset({"__schema", "__type"})
DEFAULT_PAGE: Final = 50  # items, where a connection is asked for no number of them
MOST_EXPANDED: Final = (
    10_000  # fields of a document with its fragments expanded: ten times as many as it may have tokens
)
NESTING: Final = 100  # of brackets and spreads, beyond any allowed depth: so that measuring cannot exhaust the stack


@dataclass(frozen=True, slots=True)
class QueryLimits:
    tokens: int = 1_000
    depth: int = 12
    aliases: int = 30
    cost: int = 500_000  # at about 3 us a field, a second and a half, with breaks for others
    look_ups: int = 10_000  # that there might be; how many there are is bounded where they are made
    page: int = DEFAULT_PAGE
    largest_page: int = MAX_PAGE
    unpaged: int = 10
    compared_pairs: int = 1_000  # of fields of one name, and of fragments, at one place of the answer: by validation
    introspection_depth: int = 20
    introspection_cost: int = 80_000  # the standard query costs 52,000


class QueryCost(NamedTuple):
    depth: int = 0
    aliases: int = 0
    cost: int = 0
    introspection_depth: int = 0
    introspection_cost: int = 0
    look_ups: int = 0
    together: int = 0  # look-ups that are made once for all of a list
    looked_up: int = 0  # of the cost, what stands below look-ups
    dearest: int = 0  # of the look-ups: what one costs, without those below it

    @property
    def bounded_cost(self) -> int:
        return self.cost - self.looked_up + min(self.looked_up, MAX_QUESTIONS * self.dearest)

    def beside(self, other: "QueryCost") -> "QueryCost":
        return QueryCost(
            max(self.depth, other.depth),
            self.aliases + other.aliases,
            self.cost + other.cost,
            max(self.introspection_depth, other.introspection_depth),
            self.introspection_cost + other.introspection_cost,
            self.look_ups + other.look_ups,
            self.together + other.together,
            self.looked_up + other.looked_up,
            max(self.dearest, other.dearest),
        )


_SHALLOW: Final = "ask for less below a field, and for the rest in another request"
_IN_PARTS: Final = "ask for some of them in another request"
_LESS: Final = "ask for a smaller `first`, for fewer fields, or for the inner lists in another request"


def limit_errors(
    schema: GraphQLSchema, document: DocumentNode, variables: Mapping[str, Any], limits: QueryLimits
) -> list[GraphQLError]:
    """Return one error for each limit that the document exceeds.

    It need not be valid: what the schema does not know costs as little as a field can.
    """
    ruler = Ruler(schema, document, variables, limits)
    try:
        measured = ruler.measure()
    except _TooNestedError:
        return [request_error("the document is nested too deeply")]
    passed = (
        ("deep", measured.depth, limits.depth, "levels", _SHALLOW),
        ("deep in its introspection", measured.introspection_depth, limits.introspection_depth, "levels", _SHALLOW),
        ("full of aliases", measured.aliases, limits.aliases, "aliases", _IN_PARTS),
        ("costly", measured.bounded_cost, limits.cost, "fields, each times the size of its page", _LESS),
        (
            "full of look-ups",
            measured.look_ups + measured.together,
            limits.look_ups,
            "look-ups, each times the size of its page",
            _LESS,
        ),
        ("costly in its introspection", measured.introspection_cost, limits.introspection_cost, "fields", _SHALLOW),
        (
            "full of fields of one name, or of fragments, at one place",
            compared_pairs(document),
            limits.compared_pairs,
            "pairs",
            _IN_PARTS,
        ),
    )
    return [
        request_error(f"the document is too {what}: {value} of at most {most} {counted}; {remedy}")
        for what, value, most, counted, remedy in passed
        if value > most
    ]


def may_exceed(schema: GraphQLSchema, document: DocumentNode, limits: QueryLimits) -> bool:
    """Whether a valid document exceeds a limit with any variables: its cost grows with its pages, so with the largest."""
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    names = [each.variable.name.value for node in operations for each in node.variable_definitions or ()]
    return bool(limit_errors(schema, document, dict.fromkeys(names, limits.largest_page), limits))


def compared_pairs(document: DocumentNode) -> int:
    """Return how many pairs of fields have one name at one place of the answer, and how many of fragments are spread at one.

    Where there are more than `MOST_EXPANDED` selections, with fragments expanded, that number is returned.
    """
    at_place, pairs = Counter[int](), 0
    for number, place in enumerate(_places(document)):
        if number == MOST_EXPANDED:
            return number
        if place is not None:
            pairs += at_place[place]
            at_place[place] += 1
    return pairs


def _places(document: DocumentNode) -> Iterator[int | None]:
    """Yield for each selection the number of its place in the answer, where it is a field or spreads a fragment there first.

    A fragment that nothing spreads is an answer of its own.
    """
    fragments = {each.name.value: each for each in document.definitions if isinstance(each, FragmentDefinitionNode)}
    operations = [each for each in document.definitions if isinstance(each, OperationDefinitionNode)]
    numbers, used, spread = dict[tuple[int, str], int](), set[str](), set[tuple[int, str]]()

    def below(place: int, name: str) -> int:
        return numbers.setdefault((place, name), len(numbers) + 1)

    for root in (*operations, *fragments.values()):
        if isinstance(root, FragmentDefinitionNode) and root.name.value in used:
            continue
        left: list[tuple[SelectionSetNode | None, int]] = [(root.selection_set, below(0, str(len(numbers))))]
        while left:
            chosen, place = left.pop()
            for node in chosen.selections if chosen else ():
                found = None
                if isinstance(node, FieldNode):
                    found = below(place, (node.alias or node.name).value)
                    left.append((node.selection_set, found))
                elif isinstance(node, InlineFragmentNode):
                    left.append((node.selection_set, place))
                elif isinstance(node, FragmentSpreadNode) and (at := (place, node.name.value)) not in spread:
                    spread.add(at)
                    used.add(at[1])
                    found = below(place, "...")
                    left.append((fragments[at[1]].selection_set if at[1] in fragments else None, place))
                yield found


def request_error(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": "BAD_REQUEST"})


class _TooNestedError(Exception):
    pass


@dataclass(slots=True)
class Ruler:
    schema: GraphQLSchema
    document: DocumentNode
    variables: Mapping[str, Any]
    limits: QueryLimits
    visited: int = 0  # selections looked at: the whole work of measuring
    fragments: dict[str, FragmentDefinitionNode] = field(default_factory=dict)
    measured: dict[str, QueryCost] = field(default_factory=dict)
    defaults: dict[str, ValueNode | None] = field(default_factory=dict)

    def measure(self) -> QueryCost:
        """Return the cost of all operations of the document together."""
        total = QueryCost()
        operations = [node for node in self.document.definitions if isinstance(node, OperationDefinitionNode)]
        for node in self.document.definitions:
            if isinstance(node, FragmentDefinitionNode):
                self.fragments[node.name.value] = node
        for operation in operations:
            for variable in operation.variable_definitions or ():
                self.defaults.setdefault(variable.variable.name.value, variable.default_value)
        for operation in operations:
            root = self.schema.get_root_type(operation.operation)
            total = total.beside(self.selections(operation.selection_set, root, 0))
        return total

    def selections(self, chosen: SelectionSetNode | None, parent: object, nesting: int) -> QueryCost:
        if nesting > NESTING:
            raise _TooNestedError
        total = QueryCost()
        for node in chosen.selections if chosen else ():
            self.visited += 1
            total = total.beside(self.selection(node, parent, nesting + 1))
        return total

    def selection(self, node: SelectionNode, parent: object, nesting: int) -> QueryCost:
        if isinstance(node, FieldNode):
            return self.field(node, parent, nesting)
        if isinstance(node, FragmentSpreadNode):
            return self.fragment(node.name.value, nesting)
        assert isinstance(node, InlineFragmentNode)
        narrowed = self.schema.get_type(node.type_condition.name.value) if node.type_condition else parent
        return self.selections(node.selection_set, narrowed, nesting)

    def fragment(self, name: str, nesting: int) -> QueryCost:
        if name not in self.measured:
            self.measured[name] = QueryCost()  # for a fragment that spreads itself: validation rejects it
            definition = self.fragments.get(name)
            if definition:
                parent = self.schema.get_type(definition.type_condition.name.value)
                self.measured[name] = self.selections(definition.selection_set, parent, nesting)
        return self.measured[name]

    def field(self, node: FieldNode, parent: object, nesting: int) -> QueryCost:
        name = node.name.value
        declared = self.schema.get_field(parent, name) if isinstance(parent, _COMPOSITE) else None
        kind = declared.type if declared else None
        below = self.selections(node.selection_set, get_named_type(kind), nesting)
        aliases = below.aliases + (node.alias is not None)
        if name in INTROSPECTION:
            return QueryCost(1, aliases, 1, below.depth, below.cost)
        pages = self.page(node, declared.args if declared else {})
        times = pages if pages is not None else self.held(declared) if _is_list(kind, parent) else 1
        asks = declared is not None and _asks(declared)
        together = declared is not None and asks and _asks_together(declared)
        alone = 1 + times * (below.cost - below.looked_up)
        return below._replace(
            depth=below.depth + 1,
            aliases=aliases,
            cost=1 + times * below.cost,
            look_ups=(asks and not together) + times * below.look_ups,
            together=together + below.together,
            looked_up=times * below.looked_up + (alone if asks else 0),
            dearest=max(below.dearest, alone if asks else 0),
        )

    def held(self, declared: GraphQLField | None) -> int:
        """Return the number of items that a list without pages is taken to hold."""
        definition = strawberry_field(declared) if declared else None
        held = definition.metadata.get(HELD) if definition else None
        return held if isinstance(held, int) else self.limits.unpaged

    def page(self, node: FieldNode, arguments: Mapping[str, object]) -> int | None:
        """Return the number of items that a page will hold at most, or None if the field has no pages."""
        if not any(name in arguments for name in PAGE_ARGUMENTS):
            return None
        sizes = [self.integer(given.value) for given in node.arguments or () if given.name.value in PAGE_ARGUMENTS]
        known = [size for size in sizes if size is not None]
        return max(0, min(max(known, default=self.limits.page), self.limits.largest_page))

    def integer(self, value: ValueNode | None) -> int | None:
        """Return the number given, or None where it is absent or null; anything else counts as the largest page."""
        if isinstance(value, VariableNode):
            name = value.name.value
            if name not in self.variables:
                default = self.defaults.get(name)
                return None if isinstance(default, VariableNode) else self.integer(default)
            given = self.variables[name]
            return given if given is None or isinstance(given, int) else self.limits.largest_page
        if isinstance(value, IntValueNode):
            return int(value.value) if len(value.value) < 10 else self.limits.largest_page
        return None


_COMPOSITE: Final = (GraphQLObjectType, GraphQLInterfaceType)


def _asks(declared: GraphQLField) -> bool:
    """Whether a field has a resolver that waits: of this schema's, each of them asks the database."""
    definition = strawberry_field(declared)
    return definition is not None and definition.is_async


def _asks_together(declared: GraphQLField) -> bool:
    definition = strawberry_field(declared)
    return definition is not None and TOGETHER in definition.metadata


def _is_list(kind: GraphQLOutputType | None, parent: object) -> bool:
    """Whether a field is a list, other than the edges and nodes of a connection, whose pages are counted already."""
    inner = kind.of_type if isinstance(kind, GraphQLNonNull) else kind
    connection = isinstance(parent, GraphQLObjectType) and "pageInfo" in parent.fields
    return isinstance(inner, GraphQLList) and not connection
