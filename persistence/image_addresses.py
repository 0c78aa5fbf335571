"""Finds the updates of documents in which addresses of images are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from documents.addresses import IMAGE_IDS
from domain.credit import AuthorId
from persistence.audit_feed import Work
from persistence.postgres.connections import Connection
from persistence.store import PostgresStore

COPYING: Final = Work("images", "false")
_FOUND: Final = """
select u.item_id::text, u.sequence, u.user_id::text, u.agent, u.update
from unnest(%(ids)s::uuid[], %(after)s::bigint[]) asked (id, after)
join document_update u on u.item_id = asked.id and u.sequence > asked.after
where position('/images/'::bytea in u.update) > 0 order by u.item_id, u.sequence"""


@dataclass(frozen=True, slots=True)
class AddressesOfImages:
    """The ids in the addresses of images that somebody wrote in a document, and the number of that update."""

    document_id: str
    sequence: int
    author: AuthorId
    ids: tuple[str, ...]


async def addresses_of_images(store: PostgresStore, after: Mapping[str, int]) -> list[AddressesOfImages]:
    """Return those in the updates of these documents behind the numbers, in the order of the log."""

    async def ask(connection: Connection) -> list[Any]:
        values = {"ids": [*after], "after": [*after.values()]}
        return await (await connection.execute(_FOUND.encode(), values, prepare=True)).fetchall()

    rows = await store.autocommit(ask)
    return [
        AddressesOfImages(document_id, sequence, (user_id, agent), tuple(IMAGE_IDS.findall(update.decode("latin-1"))))
        for document_id, sequence, user_id, agent, update in rows
    ]
