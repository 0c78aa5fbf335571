"""Which statement answers which question: all of them, in one table."""

from typing import Any, cast

from psycopg import AsyncConnection

from domain.questions import Question
from persistence.read_documents import DOCUMENT_READS
from persistence.read_drives import DRIVE_READS
from persistence.read_items import ITEM_READS
from persistence.read_listing import LISTING_READS
from persistence.read_lists import LIST_READS
from persistence.read_people import PEOPLE_READS
from persistence.read_published import PUBLISHED_READS
from persistence.read_search import SEARCH_READS
from persistence.reading import End, Reads
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
    read = READS[type(question)]
    try:
        arguments = read.arguments(question)
    except End:
        return cast("Answer", read.over)
    cursor = connection.cursor(binary=True)
    await cursor.execute(read.sql, arguments, prepare=True)
    return cast("Answer", read.answer(question, await cursor.fetchone()))
