"""What the restore of a version brings back is credited to whoever wrote it, as what an undo brings back."""

from hypothesis import given
from hypothesis import strategies as st

from documents.history.attribution import Logged, attributions
from documents.history.credits import Credits, Source
from documents.history.replay import LogSince
from documents.history.undo import Chosen, Undone
from documents.tree.tree import tree
from documents.yjs.snapshot import load
from tests.documents.undone import restore
from tests.support.documents.histories import letters_of, undo, written

worlds = st.builds(written, st.randoms(use_true_random=False), st.integers(1, 60))


def letters(document, found):
    """Whose each letter is."""
    whose = {}
    for each in found:
        node = document
        for place in each.path:
            node = node["content"][place]
        raw = node["text"].encode("utf-16-le")
        whose |= dict.fromkeys(raw[2 * each.start : 2 * each.stop].decode("utf-16-le"), each.source.user_id)
    return whose


def logged(log):
    return [Logged(each.update, Source.of(each.user_id, each.agent, each.at), each.copied) for each in log]


@given(worlds, st.data())
def test_all_that_a_restore_brings_back_is_its_first_writers(world, data):
    if not world.log:
        return
    revision = data.draw(st.integers(0, len(world.log)))
    before = letters(
        tree(load(None, [each.update for each in world.log[:revision]])),
        attributions(None, Credits(), logged(world.log[:revision])),
    )
    edit = restore(world, revision)
    if edit is None:
        return
    world.log.append(edit)
    document = world.tree()
    assert letters(document, attributions(None, Credits(), logged(world.log))) == before
    assert {*letters_of(document)} == {*before}


@given(worlds, st.data())
def test_to_take_back_a_restore_makes_the_document_what_it_was(world, data):
    revision = data.draw(st.integers(0, len(world.log)))
    before = letters_of(world.tree())
    edit = restore(world, revision)
    if edit is None:
        return
    world.log.append(edit)
    number = len(world.log)
    made = undo(LogSince(0, (), tuple(world.log)), [Chosen("zoe", None, number, number)], 999)
    assert isinstance(made, Undone)
    assert sorted(letters_of(world.tree(made.update))) == sorted(before)
