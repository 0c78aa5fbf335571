"""A WebSocket by hand: what no library would send, and every byte of the answer."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from live import codec
from tests.support.processes.servers import PATIENCE, ran_out

CLOSED = object()
EMPTY = b"\0"  # the state vector of an empty document


class Raw:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, origin: str) -> None:
        self.reader, self.writer, self.origin = reader, writer, origin
        self.reason: str | None = None

    def send(self, payload: bytes, opcode: int = 2, fin: bool = True) -> None:
        self.writer.write(frame(payload, opcode, fin=fin))

    async def next(self) -> tuple[int, Any]:
        """The next message as (opcode, payload); a close is (8, code or None), and keeps its reason."""
        try:
            async with asyncio.timeout(PATIENCE):
                first, second = await self.reader.readexactly(2)
                size = second & 127
                if size > 125:
                    size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8))
                payload = await self.reader.readexactly(size)
        except TimeoutError:
            raise await asyncio.to_thread(ran_out, "no message came in time", self.origin) from None
        opcode = first & 15
        if opcode == 8:
            self.reason = payload[2:].decode()
            return opcode, int.from_bytes(payload[:2]) if payload else None
        return opcode, payload

    async def until(self, wanted: Callable[[Any], object]) -> list[Any]:
        """Messages up to the one that is wanted, and that one."""
        seen = []
        while True:
            opcode, payload = await self.next()
            seen.append(payload)
            if opcode == 8 or wanted(payload):
                return seen

    async def closed(self) -> int | None:
        while True:
            opcode, code = await self.next()
            if opcode == 8:
                return code


def frame(payload: bytes, opcode: int = 2, *, fin: bool = True) -> bytes:
    mask, size = os.urandom(4), len(payload)
    head = bytes([fin << 7 | opcode])
    if size < 126:
        head += bytes([128 | size])
    elif size < 65536:
        head += b"\xfe" + size.to_bytes(2)
    else:
        head += b"\xff" + size.to_bytes(8)
    stretched = (mask * (size // 4 + 1))[:size]
    masked = (int.from_bytes(payload) ^ int.from_bytes(stretched)).to_bytes(size) if size else b""
    return head + mask + masked


def handshake(path: str, host: str, method: str = "GET", **headers: str) -> bytes:
    usual = {
        "host": host,
        "connection": "Upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in (usual | headers).items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode()


@asynccontextmanager
async def connected(
    base: str, path: str, *behind: bytes, before: bytes = b"", **headers: str
) -> AsyncIterator[tuple[str, Raw]]:
    """A connection with its handshake sent, and the head of the answer."""
    at = urlsplit(base)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        writer.write(before + handshake(path, at.netloc, **named) + b"".join(behind))
        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
        yield head.decode(), Raw(reader, writer, f"http://{at.netloc}")
    finally:
        writer.transport.abort()


async def synced(socket: Raw) -> None:
    """Say what y-websocket says first, and go on when the server has answered and asked."""
    socket.send(codec.step1(EMPTY))
    await socket.until(lambda payload: payload[:2] == b"\0\1")
