"""Agents rewrite nested blocks while people type, delete, split and join in them: no letter is lost, written twice or brought back."""

import random
from collections import Counter
from itertools import count

from pycrdt import XmlElement, XmlFragment, XmlText

from documents.editing.edit import Whole
from documents.editing.rebase import Merged, rebased_edit
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import tree
from documents.yjs.snapshot import load
from tests.support.suite.rounds import ROUNDS, seed

RUNS = 300 * ROUNDS  # 3,000 in full
SEED = seed()
PEOPLES, AGENTS_OWN = 0xAC00, 0xC000  # the first letters of people and of agents, each of which is written once


class Run:
    """A document, what people do in it after an agent read it, and what the agent asks for."""

    def __init__(self, number):
        self.chance = random.Random(number)
        self.letters, self.own = map(chr, count(PEOPLES)), map(chr, count(AGENTS_OWN))
        self.base = from_tree(parse("\n\n".join(self.blocks())), 5)
        self.since = []
        self.doc = load(None, [self.base])
        self.doc.observe(lambda event: self.since.append(event.update))
        self.wanted = self.rewritten(self.read())

    def words(self, most):
        return " ".join(
            "".join(next(self.letters) for _ in range(self.chance.randint(1, 2)))
            for _ in range(self.chance.randint(1, most))
        )

    def blocks(self, depth=0):
        return [self.block(depth) for _ in range(self.chance.randint(1, 3))]

    def block(self, depth):
        match self.chance.randrange(7):
            case 0:
                return "#" * self.chance.randint(1, 3) + f" {self.words(3)}"
            case 1:
                return f"- {self.words(3)}\n- {self.words(1)}"
            case 2 if depth < 2:
                return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(self.blocks(depth + 1)).split("\n"))
            case 3:
                return f"{self.words(3)}\\\n{self.words(1)}"
            case 4:
                return f"{'### ' * self.chance.randrange(2)}*{self.words(1)}*{self.words(1)}"
        return self.words(3)

    def rewritten(self, text):
        blocks = text.strip("\n").split("\n\n")
        for _ in range(self.chance.randint(1, 3)):
            at = self.chance.randrange(len(blocks)) if blocks else 0
            match self.chance.randrange(5) if blocks else 0:
                case 0:
                    blocks.insert(at, next(self.own))
                case 1:
                    del blocks[at]
                case 2:
                    blocks[at] = "# " + blocks[at].lstrip("#->* ").replace("\n", " ")
                case 3:
                    blocks[at] = "- " + blocks[at].lstrip("#->* ")
                case 4:
                    blocks.insert(self.chance.randrange(len(blocks)), blocks.pop(at))
        return "\n\n".join(blocks)

    def read(self, *updates):
        return markdown(tree(load(None, [self.base, *self.since, *updates])))

    def act(self):
        found = [*texts(self.doc.get("default", type=XmlFragment))]
        act = self.chance.choice((self.type, self.delete, self.split, self.join, self.retype))
        with self.doc.transaction():
            act(found, self.chance.randrange(len(found)))

    def type(self, found, at):
        text = said(found[at])
        found[at].insert(size(text[: self.chance.randint(0, len(text))]), f"{next(self.letters)} ")

    def delete(self, found, at):
        text = said(found[at])
        low = self.chance.randint(0, len(text))
        stop = min(len(text), low + self.chance.randint(1, 3))
        del found[at][size(text[:low]) : size(text[:stop])]

    def split(self, found, at):
        text, block = said(found[at]), found[at].parent
        low = self.chance.randint(0, len(text))
        if len(block.children) > 1:
            return
        del found[at][size(text[:low]) : size(text)]
        siblings = block.parent.children
        made = siblings.insert(place(block) + 1, XmlElement(block.tag, dict(block.attributes)))
        made.children.append(XmlText(text[low:]))

    def join(self, found, at):
        text, block = said(found[at]), found[at].parent
        siblings = block.parent.children
        if at and len(block.children) == 1 and len(siblings) > 1:
            before = found[at - 1]
            before.insert(size(said(before)), text)
            del siblings[place(block)]

    def retype(self, found, at):
        """Write a block anew as one of another type, as editors do."""
        block = found[at].parent
        if block.tag not in ("heading", "paragraph") or len(block.children) > 1:
            return
        runs = found[at].diff()
        siblings, index = block.parent.children, place(block)
        attrs, kind = ({}, "paragraph") if block.tag == "heading" else ({"level": 2}, "heading")
        del siblings[index]
        made = siblings.insert(index, XmlElement(kind, attrs))
        text = made.children.append(XmlText())
        for run, marks in runs:
            text.insert(len(text), run, marks)


def texts(node):
    for child in node.children:
        if isinstance(child, XmlText):
            yield child
        else:
            yield from texts(child)


def place(block):
    return [*block.parent.children].index(block)


def said(text):
    return "".join(run for run, _ in text.diff() if isinstance(run, str))


def size(text):
    return len(text.encode())


def letters(text):
    return Counter(letter for letter in text if ord(letter) >= PEOPLES)


def test_letters_of_nested_blocks_are_written_once_and_go_only_where_somebody_deletes_them():
    merged = 0
    for number in range(RUNS):
        run = Run(SEED + number)
        base = run.read()
        for _ in range(run.chance.randint(1, 4)):
            run.act()
        before = run.read()
        made = rebased_edit((run.base,), run.since, Whole(run.wanted))
        if not isinstance(made, Merged):
            continue  # it would move letters into what others deleted
        merged += 1
        after = run.read(*filter(None, [made.update]))
        told = (SEED + number, base, run.wanted, before, after, made.conflicts)
        own = Counter({letter: 1 for letter in run.wanted if ord(letter) >= AGENTS_OWN})
        assert letters(after) <= letters(before) + own, told
        assert letters(before) - (letters(base) - letters(run.wanted)) <= letters(after), told
    assert merged > RUNS * 0.9


def test_the_text_of_a_block_that_stays_is_not_written_anew_elsewhere():
    base = from_tree(parse("first line\n\n> one here\n>\n> two of them stand over there"), 5)
    doc, since = load(None, [base]), []
    doc.observe(lambda event: since.append(event.update))
    next(texts(doc.get("default", type=XmlFragment).children[1])).insert(3, " typed")
    made = rebased_edit((base,), since, Whole("first line\n\n# one here > > two of them stand over there"))
    assert isinstance(made, Merged)
    after = markdown(tree(load(None, [base, *since, *filter(None, [made.update])])))
    assert after == "first line\n\n> one typed here\n>\n> two of them stand over there\n"
    assert {each.why for each in made.conflicts} == {"others_inside"}
