"""The broadcast of edits to the connections of one document."""

from domain.credit import Credit
from live.document_connection import DocumentConnection, broadcast


class Written:
    """A transport that keeps what was written, and may be closed by a write, as that of a slow reader is."""

    def __init__(self, full=lambda: None):
        self.frames = []
        self.full = full

    def frame(self, message):
        return message

    def write(self, frames):
        self.frames += frames
        self.full()


def test_a_slow_reader_that_a_broadcast_closes_takes_nothing_from_the_others():
    members = set()

    def joined(transport):
        member = DocumentConnection(Credit("somebody", "Somebody"), transport, b"", True, True, lambda: None)
        members.add(member)
        return member

    slow = [joined(Written(lambda: members.discard(slow[0])))]
    others = [Written() for _ in range(8)]
    for other in others:
        joined(other)
    broadcast(members, [(None, b"an edit", None)])
    assert slow[0] not in members
    assert len({tuple(other.frames) for other in others}) == 1
    assert all(len(other.frames) == 1 for other in others)
