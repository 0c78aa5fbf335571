"""Connects to the database, and translates connection failures."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractContextManager, asynccontextmanager
from math import inf
from time import monotonic
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection, errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.string import ByteaBinaryLoader
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from domain.errors import Unavailable
from persistence.postgres.psycopg_pool_internals import expire

type Pool = AsyncConnectionPool[Connection]

# Bytes from which on a message is large.
_LARGE: Final = 512 * 1024

IDLE_SECONDS: Final = (
    10  # in a transaction, after which its locks go: those of a process that sleeps, since no other idles so long
)
# Where the host of the database is gone without a word, a connection to it is given up when the lease is: in four seconds, whether
# what was sent did not arrive or an answer is waited for. Over a Unix socket these mean nothing, and an address may have others.
_GIVEN_UP: Final = {
    "connect_timeout": 10,  # seconds; the driver's own are 130
    "tcp_user_timeout": 4_000,  # milliseconds
    "keepalives_idle": 1,  # seconds, as the next one
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
# Statements are written by hand for one plan each, so planning them again for every value would only cost.
_SETTINGS = f"""
set timezone = 'UTC'; set jit = off; set plan_cache_mode = force_generic_plan;
set statement_timeout = '60s'; set idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'; set lock_timeout = '{{patience}}ms'"""
# A scan of a whole table would lock it against everybody in a serializable transaction, however small it is.
_WRITING = "; set enable_seqscan = off"
# More than there are statements: none is ever prepared twice on a connection.
_MAX_PREPARED = 1_000

# The driver raises these as other errors than OperationalError, though they come from outside as well.
_OUTSIDE = (psycopg.OperationalError, psycopg.InterfaceError, errors.IdleInTransactionSessionTimeout)


class Connection(AsyncConnection[Any]):
    """A connection of the driver. Its C library keeps buffers for the largest message until it is closed.

    So one that carried a large message is not used again: 16 that had each read a document of megabytes held 75 MB.
    """

    has_large_buffers = False
    opened_at = inf  # after it was, as `monotonic` says it

    def carried(self, values: Iterable[object]) -> None:
        """Note the values of a row that was sent or received."""
        self.has_large_buffers = self.has_large_buffers or sum(map(_size, values)) >= _LARGE


def _size(value: object) -> int:
    if isinstance(value, (bytes, str)):
        return len(value)
    return sum(map(_size, value)) if isinstance(value, list) else 0


def pool(url: str, *, size: int, patience: float, writing: bool, sessions: str = "") -> Pool:
    """Return a pool that is not open yet; `patience` is the timeout in seconds for connections and locks.

    `sessions` is the `application_name` of its connections, unless it is empty.
    """

    async def configure(connection: Connection) -> None:
        await _configure(connection, patience, writing=writing)

    named = {"application_name": sessions} if sessions else {}
    return AsyncConnectionPool(
        _bounded(url, **named),
        connection_class=Connection,
        min_size=1,
        max_size=size,
        open=False,
        timeout=patience,
        kwargs={"autocommit": True},
        configure=configure,
        # Given up early, so that the next caller tries at once instead of waiting for a distant next attempt.
        reconnect_timeout=1.0,
        name="writers" if writing else "readers",
    )


def connect(url: str, *, autocommit: bool = True) -> psycopg.Connection:
    """Return a connection that is used once, outside of the pools."""
    return psycopg.connect(_bounded(url), autocommit=autocommit)


def _bounded(url: str, **more: str) -> str:
    """Return the address with the limits of what is waited for, unless it has its own."""
    return make_conninfo("", **_GIVEN_UP | conninfo_to_dict(url) | more)


def for_command_line(url: str) -> tuple[str, dict[str, str]]:
    """Return the address without its password, and the environment that carries it: everybody can read command lines."""
    parts = conninfo_to_dict(url)
    password = parts.pop("password", None)
    return make_conninfo("", **parts), {} if password is None else {"PGPASSWORD": str(password)}


async def _configure(connection: Connection, patience: float, *, writing: bool) -> None:
    connection.opened_at = monotonic()
    connection.prepared_max = _MAX_PREPARED
    connection.adapters.register_loader("json", ByteaBinaryLoader)  # as bytes, for typed decoders
    settings = _SETTINGS.format(patience=round(patience * 1000))
    await connection.execute((settings + (_WRITING if writing else "")).encode())


async def dedicated_connection(writers: Pool) -> Connection:
    """Return a connection with the settings of the pool that the caller alone uses."""
    async with asyncio.timeout(writers.timeout):
        connection = await Connection.connect(str(writers.conninfo), autocommit=True)
        await _configure(connection, writers.timeout, writing=True)
    return connection


@asynccontextmanager
async def acquire(pool: Pool) -> AsyncIterator[Connection]:
    connection = await pool.getconn()
    try:
        yield connection
    finally:
        if connection.has_large_buffers:
            expire(connection)
        await pool.putconn(connection)


async def replace_broken(pool: Pool) -> None:
    """Have the connections that are gone replaced.

    The pool takes a cancellation for a connection that is gone, and goes on: it is raised here.
    """
    task = asyncio.current_task()
    cancelled = task.cancelling() if task else 0
    await pool.check()
    if task and task.cancelling() > cancelled:
        raise asyncio.CancelledError


class _ErrorTranslation(AbstractContextManager[None, None]):
    """No generator, since every batch of keystrokes passes through it."""

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, errors.DiskFull):
            raise Unavailable("the disk of the database is full") from error
        if isinstance(error, _OUTSIDE):
            raise Unavailable("the database cannot be reached just now") from error


translate_errors: Final = _ErrorTranslation()
"""The context that raises `Unavailable` for what keeps us from the database, and leaves other errors as they are."""


def is_lost(error: BaseException) -> bool:
    """Whether the connection is lost, as after a restart of the database: a new one may work."""
    if isinstance(error, PoolTimeout) or not isinstance(error, _OUTSIDE):
        return False
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P"))
