"""Finds breaking changes of the contract: v1 grows by addition, and anything else needs an entry in the changelog."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from graphql import build_schema, find_breaking_changes

type Json = Mapping[str, Any]

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
    return [f"no longer: {promise}" for promise in gone if promise not in kept] + asked


def lost_in_schema(before: str, now: str) -> list[str]:
    changes = find_breaking_changes(build_schema(before), build_schema(now))
    return [f"GraphQL: {change.description}" for change in changes]


def _operations(contract: Json) -> dict[str, Json]:
    return {each["name"]: each for each in contract["operations"]}


def _required(operation: Json) -> list[str]:
    return [each["name"] for each in operation["inputs"] if each["required"]]


def _promises(contract: Json) -> Iterator[str]:
    components = contract["components"]["schemas"]
    yield from (f"{code} is {told['status']}" for code, told in contract["errors"].items())
    for name, operation in _operations(contract).items():
        yield f"{name} is {operation['method']} {operation['path']}"
        yield from (f"{name} is on the surface {surface}" for surface in operation["surfaces"])
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
