"""A client id that an editor showed is theirs in the log, too: after a restart, at another process, and for a day."""

from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from domain.document import ShownClientId
from domain.item import ItemKind
from domain.questions import LogOf
from live import codec
from live.document_connection import DocumentConnection
from live.protocol import CloseCode
from live.rooms import Rooms
from persistence.shown_client_ids import MAX_SHOWN, ShownClientIdStore
from tests.persistence.seeds import ADA, BEN, FOLDERS, NOW, PEOPLE, folder, new_id, write
from tests.support.database.updates import milliseconds, update_log
from tests.support.documents.encoding import client, element
from tests.support.documents.encoding import update as encoded
from tests.support.documents.jobs import JOBS

ONE = new_id(20)
ADAS, BENS = (ADA.user_id, None), (BEN.user_id, "claude")


@dataclass
class Transport:
    code: CloseCode | None = None
    messages: list = field(default_factory=list)

    @staticmethod
    def frame(message):
        return message

    def write(self, frames):
        self.messages += frames

    def send(self, message, *, whole=False):
        del whole
        self.messages.append(message)

    def close(self, code):
        self.code = code


@pytest.fixture
async def kept(store):
    await write(store, *PEOPLE, *FOLDERS, folder(ONE, kind=ItemKind.docs_workbook))
    return ShownClientIdStore(store)


@asynccontextmanager
async def process(store, kept):
    """The rooms of a process."""
    async with update_log(store) as log:
        rooms = Rooms(store, log.append, lambda: milliseconds(NOW), record_shown=kept.record, runner=JOBS)
        yield rooms
        await rooms.drained()


async def joined(rooms, who):
    transport = Transport()
    connection = DocumentConnection(who, transport, b"", acknowledges=True, may_edit=True, requested_sync=lambda: None)
    return await rooms.enter(ONE, connection), connection, transport


async def shown(store):
    return (await store.read(LogOf(ONE))).shown


async def recorded(kept, *clients, author=ADAS):
    await kept.record([ShownClientId(ONE, each, author) for each in clients])


async def pass_days(store, days):
    async def act(connection):
        await connection.execute("update shown_client_id set until = until - make_interval(days => %s)", [days])

    await store.autocommit(act)


async def test_an_id_that_was_shown_is_its_owners_at_the_next_process(store, kept):
    await recorded(kept, 7)
    async with process(store, kept) as rooms:
        room, connection, transport = await joined(rooms, BEN)
        room.edit(connection, encoded(client(7, element())), whole=False)
        assert transport.code is CloseCode.FORBIDDEN
        room, connection, transport = await joined(rooms, ADA)
        room.edit(connection, encoded(client(7, element())), whole=False)
        await rooms.drained()
        assert transport.messages == [codec.sync_status(applied=True)]


async def test_an_id_is_kept_for_a_day_and_then_anybodys(store, kept):
    await recorded(kept, 7)
    await recorded(kept, 8, author=BENS)
    await recorded(kept, 7, author=BENS)
    assert await shown(store) == {7: ADAS, 8: BENS}
    await pass_days(store, 1)
    assert await shown(store) == {7: ADAS, 8: BENS}
    await recorded(kept, 8, author=BENS)
    await pass_days(store, 1)
    assert await shown(store) == {8: BENS}
    await recorded(kept, 7, author=BENS)
    assert await shown(store) == {7: BENS, 8: BENS}


async def test_an_id_of_an_open_document_is_kept_for_a_day_after_the_document_was_last_open(store, kept):
    await recorded(kept, 6, 7)
    kept.shown = lambda: [ShownClientId(ONE, 7, ADAS)]
    for _ in range(3):
        await pass_days(store, 1)
        await kept.turn()
    assert await shown(store) == {7: ADAS}
    await pass_days(store, 2)
    kept.shown = list
    await kept.turn()

    async def count(connection):
        return await (await connection.execute("select count(*) from shown_client_id")).fetchone()

    assert await store.autocommit(count) == (0,)


async def test_of_one_user_so_many_ids_are_kept_and_all_of_the_others(store, kept):
    await recorded(kept, 1, author=BENS)
    for first in range(1_000, 1_000 + 2 * MAX_SHOWN, MAX_SHOWN):
        await recorded(kept, *range(first, first + MAX_SHOWN))
    await recorded(kept, 5, author=(ADA.user_id, "another agent"))
    found = await shown(store)
    assert found.pop(1) == BENS
    assert found.pop(5) == (ADA.user_id, "another agent")
    assert len(found) == MAX_SHOWN - 1
    assert min(found) >= 1_000 + MAX_SHOWN


async def test_ids_of_a_document_or_of_somebody_that_is_no_more_are_not_recorded(store, kept):
    await kept.record(
        [
            ShownClientId(ONE, 7, ADAS),
            ShownClientId(new_id(99), 7, ADAS),
            ShownClientId(ONE, 8, (new_id(98), None)),
        ]
    )
    assert await shown(store) == {7: ADAS}
