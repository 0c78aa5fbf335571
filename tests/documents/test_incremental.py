"""What is followed through edits is, byte for byte, what is made from scratch."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from pycrdt import Doc, Map, XmlElement, XmlFragment, XmlText

from documents.projection.incremental import IncrementalProjection, _part
from documents.projection.projection import project
from documents.tree.build import from_tree, place
from documents.yjs.scan import Refused
from documents.yjs.snapshot import encode_state, load
from tests.documents.trees import BLOCK, DOCUMENT, INLINE, TEXT
from tests.support.documents.encoding import STRAYS, block, client, edited, item, miscounted, number, step
from tests.support.documents.encoding import update as written
from tests.support.suite.rounds import examples

LISTS = st.sampled_from(["bulletList", "orderedList", "taskList", "panel", "oddLeaf"])
LIST = st.builds(
    lambda kind, text: {
        "type": kind,
        "content": [
            {"type": "listItem", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]}
        ]
        if text
        else [],
    },
    LISTS,
    st.just("") | TEXT,
)
PLACE = st.integers(0, 9)
STEP = st.one_of(
    st.tuples(st.just("put"), PLACE, st.lists(BLOCK | LIST | LIST, min_size=1, max_size=3)),
    st.tuples(st.just("put"), PLACE, st.lists(BLOCK | LIST | LIST, min_size=1, max_size=3)),
    st.tuples(st.just("drop"), PLACE, st.integers(1, 3)),
    st.tuples(st.just("type"), PLACE, TEXT),
    st.tuples(st.just("type"), PLACE, TEXT),
    st.tuples(st.just("put within"), PLACE, st.lists(BLOCK, min_size=1, max_size=2)),
    st.tuples(st.just("drop within"), PLACE, st.just(1)),
    st.tuples(st.just("attribute"), PLACE, st.sampled_from([1, 4, True, None, "x", [1.0, {"a": 2.5}]])),
    st.tuples(st.just("mark"), PLACE, st.sampled_from(["bold", "italic", "comment--6oADIOBk"])),
    st.tuples(st.just("embed"), PLACE, st.sampled_from(["element", "map", "value"])),
    st.tuples(st.just("loose"), PLACE, TEXT),
    st.tuples(
        st.just("inline"), PLACE, st.lists(INLINE.filter(lambda node: node["type"] != "text"), min_size=2, max_size=4)
    ),
    st.tuples(st.just("other root"), PLACE, TEXT),
    st.tuples(st.just("empty"), PLACE, st.just(None)),
)


class Replica:
    """One who edits, and remembers what was edited since it was told."""

    def __init__(self, client, state):
        self.doc = Doc(client_id=client)
        self.doc.apply_update(state)
        self.root = self.doc.get("default", type=XmlFragment)
        self.updates = []
        self.subscription = self.doc.observe(lambda event: self.updates.append(event.update))

    def hear(self, updates):
        mine = list(self.updates)
        for update in updates:
            self.doc.apply_update(update)
        self.updates = mine

    def act(self, what, at, value):
        with self.doc.transaction():
            getattr(self, what.replace(" ", "_"))(at, value)

    def told(self):
        updates, self.updates = self.updates, []
        return updates

    def put(self, at, nodes):
        place(self.root, at % (len(self.root.children) + 1), nodes)

    def drop(self, at, count):
        size = len(self.root.children)
        for _ in range(min(count, size - at)):
            del self.root.children[at]

    def empty(self, *_):
        self.drop(0, len(self.root.children))

    def within(self, at):
        """Some node below the one at this place, as deep as the way down goes on."""
        found = self.root
        while isinstance(found, XmlFragment | XmlElement) and len(found.children):
            found = found.children[at % len(found.children)]
        return found

    def type(self, at, text):
        if isinstance(found := self.within(at), XmlText):
            found.insert(at % (len(found) + 1) if str(found).isascii() else 0, text)
        else:
            found.children.append(XmlText(text))

    def put_within(self, at, nodes):
        found = self.within(at)
        parent = found.parent if isinstance(found, XmlText) else found
        place(parent, 0, nodes)

    def drop_within(self, at, _):
        found = self.within(at)
        if found is not self.root and (parent := found.parent):
            del parent.children[0]

    def attribute(self, at, value):
        found = self.within(at)
        while found is not None and not isinstance(found, XmlElement):
            found = found.parent
        if found is not None:
            found.attributes["start" if at % 2 else "checked"] = value

    def mark(self, at, name):
        if isinstance(found := self.within(at), XmlText) and len(found):
            found.format(0, len(found), {name: {}})

    def embed(self, at, kind):
        if isinstance(found := self.within(at), XmlText):
            what = {"element": XmlElement("badge"), "map": Map({"a": 1}), "value": {"image": "x"}}[kind]
            found.insert_embed(0, what)

    def loose(self, at, text):
        self.root.children.insert(at % (len(self.root.children) + 1), XmlText(text))

    inline = put

    def other_root(self, _, text):
        other = self.doc.get("prosemirror", type=XmlFragment)
        place(other, 0, [{"type": "paragraph", "content": [{"type": "text", "text": text}]}])


@given(DOCUMENT, st.lists(st.tuples(st.integers(0, 1), STEP, st.booleans()), max_size=14))
@settings(max_examples=examples(400), deadline=None)
def test_what_is_followed_through_edits_of_two_people_is_what_is_made_from_scratch(first, steps):
    state = from_tree(first, 1)
    projection = IncrementalProjection(load(state))
    assert projection.project() == project(load(state))
    replicas = [Replica(client, state) for client in (2, 3)]
    log = [state]
    for who, act, tell in steps:
        replicas[who].act(*act)
        if tell:
            updates = replicas[who].told()
            log += updates
            replicas[1 - who].hear(updates)
            assert projection.apply(updates) is None
            assert projection.project() == project(load(None, log))


def test_odd_embeds_and_attributes_are_followed():
    for seed in range(60):
        chance = random.Random(seed)
        doc, log = edited(seed, steps=10)
        projection = IncrementalProjection(load(None, log))
        doc.observe(lambda event, log=log: log.append(event.update))
        known = len(log)
        for _ in range(40):
            step(chance, doc.get("default", type=XmlFragment))
            assert projection.apply(log[known:]) is None
            known = len(log)
            assert projection.project() == project(load(None, log)), seed


class Writer:
    """Client 1, which writes nodes, and what is none, directly in the root, and deletes what it wrote."""

    def __init__(self):
        self.clock = 0
        self.ranges = []

    def write(self, what, behind):
        kind, content, length = what
        origin = (1, sum(self.ranges[behind % len(self.ranges)]) - 1) if self.ranges else None
        made = item(kind, content, origin=origin)
        self.ranges.append((self.clock, length))
        self.clock += length
        return written(client(1, made, clock=self.ranges[-1][0]))

    def delete(self, which):
        clock, length = self.ranges[which % len(self.ranges)]
        return written(deletes=b"\x01\x01\x01" + number(clock) + number(length))


NODES = {"a node": block("paragraph"), "an image": block("image")}
WRITING = st.tuples(st.sampled_from([*NODES, "a node", *STRAYS, "delete"]), st.integers(0, 9), st.booleans())


@given(st.lists(WRITING, max_size=20))
@settings(max_examples=examples(400), deadline=None)
def test_values_that_are_no_nodes_are_followed_as_they_come_and_go(steps):
    writer, projection, log = Writer(), IncrementalProjection(Doc()), []
    for kind, place_, tell in steps:
        if kind != "delete":
            log.append(writer.write({**NODES, **STRAYS}[kind], place_))
        elif writer.ranges:
            log.append(writer.delete(place_))
        assert projection.apply(log[-1:]) is None
        if tell:
            assert projection.project() == project(load(None, log))


@given(st.integers(0, 200), st.integers(0, 30))
@settings(max_examples=examples(60), deadline=None)
def test_updates_may_come_again_or_as_the_state_that_they_made(seed, known):
    doc, log = edited(seed)
    projection = IncrementalProjection(load(None, log[:known]))
    projection.project()
    assert projection.apply((encode_state(doc), *log[len(log) // 2 :])) is None
    assert projection.project() == project(doc)


def test_one_keystroke_makes_one_block_anew(monkeypatch):
    blocks = [{"type": "paragraph", "content": [{"type": "text", "text": str(at)}]} for at in range(100)]
    replica = Replica(2, from_tree({"type": "doc", "content": blocks}, 1))
    projection = IncrementalProjection(load(encode_state(replica.doc)))
    projection.project()
    made = []
    monkeypatch.setattr(
        "documents.projection.incremental._part",
        lambda node, marker, part=_part: made.append(node) or part(node, marker),
    )
    replica.root.children[50].children[0].insert(0, "x")
    projection.apply(replica.told())
    assert "\n\nx50\n\n" in projection.project().markdown
    assert [node["content"][0]["text"] for node in made] == ["x50"]


def test_a_broken_update_is_refused():
    assert IncrementalProjection(Doc()).apply([b"broken"]) is not None


def test_what_does_not_go_on_as_the_updates_say_is_not_followed():
    begun, *came = miscounted()
    projection = IncrementalProjection(load(None, [begun]))
    assert isinstance(projection.apply(came), Refused)
