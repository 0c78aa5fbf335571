"""Hands WebSocket handshakes for documents from the HTTP server to their own engine, on the same connection."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any, ClassVar, cast, override

from domain.errors import Code, Rejection
from edge.responses import UNAVAILABLE, Headers
from live.handshake import VERSION, handshake_fault
from service.http_server import Draining, EnvelopeProtocol


class OnePort(EnvelopeProtocol):
    """One connection, which may turn out to belong to the other engine: `handed_over` says so of a URL.

    `engine` makes the protocol that takes over; it is given the set of connections which the server ends when it
    stops, and the address at the other end. Uvicorn drops what was glued to the handshake, so that is found again and handed over with it.
    """

    handed_over: ClassVar[Callable[[bytes], bool]] = staticmethod(lambda _: False)
    engine: ClassVar[Callable[[set[Any], str], asyncio.BufferedProtocol]]
    _last: bytes = b""

    @override
    def data_received(self, data: bytes) -> None:
        self._last = data
        super().data_received(data)
        self._last = b""

    @override
    def handle_websocket_upgrade(self) -> None:
        if fault := handshake_fault(self.scope["method"], self.headers):
            self._refuse(Rejection(Code.BAD_REQUEST, fault), (b"sec-websocket-version", VERSION))
            return
        if not type(self).draining.takes_sockets:
            self._refuse(UNAVAILABLE)
            return
        if not type(self).handed_over(self.url):
            behind = self._behind()
            super().handle_websocket_upgrade()
            if behind:
                cast("asyncio.Protocol", self.transport.get_protocol()).data_received(behind)
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self.send_400_response("a handshake behind a request that is not answered yet")
            return
        self._stop_watching()
        self.connections.discard(self)
        protocol = type(self).engine(self.server_state.connections, self._peer())
        handshake = self._handshake()
        protocol.connection_made(self.transport)
        self.transport.set_protocol(protocol)
        while handshake:
            buffer = memoryview(cast("Any", protocol.get_buffer(-1)))
            size = min(len(buffer), len(handshake))
            buffer[:size] = handshake[:size]
            handshake = handshake[size:]
            protocol.buffer_updated(size)

    def _peer(self) -> str:
        return self.client[0] if self.client else ""

    def _handshake(self) -> bytes:
        """The handshake, unchanged, with the bytes behind it. Firefox says `keep-alive, Upgrade`; picows wants less."""
        headers = [(name, b"Upgrade" if name == b"connection" else value) for name, value in self.headers]
        lines = b"".join(b"%b: %b\r\n" % header for header in headers)
        return b"%b %b HTTP/1.1\r\n%b\r\n%b" % (self.scope["method"].encode(), self.url, lines, self._behind())

    def _behind(self) -> bytes:
        upgrade = sys.exception()
        return self._last[upgrade.args[0] :] if upgrade and upgrade.args else b""


def one_port(
    handed_over: Callable[[bytes], bool],
    engine: Callable[[set[Any], str], asyncio.BufferedProtocol],
    rate_headers: Callable[[str], Headers],
    draining: Draining,
) -> type[OnePort]:
    """Return the protocol of this server's connections."""
    members: dict[str, Any] = {
        "rate_headers": staticmethod(rate_headers),
        "handed_over": staticmethod(handed_over),
        "engine": staticmethod(engine),
        "draining": draining,
    }
    return type("OnePortHere", (OnePort,), members)
