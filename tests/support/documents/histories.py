"""Logs in which every letter is written once, so that each can be followed: by whom, deleted by whom, still there or not."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.history.credits import Credits
from documents.history.replay import LoggedEdit, LogSince, replayed
from documents.history.undo import Chosen, Undone, undo_in
from documents.tree.tree import tree
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import Refused, accepted, text_spans
from documents.yjs.snapshot import load

BEGIN = datetime(2026, 1, 1, 12, tzinfo=UTC)
PEOPLE = (("ada", None), ("ada", "bot"), ("ben", None), ("cleo", None))
ACTS = (
    *("type",) * 6,
    *("delete",) * 3,
    *("sync",) * 4,
    *("format", "block", "remove", "heading", "nested", "take back"),
)
_NESTS = ("bulletList", "listItem", "paragraph")


def letters_of(node: Mapping[str, Any]) -> list[str]:
    """All the characters in a tree, in their order."""
    found, stack = [], [node]
    while stack:
        node = stack.pop()
        found += node.get("text", "")
        stack += reversed(node.get("content", ()))
    return found


def undo(log: LogSince, chosen: Sequence[Chosen], client: int) -> Undone | Refused:
    """Take back what was chosen of a log; nobody has written under `client`."""
    made = replayed(log)
    return made if isinstance(made, Refused) else undo_in(made, chosen, client)


def last_writings(log: Sequence[LoggedEdit]) -> tuple[dict[str, tuple[int, int]], set[str]]:
    """The letters in the order in which they were last written, and those whose last writing somebody deleted by itself."""
    last, named = {}, Credits()
    for each in log:
        read = accepted(text_spans(each.update))
        named.delete(read.deleted, None)
        for text in read.texts:
            for at, letter in enumerate(Decoder(each.update, text.start).text()):
                last[letter] = text.client, text.clock + at
    return last, {letter for letter, (client, at) in last.items() if not named.alive(client, at, at + 1)}


@dataclass
class Person:
    user: str
    agent: str | None
    doc: Doc[Any]
    known: int = 0

    @property
    def root(self) -> XmlFragment:
        return self.doc.get("default", type=XmlFragment)

    def elements(self) -> list[XmlElement]:
        found, waiting = [], list(self.root.children)
        while waiting:
            each = waiting.pop(0)
            if isinstance(each, XmlElement):
                found.append(each)
                waiting += list(each.children)
        return found

    def texts(self) -> list[XmlText]:
        return [child for each in self.elements() for child in each.children if isinstance(child, XmlText)]


@dataclass
class World:
    """People who write in one document, each of whom has not always seen what the others did."""

    chance: random.Random
    log: list[LoggedEdit] = field(default_factory=list)
    at: datetime = BEGIN
    count: int = 0
    wide: bool = True

    def __post_init__(self) -> None:
        self.people = [Person(*who, Doc(client_id=number + 1)) for number, who in enumerate(PEOPLE)]

    def letters(self, count: int) -> str:
        """Letters that nobody wrote yet, of one and of two units."""
        made = ""
        for _ in range(count):
            self.count += 1
            made += chr((0x1F300 if self.wide and self.count % 3 == 0 else 0x4E00) + self.count)
        return made

    def step(self) -> None:
        person = self.chance.choice(self.people)
        kind = self.chance.choice(ACTS)
        self.at += timedelta(seconds=self.chance.randrange(90))
        if kind == "sync":
            self.sync(person)
            return
        made = []
        watched = person.doc.observe(lambda event: made.append(event.update))
        with person.doc.transaction():
            self.act(person, kind)
        person.doc.unobserve(watched)
        if not made or made[0] == b"\0\0":
            return
        self.sync(person)
        update = person.doc.get_update() if self.chance.random() < 0.1 else made[0]
        self.log.append(LoggedEdit(update, person.user, person.agent, self.at))
        person.known = len(self.log)

    def sync(self, person: Person) -> None:
        for each in self.log[person.known :]:
            person.doc.apply_update(each.update)
        person.known = len(self.log)

    def act(self, person: Person, kind: str) -> None:
        chance, texts = self.chance, person.texts()
        if kind == "block" or not texts:
            size = len(person.root.children)
            block = person.root.children.insert(chance.randrange(size + 1), XmlElement("paragraph"))
            block.children.append(XmlText(self.letters(chance.randrange(3))))
        elif kind == "nested":
            into = person.root.children
            at = chance.randrange(len(into) + 1)
            for name in _NESTS:
                into = into.insert(at, XmlElement(name)).children
                at = 0
            into.append(XmlText(self.letters(2)))
        elif kind == "remove":
            size = len(person.root.children)
            del person.root.children[chance.randrange(size)]
        elif kind == "heading":
            chance.choice(person.elements()).attributes["level"] = chance.randrange(3)
        else:
            self.write(chance.choice(texts), kind)

    def write(self, text: XmlText, kind: str) -> None:
        said = "".join(run for run, _ in text.diff())
        start = self.chance.randrange(len(said) + 1)
        stop = min(start + 1 + self.chance.randrange(4), len(said))
        low, high = len(said[:start].encode()), len(said[:stop].encode())
        if kind == "type":
            text.insert(low, self.letters(1 + self.chance.randrange(3)))
        elif kind == "delete" and high > low:
            del text[low:high]
        elif kind == "format" and high > low:
            name = self.chance.choice(["bold", "italic", "textStyle"])
            value = self.chance.choice([{}, {"color": "red"}, {"color": "blue"}, None])
            text.format(low, high, {name: value})

    def since(self, revision: int = 0) -> LogSince:
        return LogSince(revision, tuple(each.update for each in self.log[:revision]), tuple(self.log[revision:]))

    def tree(self, *more: bytes | None) -> dict[str, Any]:
        return tree(accepted(load(None, [*(each.update for each in self.log), *filter(None, more)])))


def written(chance: random.Random, steps: int = 60) -> World:
    world = World(chance)
    for _ in range(steps):
        world.step()
    return world


def fates(log: Sequence[LoggedEdit]) -> tuple[dict[str, int], dict[str, int]]:
    """By whose edit (its revision) each letter came, and by whose it went, found by bringing in one after the other."""
    came: dict[str, int] = {}
    went: dict[str, int] = {}
    doc = accepted(load(None))
    before: set[str] = set()
    for revision, each in enumerate(log, start=1):
        doc.apply_update(each.update)
        now = set(letters_of(tree(doc)))
        for letter in now - before:
            came.setdefault(letter, revision)
            went.pop(letter, None)
        for letter in before - now:
            went[letter] = revision
        before = now
    return came, went


def marks_of_letters(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The marks of each character in a tree, by their names."""
    found: dict[str, dict[str, Any]] = {}
    stack = [document]
    while stack:
        node = stack.pop()
        marks = {mark["type"]: mark.get("attrs", {}) for mark in node.get("marks", ())}
        found |= dict.fromkeys(node.get("text", ""), marks)
        stack += node.get("content", ())
    return found
