"""People who see what the others did when they sync, and the letters of theirs that nobody saw."""

from datetime import timedelta

from pycrdt import Doc, XmlFragment

from documents.history.attribution import Logged
from documents.history.changes import changes
from documents.history.compaction import Compacted, CompactionInput, VersionEnd, compact
from documents.history.credits import Source
from documents.history.replay import CompactedVersion, LoggedEdit, LogSince, Replayed, replayed
from documents.history.undo import Chosen
from documents.markdown.markdown_in import parse
from documents.tree.build import from_tree
from documents.tree.tree import tree
from documents.yjs.snapshot import load
from tests.support.documents.histories import BEGIN, letters_of, undo


class Room:
    """People who each see what the others did when they `sync`."""

    def __init__(self, text):
        self.log = [LoggedEdit(from_tree(parse(text), 5), "ada", None, BEGIN)]
        self.docs, self.known = {}, {}

    def doc(self, who):
        if who not in self.docs:
            self.docs[who], self.known[who] = Doc(client_id=10 + len(self.docs)), 0
            self.sync(who)
        return self.docs[who]

    def sync(self, who):
        for each in self.log[self.known[who] :]:
            self.docs[who].apply_update(each.update)
        self.known[who] = len(self.log)

    def made(self, who, act):
        doc, made = self.doc(who), []
        watched = doc.observe(lambda event: made.append(event.update))
        with doc.transaction():
            act(doc.get("default", type=XmlFragment).children)
        doc.unobserve(watched)
        return made[0]

    def sent(self, who, update):
        user, _, agent = who.partition("/")
        self.log.append(LoggedEdit(update, user, agent or None, BEGIN + timedelta(seconds=20 * len(self.log))))

    def act(self, who, act):
        self.sent(who, self.made(who, act))

    def undo(self, who):
        made = undo(self.since(), [Chosen(who, None, 1, len(self.log))], 999 + len(self.log))
        self.log.append(LoggedEdit(made.update, "zoe", None, self.log[-1].at + timedelta(seconds=20), made.copied))

    def since(self, revision=0):
        before = self.log[:revision]
        whose = tuple(Source(each.user_id, each.agent, each.at) for each in before)
        return LogSince(revision, tuple(each.update for each in before), tuple(self.log[revision:]), whose=whose)

    @property
    def read(self):
        return "".join(letters_of(tree(load(None, [each.update for each in self.log]))))


def told(log):
    made = replayed(log)
    assert isinstance(made, Replayed)
    return [
        (each.user_id, lost.text, lost.user_id, lost.deleted_by, lost.revision)
        for each in changes(made)
        for lost in each.unseen
    ]


def types(block, place, text):
    return lambda root: root[block].children[0].insert(place, text)


def removes(block):
    return lambda root: root.__delitem__(slice(block, block + 1))


def compacted(log, ends):
    """The log since its beginning, whose first edits are compacted in as many goes as there are lists of ends."""
    state, credits_, chain, states, done = None, None, [], [], 0
    for part in ends:
        versions = tuple(VersionEnd(len(states) + at, end - done) for at, end in enumerate(part, start=1))
        rows = tuple(
            Logged(each.update, Source.of(each.user_id, each.agent, each.at), each.copied)
            for each in log[done : part[-1]]
        )
        made = compact(CompactionInput(part[-1], state, credits_, rows, versions, tuple(chain), ()))
        assert isinstance(made, Compacted)
        state, credits_, done = made.state, made.credits, part[-1]
        for version in made.versions:
            own = state if version.state is None else version.state
            chain = [own] if version.whole else [*chain, own]
            states.append(own)
    flat = [end for part in ends for end in part]
    versions = tuple(map(CompactedVersion, flat, states))
    return LogSince(0, (), tuple(log[done:]), versions, credits_), LogSince(
        done, (state,), tuple(log[done:]), (), credits_
    )


def unseen_letters(log):
    """Who wrote each letter that is told as unseen, and who deleted what it lay in."""
    return {
        letter: (lost.user_id, lost.agent, lost.deleted_by, lost.deleting_agent)
        for each in changes(replayed(log))
        for lost in each.unseen
        for letter in lost.text
        if letter != "\n"
    }
