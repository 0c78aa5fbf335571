"""The broadcasts to the connections of one document."""

import asyncio

import pytest

from domain.credit import Credit
from domain.storage import Unlimited
from live.document_connection import DocumentConnection, broadcast
from live.room import Room


class Written:
    """A transport that keeps what was written, and may be closed by a write, as that of a slow reader is."""

    def __init__(self, full=lambda: None):
        self.frames = []
        self.full = full

    def frame(self, message):
        return message

    def write(self, frames):
        self.frames += frames
        self.full()

    def send(self, message, **_kind):
        self.write([message])


@pytest.fixture
async def room():
    def shown(room, client_id):
        room.show_recorded(client_id.client)

    return Room("a document", None, print, print, shown, print, set(), Unlimited())


@pytest.fixture
async def others(room):
    """Transports in a room with a slow reader, which leaves at the first write."""

    def joined(transport):
        member = DocumentConnection(Credit("somebody", "Somebody"), transport, b"", True, True, lambda: None)
        room.join(member)
        return member

    slow = [joined(Written(lambda: room.leave(slow[0])))]
    transports = [Written() for _ in range(8)]
    for transport in transports:
        joined(transport)
    return transports


async def test_a_slow_reader_that_a_broadcast_closes_takes_no_edit_from_the_others(room, others):
    broadcast(room.connections, [(None, b"an edit", None)])
    assert len(room.connections) == len(others)
    assert [len(other.frames) for other in others] == [1] * len(others)


async def test_a_slow_reader_that_a_broadcast_closes_takes_no_presence_from_the_others(room, others):
    room._edit_presence.show(Credit("somebody", "Somebody"), None)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(room.connections) == len(others)
    assert [len(other.frames) for other in others] == [1] * len(others)
