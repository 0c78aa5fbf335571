"""Deadline for a peer that does not read: a connection that takes nothing of what it was sent for so long is aborted."""

import asyncio
from typing import Any, ClassVar, override

from service.uvicorn_internals import ClientDisconnected, WebSocketsSansIOProtocol

UNREAD_SECONDS = 30.0


class WriteDeadline:
    """A protocol of uvicorn's beside which this stands first among the bases.

    INVARIANT: what waits in the transport shrinks only where the peer reads, since nobody writes while writing is
    paused, or after the transport was closed.
    """

    unread_seconds: ClassVar[float] = UNREAD_SECONDS
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread_timer: asyncio.TimerHandle | None = None
    _unread: int = 0

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        self.watch_unread()

    def resume_writing(self) -> None:
        super().resume_writing()  # type: ignore[misc]
        self.stop_watching_unread()

    def watch_unread(self) -> None:
        """Abort the connection unless the peer reads on; called where a transport is closed with something in it, too."""
        self._unread = self.transport.get_write_buffer_size()
        if self._unread and self._unread_timer is None:
            self._unread_timer = self.loop.call_later(self.unread_seconds, self._look)

    def stop_watching_unread(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def _look(self) -> None:
        self._unread_timer = None
        before = self._unread
        if self.transport.get_write_buffer_size() >= before:
            self.transport.abort()
        else:
            self.watch_unread()


class BoundedWebSocket(WriteDeadline, WebSocketsSansIOProtocol):
    """A WebSocket whose messages are sent when most of them has been read, so that the sender knows the queue.

    Several tasks may send: what one sends after another has closed the connection raises an `OSError`, as it does after
    the peer has closed it.
    """

    @override
    async def send(self, message: Any) -> None:
        try:
            await super().send(message)
        except RuntimeError:
            if self.close_sent:
                raise ClientDisconnected from None
            raise
        if message["type"] == "websocket.send":
            await self.writable.wait()

    @override
    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.watch_unread()

    @override
    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.watch_unread()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_watching_unread()
        super().connection_lost(exc)
