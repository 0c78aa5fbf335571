"""The private parts of uvicorn that the server uses, each with its reason. A test names the version."""

from typing import Any, override

import uvicorn
from httptools import HttpParserInvalidMethodError

# what uvicorn runs instead of the application where it has too many connections
from uvicorn.protocols.http.flow_control import service_unavailable

# the protocols of a connection: uvicorn takes others by its settings, and has no other way to bound or hand over one;
# and what they raise for a message to one that is closed
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

__all__ = [
    "ClientDisconnected",
    "HttpProtocol",
    "WebSocketsSansIOProtocol",
    "forget_signals",
    "is_unknown_method",
    "service_unavailable",
]


class HttpProtocol(HttpToolsProtocol):
    """One connection of HTTP/1.1, with a say in what runs for a request."""

    def application_for(self, _cycle: Any, app: Any) -> Any:
        """Return the ASGI application of a request, where uvicorn would run `app`; called once for each."""
        return app

    @override
    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        super()._start_asgi_task(cycle, self.application_for(cycle, app))


def is_unknown_method(error: BaseException | None) -> bool:
    """Whether the parser ended a request because it does not know its method."""
    return isinstance(error, HttpParserInvalidMethodError)


def forget_signals(server: uvicorn.Server) -> None:
    """Forget the signals that ended the server: it would raise them again, before the database is stopped."""
    server._captured_signals.clear()  # noqa: SLF001
