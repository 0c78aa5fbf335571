"""Logs of documents that several people wrote at once: each writes with letters of their own."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from pycrdt import Doc, XmlElement, XmlFragment, XmlText

from documents.history.attribution import AttributedText, CreditedRange, Logged
from documents.history.credits import Source
from documents.yjs.item_list import Items, YjsItem, text_of_item
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import accepted, text_spans
from documents.yjs.structs import read_update

BEGIN = datetime(2026, 1, 1, 12, tzinfo=UTC)
LETTERS = {"ada": "aA\U0001f600", "ben": "bB\u00e9", "cleo": "cC\u6570"}
PEOPLE: tuple[tuple[str, str | None], ...] = (("ada", None), ("ada", "bot"), ("ben", None), ("cleo", None))
ACTS = ("type", "type", "type", "delete", "format", "split", "heading", "sync", "sync")
steps = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(ACTS), st.integers(0, 500), st.integers(0, 90)), max_size=40
)


class Person:
    def __init__(self, number: int) -> None:
        self.user, self.agent = PEOPLE[number]
        self.doc: Doc[Any] = Doc(client_id=number + 1)
        self.root = self.doc.get("default", type=XmlFragment)
        self.known = 0

    def texts(self) -> list[XmlText]:
        return [child for block in self.root.children for child in block.children if isinstance(child, XmlText)]

    def act(self, kind: str, place: int) -> None:
        if kind in ("split", "heading") or not self.texts():
            tag = "heading" if kind == "heading" else "paragraph"
            block = self.root.children.insert(place % (len(self.root.children) + 1), XmlElement(tag))
            block.children.append(XmlText())
            return
        text = self.texts()[place % len(self.texts())]
        said = "".join(run for run, _ in text.diff())
        start = place % (len(said) + 1)
        stop = min(start + 1 + place % 4, len(said))
        low, high = len(said[:start].encode()), len(said[:stop].encode())
        if kind == "type":
            text.insert(low, LETTERS[self.user][place % 3] * (1 + place % 3))
        elif kind == "delete" and high > low:
            del text[low:high]
        elif kind == "format" and high > low:
            text.format(low, high, {"bold": {} if place % 2 else None})


def written(taken: Iterable[tuple[int, str, int, int]]) -> list[Logged]:
    """Take the steps, each by somebody who has not always seen what the others did, and return the log."""
    people, at = [Person(number) for number in range(len(PEOPLE))], BEGIN
    log: list[Logged] = []
    for number, kind, place, seconds in taken:
        person = people[number]
        at += timedelta(seconds=seconds)
        before = person.doc.get_state()
        if kind == "sync":
            for each in log[person.known :]:
                person.doc.apply_update(each.update)
            person.known = len(log)
            continue
        made: list[bytes] = []
        watched = person.doc.observe(lambda event, made=made: made.append(event.update))
        with person.doc.transaction():
            person.act(kind, place)
        person.doc.unobserve(watched)
        if made and made[0] != b"\0\0":
            for each in log[person.known :]:  # whoever sends has been told of all that was there
                person.doc.apply_update(each.update)
            person.known = len(log) + 1
            whole = place % 11 == 0
            update = person.doc.get_update() if whole else made[0]
            log.append(Logged(update, Source.of(person.user, person.agent, at)))
        assert before is not None
    return log


def sources(attributed: Iterable[AttributedText]) -> list[Source]:
    """Whose each unit of the text is, in its order."""
    return [each.source for each in attributed for _ in range(each.start, each.stop)]


def written_by(logged: Logged) -> str:
    """The letters of all texts in an update."""
    read = accepted(text_spans(logged.update))
    return "".join(Decoder(logged.update, text.start).text() for text in read.texts)


def placed(updates: Iterable[bytes]) -> list[tuple[str, tuple[int, int]]]:
    """The visible letters of a document in their order, each with the id of its first unit."""
    items = Items()
    for update in updates:
        items.add(read_update(update))
    found = []

    def walk(branch: Iterable[YjsItem]) -> None:
        for item in branch:
            if item.deleted:
                continue
            if item.branch:
                walk(item.branch)
            clock = item.clock
            for letter in text_of_item(item):
                found.append((letter, (item.client, clock)))
                clock += 1 + (ord(letter) > 0xFFFF)

    walk(items.roots.get("default", ()))
    return found


def laid(ranges: Iterable[CreditedRange], updates: Iterable[bytes]) -> list[Source | None]:
    """Whose each unit of the shown text is, in its order, by the ids of its items."""
    whose = {(each.client, each.clock + unit): each.source for each in ranges for unit in range(each.length)}
    return [
        whose.get((client, clock + unit))
        for letter, (client, clock) in placed(updates)
        for unit in range(1 + (ord(letter) > 0xFFFF))
    ]
