"""Clients of the Hocuspocus protocol on bare sockets, cheap enough that the server dominates the measurement.

Every frame is encoded beforehand. During the measurement the clients only search what they receive for acknowledgements and for the
marks of the others; they decode it afterwards, and must then have converged to the same document.
"""

import os
import select
import socket
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pycrdt import Doc, XmlFragment

from documents.yjs.lib0 import Decoder
from live import codec

PATIENCE: Final = 60.0
NOTHING: Final = b"\0\0"  # the empty update
MAX_READ: Final = 256 * 1024
EVERY: Final = 0.01  # seconds from one update of the same person to the next


@dataclass(frozen=True, slots=True)
class Typed:
    """The typing of one person: updates, and the marks in some of them that the others search for."""

    updates: Sequence[bytes]
    marks: dict[int, bytes]


@dataclass(frozen=True, slots=True)
class Address:
    port: int
    path: str
    headers: dict[str, str]


class Wrong(Exception):  # noqa: N818 - ends the benchmark
    """The server violated the protocol."""


def frame(payload: bytes) -> bytes:
    mask, size = os.urandom(4), len(payload)
    head = bytes((0x82, 128 | size)) if size < 126 else b"\x82\xfe" + size.to_bytes(2)
    if size > 65535:
        head = b"\x82\xff" + size.to_bytes(8)
    stretched = (mask * (size // 4 + 1))[:size]
    return head + mask + (int.from_bytes(payload) ^ int.from_bytes(stretched)).to_bytes(size)


def messages(stream: bytes) -> Iterator[tuple[bytes, int]]:
    """Split a server's stream into messages, each with its end; omit an incomplete last one."""
    at = 0
    while at + 2 <= len(stream):
        size, body = stream[at + 1], at + 2
        if size > 125:
            wide = 2 if size == 126 else 8
            size, body = int.from_bytes(stream[body : body + wide]), body + wide
        kind, at = stream[at] & 15, body + size
        if at > len(stream):
            return
        if kind == 8:
            raise Wrong(f"a socket was closed: {stream[body:at]!r}")
        if kind == 2:
            yield stream[body:at], at


class Connection:
    """One socket with any number of documents, read message by message."""

    def __init__(self, address: Address) -> None:
        self.socket = socket.create_connection(("127.0.0.1", address.port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        usual = {
            "host": f"127.0.0.1:{address.port}",
            "connection": "Upgrade",
            "upgrade": "websocket",
            "sec-websocket-version": "13",
            "sec-websocket-key": b64encode(os.urandom(16)).decode(),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in (usual | address.headers).items())
        self.socket.sendall(f"GET {address.path} HTTP/1.1\r\n{lines}\r\n".encode())
        self._read, self._inbox = b"", list[bytes]()
        while b"\r\n\r\n" not in self._read:
            self._receive()
        head, self._read = self._read.split(b"\r\n\r\n", 1)
        if b" 101 " not in head:
            raise Wrong(f"no handshake: {head.decode()}")

    def open(self, name: str) -> bytes:
        """Open a document as the provider does, and return its content as an update."""
        prefix = codec.text(name)
        self.say(prefix + b"\2\0" + codec.text("nobody") + codec.text("4.8.0"), prefix + codec.step1(b"\0"))
        content = Decoder(self.expect(prefix + b"\0\1")).bytes()
        self.expect(prefix + b"\0\0")
        self.write(name, NOTHING, codec.step2)
        return content

    def write(self, name: str, update: bytes, written: Callable[[bytes], bytes] = codec.update) -> None:
        """Send an update and wait until it is acknowledged."""
        self.say(codec.text(name) + written(update))
        self.expect(codec.text(name) + codec.sync_status(applied=True))

    def say(self, *said: bytes) -> None:
        self.socket.sendall(b"".join(map(frame, said)))

    def expect(self, beginning: bytes) -> bytes:
        """Return the rest of the next message with this beginning; keep other messages."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for message in self._inbox:
                if message.startswith(beginning):
                    self._inbox.remove(message)
                    return message[len(beginning) :]
            self._receive()
            found = list(messages(self._read))
            self._inbox += [message for message, _ in found]
            self._read = self._read[found[-1][1] :] if found else self._read
        raise Wrong(f"no answer begins with {beginning!r}")

    def _receive(self) -> None:
        got = self.socket.recv(MAX_READ)
        if not got:
            raise Wrong("a socket was closed")
        self._read += got


class Typist:
    """One person at one document, with all of their frames in one buffer."""

    def __init__(self, connection: Connection, name: str, typed: Typed, count: int) -> None:
        self.socket = connection.socket
        self.name = name
        self.typed = typed
        self.sent = self.acknowledged = 0
        self.heard: list[bytes] = []
        self.awaited: dict[bytes, float] = {}  # marks of the others, with their times of sending
        self.delays: dict[bytes, float] = {}  # seconds until each of those marks arrived
        self.others: list[Typist] = []
        self._told = codec.text(name) + codec.sync_status(applied=True)
        self._rest = b""
        prefix, frames = codec.text(name), bytearray()
        self._ends = [0]
        for update in typed.updates[:count]:
            frames += frame(prefix + codec.update(update))
            self._ends.append(len(frames))
        self._frames = memoryview(bytes(frames))

    @property
    def count(self) -> int:
        return len(self._ends) - 1

    @property
    def done(self) -> bool:
        return self.acknowledged == self.count and not self.awaited

    def type(self, upto: int, *, every_mark: bool) -> None:
        """Send all updates before `upto`; the others await every mark in them, or only the last one."""
        first, upto = self.sent, min(upto, self.count)
        now = time.perf_counter()
        for at in range(first, upto):
            if at + 1 == self.count or (every_mark and at in self.typed.marks):
                for other in self.others:
                    other.awaited[self.typed.marks[at]] = now
        self.socket.sendall(self._frames[self._ends[first] : self._ends[upto]])
        self.sent = upto

    def hear(self) -> None:
        got = self.socket.recv(MAX_READ)
        if not got:
            raise Wrong("a socket was closed")
        now = time.perf_counter()
        self.heard.append(got)
        seen = self._rest + got
        self.acknowledged += seen.count(self._told)
        self._rest = seen[-len(self._told) + 1 :]
        for mark in [mark for mark in self.awaited if mark in seen]:
            self.delays[mark] = now - self.awaited.pop(mark)

    def ends_with(self, base: bytes) -> str:
        """Return this person's final document."""
        prefix = codec.text(self.name) + b"\0\2"
        heard = [
            Decoder(message[len(prefix) :]).bytes()
            for message, _ in messages(b"".join(self.heard))
            if message.startswith(prefix)
        ]
        return shown(base, *self.typed.updates[: self.count], *heard)


def shown(*updates: bytes) -> str:
    doc: Doc[Any] = Doc()
    with doc.transaction():
        for update in updates:
            doc.apply_update(update)
    return str(doc.get("default", type=XmlFragment))


class Load:
    """Several people at each of several new documents that begin with `base`; they take the addresses of a document in turn."""

    def __init__(
        self, documents: Mapping[str, Sequence[Address]], base: bytes, people: Sequence[Typed], count: int
    ) -> None:
        self._documents, self._base = documents, base
        self.typists: list[Typist] = []
        for name, addresses in documents.items():
            connections = [Connection(addresses[at % len(addresses)]) for at in range(len(people))]
            connections[0].open(name)
            connections[0].write(name, base)
            for connection in connections[1:]:
                connection.open(name)
            here = [Typist(each, name, typed, count) for each, typed in zip(connections, people, strict=True)]
            for typist in here:
                typist.others = [other for other in here if other is not typist]
            self.typists += here
        self._by_number = {typist.socket.fileno(): typist for typist in self.typists}
        self._ready = select.epoll()
        for number in self._by_number:
            self._ready.register(number, select.EPOLLIN)

    def steadily(self, groups: int, every: float = EVERY) -> list[float]:
        """Type an update every so many seconds, group after group; return the seconds until each mark reached each of the others."""
        began, turns = time.perf_counter(), self.typists[0].count * groups
        for turn in range(turns):
            while (left := began + turn * every / groups - time.perf_counter()) > 0:
                self._hear(left)
            for typist in self.typists[turn % groups :: groups]:
                typist.type(turn // groups + 1, every_mark=True)
        self._finish()
        return [delay for typist in self.typists for delay in typist.delays.values()]

    def at_most(self, window: int) -> float:
        """Type as fast as acknowledgements arrive, with `window` outstanding each; return updates per second."""
        began = time.perf_counter()
        for typist in self.typists:
            typist.type(window, every_mark=False)
        while any(typist.sent < typist.count for typist in self.typists):
            for typist in self._hear(PATIENCE):
                if typist.acknowledged + window > typist.sent and typist.sent < typist.count:
                    typist.type(typist.acknowledged + window, every_mark=False)
        self._finish()
        return sum(typist.count for typist in self.typists) / (time.perf_counter() - began)

    def converged(self) -> bool:
        """Whether all clients, and a new one at each address, have the same document."""
        return all(
            {typist.ends_with(self._base) for typist in self.typists if typist.name == name}
            == {shown(Connection(address).open(name)) for address in addresses}
            for name, addresses in self._documents.items()
        )

    def close(self) -> None:
        self._ready.close()
        for typist in self.typists:
            typist.socket.close()

    def _hear(self, seconds: float) -> list[Typist]:
        heard = [self._by_number[number] for number, _ in self._ready.poll(seconds)]
        for typist in heard:
            typist.hear()
        return heard

    def _finish(self) -> None:
        until = time.monotonic() + PATIENCE
        while not all(typist.done for typist in self.typists):
            if time.monotonic() > until:
                lacking = sum(typist.count - typist.acknowledged for typist in self.typists)
                raise Wrong(f"{lacking} updates were not acknowledged, or marks did not arrive")
            self._hear(1.0)
