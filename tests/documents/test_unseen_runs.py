"""People type, online and offline, beside agents that delete, move, retype, wrap, undo and restore: no letter vanishes unsaid.

Rooms are opened anew and the log is compacted now and then. Every acknowledged letter of a person is in the read, or somebody who saw
it deleted it, or it is listed as unseen. What was written beside letters that are moved follows them, once.
"""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from computing.loaded_document import LoadedDocument
from documents.admission.surrogate_pairs import SurrogatePairs, cutting
from documents.editing.edit import Whole, edit, restore_content
from documents.history.changes import UndoRequest, undo_changes
from documents.history.followed import follow_moves
from documents.history.replay import LoggedEdit, LogSince, replayed
from documents.history.restored_text import restored_letters
from documents.history.unseen import UnseenLetters
from documents.markdown.markdown_out import markdown
from documents.tree.tree import tree
from documents.yjs.keystroke import TypingRun, keystroke
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import IMPORT, Refused, scan, text_spans
from documents.yjs.snapshot import load
from live.live_document import LiveDocument
from tests.documents.structured_room import LETTERS, texts
from tests.documents.structured_room import Room as Agents
from tests.documents.unseen_room import compacted, unseen_letters
from tests.support.documents.histories import BEGIN, last_writings, letters_of
from tests.support.suite.rounds import ROUNDS

RUNS = 100 * ROUNDS  # 1,000 in full
STEPS = 40
PEOPLE = ("ada", "ben", "cleo")
ACTS = {
    "type": 30,
    "erase": 6,
    "enter": 3,
    "remove": 4,
    "hear": 12,
    "leave": 4,
    "come back": 6,
    "structure": 14,
    "delete": 8,
    "undo": 5,
    "restore": 3,
    "open": 4,
    "compact": 3,
}


class Person:
    """Somebody with a client of their own, who types letters one by one, and hears of others later, or is offline."""

    def __init__(self, run, name, client):
        self.run, self.name, self.known, self.is_away = run, name, 0, False
        self.doc = Doc(client_id=client)
        self.root = self.doc.get("default", type=XmlFragment)
        self.made = []
        self.hear()
        self.sent = self.doc.get_state()
        self.doc.observe(self._note)

    def _note(self, event):
        if self.is_writing:
            self.made.append(event.update)

    is_writing = False

    def hear(self):
        self.is_writing = False
        for each in self.run.log[self.known :]:
            self.doc.apply_update(each.update)
        self.known = len(self.run.log)

    def act(self, act):
        self.is_writing = True
        with self.doc.transaction():
            act()
        self.is_writing = False
        if not self.is_away:
            self.send()

    def send(self):
        """Send what was made, one by one, as a provider queues it."""
        for update in self.made:
            self.run.add(update, self.name)
        self.made = []

    def node(self):
        found = [each for each in texts(self.root) if str(each).strip()]
        return self.run.chance.choice(found) if found else None

    def type(self):
        node = self.node()
        if node is None:
            return
        at = self.run.chance.randint(0, len(said(node)))
        for letter in self.run.word(self.name):
            place = len(said(node)[:at].encode())
            self.act(lambda place=place, letter=letter: node.insert(place, letter))
            at += 1

    def erase(self):
        node = self.node()
        if node is None:
            return
        text = said(node)
        at = self.run.chance.randrange(len(text))
        stop = min(len(text), at + self.run.chance.randint(1, 3))
        self.act(lambda: node.__delitem__(slice(len(text[:at].encode()), len(text[:stop].encode()))))

    def enter(self):
        """Split a block as editors do: its end goes, and is written anew behind it."""
        places = [at for at, each in enumerate(self.root.children) if getattr(each, "tag", "") == "paragraph"]
        if not places:
            return
        at = self.run.chance.choice(places)
        nodes = texts(self.root.children[at])
        if len(nodes) != 1 or len(text := said(nodes[0])) < 2:
            return
        cut = self.run.chance.randrange(1, len(text))

        def split():
            del nodes[0][len(text[:cut].encode()) : len(text.encode())]
            made = self.root.children.insert(at + 1, XmlElement("paragraph"))
            made.children.append(XmlText(text[cut:]))

        self.act(split)

    def remove(self):
        if len(self.root.children) > 1:
            at = self.run.chance.randrange(len(self.root.children))
            self.act(lambda: self.root.children.__delitem__(slice(at, at + 1)))


def said(node):
    return "".join(run for run, _ in node.diff())


class Run(Agents):
    """A log, the room in which it is open, and who writes in it."""

    def start(self):
        self.at, self.live, self.noted, self.clients, self.follows = BEGIN, None, set(), 100, []
        self.compacted = LogSince(0, ())
        self.begin()
        self.open()
        self.people = [Person(self, name, client) for client, name in enumerate(PEOPLE, start=10)]

    def add(self, update, who, copied=None):
        user, _, agent = who.partition("/")
        self.at = getattr(self, "at", BEGIN) + timedelta(seconds=1)
        self.log.append(LoggedEdit(update, user, agent or None, self.at, copied))
        if getattr(self, "live", None):
            self.take(update)

    def take(self, update):
        scanned = keystroke(update) or scan(update, IMPORT)
        assert not isinstance(scanned, Refused)
        assert not scanned.missing(self.live.state)
        if scanned.plain:
            self.live.type(update, scanned, cutting(update))
            self.live.follow(TypingRun.after(update))
            self.live.apply_typed()
        else:
            assert not isinstance(self.live.apply(update, scanned, cutting(update), whole=False), Refused)
        is_noted, self.live.has_lost = self.live.has_lost, False
        if is_noted:
            self.noted.add(len(self.log))
            self.follow()

    def follow(self):
        """Do what a room has done of which something went."""
        while made := follow_moves(replayed(self.stored)):
            assert made == follow_moves(replayed(self.stored))
            self.follows.append((made, [*letters_of(self.tree)]))
            self.add(made.update, f"{made.user_id}/{made.agent}" if made.agent else made.user_id, made.copied)

    def open(self):
        """Open the room anew from the log, as after a restart."""
        self.live = LiveDocument(lambda: pytest.fail("the document is damaged"))
        self.live.load(
            LoadedDocument(load(None, self.updates), {}, 0, len(self.log), SurrogatePairs.of(self.updates), {})
        )

    def step(self):
        kind = self.chance.choices(list(ACTS), weights=ACTS.values())[0]
        person = self.chance.choice(self.people)
        if kind in ("type", "erase", "enter", "remove"):
            getattr(person, kind)()
        elif kind == "hear" and not person.is_away:
            person.hear()
        elif kind == "leave":
            person.is_away = True
        elif kind == "come back":
            person.is_away = False
            person.send()
            person.hear()
        elif kind == "structure":
            self.edit("ben/scribe")
        elif kind in ("delete", "undo", "restore", "open", "compact"):
            getattr(self, kind)()

    def compact(self):
        """Keep the edits up to now only as what compaction makes of them."""
        _, self.compacted = compacted(self.log, [[len(self.log)]])

    def delete(self):
        blocks = markdown(self.tree).strip("\n").split("\n\n")
        if len(blocks) < 2:
            return
        blocks.pop(self.chance.randrange(len(blocks)))
        made = edit(load(None, self.updates), Whole("\n\n".join(blocks)))
        if isinstance(made, bytes) and made:
            self.add(made, "ben/scribe")

    def undo(self):
        who, agent = self.chance.choice([("ben", "scribe"), ("ada", None), ("ben", "")])
        since = self.chance.randint(max(0, len(self.log) - 30), len(self.log))
        self.clients += 1
        made = undo_changes(self.since(since), UndoRequest(since, (), who, agent), self.clients)
        assert not isinstance(made, Refused)
        if made.update:
            self.add(made.update, "zoe", made.copied)

    def restore(self):
        at = self.chance.randint(1, len(self.log))
        earlier, doc = load(None, self.updates[:at]), load(None, self.updates)
        made = restore_content(doc, tree(earlier))
        assert not isinstance(made, Refused)
        if made.update:
            everything = [*self.updates, made.update]
            copied = restored_letters((earlier, self.updates[:at]), (load(None, everything), everything), made.update)
            self.add(made.update, "zoe", copied)

    def since(self, revision):
        return LogSince(revision, tuple(self.updates[:revision]), tuple(self.log[revision:]))

    @property
    def stored(self):
        """The document since it was compacted last."""
        return replace(self.compacted, log=tuple(self.log[self.compacted.revision :]))


def moved_by_two(run):
    """The letters that a person wrote again and somebody else moved or brought back: of these nobody can say that they are the same."""
    written, people = {}, {each.doc.client_id for each in run.people}
    for each in run.log:
        for text in text_spans(each.update).texts:
            for letter in Decoder(each.update, text.start).text():
                written.setdefault(letter, []).append(text.client)
    return {letter for letter, (_, *again) in written.items() if people.intersection(again) and len({*again}) > 1}


def comes_once(run):
    """What follows moved letters was in no read before, comes once, and moves nothing else."""
    for made, were in run.follows:
        updates = run.updates[: run.updates.index(made.update) + 1]
        before, after = (
            [letter for letter in each if ord(letter) in LETTERS]
            for each in (were, letters_of(tree(load(None, updates))))
        )
        came = [letter for letter in after if letter not in before]
        assert len({*came}) == len(came)
        assert [letter for letter in after if letter in before] == before
    assert len({made.client for made, _ in run.follows}) == len(run.follows)


@pytest.mark.parametrize("number", range(RUNS))
def test_every_letter_is_there_or_deleted_by_who_saw_it_or_listed(number):
    run = Run(random.Random(number))
    run.start()
    for _ in range(STEPS):
        run.step()
    for person in run.people:
        person.send()
    for person in run.people:
        person.hear()
        assert tree(person.doc) == run.tree
    written, deleted = last_writings(run.log)
    letters = {letter for letter in written if ord(letter) in LETTERS}
    there = {*letters_of(run.tree)} & letters  # every letter is written once, white space is not
    listed = unseen_letters(run.since(0))
    assert letters - there - deleted <= listed.keys()
    once = there - moved_by_two(run)
    assert once.isdisjoint(listed)
    made = replayed(run.since(0))
    came = {made.acts[each.unseen.number].last for each in UnseenLetters(made).all()}
    assert came <= run.noted
    comes_once(run)
    count = len(run.log)
    ends = sorted({run.chance.randint(1, count) for _ in range(4)})
    cut = run.chance.randint(1, len(ends))
    since, _ = compacted(run.log, [part for part in (ends[:cut], ends[cut:]) if part])
    assert {*unseen_letters(since)} >= letters - there - deleted
    assert once.isdisjoint(unseen_letters(since))
