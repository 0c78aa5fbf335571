"""Answers questions: the table of all their statements, and how one or two run."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, cast

from psycopg import AsyncConnection

from domain.questions import Both, Question
from persistence import (
    accounts,
    audit,
    documents,
    drives,
    event_feed,
    idempotency,
    items,
    listing,
    oauth,
    organizations,
    search,
    sessions,
    shares,
    versions,
)
from persistence.statements import InvalidCursor, Read, Reads, RepeatedRead, ResultRow

READS: Reads = {
    **accounts.READS,
    **audit.READS,
    **documents.READS,
    **drives.READS,
    **idempotency.READS,
    **items.READS,
    **listing.READS,
    **event_feed.READS,
    **oauth.READS,
    **organizations.READS,
    **search.READS,
    **sessions.READS,
    **shares.READS,
    **versions.READS,
}


_NAME = re.compile(r"%\((\w+)\)")


async def answer[Answer](connection: AsyncConnection[Any], question: Question[Answer]) -> Answer:
    """Answer from one snapshot (but for a `RepeatedRead`): one statement, prepared once on each connection."""
    if isinstance(question, Both):
        return cast("Answer", await _answer_together(connection, question))
    read = READS[type(question)]
    if isinstance(read, RepeatedRead):
        return cast("Answer", await _answer_in_steps(connection, read, question))
    try:
        arguments = read.arguments(question)
    except InvalidCursor:
        return cast("Answer", read.over)
    return cast("Answer", read.answer(question, await _row(connection, read.sql, arguments)))


async def _answer_in_steps(connection: AsyncConnection[Any], read: RepeatedRead, question: Question[Any]) -> Any:
    steps = read.steps(question)
    try:
        arguments = next(steps)
        while True:
            arguments = steps.send(await _row(connection, read.sql, arguments))
    except StopIteration as done:
        return done.value
    except InvalidCursor:
        return read.over


async def _answer_together(connection: AsyncConnection[Any], both: Both[Any, Any]) -> Any:
    asked = _asked(both)
    reads = [cast("Read", READS[type(question)]) for question in asked]
    arguments = {
        _beside(name, place): value
        for place, (read, question) in enumerate(zip(reads, asked, strict=True))
        for name, value in read.arguments(question).items()
    }
    row = await _row(connection, _together(*(read.sql for read in reads)), arguments)
    assert row is not None, "it has no from"
    answers = (read.answer(each, (value,)) for read, each, value in zip(reads, asked, row, strict=True))
    return _paired(both, answers)


def _asked(question: Question[Any]) -> tuple[Question[Any], ...]:
    return (*_asked(question.one), *_asked(question.other)) if isinstance(question, Both) else (question,)


def _paired(question: Question[Any], answers: Iterator[Any]) -> Any:
    """Return the answers, which come from left to right, as the question wants them."""
    if isinstance(question, Both):
        return _paired(question.one, answers), _paired(question.other, answers)
    return next(answers)


def _beside(name: str, place: int) -> str:
    return f"{name}_{place}"


@cache
def _together(*statements: str) -> str:
    """Return statements of one value each as one."""
    named = (_NAME.sub(_beside(r"%(\g<1>", place) + ")", each) for place, each in enumerate(statements))
    return f"select {', '.join(f'({each})' for each in named)}"


async def _row(connection: AsyncConnection[Any], statement: str, arguments: Mapping[str, object]) -> ResultRow | None:
    cursor = connection.cursor(binary=True)
    await cursor.execute(statement, arguments, prepare=True)
    return await cursor.fetchone()
