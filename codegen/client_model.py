"""The types and calls that a client offers, read from the contract and independent of the client's language."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

type Json = Mapping[str, Any]

SURFACE: Final = "client"
NOTHING: Final = "NoInput"


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    schema: Json
    required: bool
    description: str


@dataclass(frozen=True, slots=True)
class Record:
    """An object type of an input or an answer."""

    name: str
    description: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """One operation as a method; `takes` is the name of its input's type, `answers` that of its answer, if any.

    `optional` says that the input may be left out, since nothing in it is required; `fields` are the answer's.
    """

    name: str
    operation: Json
    takes: str
    optional: bool
    answers: str | None
    fields: tuple[str, ...]

    @property
    def group(self) -> str:
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Model:
    """The types and calls of a client: `inputs` and `answers` are in the contract's order."""

    inputs: tuple[Record, ...]
    answers: tuple[Record, ...]
    calls: tuple[Call, ...]

    def groups(self) -> dict[str, list[Call]]:
        grouped: dict[str, list[Call]] = {}
        for call in self.calls:
            grouped.setdefault(call.group, []).append(call)
        return grouped


def model(contract: Json) -> Model:
    """Read the operations of clients from the contract, in the form of `contract.json`."""
    inputs = [Record(NOTHING, "The input of an operation without fields.", ())]
    objects: dict[str, Record] = {}
    answers: dict[str, Record] = {}
    calls: list[Call] = []
    components: Json = contract["components"]["schemas"]
    for operation in contract["operations"]:
        if SURFACE not in operation["surfaces"]:
            continue
        title = _title(operation["name"])
        taken = tuple(
            Field(each["name"], each["schema"], each["required"], each["description"]) for each in operation["inputs"]
        )
        for field in taken:
            for name in _referred(field.schema, components):
                objects.setdefault(name, _record(name, components[name]))
        if taken:
            inputs.append(Record(f"{title}Input", f"The input of `{operation['name']}`.", taken))
        answer = operation["answer"]
        for name in _referred(answer or {}, components):
            answers.setdefault(name, _record(name, components[name]))
        named = None if answer is None else referred(answer) or f"{title}Answer"
        if named and named not in components:
            answers[named] = _record(named, answer | {"description": f"The answer of `{operation['name']}`."})
        optional = not any(field.required for field in taken)
        fields = tuple(field.name for field in answers[named].fields) if named else ()
        calls.append(Call(operation["name"], operation, f"{title}Input" if taken else NOTHING, optional, named, fields))
    return Model((*objects.values(), *inputs), tuple(answers.values()), tuple(calls))


def referred(schema: Json) -> str | None:
    """Return the name of the type that the schema is a reference to, if it is one."""
    reference = schema.get("$ref")
    return reference.rpartition("/")[2] if reference else None


def _title(operation: str) -> str:
    return "".join(part[0].upper() + part[1:] for part in operation.split("."))


def _record(name: str, schema: Json) -> Record:
    required = set(schema["required"])
    fields = (
        Field(key, value, key in required, value.get("description", "")) for key, value in schema["properties"].items()
    )
    return Record(name, schema.get("description", ""), tuple(fields))


def _referred(schema: Json, components: Json) -> Iterator[str]:
    """Yield the names of the types that the schema needs, dependencies first."""
    if name := referred(schema):
        yield from _referred(components[name], components)
        yield name
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from _referred(inner, components)
    if "items" in schema:
        yield from _referred(schema["items"], components)
