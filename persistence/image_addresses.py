"""Finds the addresses of images in the updates of documents."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from documents.markdown.addresses import IMAGE_IDS
from domain.credit import AuthorId
from persistence.audit_feed import Work
from persistence.postgres.connections import Connection
from persistence.store import PostgresStore

COPYING: Final = Work("images", "false")
_FOUND: Final = """
select i.id::text, i.sequence, u.user_id::text, u.agent, u.update
from unnest(%(ids)s::uuid[], %(after)s::bigint[]) asked (id, after)
join item i on i.id = asked.id
left join document_update u on u.item_id = i.id and u.sequence > asked.after and u.sequence <= i.sequence
    and position('/images/'::bytea in u.update) > 0
order by i.id, u.sequence"""


@dataclass(slots=True)
class AddressesOfImages:
    """The ids in the addresses of images that each author wrote in a document, up to its update number `sequence`."""

    sequence: int
    ids: dict[AuthorId, list[str]] = field(default_factory=dict)


async def addresses_of_images(store: PostgresStore, after: Mapping[str, int]) -> dict[str, AddressesOfImages]:
    """Return those in the updates of these documents behind the numbers, by the ids of the documents that there are."""

    async def ask(connection: Connection) -> list[Any]:
        values = {"ids": [*after], "after": [*after.values()]}
        return await (await connection.execute(_FOUND.encode(), values, prepare=True)).fetchall()

    found: dict[str, AddressesOfImages] = {}
    for document_id, sequence, user_id, agent, update in await store.autocommit(ask):
        addresses = found.setdefault(document_id, AddressesOfImages(sequence))
        if update is not None:
            addresses.ids.setdefault((user_id, agent), []).extend(IMAGE_IDS.findall(update.decode("latin-1")))
    return found
