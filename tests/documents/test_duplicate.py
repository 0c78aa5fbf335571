"""Documents that are made of the text of others."""

from datetime import UTC, datetime

from hypothesis import given

from documents.editing.apply_tree import apply_tree
from documents.history.attribution import Logged, attributions
from documents.history.credits import Credits, Source
from documents.history.duplicate import Duplication, duplicated
from documents.tree.build import from_tree
from documents.tree.tree import tree
from documents.yjs.scan import accepted
from documents.yjs.snapshot import load
from tests.documents.trees import DOCUMENT

ADA, BEN, CLEO = (
    Source(name, None, datetime(2026, 1, day, tzinfo=UTC)) for day, name in enumerate(("ada", "ben", "cleo"), 1)
)


@given(DOCUMENT, DOCUMENT)
def test_a_copy_has_the_same_tree_and_each_letter_the_same_author(first, second):
    begun = from_tree(first, 5)
    edited = accepted(apply_tree(accepted(load(None, [begun])), second))
    log = [Logged(begun, ADA), *([Logged(edited, BEN)] if edited else ())]
    doc = accepted(load(None, [each.update for each in log]))
    whose = accepted(attributions(None, Credits(), log))
    made = duplicated(tree(doc), whose, Duplication(CLEO, {}, "http://drive.example"))
    assert tree(accepted(load(made.update))) == tree(doc)
    copied = accepted(attributions(made.update, Credits.decode(made.credits), ()))
    assert [authored(each) for each in copied] == [authored(each) for each in whose]


def authored(stretch):
    return stretch.path, stretch.start, stretch.stop, stretch.source
