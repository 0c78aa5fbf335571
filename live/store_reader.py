"""The port by which documents are read from where they are stored."""

from typing import Protocol

from domain.questions import Question


class StoreReader(Protocol):
    async def read[Answer](self, question: Question[Answer]) -> Answer: ...
