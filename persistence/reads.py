"""Which statement answers which question: all of them, in one table."""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from psycopg import AsyncConnection

from domain.questions import Question
from domain.questions.question import Both
from persistence.read_documents import DOCUMENT_READS
from persistence.read_drives import DRIVE_READS
from persistence.read_items import ITEM_READS
from persistence.read_listing import LISTING_READS
from persistence.read_lists import LIST_READS
from persistence.read_people import PEOPLE_READS
from persistence.read_published import PUBLISHED_READS
from persistence.read_search import SEARCH_READS
from persistence.reading import End, Reads, Row
from persistence.sessions import SESSION_READS
from persistence.versions import VERSION_READS

READS: Reads = (
    PEOPLE_READS
    | SESSION_READS
    | ITEM_READS
    | LIST_READS
    | DRIVE_READS
    | LISTING_READS
    | DOCUMENT_READS
    | PUBLISHED_READS
    | SEARCH_READS
    | VERSION_READS
)


async def answer[Answer](connection: AsyncConnection[Any], question: Question[Answer]) -> Answer:
    """Answer from one snapshot: one statement, prepared once on each connection."""
    if isinstance(question, Both):
        return cast("Answer", await _answer_both(connection, question))
    read = READS[type(question)]
    try:
        arguments = read.arguments(question)
    except End:
        return cast("Answer", read.over)
    return cast("Answer", read.answer(question, await _row(connection, read.sql, arguments)))


async def _answer_both(connection: AsyncConnection[Any], both: Both[Any, Any]) -> tuple[Any, Any]:
    one, other = READS[type(both.one)], READS[type(both.other)]
    arguments = {**one.arguments(both.one), **_of_other(other.arguments(both.other))}
    row = await _row(connection, _beside(one.sql, other.sql), arguments)
    assert row is not None, "it has no from"
    return one.answer(both.one, row[:1]), other.answer(both.other, row[1:])


def _of_other(arguments: Mapping[str, object]) -> dict[str, object]:
    return {f"other_{name}": value for name, value in arguments.items()}


@cache
def _beside(one: str, other: str) -> str:
    """Return the two statements, of one value each, as one."""
    return f"select ({one}), ({other.replace('%(', '%(other_')})"


async def _row(connection: AsyncConnection[Any], statement: str, arguments: Mapping[str, object]) -> Row | None:
    cursor = connection.cursor(binary=True)
    await cursor.execute(statement, arguments, prepare=True)
    return await cursor.fetchone()
