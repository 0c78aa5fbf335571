"""Logs of several people, of which what one of them did is undone."""

from hypothesis import strategies as st
from pycrdt import XmlFragment

from documents.editing.edit import restore_content
from documents.history.attribution import Logged
from documents.history.credits import Source
from documents.history.replay import LoggedEdit, LogSince
from documents.history.restored_text import restored_letters
from documents.history.undo import Chosen, Undone
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import tree
from documents.yjs.scan import IMPORT, Refused, scan
from documents.yjs.snapshot import load
from tests.support.documents.histories import BEGIN, undo, written

CLIENT = 999
worlds = st.builds(written, st.randoms(use_true_random=False), st.integers(0, 60))


def logged(log):
    return [Logged(each.update, Source.of(each.user_id, each.agent, each.at), each.copied) for each in log]


class Room:
    """People who see everything at once, and the log of what they do."""

    def __init__(self, text, by=("ben", None)):
        self.log = [LoggedEdit(from_tree(parse(text), 5), *by, BEGIN)]

    def act(self, who, act, agent=None):
        """Have somebody do something to the children of the document's root."""
        made, doc = [], self.doc
        doc.observe(lambda event: made.append(event.update))
        with doc.transaction():
            act(doc.get("default", type=XmlFragment).children)
        self.log.append(LoggedEdit(made[0], who, agent, BEGIN))

    def undo(self, who, first=1, agent=None, block=None):
        made = undo(
            self.since(),
            [Chosen(who, agent, first, len(self.log), block=block)],
            CLIENT + len(self.log),
        )
        assert isinstance(made, Undone)
        if made.update:
            assert not isinstance(scan(made.update, IMPORT), Refused)
            self.log.append(LoggedEdit(made.update, "zoe", None, BEGIN, made.copied))
        return made

    def since(self):
        return LogSince(0, (), tuple(self.log))

    @property
    def doc(self):
        return load(None, [each.update for each in self.log])

    @property
    def tree(self):
        return tree(self.doc)

    @property
    def text(self):
        return markdown(self.tree)


def restore(world, revision):
    """Restore the document as it was at a revision, as Zoe; return the edit, None where there is nothing to do."""
    updates = [each.update for each in world.log]
    doc, version = load(None, updates), load(None, updates[:revision])
    made = restore_content(doc, tree(version))
    if not made.update:
        return None
    copied = restored_letters((version, updates[:revision]), (doc, [*updates, made.update]), made.update)
    return LoggedEdit(made.update, "zoe", None, BEGIN, copied)
