"""What everybody at a document is told of some edits, each in the dialect of their own socket."""

from dataclasses import dataclass, field

import pytest

from domain.credit import Credit
from live import codec
from live.document_connection import DocumentConnection, broadcast

NAMED, BARE = codec.text("doc"), b""
STATUS = codec.sync_status(applied=True)


@dataclass
class RecordingTransport:
    """What it was told, frame by frame."""

    frames: list = field(default_factory=list)

    def frame(self, message):
        return b"<" + message + b">"

    def write(self, frames):
        self.frames += frames

    def send(self, message, *, whole=False):
        del whole
        self.write([self.frame(message)])


def connection(prefix, *, acknowledges=True):
    told = RecordingTransport()
    made = DocumentConnection(
        Credit("ada", "Ada"), told, prefix, acknowledges=acknowledges, may_edit=True, requested_sync=lambda: None
    )
    return made, told.frames


def framed(*messages):
    return [b"<" + message + b">" for message in messages]


@pytest.mark.parametrize("whole", [True, False])
def test_each_hears_the_others_and_is_acknowledged_what_it_sent_in_order(whole):
    (ada, to_ada), (ben, to_ben), (_, to_cleo) = connections = [connection(NAMED) for _ in range(3)]

    def edit(sender, update):
        return sender, update, NAMED + codec.update(update) if whole else None

    broadcast([each for each, _ in connections], [edit(ada, b"one"), edit(ben, b"two"), edit(ada, b"three")])
    one, two, three = (NAMED + codec.update(update) for update in (b"one", b"two", b"three"))
    assert to_ada == framed(NAMED + STATUS, two, NAMED + STATUS)
    assert to_ben == framed(one, NAMED + STATUS, three)
    assert to_cleo == framed(one, two, three)


def test_what_one_dialect_says_is_told_in_the_other_and_who_is_never_acknowledged_hears_nothing_of_their_own():
    (ada, to_ada), (ben, to_ben) = connection(NAMED), connection(BARE, acknowledges=False)
    one, two = NAMED + codec.update(b"one"), codec.update(b"two")
    broadcast([ada, ben], [(ada, b"one", one), (ben, b"two", two)])
    assert to_ada == framed(NAMED + STATUS, NAMED + two)
    assert to_ben == framed(codec.update(b"one"))
    broadcast([ada, ben], [(ben, b"two", two)])
    assert len(to_ben) == 1


def test_an_edit_of_nobody_here_is_told_to_all_and_who_has_left_is_still_acknowledged():
    (ada, to_ada), (gone, to_gone) = connection(NAMED), connection(NAMED)
    broadcast([ada], [(None, b"one", None), (gone, b"two", None), (gone, b"three", None)])
    assert to_ada == framed(*(NAMED + codec.update(update) for update in (b"one", b"two", b"three")))
    assert to_gone == framed(NAMED + STATUS, NAMED + STATUS)
