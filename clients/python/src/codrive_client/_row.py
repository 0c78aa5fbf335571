"""One operation of the contract, as data."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Input:
    """One input field of an operation; `place` is `path`, `query` or `body`.

    `kind` is that of its value, or of each entry where there are `many`: `markdown` (a text that may be long), `string`,
    `boolean`, `integer`, `number`, `json`. `shown` says that the example of the command line has it.
    """

    name: str
    place: str
    flag: str
    required: bool
    nullable: bool
    kind: str
    many: bool
    description: str
    example: Any
    shown: bool
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
    read_only: bool
    idempotency_key: bool
    rejections: tuple[str, ...]
    inputs: tuple[Input, ...]
