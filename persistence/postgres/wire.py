"""A connection that is asked one prepared statement at a time, by callbacks and with arguments in PostgreSQL's binary format.

The driver's general path, for any statement with arguments of any type, costs more than everything else that a keystroke needs.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from psycopg import Error, errors
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from domain.errors import Unavailable
from persistence.postgres.connections import Connection, Pool, dedicated_connection, is_lost

_FINE: Final = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


class WireConnection:
    """Its socket is watched all the while, so a lost connection is noticed at once.

    `heard` is called with what other connections notify this one of, where it listens.
    """

    def __init__(self, connection: Connection, heard: Callable[[str], None] | None = None) -> None:
        self.lost = False
        self._connection = connection
        self._wire = connection.pgconn
        self._socket = self._wire.socket
        self._loop = asyncio.get_running_loop()
        self._result: PGresult | None = None
        self._answered: Callable[[PGresult | Error], None] | None = None
        self._heard = heard
        self._loop.add_reader(self._socket, self._readable)

    @staticmethod
    async def open(
        writers: Pool, statements: Sequence[str], heard: Callable[[str], None] | None = None
    ) -> "WireConnection":
        """Connect to where the pool does, and run the statements, which prepare those that are asked later."""
        connection = await dedicated_connection(writers)
        for statement in statements:
            await connection.execute(statement.encode())
        return WireConnection(connection, heard)

    def fault(self, error: Error) -> Exception:
        """Return the error to report for an error of the driver; close a connection that is lost."""
        if not is_lost(error):
            return error
        self.leave()
        lost = Unavailable("the database was lost before it answered")
        lost.__cause__ = error
        return lost

    def ask(
        self,
        name: bytes,
        arguments: Sequence[bytes],
        answered: Callable[[PGresult | Error], None],
        *,
        binary: bool = False,
    ) -> None:
        """Send the statement; `answered` is called once with its result, as text or `binary`, or with the error of the connection."""
        self._answered = answered
        try:
            self._wire.send_query_prepared(
                name, arguments, param_formats=[1] * len(arguments), result_format=int(binary)
            )
            if self._wire.flush():
                self._loop.add_writer(self._socket, self._writable)
        except errors.OperationalError as error:
            self._disconnected(error)

    async def close(self) -> None:
        self.leave()
        await self._connection.close()

    def leave(self) -> None:
        if not self.lost:
            self.lost = True
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)

    def _writable(self) -> None:
        try:
            if not self._wire.flush():
                self._loop.remove_writer(self._socket)
        except errors.OperationalError as error:
            self._disconnected(error)

    def _readable(self) -> None:
        """Read the socket. Without a whole answer read again: the loop reports a broken connection only once."""
        try:
            if not self._receive():
                self._receive()
            # after the answer: until that is taken, the driver leaves what follows it in its buffer
            if self._heard:
                self._tell(self._heard)
        except errors.OperationalError as error:
            self._disconnected(error)

    def _receive(self) -> bool:
        self._wire.consume_input()
        while not self._wire.is_busy():
            result = self._wire.get_result()
            if result is None:
                return self._deliver()
            self._result = result
        return False

    def _tell(self, heard: Callable[[str], None]) -> None:
        while notified := self._wire.notifies():
            if notified.be_pid != self._wire.backend_pid:
                heard(notified.extra.decode())

    def _deliver(self) -> bool:
        result, self._result = self._result, None
        answered, self._answered = self._answered, None
        if result and answered:
            answered(result if result.status in _FINE else errors.error_from_result(result))
        return result is not None

    def _disconnected(self, error: errors.OperationalError) -> None:
        self.leave()
        answered, self._answered = self._answered, None
        if answered:
            answered(error)


def column_text(answer: PGresult, row: int, column: int) -> str:
    return (answer.get_value(row, column) or b"").decode()
