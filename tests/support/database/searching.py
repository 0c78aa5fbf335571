"""Postgres as it is searched once the index is up to date, which it is a moment after each commit."""

from domain.questions import BacklinksFor, Question, SearchFor
from persistence.audit_feed import INDEXING, EditedLog
from persistence.search_index import SearchIndex
from persistence.store import PostgresStore
from tests.support.documents.jobs import JOBS


async def indexed(store: PostgresStore) -> None:
    """Wait for whoever else is at it, and index all that is behind."""
    index = SearchIndex(store, runner=JOBS)
    left = await EditedLog(store, INDEXING).behind()
    while left:
        left = await index.index(left)


class IndexedStore(PostgresStore):
    async def read[Answer](self, question: Question[Answer]) -> Answer:
        if isinstance(question, SearchFor | BacklinksFor):
            await indexed(self)
        return await super().read(question)
