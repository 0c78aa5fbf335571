"""People and agents change the structure of a document and write in it: each letter stays credited to whoever wrote it.

Every letter is written once, so that each can be followed.
"""

import random

import pytest

from documents.history.compaction import Compacted, CompactionInput, VersionEnd, compact
from documents.history.replay import LogSince
from documents.history.undo import Chosen, Undone
from documents.tree.tree import text_of, tree
from documents.yjs.snapshot import load
from tests.documents.structure import ACTS, editor
from tests.documents.structured_room import LETTERS, WRITERS, Room, logged
from tests.support.documents.histories import undo
from tests.support.suite.rounds import ROUNDS, seed

RUNS = 100 * ROUNDS  # 1,000 in full
PARTS = 4
SEED = seed()
STEPS = 10


def run(number, real):
    room = Room(random.Random(number))
    room.begin()
    room.check()
    for step in range(STEPS):
        chance = room.chance.random()
        if chance < 0.45:
            for update in real.act(room.updates, room.chance.choice(ACTS), room.chance.randrange(1 << 30)):
                room.add(update, "zoe")
        elif chance < 0.75:
            room.edit("bot")
        elif chance < 0.85:
            room.rewrite("bot")
        else:
            room.type(room.chance.choice(WRITERS))
        try:
            room.check()
        except AssertionError as error:
            raise AssertionError(f"seed {number}, step {step}") from error
    compacted(room)
    undone(room)


def compacted(room):
    """What was compacted, and what came after it, is credited alike."""
    end = room.chance.randint(1, len(room.log))
    ends = sorted({room.chance.randint(1, end), end})
    log = logged(room.log)
    versions = tuple(VersionEnd(number, each) for number, each in enumerate(ends, start=1))
    made = compact(CompactionInput(end, None, None, tuple(log[:end]), versions, (), tuple(room.updates[end:])))
    assert isinstance(made, Compacted), made
    room.check(log[end:], made.state, made.credits)


def undone(room):
    """Who moved something and is taken back leaves every letter of others that was there; who wrote takes their own along."""
    everything = LogSince(0, (), tuple(room.log))
    last = len(room.log)
    before = letters(room.tree)
    for who in ("zoe", "ada"):
        made = undo(everything, [Chosen(who, None, 1, last)], 999)
        assert isinstance(made, Undone), made
        after = letters(tree(load(None, [*room.updates, *filter(None, [made.update])])))
        assert len(after) == len({*after})
        others = {letter for letter in before if room.writer[letter] != who}
        assert others <= {*after}, (who, others - {*after})
        assert not {letter for letter in after if room.writer[letter] == who}


def letters(document):
    return [letter for letter in text_of(document) if ord(letter) in LETTERS]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_moves_each_letter_stays_credited_to_whoever_wrote_it(part):
    with editor() as real:
        for number in range(part, RUNS, PARTS):
            run(SEED + number, real)
