"""The table of all questions with the statements that answer them, and several questions answered by one statement."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any, cast

from domain.questions import Both, Each, Question
from persistence import (
    access_ends,
    accounts,
    audit,
    backlinks,
    documents,
    drives,
    event_feed,
    idempotency,
    items,
    listing,
    live_trees,
    oauth,
    organizations,
    recent_events,
    search,
    sessions,
    shares,
    stars,
    versions,
)
from persistence.postgres.connections import Connection
from persistence.statements import Answers, Read, only_row

_NAME = re.compile(r"%\((\w+)\)")


class _ReadTogether:
    """Answers questions, each of which may be `Both` or `Each` itself, by one statement."""

    async def run(self, connection: Connection, question: Any) -> Any:
        asked = _asked(question)
        reads = [cast("Read", READS[type(question)]) for question in asked]
        arguments = {
            _beside(name, place): value
            for place, (read, each) in enumerate(zip(reads, asked, strict=True))
            for name, value in read.arguments(each).items()
        }
        row = await only_row(connection, _together(*(read.sql for read in reads)), arguments)
        assert row is not None, "it has no from"
        answers = (read.answer(each, (value,)) for read, each, value in zip(reads, asked, row, strict=True))
        return _paired(question, answers)


def _asked(question: Question[Any]) -> tuple[Question[Any], ...]:
    match question:
        case Both(one, other):
            return *_asked(one), *_asked(other)
        case Each(questions):
            return tuple(chain.from_iterable(map(_asked, questions)))
        case _:
            return (question,)


def _paired(question: Question[Any], answers: Iterator[Any]) -> Any:
    """Return the answers, which come from left to right, as the question wants them."""
    match question:
        case Both(one, other):
            return _paired(one, answers), _paired(other, answers)
        case Each(questions):
            return tuple([_paired(each, answers) for each in questions])
        case _:
            return next(answers)


def _beside(name: str, place: int) -> str:
    return f"{name}_{place}"


@cache
def _together(*statements: str) -> str:
    """Return statements of one value each as one."""
    named = (_NAME.sub(_beside(r"%(\g<1>", place) + ")", each) for place, each in enumerate(statements))
    return f"select {', '.join(f'({each})' for each in named)}"


READS: Mapping[type[Question[Any]], Answers] = {
    Both: _ReadTogether(),
    Each: _ReadTogether(),
    **access_ends.READS,
    **accounts.READS,
    **audit.READS,
    **documents.READS,
    **drives.READS,
    **idempotency.READS,
    **items.READS,
    **listing.READS,
    **live_trees.READS,
    **event_feed.READS,
    **recent_events.READS,
    **oauth.READS,
    **organizations.READS,
    **backlinks.READS,
    **search.READS,
    **sessions.READS,
    **shares.READS,
    **stars.READS,
    **versions.READS,
}
