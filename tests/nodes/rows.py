"""The rows of a log that several people wrote at several nodes."""

import re
from collections import Counter
from uuid import UUID

PEOPLE = {"a": "ada", "b": "ben"}
MARK = re.compile(rb"([ab])\d+;")
ROWS = "select sequence, user_id, update from document_update where item_id = %s::uuid order by sequence"


async def check_rows(store, document, world):
    """The numbers of the log have no gap, and each row is of whoever typed what is in it."""

    async def ask(connection):
        return await (await connection.execute(ROWS, [document])).fetchall()

    rows = await store.autocommit(ask)
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    people = {mark: UUID(world.served.credentials["users"][who]["userId"]) for mark, who in PEOPLE.items()}
    strange = Counter(
        (mark, user_id)
        for _, user_id, update in rows
        for mark in {found.decode() for found in MARK.findall(update)}
        if people[mark] != user_id
    )
    assert not strange
