"""Does a user hold no more in unread answers than there is room for?"""

import asyncio

from edge.in_flight import InFlight
from edge.responses import PIECE, TOO_MUCH_UNREAD, Outgoing


class Peer:
    """A connection that takes the first piece of a body, and the others when it is told to read on."""

    def __init__(self) -> None:
        self.reads, self.waits = asyncio.Event(), asyncio.Event()
        self.status, self.bodies = 0, []

    async def send(self, message):
        if self.bodies and not self.reads.is_set():
            self.waits.set()
            await self.reads.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = dict(message["headers"])
        else:
            self.bodies.append(bytes(message["body"]))


async def answered(unread, peer, size, user_id="ada"):
    outgoing = Outgoing(peer.send, unread, user_id=user_id)
    try:
        headers = [(b"content-type", b"text/plain"), (b"content-length", str(size).encode()), (b"x-request-id", b"r")]
        await outgoing({"type": "http.response.start", "status": 200, "headers": headers})
        await outgoing({"type": "http.response.body", "body": b"x" * size, "more_body": False})
    finally:
        outgoing.ended()


async def test_a_large_answer_goes_in_pieces_and_whole():
    for size in (0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 5):
        peer = Peer()
        peer.reads.set()
        await answered(InFlight(None), peer, size)
        assert b"".join(peer.bodies) == b"x" * size
        assert max(map(len, peer.bodies)) <= PIECE


async def test_whoever_leaves_too_much_unread_is_told_to_read_first():
    unread, slow, other, guest, small = InFlight(4 * PIECE), Peer(), Peer(), Peer(), Peer()
    waiting = asyncio.create_task(answered(unread, slow, 3 * PIECE))
    await slow.waits.wait()
    for peer in (other, guest, small):
        peer.reads.set()
    await answered(unread, other, 2 * PIECE)
    assert (other.status, other.bodies) == (429, [TOO_MUCH_UNREAD.body])
    assert other.headers[b"x-request-id"] == b"r"
    assert other.headers[b"content-length"] == b"%d" % len(TOO_MUCH_UNREAD.body)
    await answered(unread, guest, 2 * PIECE, "ben")
    await answered(unread, small, PIECE)
    assert (guest.status, small.status) == (200, 200)
    slow.reads.set()
    await waiting
    again = Peer()
    again.reads.set()
    await answered(unread, again, 4 * PIECE)
    assert again.status == 200


async def test_the_refusal_of_a_large_compressed_answer_is_not_called_compressed():
    unread, peer = InFlight(PIECE), Peer()
    assert unread.begin("ada")
    outgoing = Outgoing(peer.send, unread, user_id="ada")
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % (2 * PIECE)),
        (b"content-encoding", b"gzip"),
    ]
    await outgoing({"type": "http.response.start", "status": 200, "headers": headers})
    await outgoing({"type": "http.response.body", "body": b"x" * 2 * PIECE, "more_body": False})
    assert (peer.status, peer.bodies) == (429, [TOO_MUCH_UNREAD.body])
    assert b"content-encoding" not in peer.headers
