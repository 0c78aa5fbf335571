"""Types of inputs: the JSON Schema and the strict parser that follow from the GraphQL type of a variable.

A parsed value is what GraphQL coerces a variable of that type to, so it is not coerced again. A wrong value is a
Rejection that names it by its path in the request, such as `passages[3].old`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from graphql import (
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    Undefined,
    coerce_input_value,
    is_leaf_type,
    is_required_input_field,
    value_from_ast,
)

from contract.errors import unwrap
from contract.field_suggestions import advice
from contract.scalars import JsonSchema, Parse, Scalar, nullable, scalar_of, unlike
from domain.errors import Rejection
from domain.values import bad

MAX_ENTRIES: Final = 1_000  # of one list
MAX_QUERY_ENTRIES: Final = 20  # of one list in a query, each of which is a parameter

type Component = Callable[[str, str | None, JsonSchema], JsonSchema]


@dataclass(frozen=True, slots=True)
class InputType:
    """The type of an input. `present` describes its values but null, which `parse` takes where it is `nullable`.

    `scalar` is that of its text in a path or query; None for what has objects in it, which cannot be written there.
    """

    present: JsonSchema
    nullable: bool
    parse: Parse
    scalar: Scalar | None
    is_list: bool = False

    def within(self, minimum: int, maximum: int) -> "InputType":
        """Return the type of the whole numbers of this one from `minimum` to `maximum`."""
        parse = self.parse

        def parse_within(value: object, name: str) -> object | Rejection:
            number = parse(value, name)
            if isinstance(number, Rejection) and value is not None:
                return bad(name, f"must be a whole number from {minimum} to {maximum}")
            fits = not isinstance(number, int) or minimum <= number <= maximum
            return number if fits else bad(name, f"must be from {minimum} to {maximum}")

        return replace(self, present={**self.present, "minimum": minimum, "maximum": maximum}, parse=parse_within)

    def of_length(self, fewest: int, most: int) -> "InputType":
        """Return the type of the lists of this one with so many entries."""
        parse = self.parse

        def parse_bounded(value: object, name: str) -> object | Rejection:
            if isinstance(value, list) and not fewest <= len(value) <= most:
                wanted = f"from {fewest} to {most}" if fewest else f"at most {most}"
                return bad(name, f"must have {wanted} entries")
            return parse(value, name)

        return replace(self, present={**self.present, "minItems": fewest, "maxItems": most}, parse=parse_bounded)

    def of_media(self, media_type: str) -> "InputType":
        """Return the type of the texts of this one with their media type named."""
        return replace(self, present={**self.present, "contentMediaType": media_type})

    @property
    def schema(self) -> JsonSchema:
        return nullable(self.present) if self.nullable else self.present

    def read(self, texts: Sequence[str], name: str) -> object:
        """Return the JSON value of the texts: a list of all, else the one; raises RejectionError for more than one."""
        assert self.scalar is not None, "derivation puts objects into bodies alone"
        if self.is_list:
            return [self.scalar.from_text(text) for text in texts]
        if len(texts) > 1:
            unwrap(bad(name, "came more than once: send it once"))
        return self.scalar.from_text(texts[0])


@dataclass(frozen=True, slots=True)
class InputTypes:
    """Derives types of inputs; `component` names the schema of an object and returns the reference to it."""

    component: Component
    _objects: dict[str, tuple[JsonSchema, Parse]] = field(default_factory=dict)

    def of(self, declared: GraphQLInputType) -> InputType:
        """Return the type; raises KeyError for a scalar that is not in the table, ValueError for one without a parser."""
        if isinstance(declared, GraphQLNonNull):
            return self._present(declared.of_type, may_be_null=False)
        return self._present(declared, may_be_null=True)

    def _present(self, declared: GraphQLInputType, *, may_be_null: bool) -> InputType:
        if isinstance(declared, GraphQLList):
            entry = self.of(declared.of_type)
            schema: JsonSchema = {"type": "array", "items": entry.schema, "maxItems": MAX_ENTRIES}
            scalar = None if entry.is_list else entry.scalar
            parse = _list(entry.parse)
            return InputType(schema, may_be_null, _or_null(parse) if may_be_null else parse, scalar, is_list=True)
        if isinstance(declared, GraphQLInputObjectType):
            schema, parse = self._object(declared)
            return InputType(schema, may_be_null, _or_null(parse) if may_be_null else parse, None)
        assert is_leaf_type(declared)
        scalar = scalar_of(declared)
        if scalar.parse is None:
            raise ValueError(f"`{scalar.name}` has no parser")
        return InputType(
            scalar.json_schema, may_be_null, _or_null(scalar.parse) if may_be_null else scalar.parse, scalar
        )

    def _object(self, declared: GraphQLInputObjectType) -> tuple[JsonSchema, Parse]:
        known = self._objects.get(declared.name)
        if known is not None:
            return known
        one = declared.is_one_of
        members = {name: self.of(each.type) for name, each in declared.fields.items()}
        if one:
            # exactly one, which is not null: null is how GraphQL declares that each may be left out
            members = {name: replace(each, nullable=False) for name, each in members.items()}
        required = [name for name, each in declared.fields.items() if is_required_input_field(each)]
        properties: JsonSchema = {}
        for name, each in declared.fields.items():
            about: JsonSchema = {"description": each.description} if each.description else {}
            given: JsonSchema = {} if each.default_value in (Undefined, None) else {"default": each.default_value}
            properties[name] = members[name].schema | about | given
        schema: JsonSchema = {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }
        if one:
            schema |= {"minProperties": 1, "maxProperties": 1}
        defaults = {name: value for name, each in declared.fields.items() if (value := _default(each)) is not Undefined}
        parse = _object_of({name: each.parse for name, each in members.items()}, required, defaults, one=one)
        made = self._objects[declared.name] = (self.component(declared.name, declared.description, schema), parse)
        return made


def shown(name: str) -> str:
    """Return a name that a request made up, as a message can hold it."""
    return "".join(character if character.isprintable() else "\ufffd" for character in name[:40])


def _default(member: GraphQLInputField) -> object:
    """Return the coerced default of a field of an input object, Undefined where it has none."""
    if member.default is None:
        return member.default_value
    if member.default.literal is not None:
        return value_from_ast(member.default.literal, member.type)
    return coerce_input_value(member.default.value, member.type)


def _or_null(parse: Parse) -> Parse:
    def parse_or_null(value: object, name: str) -> object | Rejection:
        return None if value is None else parse(value, name)

    return parse_or_null


def _list(parse: Parse) -> Parse:
    def parse_list(value: object, name: str) -> object | Rejection:
        if not isinstance(value, list):
            return unlike(value, name, "must be a list")
        if len(value) > MAX_ENTRIES:
            return bad(name, f"must have at most {MAX_ENTRIES} entries")
        entries: list[object] = []
        for index, each in enumerate(value):
            parsed = parse(each, f"{name}[{index}]")
            if isinstance(parsed, Rejection):
                return parsed
            entries.append(parsed)
        return entries

    return parse_list


def _object_of(
    members: Mapping[str, Parse], required: Sequence[str], defaults: Mapping[str, object], *, one: bool
) -> Parse:
    choices = ", ".join(f"`{name}`" for name in members)

    def parse_object(value: object, name: str) -> object | Rejection:
        if not isinstance(value, dict):
            return unlike(value, name, "must be an object")
        for key in value:
            if key not in members:
                return bad(f"{name}.{shown(key)}", f"is no field of this object: {advice(key, members)}")
        if one and [each is None for each in value.values()] != [False]:
            return bad(name, f"must have exactly one of {choices}")
        parsed = dict(defaults)
        for key, parse in members.items():
            if key in value:
                result = parse(value[key], f"{name}.{key}")
                if isinstance(result, Rejection):
                    return result
                parsed[key] = result
            elif key in required:
                return bad(f"{name}.{key}", "is missing: send it")
        return parsed

    return parse_object
