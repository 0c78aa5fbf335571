"""Reads the arguments of a tool as models and their clients send them, before they are parsed as everywhere.

Some clients send lists and numbers as JSON texts, fill what is optional with empty values, and give the address of an item
in the place of its id. What says clearly what it means is taken so; all else is left for the parser to refuse.
"""

import json
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import date, timedelta
from typing import Any, Final, cast
from urllib.parse import unquote, urlsplit

from contract.input_types import InputType
from contract.operation_schema import OperationInput, OperationSchema
from edge.operations import PublishedId
from edge.requests import has_many_values

_UNSET: Final = object()
_PAGES: Final = frozenset({"doc", "folder", "drive"})
PUBLIC: Final = "p"  # what the path of a public page begins with
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_MINUTE: Final = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s*([Zz]|[+-]\d\d:\d\d)?")
_LINK: Final = re.compile(r"\[[^\]]*\]\((\S+)\)")
_TRUTH: Final = {"true": True, "false": False}
_TEXTS: Final = frozenset({"String", "ItemName", "EmailAddress", "AgentName"})
_FORMS: Final = frozenset({"replace", "append", "passages"})


async def with_ids_of_public_pages(
    shape: OperationSchema, given: Mapping[str, object], origins: Collection[str], published_id: PublishedId
) -> dict[str, object]:
    """Return the arguments with the id of a document in the place of the address of its public page."""
    made = dict(given)
    for name, value in given.items():
        of = shape.inputs.get(name)
        if of and not of.type.is_list and of.type.scalar and of.type.scalar.name == "ID" and isinstance(value, str):
            match _own_steps(value, origins):
                case [page, slug, *_] if page == PUBLIC:
                    made[name] = await published_id(unquote(slug)) or value
    return made


def normalized(shape: OperationSchema, given: Mapping[str, object], origins: Collection[str]) -> dict[str, object]:
    """Return the arguments as the parser takes them; `origins` are those at which people reach this server."""
    read = {name: _read(shape.inputs.get(name), value, origins) for name, value in given.items()}
    empty = {name for name, value in read.items() if _is_filler(shape.inputs.get(name), value)}
    left_out = empty - _FORMS - {"agent"}
    if left_out:  # an empty agent alone asks for what people did themselves
        left_out |= empty & {"agent"}
    if _FORMS & (read.keys() - empty):
        left_out |= empty & _FORMS
    return {name: value for name, value in read.items() if name not in left_out}


def _is_filler(of: OperationInput | None, value: object) -> bool:
    return of is not None and not of.required and (value is None or value in ("", []))


def _read(of: OperationInput | None, value: object, origins: Collection[str]) -> object:
    if of is None:
        return value
    if of.type.is_list:
        return _list(of, value, origins)
    return _one(of, value, origins)


def _list(of: OperationInput, value: object, origins: Collection[str]) -> object:
    if isinstance(value, str):
        parsed = _json(value)
        if isinstance(parsed, list | dict) or (parsed is None and not of.required):
            value = parsed
        elif value and of.type.scalar is not None:
            value = [part.strip() for part in value.split(",")]
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        return value
    if of.type.scalar is None:
        return [found if isinstance(each, str) and isinstance(found := _json(each), dict) else each for each in value]
    return [_one(of, each, origins) for each in value]


def _one(of: OperationInput, value: object, origins: Collection[str]) -> object:
    scalar = of.type.scalar
    name = scalar.name if scalar else ""
    if not isinstance(value, str) or name in _TEXTS:
        return value
    text = value.strip()
    if name == "ID":  # any other spelling of an id is one that nobody has
        return None if of.required and of.type.nullable and text in ("", "null") else _id(value, origins)
    if text == "null":
        return None
    match name:
        case "Int" | "Float":
            return _number(text, of.type)
        case "Boolean":
            return _TRUTH.get(text.lower(), value)
        case "Timestamp":
            return _moment(text, ends=of.name.lower().startswith("until") or of.name.endswith("Until"))
    return text


def _json(text: str) -> object:
    with suppress(ValueError, RecursionError):
        if not has_many_values(text.encode()):
            return cast("object", json.loads(text))
    return _UNSET


def _number(text: str, of: InputType) -> object:
    assert of.scalar is not None
    return of.scalar.from_text(text)


def _id(text: str, origins: Collection[str]) -> str:
    """Return the id in the address of a page of this server, or the text."""
    match _own_steps(text, origins):
        case [page, id_, *_] if page in _PAGES:
            return unquote(id_)
    return text


def _own_steps(text: str, origins: Collection[str]) -> list[str]:
    """Return the steps of the path of an address of this server; none of any other text."""
    link = _LINK.fullmatch(text.strip())
    address = (link[1] if link else text).strip("`'\"<> \n")
    with suppress(ValueError):
        parts = urlsplit(address)
        is_own = f"{parts.scheme}://{parts.netloc}".lower() in origins if parts.netloc else address.startswith("/")
        return parts.path.strip("/").split("/") if is_own else []
    return []


def _moment(text: str, *, ends: bool) -> str:
    """Return a moment in full: a date alone is the beginning of that day in UTC, or where something `ends`, its end."""
    with suppress(ValueError, OverflowError):
        if _DAY.fullmatch(text):
            day = date.fromisoformat(text) + timedelta(days=1 if ends else 0)
            return f"{day.isoformat()}T00:00:00Z"
    found = _MINUTE.fullmatch(text)
    if found is None:
        return text
    day_, minute, second, zone = cast("tuple[str, str, Any, Any]", found.groups())
    return f"{day_}T{minute}{second or ':00'}{(zone or 'Z').upper()}"
