"""The port by which documents are read from where they are stored."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from domain.document import DocumentLog
from domain.questions import LogOf, Question


class StoreReader(Protocol):
    async def read[Answer](self, question: Question[Answer]) -> Answer: ...


type ReadTail = Callable[[str, int], Awaitable[DocumentLog | None]]
"""Answers `LogOf` a document after the number of an update that was there; it need not say who showed client ids."""


def reads_of_logs(reader: StoreReader) -> ReadTail:
    async def read(document_id: str, after: int) -> DocumentLog | None:
        return await reader.read(LogOf(document_id, after=after))

    return read
