"""A model of the access tree: what the SQL reads are held against, and where the domain's laws are checked."""

from tests.support.model.events import write
from tests.support.model.questions import ANSWERS
from tests.support.model.tree import Tree


class Model:
    """Answers some questions and takes all events, as a store does."""

    def __init__(self):
        self.tree = Tree()

    @staticmethod
    def knows(question):
        return type(question) in ANSWERS

    async def read(self, question):
        return ANSWERS[type(question)](self.tree, question)

    async def transact(self, _touches, work):
        return await work(self)

    async def record(self, recorded, by, at):
        for event in recorded:
            self.tree.recorded[len(self.tree.recorded)] = event
            write(event, self.tree, by, at)
