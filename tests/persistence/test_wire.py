"""A connection that is asked by callbacks and hears of notifications."""

import asyncio
import os
import socket

import psycopg

from persistence.postgres.wire import WireConnection
from tests.support.processes.servers import PATIENCE


async def arrived(connection, sought):
    """Wait until this has arrived at the socket of a connection, and leave it there to be read."""
    with socket.socket(fileno=os.dup(connection._socket)) as peeked:
        async with asyncio.timeout(PATIENCE):
            found = await asyncio.to_thread(peek, peeked, sought)
    assert sought in found


def peek(peeked, sought):
    peeked.settimeout(PATIENCE)
    found = b""
    while sought not in found:
        found = peeked.recv(1 << 16, socket.MSG_PEEK)
    return found


async def test_what_arrives_together_with_an_answer_is_heard_with_it(store):
    """Else it stays in the buffer of the driver until the server says something more."""
    heard, answers = [], asyncio.Queue()
    opened = ("listen codrive", "prepare one as select 1")
    connection = await WireConnection.open(store.writers, opened, heard.append)
    loop = asyncio.get_running_loop()
    loop.remove_reader(connection._socket)
    connection.ask(b"one", [], answers.put_nowait)
    async with await psycopg.AsyncConnection.connect(store.writers.conninfo, autocommit=True) as other:
        await arrived(connection, b"SELECT 1")  # a backend that has answered tells of notifications at once
        await other.execute("select pg_notify('codrive', 'news')")
    await arrived(connection, b"news")
    loop.add_reader(connection._socket, connection._readable)
    async with asyncio.timeout(PATIENCE):
        await answers.get()
    assert heard == ["news"]
    await connection.close()
