"""The statement of each question: its SQL, its arguments from the question's fields, its answer from the row, and its run.

Postgres builds the answer as JSON and a typed decoder makes the domain's values of it.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

import msgspec

from domain.cursor import Cursor as TextCursor
from domain.cursor import decode_cursor, encode_cursor
from domain.events import Event
from domain.questions import NOWHERE, Page, Question
from domain.sort_key import sort_key
from domain.values import ItemName, is_id, text_fault
from persistence.postgres.connections import Connection

type ResultRow = tuple[Any, ...]
# An id that is never made: malformed ids are looked up as this one, so they cost and answer the same as unknown ones.
NIL_UUID = "00000000-0000-0000-0000-000000000000"


class InvalidCursor(Exception):  # noqa: N818 - not an error: a cursor that is none of the list's
    """The question's cursor is not one of ours: the answer is `Read.over`."""


@dataclass(frozen=True, slots=True)
class Read:
    """`arguments` may raise `InvalidCursor`, whose answer is `over`; `answer` is given the only row, or None."""

    sql: str
    answer: Callable[[Any, ResultRow | None], Any]
    arguments: Callable[[Any], Mapping[str, object]]
    over: Any = None

    async def run(self, connection: Connection, question: Any) -> Any:
        """Return the answer to the question."""
        try:
            arguments = self.arguments(question)
        except InvalidCursor:
            return self.over
        return self.answer(question, await only_row(connection, self.sql, arguments))


type Steps = Generator[Mapping[str, object], ResultRow | None, Any]


@dataclass(frozen=True, slots=True)
class RepeatedRead:
    """A question that may take its statement several times, each a snapshot of its own, as pages of a list are.

    `steps` yields arguments, is sent the only row, or None, and returns the answer; it may raise `InvalidCursor`.
    """

    sql: str
    steps: Callable[[Any], Steps]
    over: Any

    async def run(self, connection: Connection, question: Any) -> Any:
        """Return the answer to the question."""
        steps = self.steps(question)
        try:
            arguments = next(steps)
            while True:
                arguments = steps.send(await only_row(connection, self.sql, arguments))
        except StopIteration as done:
            return done.value
        except InvalidCursor:
            return self.over


async def only_row(connection: Connection, statement: str, arguments: Mapping[str, object]) -> ResultRow | None:
    """Run a statement and return its only row, in binary form; None where there is none."""
    cursor = connection.cursor(binary=True)
    await cursor.execute(statement, arguments, prepare=True)
    row = await cursor.fetchone()
    connection.carried(row or ())
    return row


class Answers(Protocol):
    async def run(self, connection: Connection, question: Any) -> Any:
        """Return the answer to the question."""
        ...


type Reads = dict[type[Question[Any]], Answers]
# The statements of each event, in the order in which they run.
type Writes = Mapping[type[Event], Sequence[str]]


def canonical(value: object) -> object:
    """Return an id that PostgreSQL accepts, whatever the text."""
    return value if isinstance(value, str) and is_id(value) else NIL_UUID


def storable(value: object) -> object:
    """Return a text that PostgreSQL accepts; one that it does not is not in the database either. A set is a sorted array."""
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    return "" if isinstance(value, str) and text_fault(value) else value


NO_AGENT = "\n"  # is no agent's name


def agent_sought(value: str | None) -> str | None:
    """Return the name of an agent to look for, "" for none at all; what cannot be a name finds nothing."""
    return NO_AGENT if value and text_fault(value) else value


def of_fields(question: type[Any], *other: str) -> Callable[[Any], dict[str, object]]:
    """The arguments are the question's fields, but for `other`: ids, alone and in tuples, canonical, texts plain."""
    names = [name for name in question.__slots__ if name not in other]
    ids = [name for name in names if name.endswith("_id")]
    tuples = [name for name in names if name.endswith("_ids")]
    texts = [name for name in names if not name.endswith(("_id", "_ids"))]

    def arguments(asked: Any) -> dict[str, object]:
        made: dict[str, object] = {}
        for name in ids:
            value = getattr(asked, name)
            made[name] = value if value is None else canonical(value)
        for name in tuples:
            made[name] = [canonical(each) for each in getattr(asked, name)]
        for name in texts:
            value = getattr(asked, name)
            made[name] = agent_sought(value) if name == "agent" else storable(value)
        return made

    return arguments


MAX_NUMBER = 2**63 - 1


def bounded(read: Read, name: str) -> Read:
    """Clamp a number to what PostgreSQL accepts: no row has a greater one in either case."""

    def arguments(asked: Any) -> Mapping[str, object]:
        number = getattr(asked, name)
        return {
            **read.arguments(asked),
            name: number if number is None else max(-MAX_NUMBER, min(number, MAX_NUMBER)),
        }

    return replace(read, arguments=arguments)


class Cursor:
    """A place in a list as opaque text: what the list is ordered by, as `keys` name and type it.

    Where a list is ordered by name, the text holds the name (`ItemName`) and the statement is given its sort key.
    """

    def __init__(self, keys: Mapping[str, Any]) -> None:
        self.keys = tuple(keys)
        self._names = [name for name, kind in keys.items() if kind is ItemName]
        self._decode = msgspec.json.Decoder(cast("Any", tuple)[tuple(keys.values())]).decode

    def closed(self, place: tuple[Any, ...]) -> TextCursor:
        return encode_cursor(msgspec.json.encode(place))

    def opened(self, text: str | None) -> dict[str, object]:
        """Return the place by name, all null at the start; raises InvalidCursor for whatever is not one of ours."""
        if text is None:
            return dict.fromkeys(self.keys)
        encoded = decode_cursor(text)
        if encoded is None:
            raise InvalidCursor
        try:
            place = dict(zip(self.keys, self._decode(encoded), strict=True))
        except (ValueError, msgspec.DecodeError) as broken:
            raise InvalidCursor from broken
        for name, part in place.items():
            if isinstance(part, str) and (text_fault(part) or (name.endswith("id") and not is_id(part))):
                raise InvalidCursor
        return place | {name: sort_key(cast("str", place[name])) for name in self._names}


def one(question: type[Any], kind: Any, sql: str, default: Any = None) -> Read:
    """The statement's only value is the answer as JSON; no row, or null, is `default`."""
    decode = msgspec.json.Decoder(kind).decode

    def answer(_: Any, row: ResultRow | None) -> Any:
        return default if row is None or row[0] is None else decode(row[0])

    return Read(sql, answer, of_fields(question))


def many(question: type[Any], kind: Any, sql: str) -> Read:
    """As `one`, for a tuple of values; null is none of them."""
    return one(question, tuple[kind, ...], sql, ())


def page_of_list(
    question: type[Any], kind: Any, keys: Mapping[str, Any], key: Callable[[Any], tuple[Any, ...]], sql: str
) -> Read:
    """A page: `keys` are the names and types of what the cursor holds, `key` takes them from the last row.

    The statement is given them (null at the start) and `first`, and answers one row more than that where it can.
    """
    decode = msgspec.json.Decoder(tuple[kind, ...]).decode
    fields = of_fields(question, "after")
    cursor = Cursor(keys)

    def arguments(asked: Any) -> dict[str, object]:
        return {**fields(asked), **cursor.opened(asked.after)}

    def answer(asked: Any, row: ResultRow | None) -> Page[Any]:
        rows = decode(row[0]) if row and row[0] is not None else ()
        shown = rows[: asked.first]
        cursors = tuple(cursor.closed(key(row)) for row in shown)
        return Page(shown, cursors[-1] if shown and len(rows) > len(shown) else None, cursors)

    return Read(sql, answer, arguments, NOWHERE)
