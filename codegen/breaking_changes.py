"""Finds breaking changes of the contract: v1 grows by addition, and anything else needs an entry in the changelog."""

import re
from collections.abc import Iterator, Mapping
from math import inf
from typing import Any, Final

from graphql import build_schema, find_breaking_changes

type Json = Mapping[str, Any]

_LEAST: Final = ("minimum", "minLength", "minItems", "minProperties")
_MOST: Final = ("maximum", "maxLength", "maxItems", "maxProperties")
_EQUAL: Final = ("pattern", "format", "default")
# an entry of the changelog that admits a breaking change
_admission: Final = re.compile(r"^## Unreleased\n(?:(?!## ).*\n)*?- Breaking:", re.MULTILINE)


def admitted(changelog: str) -> bool:
    return _admission.search(changelog) is not None


def lost(before: Json, now: Json) -> list[str]:
    """Return the promises of the contract `before` that `now` breaks, one line each."""
    gone = list(dict.fromkeys(_promises(before)))
    kept = set(_promises(now))
    needed = {name: set(_required(each)) for name, each in _operations(before).items()}
    asked = [
        f"{name} needs `{field}` now"
        for name, each in _operations(now).items()
        for field in _required(each)
        if name in needed and field not in needed[name]
    ]
    return [f"no longer: {promise}" for promise in gone if promise not in kept] + asked + _narrowed(before, now)


def _narrowed(before: Json, now: Json) -> list[str]:
    """Return what inputs that callers have sent need or refuse now."""
    bounds = dict(_bounds_of_inputs(now))
    found: list[str] = []
    for where, was in _bounds_of_inputs(before):
        limits = bounds.get(where, was)
        lower = [name for name in _LEAST if limits.get(name, -inf) > was.get(name, -inf)]
        upper = [name for name in _MOST if limits.get(name, inf) < was.get(name, inf)]
        other = [name for name in _EQUAL if limits.get(name, was.get(name)) != was.get(name)]
        found += [f"{where}: `{name}` is {limits[name]} now" for name in (*lower, *upper, *other)]
        needed = sorted(set(limits.get("required", ())) - set(was.get("required", ())))
        found += [f"{where} needs `{name}` now" for name in needed]
    return found


def _bounds_of_inputs(contract: Json) -> Iterator[tuple[str, Json]]:
    components = contract["components"]["schemas"]
    for name, operation in _operations(contract).items():
        for each in operation["inputs"]:
            yield from _bounds(f"{name} takes {each['name']}", each["schema"], components, ())


def _bounds(where: str, schema: Json, components: Json, seen: tuple[str, ...]) -> Iterator[tuple[str, Json]]:
    if reference := schema.get("$ref"):
        component = reference.rpartition("/")[2]
        if component not in seen:
            yield from _bounds(where, components[component], components, (*seen, component))
        return
    choices = [choice for choice in schema.get("anyOf", ()) if choice != {"type": "null"}]
    for choice in choices:
        yield from _bounds(where, choice, components, seen)
    if not choices:
        yield where, schema
    if "items" in schema:
        yield from _bounds(f"{where}[]", schema["items"], components, seen)
    for field, value in schema.get("properties", {}).items():
        yield from _bounds(f"{where}.{field}", value, components, seen)


def lost_in_schema(before: str, now: str) -> list[str]:
    changes = find_breaking_changes(build_schema(before), build_schema(now))
    return [f"GraphQL: {change.description}" for change in changes]


def _operations(contract: Json) -> dict[str, Json]:
    return {each["name"]: each for each in contract["operations"]}


def _required(operation: Json) -> list[str]:
    return [each["name"] for each in operation["inputs"] if each["required"]]


def _promises(contract: Json) -> Iterator[str]:
    components = contract["components"]["schemas"]
    yield from (f"{code} is {error['status']}" for code, error in contract["errors"].items())
    for name, operation in _operations(contract).items():
        yield f"{name} is {operation['method']} {operation['path']}"
        yield from (f"{name} is on the surface {surface}" for surface in operation["surfaces"])
        if operation.get("idempotencyKey"):
            yield f"{name} takes an idempotency key"
        for each in operation["inputs"]:
            yield from _values(f"{name} takes {each['name']} in its {each['in']}", each["schema"], components, ())
        if operation["answer"] is None:
            yield f"{name} answers nothing"
        else:
            yield from _values(f"{name} answers", operation["answer"], components, ())


def _values(where: str, schema: Json, components: Json, seen: tuple[str, ...]) -> Iterator[str]:
    if reference := schema.get("$ref"):
        component = reference.rpartition("/")[2]
        if component not in seen:
            yield from _values(where, components[component], components, (*seen, component))
        return
    for choice in schema.get("anyOf", ()):
        yield from _values(where, choice, components, seen)
    for kind in _kinds(schema):
        yield f"{where}: {kind}"
    yield from (f"{where}: `{value}`" for value in schema.get("enum", ()))
    if "items" in schema:
        yield from _values(f"{where}[]", schema["items"], components, seen)
    for field, value in schema.get("properties", {}).items():
        yield from _values(f"{where}.{field}" if "answers " in where else f"{where} {field}", value, components, seen)


def _kinds(schema: Json) -> list[str]:
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)
