"""No word is torn where an edit in Markdown meets what somebody typed meanwhile."""

import random
import re

from pycrdt import Doc, XmlFragment, XmlText

from documents.editing.edit import Whole
from documents.editing.rebase import Merged, rebased_edit
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import text_of, tree
from documents.yjs.snapshot import load
from tests.support.suite.rounds import ROUNDS, seed

EDITS = 200 * ROUNDS  # 2,000 in full
SEED = seed()
SYLLABLES = ("ka", "ro", "mi", "tens", "pla", "tion", "er", "ing", "a", "o")
OTHERS = ("vu", "fy", "zud", "wub", "hyx")  # of words that are like none of these
WORD = re.compile(r"\w+")


def word(chance, of=SYLLABLES):
    return "".join(chance.choice(of) for _ in range(chance.randint(1, 4)))


def sentence(chance):
    return [word(chance) for _ in range(chance.randint(3, 10))]


def edited(chance, words):
    """The words with some replaced, by others or by ones like them, some put in and some left out."""
    made = []
    for each in words:
        kind = chance.randrange(12)
        if kind == 0:
            made.append(word(chance, OTHERS))
        elif kind == 1:
            at = chance.randint(0, len(each))
            made.append(each[:at] + chance.choice(OTHERS) + each[at + chance.randrange(2) :])
        elif kind == 2:
            made += [word(chance, OTHERS), each]
        elif kind != 3 or not made:
            made.append(each)
    return made


def typed(chance, base):
    """What somebody adds to a document: words of their own between others, by one update each."""
    doc, updates, own = load(None, [base]), [], []
    doc.observe(lambda event: updates.append(event.update))
    for _ in range(chance.randint(1, 3)):
        with doc.transaction():
            texts = [text for block in doc.get("default", type=XmlFragment).children for text in block.children]
            text = chance.choice([each for each in texts if isinstance(each, XmlText)])
            said = str(text)
            own.append(word(chance).upper())
            if chance.randrange(2):  # before a word
                at = chance.choice([0, *(found.start() for found in WORD.finditer(said))])
                text.insert(at, f"{own[-1]} ")
            else:  # behind one
                at = chance.choice([len(said), *(found.end() for found in WORD.finditer(said))])
                text.insert(at, f" {own[-1]}")
    return updates, own


def words_of(text):
    return {*WORD.findall(text)}


def test_every_word_is_one_of_the_base_of_the_edit_or_of_what_was_typed():
    chance = random.Random(SEED)
    for number in range(EDITS):
        blocks = [sentence(chance) for _ in range(chance.randint(1, 3))]
        base = from_tree(parse("\n\n".join(map(" ".join, blocks))), 5)
        wanted = "\n\n".join(" ".join(edited(chance, each)) for each in blocks)
        meanwhile, own = typed(chance, base)
        made = rebased_edit((base,), tuple(meanwhile), Whole(wanted))
        assert isinstance(made, Merged), (number, made)
        known = {*own, *words_of(wanted), *(each for block in blocks for each in block)}
        doc = load(None, [base, *meanwhile, *filter(None, [made.update])])
        said = text_of(tree(doc))
        found = words_of(markdown(tree(doc)))
        assert found <= known, (
            number,
            found - known,
            " / ".join(map(" ".join, blocks)),
            wanted,
            meanwhile and own,
            said,
        )
        assert {*own} <= found


def test_a_word_is_not_made_of_letters_of_two():
    base = from_tree(parse("the transportation is here"), 5)
    made = rebased_edit((base,), (), Whole("the tea ration is here"))
    assert isinstance(made, Merged)
    doc = Doc()
    for update in (base, made.update):
        doc.apply_update(update)
    assert markdown(tree(doc)) == "the tea ration is here\n"
