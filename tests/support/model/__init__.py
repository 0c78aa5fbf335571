"""A model of the access tree: what the SQL reads are held against, and where the domain's laws are checked."""

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from typing import Any, Self

from domain.credit import Credit
from domain.events import Event
from tests.support.model.events import write
from tests.support.model.questions import ANSWERS
from tests.support.model.tree import Tree


class Model:
    """Answers some questions and takes all events, as a store does."""

    def __init__(self) -> None:
        self.tree = Tree()

    @staticmethod
    def knows(question: Any) -> bool:
        return type(question) in ANSWERS

    async def read(self, question: Any) -> Any:
        return ANSWERS[type(question)](self.tree, question)

    async def transact[Result](self, _touches: object, work: Callable[[Self], Awaitable[Result]]) -> Result:
        return await work(self)

    async def record(self, recorded: Iterable[Event], by: Credit, at: datetime) -> None:
        for event in recorded:
            self.tree.recorded[len(self.tree.recorded)] = event
            write(event, self.tree, by, at)
