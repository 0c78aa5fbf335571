"""Compiler of a static selection of plain fields to one Python function.

A field is plain when strawberry reads it from an attribute: no resolver, no arguments, no abstract type. The source
of one function is written for the whole plain subtree of a selection. It answers exactly what stock execution
answers, or raises: every doubt (a null, an unknown enum value, an awaitable, an exception given as a value) is an
exception, and the caller then lets stock execution find the error's words and its path.
"""

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from graphql import (
    GraphQLBoolean,
    GraphQLEnumType,
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
)

from graphql_api.strawberry_internals import (
    FieldDetailsList,
    GroupedFieldSet,
    attribute_of,
    enum_class,
    optimized_is_awaitable,
)

type Collect = Callable[[GraphQLObjectType, FieldDetailsList], GroupedFieldSet]

MAX_NESTING: Final = 12  # of generated brackets; deeper levels are left to stock execution, one by one
SEQUENCES: Final = frozenset({list, tuple, frozenset})
UNCHANGED: Final = {  # the values that a built-in scalar answers as they are
    GraphQLString: "{v}.__class__ is str",
    GraphQLID: "{v}.__class__ is str",
    GraphQLBoolean: "{v} is True or {v} is False",
    GraphQLInt: "{v}.__class__ is int and -2147483648 <= {v} <= 2147483647",
}


class FallBack(Exception):  # noqa: N818 - a signal, not an error
    """Generated code meets a value that stock execution must complete."""


class AnsweredOnce:
    """A value that does not change, nor does what it holds: the answer of a selection is kept with it."""

    @cached_property
    def answers(self) -> dict["Plan", dict[str, Any]]:
        return {}


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Functions that answer the plain fields of one selection; stock execution runs the `resolved` others, in order."""

    one: Callable[[Any], dict[str, Any]]
    many: Callable[[Any], list[Any]]  # of objects that may not be null
    many_or_null: Callable[[Any], list[Any]]
    resolved: tuple[tuple[str, FieldDetailsList], ...]
    source: str


def plan(parent: GraphQLObjectType, fields: GroupedFieldSet, collect: Collect) -> Plan | None:
    """Return the plan of a selection on `parent`, or None where no field of it is plain."""
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
        default_factory=lambda: {"datetime": datetime, "SEQUENCES": SEQUENCES, "FallBack": FallBack}
    )

    def name(self, prefix: str, value: object) -> str:
        """Return the name of a constant that the source refers to."""
        for known, other in self.names.items():
            if other is value:
                return known
        name = f"{prefix}{len(self.names)}"
        self.names[name] = value
        return name

    def value(self, parent: GraphQLObjectType, details: FieldDetailsList, source: str, depth: int) -> str | None:
        """Return the expression that completes one field, or None where stock execution must run it."""
        node = details[0].node
        if node.name.value == "__typename":
            return repr(parent.name)
        declared = parent.fields[node.name.value]
        attribute = attribute_of(declared)
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
            text = self.object(inner, details, variable, depth)
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
        return f"([{text} for {item} in {variable}] if {variable}.__class__ in SEQUENCES else {refuse}())"

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


def _named_as_published(kind: GraphQLOutputType) -> type[enum.Enum] | None:
    """Return the Python enum behind `kind`, if its members have the published names and its values are texts."""
    members = enum_class(kind)
    if members is None or not isinstance(kind, GraphQLEnumType):
        return None
    published = {name: value.value for name, value in kind.values.items()}
    same = published == {name: member.value for name, member in members.__members__.items()}
    texts = all(value.__class__ is str for value in published.values())
    return members if same and texts and len(set(published.values())) == len(published) else None


def _refuse() -> Any:
    raise FallBack


class _PlainClasses(dict[type, bool]):
    """Classes seen so far whose instances are values: neither awaitable nor exceptions, and not null."""

    def __missing__(self, key: type) -> bool:
        if issubclass(key, BaseException) or hasattr(key, "__await__") or key in (type(None), type(Undefined)):
            raise FallBack
        self[key] = True
        return True


def _slow_leaf(kind: GraphQLLeafType) -> Callable[[Any, bool], Any]:
    """Complete a leaf as stock execution does, value by value."""

    def complete(value: Any, nullable: bool) -> Any:
        if isinstance(value, Exception) or optimized_is_awaitable(value):
            raise FallBack
        if value is None or value is Undefined:
            if nullable:
                return None
            raise FallBack
        coerced = kind.coerce_output_value(value)
        if coerced is None or coerced is Undefined or optimized_is_awaitable(coerced):
            raise FallBack
        return coerced

    return complete
