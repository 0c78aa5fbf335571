"""A server that answers as a script says: each connection gets the next of the script's answers, one request each."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

SILENCE = None
"""The answer of a server that says nothing and keeps the connection."""


def answer(status: int, body: str = "", kind: str = "application/json", **headers: str) -> bytes:
    """Return a whole answer; a header's underscores stand for hyphens."""
    content = body.encode()
    lines = [f"HTTP/1.1 {status} Said", f"content-type: {kind}", f"content-length: {len(content)}", "connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + content


@dataclass(slots=True)
class Faulty:
    """`requests` are the heads and bodies that came, as text."""

    url: str
    requests: list[str] = field(default_factory=list)


@contextmanager
def faulty(*script: bytes | None) -> Iterator[Faulty]:
    """Serve the script on a free port; after its end, connections are closed unanswered."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Faulty(f"http://127.0.0.1:{listening.getsockname()[1]}/api/v1")
        kept: list[socket.socket] = []
        thread = threading.Thread(target=_serve, args=(listening, [*script], server, kept))
        thread.start()
        try:
            yield server
        finally:
            with suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in kept:
                connection.close()


def _serve(listening: socket.socket, script: list[bytes | None], server: Faulty, kept: list[socket.socket]) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        request = _request(connection)
        if not request:  # given up before anything was asked
            connection.close()
            continue
        server.requests.append(request)
        said = script.pop(0) if script else b""
        if said is SILENCE:
            kept.append(connection)
            continue
        with connection, suppress(OSError):
            connection.sendall(said)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(4096):
                pass


def _request(connection: socket.socket) -> str:
    """Read one whole request."""
    said = b""
    while b"\r\n\r\n" not in said:
        part = connection.recv(65_536)
        if not part:
            return said.decode()
        said += part
    head, _, body = said.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    length = int(lengths[0].partition(b":")[2]) if lengths else 0
    while len(body) < length:
        body += connection.recv(65_536)
    return (head + b"\r\n\r\n" + body).decode()
