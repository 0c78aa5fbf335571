"""One operation of the contract, as data."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Input:
    """One input field of an operation; `place` is `path`, `query` or `body`."""

    name: str
    place: str
    flag: str
    required: bool
    nullable: bool
    boolean: bool
    description: str
    example: Any
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation; `fields` are the top-level fields of its answer, empty if it has none."""

    name: str
    method: str
    path: str
    words: tuple[str, str]
    python: tuple[str, str]
    summary: str
    fields: tuple[str, ...]
    rejections: tuple[str, ...]
    inputs: tuple[Input, ...]
