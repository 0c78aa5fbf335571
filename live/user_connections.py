"""Bounds that the connections of one user share, so that many cost the others no more than one.

After a costly message all of them wait as long as it took. What they sent and the server has not processed is bounded. Of
answers with whole documents one is under way at a time, and after a costly one the next waits for a multiple of what it took.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Final, Protocol

COSTLY_SECONDS: Final = 0.005  # after a message that took longer the user's next ones wait as long as it took
PAUSE: Final = 4.0  # times what a costly answer took that the next whole answer to the user waits
MAX_UNPROCESSED: Final = 32 * 1024 * 1024  # bytes; a connection that is past it is read from later


class SharingConnection(Protocol):
    """A connection, as those of its user see it."""

    def hold(self) -> None:
        """Process no message until `release`."""
        ...

    def release(self) -> None: ...

    def pause(self, *, reading: bool) -> None:
        """Read on, or let the client wait."""
        ...


class UserConnections:
    """The open connections of one user in this process."""

    def __init__(self) -> None:
        self.connections: dict[SharingConnection, None] = {}  # in the order in which they came
        self._held: deque[SharingConnection] = deque()
        self._held_until = 0.0  # by the loop's clock
        self._timer: asyncio.TimerHandle | None = None
        self._unprocessed: dict[SharingConnection, int] = {}  # bytes of whole messages
        self._arriving: dict[SharingConnection, int] = {}  # bytes of messages that are not whole yet
        self._size = 0  # bytes of both
        self._unread: dict[SharingConnection, None] = {}  # those that are not read from
        self._answering: SharingConnection | None = None
        self._is_answering = False
        self._answers_wait = False  # after a costly one
        self._answers: deque[tuple[SharingConnection, Callable[[], None]]] = deque()

    def add(self, connection: SharingConnection) -> None:
        self.connections[connection] = None
        if self._timer and connection not in self._held:
            self._hold(connection)

    def remove(self, connection: SharingConnection) -> None:
        """Forget a connection that is closed, or that turned out to be somebody else's."""
        if connection in self._held:
            self._held.remove(connection)
            connection.release()
        if connection in self._unread:
            del self._unread[connection]
            connection.pause(reading=True)
        self._answers = deque([each for each in self._answers if each[0] is not connection])
        self._note(self._unprocessed, connection, 0)
        self._note(self._arriving, connection, 0)
        self.connections.pop(connection, None)
        self.answered(connection)

    # Time

    def throttle(self, seconds: float) -> None:
        """Let all connections wait so long, behind each other, after a message of one of them took that long."""
        loop = asyncio.get_running_loop()
        self._held_until = max(self._held_until, loop.time()) + seconds
        for connection in self.connections:
            if connection not in self._held:
                self._hold(connection)
        if self._timer is None:
            self._timer = loop.call_at(self._held_until, self._release)

    def _hold(self, connection: SharingConnection) -> None:
        self._held.append(connection)
        connection.hold()

    def _release(self) -> None:
        """Let the connections go on in turn, until a message of one of them is costly again."""
        loop = asyncio.get_running_loop()
        while self._held and loop.time() >= self._held_until:
            self._held.popleft().release()
        self._timer = loop.call_at(self._held_until, self._release) if self._held else None

    # Memory

    def unprocessed(self, connection: SharingConnection, size: int) -> None:
        """Note of how many bytes the whole messages of a connection are that are not processed."""
        self._note(self._unprocessed, connection, size)

    def arriving(self, connection: SharingConnection, size: int) -> None:
        """Note how much of a message has arrived that is not whole yet."""
        self._note(self._arriving, connection, size)

    def _note(self, sizes: dict[SharingConnection, int], connection: SharingConnection, size: int) -> None:
        if connection not in self.connections:
            return
        grown = size - sizes.get(connection, 0)
        if size:
            sizes[connection] = size
        else:
            sizes.pop(connection, None)
        self._size += grown
        if grown > 0 and not self._may_send(connection) and connection not in self._unread:
            self._unread[connection] = None
            connection.pause(reading=False)
        elif grown < 0:
            self._read_on()

    def _may_send(self, connection: SharingConnection) -> bool:
        """Whether there is room; where nothing can make some, the message that began to arrive first is to end."""
        return self._size <= MAX_UNPROCESSED or (
            not self._unprocessed and next(iter(self._arriving), None) is connection
        )

    def _read_on(self) -> None:
        for connection in [each for each in self._unread if self._may_send(each)]:
            del self._unread[connection]
            connection.pause(reading=True)

    # Whole documents

    def answer(self, connection: SharingConnection, act: Callable[[], None]) -> None:
        """Call `act`, which sends a whole document, once the answers before it to other connections are read."""
        if self._answering is connection:
            act()
        else:
            self._answers.append((connection, act))
            self._answer()

    def answered(self, connection: SharingConnection) -> None:
        """Note that a connection's client has read what it was answered, or is gone."""
        if self._answering is connection:
            self._answering = None
            self._answer()

    def _answer(self) -> None:
        if self._is_answering:  # an answer that ended at once
            return
        self._is_answering = True
        try:
            while self._answers and self._answering is None and not self._answers_wait:
                self._answering, act = self._answers.popleft()
                begun = perf_counter()
                act()
                self._pause_answers(perf_counter() - begun)
        finally:
            self._is_answering = False

    def _pause_answers(self, took: float) -> None:
        if took > COSTLY_SECONDS:
            loop = asyncio.get_running_loop()
            self._answers_wait = True
            loop.call_at(loop.time() + PAUSE * took, self._answer_on)

    def _answer_on(self) -> None:
        self._answers_wait = False
        self._answer()
