"""What Markdown cannot say goes where an edit moves its text, and what does not is told."""

import random

import pytest

from documents.editing.edit import Whole, edit
from documents.editing.edit_report import Unsayable, lost
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import shaped, tree
from documents.yjs.snapshot import load
from tests.support.suite.rounds import ROUNDS, seed

EDITS = 200 * ROUNDS  # 2,000 in full
SEED = seed()
LETTERS = range(0xAC00, 0xD7A4)
RED = {"type": "textStyle", "attrs": {"color": "red"}}
COMMENT = {"type": "comment", "attrs": {"commentId": "c1"}}
MENTION = {"type": "mention", "attrs": {"id": "u1", "label": "Ada"}}
FIRST = "Some red words stand here."
SECOND = "Hello @Ada how are you today?"


def text(said, *marks):
    return {"type": "text", "text": said, **({"marks": list(marks)} if marks else {})}


def paragraph(*content, **attrs):
    return {"type": "paragraph", **({"attrs": attrs} if attrs else {}), "content": list(content)}


def edited(before, wanted):
    """The tree of a document before it was edited to this Markdown, and after it."""
    doc = load(None, [from_tree(shaped(before), 5)])
    was = tree(doc)
    assert isinstance(edit(doc, Whole(wanted)), bytes)
    return was, tree(doc)


@pytest.mark.parametrize(
    ("wanted", "aligned"),
    [
        (f"{SECOND}\n\nThe end.\n\n{FIRST}", 1),
        (f"# {FIRST}\n\n{SECOND}\n\nThe end.", 1),
        (f"- {FIRST}\n- {SECOND}\n\nThe end.", 1),
        (f"{FIRST}\n\n> {SECOND}\n\nThe end.", 1),
        ("Some red\n\nwords stand here.\n\nHello @Ada\n\nhow are you today?\n\nThe end.", 2),
        (f"{FIRST} {SECOND}\n\nThe end.", 1),
        (f"{SECOND}\n\n{FIRST}\n\nThe end.", 1),
    ],
    ids=["move", "heading", "list", "quote", "split", "join", "swap"],
)
def test_colours_alignment_and_mentions_go_where_their_text_goes(wanted, aligned):
    first = paragraph(text("Some "), text("red words", RED), text(" stand here."), textAlign="right")
    second = paragraph(text("Hello "), MENTION, text(" how are you today?"))
    before, after = edited({"type": "doc", "content": [first, second, paragraph(text("The end."))]}, wanted)
    assert markdown(after) == f"{wanted}\n"
    said = str(after)
    assert said.count("'textAlign'") == aligned
    assert said.count("'mention'") == 1
    red = [run for run, marks, _ in letters(after) if "textStyle" in marks]
    assert "".join(red) == "red words".replace(" ", "" if "Some red\n" in wanted else " ")
    assert lost(before, after) == []


def letters(document):
    """Each character of a tree with the names of its marks and those of the attributes around it."""
    found = []

    def walk(node, attrs):
        names = attrs | {*node.get("attrs", {})}
        marks = {mark["type"] for mark in node.get("marks", ())}
        found.extend((letter, marks, names) for letter in node.get("text", ""))
        for child in node.get("content", ()):
            walk(child, names)

    for block in document["content"]:
        walk(block, set())
    return found


class World:
    def __init__(self, chance):
        self.chance, self.count = chance, 0

    def words(self):
        made = []
        for _ in range(self.chance.randint(2, 6)):
            size = self.chance.randint(4, 6)  # a shorter word alone is not known again
            made.append("".join(chr(LETTERS[self.count + at]) for at in range(size)))
            self.count += size
        return made

    def block(self):
        content = []
        for number, word in enumerate(self.words()):
            marks = [mark for mark in (RED, COMMENT) if self.chance.random() < 0.3]
            content += [text(" ")] * bool(number) + [text(word, *marks)]
        attrs = {"textAlign": "right"} if self.chance.random() < 0.4 else {}
        return paragraph(*content, **attrs)

    def document(self):
        blocks = [self.block() for _ in range(self.chance.randint(2, 5))]
        items = [{"type": "listItem", "content": [self.block()]} for _ in range(3)]
        return {"type": "doc", "content": [*blocks, {"type": "bulletList", "content": items}]}

    def wanted(self, now):  # noqa: C901  a table of acts
        *blocks, items = now.strip("\n").split("\n\n")
        for _ in range(self.chance.randint(1, 2)):
            at = self.chance.randrange(len(blocks))
            block, words = blocks[at], blocks[at].split()
            plain = ord(block[0]) in LETTERS
            match self.chance.choice(("move", "swap", "join", "split", "heading", "quote", "items", "unlist", "write")):
                case "move":
                    blocks.insert(self.chance.randrange(len(blocks)), blocks.pop(at))
                case "swap":
                    other = self.chance.randrange(len(blocks))
                    blocks[at], blocks[other] = blocks[other], blocks[at]
                case "join" if plain and at and ord(blocks[at - 1][0]) in LETTERS:
                    blocks[at - 1 : at + 1] = [f"{blocks[at - 1]} {block}"]
                case "split" if plain and len(words) > 1:
                    cut = self.chance.randint(1, len(words) - 1)
                    blocks[at : at + 1] = [" ".join(words[:cut]), " ".join(words[cut:])]
                case "heading" if plain:
                    blocks[at] = f"# {block}"
                case "quote" if plain:
                    blocks[at] = f"> {block}"
                case "items":
                    lines = items.split("\n")
                    self.chance.shuffle(lines)
                    items = "\n".join(lines)
                case "unlist" if "\n" in items:
                    line, _, items = items.partition("\n")
                    blocks.append(line[2:])
                case "write" if plain:
                    cut = self.chance.randint(0, len(words))
                    blocks[at] = " ".join([*words[:cut], *self.words(), *words[cut:]])
        return "\n\n".join([*blocks, items])


def test_all_that_text_still_there_has_lost_is_told_and_nothing_else():
    chance = random.Random(SEED)
    kept = 0
    for number in range(EDITS):
        world = World(chance)
        before = shaped(world.document())
        wanted = world.wanted(markdown(before))
        was, now = edited(before, wanted)
        told = {(each.path[0], each.what, each.name) for each in lost(was, now)}
        had = {letter: (marks, attrs) for letter, marks, attrs in letters(was) if ord(letter) in LETTERS}
        truth = set()
        for place, block in enumerate(now["content"]):
            for letter, marks, attrs in letters({"content": [block]}):
                if letter in had:
                    truth |= {(place, Unsayable.mark, name) for name in had[letter][0] - marks}
                    truth |= {(place, Unsayable.attribute, name) for name in had[letter][1] - attrs}
                    kept += len(had[letter][0] & marks)
        assert told == truth, (number, markdown(before), wanted, told ^ truth)
    assert kept > EDITS
