"""One operation of the contract, as data."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Input:
    """One field of what an operation takes; `place` is `path`, `query` or `body`."""

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
    """One operation; `fields` are those of its answer at the top, none where it answers nothing."""

    name: str
    method: str
    path: str
    words: tuple[str, str]
    python: tuple[str, str]
    summary: str
    fields: tuple[str, ...]
    rejections: tuple[str, ...]
    inputs: tuple[Input, ...]
