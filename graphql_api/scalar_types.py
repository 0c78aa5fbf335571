"""The scalars of the contract as strawberry takes them."""

from collections.abc import Callable, Mapping
from typing import Any

import strawberry
from strawberry.types.scalar import ScalarDefinition

from contract.errors import unwrap
from contract.scalars import SCALARS, Scalar


def scalar_map() -> Mapping[object, ScalarDefinition]:
    """Return the scalars with a type of their own as strawberry takes them, by that type."""
    return {each.python_type: _definition(each) for each in SCALARS.values() if each.python_type}


def _definition(scalar: Scalar) -> ScalarDefinition:
    return strawberry.scalar(
        name=scalar.name,
        description=scalar.description,
        serialize=scalar.serialize,
        parse_value=_parser(scalar),
    )


def _parser(scalar: Scalar) -> Callable[[Any], Any] | None:
    parse = scalar.parse
    return None if parse is None else lambda value: unwrap(parse(value, scalar.name))
