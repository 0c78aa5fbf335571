"""Addresses of the database, as they are handed on, and what connections do where its host is gone."""

import asyncio
import socket
from contextlib import asynccontextmanager, suppress

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from persistence.node_lease import OWN_SECONDS
from persistence.postgres.connections import acquire, dedicated_connection, for_command_line
from persistence.store import PostgresStore


@pytest.mark.parametrize(
    "written",
    ["postgresql://ada:s3cret@db:5433/codrive?sslmode=require", "host=db user=ada password=s3cret dbname=codrive"],
)
def test_a_command_line_never_holds_the_password(written):
    address, environment = for_command_line(written)
    assert "s3cret" not in address
    assert environment == {"PGPASSWORD": "s3cret"}
    assert conninfo_to_dict(address) == {
        name: value for name, value in conninfo_to_dict(written).items() if name != "password"
    }


def test_an_address_without_a_password_sets_none():
    assert for_command_line("postgresql://ada@db/codrive")[1] == {}


async def pipe(source, target):
    with suppress(OSError):
        while part := await source.read(65536):
            target.write(part)
        target.close()


@asynccontextmanager
async def over_tcp(url):
    """Give the same database another address: a host and a port."""
    parts = conninfo_to_dict(url)

    async def serve(reader, writer):
        there, back = await asyncio.open_unix_connection(f"{parts['host']}/.s.PGSQL.{parts['port']}")
        await asyncio.gather(pipe(reader, back), pipe(there, writer))

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield make_conninfo(url, host="127.0.0.1", port=server.sockets[0].getsockname()[1])


def bounds(connection):
    """Seconds after which the system gives a connection up: for what was sent, and while it waits for an answer."""
    with socket.socket(fileno=socket.dup(connection.fileno())) as tcp:
        sent = tcp.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) / 1000
        idle, every, count = (
            tcp.getsockopt(socket.IPPROTO_TCP, each)
            for each in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        )
        assert tcp.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    return sent, idle + every * count


async def test_a_host_of_the_database_that_is_gone_without_a_word_is_given_up_as_soon_as_a_lease(fresh_database):
    async with over_tcp(fresh_database()) as url, PostgresStore(url, readers=1, writers=1) as store:
        own = await dedicated_connection(store.writers)
        async with own, acquire(store.readers) as pooled:
            assert [bounds(each) for each in (pooled, own)] == [(OWN_SECONDS, OWN_SECONDS)] * 2


@pytest.mark.parametrize(("said", "seconds"), [("9000", 9), ("0", 0)])
async def test_an_address_may_say_when_a_host_is_given_up(fresh_database, said, seconds):
    async with (
        over_tcp(fresh_database()) as url,
        PostgresStore(make_conninfo(url, tcp_user_timeout=said), readers=1, writers=1) as store,
        acquire(store.readers) as pooled,
    ):
        assert bounds(pooled)[0] == seconds
