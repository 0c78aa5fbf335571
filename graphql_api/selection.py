"""Which Python function a static selection of plain fields becomes.

A field is plain when Strawberry reads it from an attribute: no resolver, no arguments, no abstract type. The source
of one function is written for the whole plain subtree of a selection. It answers exactly what stock execution
answers, or raises: every doubt (a null, an unknown enum value, an awaitable, an exception given as a value) is an
exception, and the caller then lets stock execution find the error's words and its path.
"""

import enum
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime
from keyword import iskeyword
from typing import Any, Final

from graphql import (
    GraphQLBoolean,
    GraphQLEnumType,
    GraphQLField,
    GraphQLID,
    GraphQLInt,
    GraphQLLeafType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLScalarType,
    GraphQLString,
    Undefined,
    get_nullable_type,
    is_leaf_type,
)
from graphql.execution.collect_fields import FieldDetailsList, GroupedFieldSet
from strawberry.execution import optimized_is_awaitable
from strawberry.types.field import StrawberryField

from graphql_api.kept import Kept, Lasting

type Collect = Callable[[GraphQLObjectType, FieldDetailsList], GroupedFieldSet]

MAX_NESTING: Final = 12  # of generated brackets; what is deeper is left to stock execution, level by level
MAX_LISTS: Final = 1_000
MAX_SAME: Final = 256
MAX_ANSWERS: Final = 5_000
SEQUENCES: Final = frozenset({list, tuple, frozenset})
UNCHANGED: Final = {  # the values that a built-in scalar answers as they are
    GraphQLString: "{v}.__class__ is str",
    GraphQLID: "{v}.__class__ is str",
    GraphQLBoolean: "{v} is True or {v} is False",
    GraphQLInt: "{v}.__class__ is int and -2147483648 <= {v} <= 2147483647",
}


class Unsure(Exception):  # noqa: N818 - a signal, not a failure
    """Stock execution must decide."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to answer one selection: the plain fields at once, then the others by stock execution, in order."""

    one: Callable[[Any], dict[str, Any]]
    many: Callable[[Any], list[Any]]  # of objects that may not be null
    many_or_null: Callable[[Any], list[Any]]
    resolved: tuple[tuple[str, FieldDetailsList], ...]
    source: str


def plan(parent: GraphQLObjectType, fields: GroupedFieldSet, collect: Collect) -> Plan | None:
    """The plan of a selection on `parent`, or None where there is nothing to gain."""
    writer = _Writer(collect)
    parts: list[str] = []
    resolved: list[tuple[str, FieldDetailsList]] = []
    for name, details in fields.items():
        text = writer.value(parent, details, "o", 0)
        if text is None:
            resolved.append((name, details))
        parts.append(f"{name!r}: {text}")  # a resolved field keeps its place
    if parent.is_type_of or len(resolved) == len(fields):
        return None
    body = f"{{{', '.join(parts)}}} if {writer.name('plain', _PlainClasses())}[o.__class__] else None"
    source = (
        f"def one(o):\n return {body}\n"
        f"def many(os):\n return [{body} for o in os]\n"
        f"def many_or_null(os):\n return [None if o is None else {body} for o in os]\n"
    )
    names = writer.names
    exec(compile(source, f"<selection on {parent.name}>", "exec"), names)  # noqa: S102 - names from the schema alone
    return Plan(names["one"], names["many"], names["many_or_null"], tuple(resolved), source)


@dataclass(slots=True)
class _Writer:
    collect: Collect
    names: dict[str, Any] = field(
        default_factory=lambda: {"datetime": datetime, "SEQUENCES": SEQUENCES, "Unsure": Unsure}
    )

    def name(self, prefix: str, value: object) -> str:
        """A name for a constant that the source refers to."""
        for known, other in self.names.items():
            if other is value:
                return known
        name = f"{prefix}{len(self.names)}"
        self.names[name] = value
        return name

    def value(self, parent: GraphQLObjectType, details: FieldDetailsList, source: str, depth: int) -> str | None:
        """The expression that completes one field, or None where stock execution must run it."""
        node = details[0].node
        if node.name.value == "__typename":
            return repr(parent.name)
        declared = parent.fields[node.name.value]
        attribute = _attribute(declared)
        if attribute is None or depth > MAX_NESTING:
            return None
        return self.completed(declared.type, details, f"{source}.{attribute}", depth)

    def completed(self, kind: GraphQLOutputType, details: FieldDetailsList, read: str, depth: int) -> str | None:
        nullable = not isinstance(kind, GraphQLNonNull)
        inner = kind.of_type if isinstance(kind, GraphQLNonNull) else kind
        if isinstance(inner, GraphQLScalarType | GraphQLEnumType):
            return self.leaf(inner, read, nullable=nullable)
        variable = f"v{depth}"
        if isinstance(inner, GraphQLList):
            text = self.items(inner.of_type, details, variable, depth)
        elif isinstance(inner, GraphQLObjectType):
            text = self.shared(inner, details, variable, depth)
        else:
            text = None
        if text is None:
            return None
        if nullable:
            return f"None if ({variable} := {read}) is None else {text}"
        # the assignment must come before the text reads it
        return f"({text} if ({variable} := {read}) is not None else {self.name('refuse', _refuse)}())"

    def items(self, kind: GraphQLOutputType, details: FieldDetailsList, variable: str, depth: int) -> str | None:
        item = f"i{depth}"
        text = self.completed(kind, details, item, depth + 1)
        if text is None:
            return None
        refuse = self.name("refuse", _refuse)
        made = f"[{text} for {item} in {variable}]"
        if isinstance(get_nullable_type(kind), GraphQLObjectType):
            made = f"{self.name('answers', _Answers(MAX_ANSWERS))}.each({variable}, lambda {variable}: {made})"
        each = f"{made} if {variable}.__class__ in SEQUENCES else {refuse}()"
        members = _named_as_published(kind.of_type) if isinstance(kind, GraphQLNonNull) else None
        if members is None:
            return f"({each})"
        return f"({self.name('lists', _Lists(members))}[{variable}] if {variable}.__class__ is tuple else {each})"

    def object(self, kind: GraphQLObjectType, details: FieldDetailsList, variable: str, depth: int) -> str | None:
        if kind.is_type_of:
            return None
        parts: list[str] = []
        for name, sub_details in self.collect(kind, details).items():
            text = self.value(kind, sub_details, variable, depth + 1)
            if text is None:
                return None
            parts.append(f"{name!r}: {text}")
        plain = self.name("plain", _PlainClasses())
        return f"({{{', '.join(parts)}}} if {plain}[{variable}.__class__] else None)"

    def shared(self, kind: GraphQLObjectType, details: FieldDetailsList, variable: str, depth: int) -> str | None:
        """As `object`, for the value of a field: the items of a long list have few authors."""
        text = self.object(kind, details, variable, depth)
        selected = self.collect(kind, details).values()
        if text is None or not all(is_leaf_type(_named(kind, each)) for each in selected):
            return text
        same = self.name("same", _Same())
        return f"(k[1] if (k := {same}.get(id({variable}))) else {same}.keep({variable}, {text}))"

    def leaf(self, kind: GraphQLLeafType, read: str, *, nullable: bool) -> str:
        v = read if read.isidentifier() else "v"
        first = read if read.isidentifier() else f"(v := {read})"  # the leftmost test binds the value
        slow = f"{self.name('slow', _slow_leaf(kind))}({v}, {nullable})"
        members = _named_as_published(kind)
        if isinstance(kind, GraphQLScalarType) and (check := UNCHANGED.get(kind)):
            test = f"{v} is None or {check.format(v=v)}" if nullable else check.format(v=v)
            return f"({v} if {test.replace(v, first, 1)} else {slow})"
        if members:
            names = self.name("names", {member.value: member.name for member in members})
            fast, test, slow = f"{v}._name_", f"{v}.__class__ is {self.name('Enum', members)}", f"{names}[{v}]"
        else:
            coerce = self.name("coerce", kind.coerce_output_value)
            fast, test = "t", f"{v}.__class__ is datetime and (t := {coerce}({v})).__class__ is str"
        if nullable:
            return f"(None if {first} is None else {fast} if {test} else {slow})"
        return f"({fast} if {test.replace(v, first, 1)} else {slow})"


def _attribute(declared: GraphQLField) -> str | None:
    """The attribute that a field reads, or None if it has a resolver of its own."""
    written = declared.extensions.get("strawberry-definition")
    if not isinstance(written, StrawberryField) or not written.is_basic_field or declared.args:
        return None
    if written.default_resolver is not getattr or iskeyword(written.python_name):
        return None
    return written.python_name


def _named(parent: GraphQLObjectType, details: FieldDetailsList) -> GraphQLOutputType:
    """The type of a field without its `!`; a list is none that is asked for here."""
    name = details[0].node.name.value
    kind: GraphQLOutputType = GraphQLNonNull(GraphQLString) if name == "__typename" else parent.fields[name].type
    return kind.of_type if isinstance(kind, GraphQLNonNull) else kind


def _named_as_published(kind: GraphQLOutputType) -> type[enum.Enum] | None:
    """The Python enum behind `kind`, if its members' own names are the published ones and its values are texts."""
    members: type[enum.Enum] | None = getattr(kind, "wrapped_cls", None)
    if members is None or not isinstance(kind, GraphQLEnumType):
        return None
    published = {name: value.value for name, value in kind.values.items()}
    same = published == {name: member.value for name, member in members.__members__.items()}
    texts = all(value.__class__ is str for value in published.values())
    return members if same and texts and len(set(published.values())) == len(published) else None


def _refuse() -> Any:
    raise Unsure


class _PlainClasses(dict[type, bool]):
    """Classes seen so far whose instances are values: neither awaitable nor exceptions, and not null."""

    def __missing__(self, key: type) -> bool:
        if issubclass(key, BaseException) or hasattr(key, "__await__") or key in (type(None), type(Undefined)):
            raise Unsure
        self[key] = True
        return True


class _Same(dict[int, tuple[object, dict[str, Any]]]):
    """What frozen values of leaves are answered as, by their ids; each is held, so that its id is nobody else's."""

    def keep(self, value: object, answer: dict[str, Any]) -> dict[str, Any]:
        parameters = getattr(type(value), "__dataclass_params__", None)
        if parameters is not None and parameters.frozen:
            if len(self) >= MAX_SAME:
                self.clear()
            self[id(value)] = (value, answer)
        return answer


class _Answers(Kept[object, dict[str, Any]]):
    """What the objects of a list are answered as, where every one of them lasts."""

    def each(
        self, values: Collection[object], make: Callable[[Collection[object]], list[dict[str, Any]]]
    ) -> list[dict[str, Any]]:
        lasting = values and all(issubclass(kind, Lasting) for kind in {*map(type, values)})
        return super().each(values, make) if lasting else make(values)


class _Lists(dict[tuple[enum.Enum, ...], list[str]]):
    """What tuples of members are answered as: there are few, and the items of a long list share theirs."""

    def __init__(self, members: type[enum.Enum]) -> None:
        self._members = members

    def __missing__(self, key: tuple[enum.Enum, ...]) -> list[str]:
        if any(member.__class__ is not self._members for member in key):
            raise Unsure
        names = [member.name for member in key]
        if len(self) < MAX_LISTS:
            self[key] = names
        return names


def _slow_leaf(kind: GraphQLLeafType) -> Callable[[Any, bool], Any]:
    """Complete a leaf as stock execution does, value by value."""

    def complete(value: Any, nullable: bool) -> Any:
        if isinstance(value, Exception) or optimized_is_awaitable(value):
            raise Unsure
        if value is None or value is Undefined:
            if nullable:
                return None
            raise Unsure
        coerced = kind.coerce_output_value(value)
        if coerced is None or coerced is Undefined or optimized_is_awaitable(coerced):
            raise Unsure
        return coerced

    return complete
