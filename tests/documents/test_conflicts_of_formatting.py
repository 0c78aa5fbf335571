"""Random pairs of edits of words, marks and attributes, held against a three-way merge of what each word looks like.

What is called clean has of each word the marks and attributes that either side gave it. Whatever is called a conflict, nothing is
there that neither side wrote.
"""

import copy
import random
from collections import Counter
from dataclasses import dataclass

from pycrdt import XmlElement, XmlFragment

from documents.editing.concurrent_blocks import texts_of
from documents.editing.conflicts import Letters, letters_of
from documents.editing.edit import Whole
from documents.editing.rebase import Merged, rebased_edit
from documents.markdown.markdown_in import parse
from documents.markdown.markdown_out import markdown
from documents.tree.build import from_tree
from documents.tree.tree import text_of, tree
from documents.yjs.snapshot import load
from tests.documents.conflicting_pages import (
    COMMON,
    STYLES,
    WORD,
    Page,
    assert_merged,
    reference,
    said_words,
    text_types,
    types_in,
    word_edit,
)
from tests.support.suite.rounds import ROUNDS, seed

REPEATED = (*COMMON, "inside")  # words that several texts may say
RANDOM_PAIRS = 250 if ROUNDS == 1 else 500 * ROUNDS  # 5,000 in full
MARKS = {
    "bold": ({},),
    "italic": ({},),
    "strike": ({},),
    "link": ({"href": "https://a.example"}, {"href": "https://b.example"}),
}
ATTRIBUTES = {
    "heading": ("level", (1, 2, 3)),
    "taskItem": ("checked", (False, True)),
    "orderedList": ("start", (1, 3, 7)),
    "codeBlock": ("language", ("python", "rust")),
}


@dataclass(frozen=True)
class Format:
    """A mark that words from `start` up to `stop` of a text get, or lose where `value` is None."""

    start: int
    stop: int
    name: str
    value: dict | None

    def letters(self, words):
        """The places of the letters of these words and of the spaces between them."""
        begin = sum(len(word) + 1 for word in words[: self.start])
        return begin, begin + len(" ".join(words[self.start : self.stop]))


def random_format(chance, words):
    start = chance.randrange(len(words))
    name = chance.choice([*MARKS])
    return Format(start, chance.randint(start + 1, len(words)), name, chance.choice((*MARKS[name], None)))


def random_edit(chance, block, words, new):
    """One or two edits of a text: what marks it changes, and what words."""
    formats = [random_format(chance, words)] if block["type"] in ("paragraph", "heading") else []
    kind = chance.choice(("words", "marks", "both")) if formats else "words"
    return formats if kind != "words" else [], (word_edit(chance, words, new),) if kind != "marks" else ()


def formatted(letters, format_, words):
    """The letters with the marks changed."""
    begin, end = format_.letters(words)
    marks = [[*each] for each in letters.marks]
    for at in range(begin, end):
        others = [mark for mark in marks[at] if mark["type"] != format_.name]
        mark = {"type": format_.name} | ({"attrs": format_.value} if format_.value else {})
        marks[at] = [*others, *([mark] if format_.value is not None else [])]
    return Letters(letters.chars, marks, {})


def reworded(letters, words, edit):
    """The letters after a word edit: a word in the place of another looks like it, an inserted one like what is on both sides."""
    marks, spans = [], [found.span() for found in WORD.finditer(letters.chars)]
    for each, (start, _) in zip(words, spans, strict=True):
        marks.append((each, letters.marks[start]))
    [(kind, at, new)] = edit
    if kind == "delete":
        del marks[at]
    elif kind == "replace":
        marks[at] = new, marks[at][1]
    else:
        beside = [marks[place][1] for place in (at - 1, at) if 0 <= place < len(marks)]
        marks.insert(at, (new, [mark for mark in beside[0] if len(beside) == 2 and mark in beside[1]]))
    chars, found = "", []
    for place, (word, own) in enumerate(marks):
        if place:
            chars += " "
            found.append([mark for mark in own if mark in marks[place - 1][1]])
        chars += word
        found += [own] * len(word)
    return Letters(chars, found, {})


def with_edits(document, edits):
    """The tree after edits of its texts, each by its place."""
    made = copy.deepcopy(document)
    for at, block in enumerate([*texts_of(made)]):
        formats, edit = edits.get(at, ((), ()))
        words, letters = text_of(block).split(), letters_of(block.get("content", []))
        for each in formats:
            letters = formatted(letters, each, words)
        if edit:
            letters = reworded(letters, words, edit)
        if formats or edit:
            block["content"] = letters.content()
    return made


def elements(document):
    """The nodes with an attribute that is changed, from the beginning of the document."""
    found, waiting = [], [document]
    while waiting:
        node = waiting.pop()
        if node.get("type") in ATTRIBUTES:
            found.append(node)
        waiting += reversed(node.get("content", []))
    return found


def native_elements(root):
    found, waiting = [], [*reversed(list(root.children))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, XmlElement):
            if node.tag in ATTRIBUTES:
                found.append(node)
            waiting += reversed(list(node.children))
    return found


def random_settings(chance, document):
    """Attributes that one side sets, by the place of their node."""
    found = elements(document)
    if not found or chance.random() < 0.5:
        return {}
    at = chance.randrange(len(found))
    return {at: chance.choice(ATTRIBUTES[found[at]["type"]][1])}


def looks(document):
    """Of each word that no other text says: its marks, and the attributes of what it lies in; None where its letters differ."""
    found = {}

    def walk(node, around):
        kind = node.get("type")
        if kind in ATTRIBUTES:
            name, values = ATTRIBUTES[kind]
            around = around | {f"{kind}.{name}": node.get("attrs", {}).get(name, values[0])}
        children = node.get("content", [])
        if any(child["type"] == "text" for child in children):
            letters = letters_of(children)
            for word in WORD.finditer(letters.chars):
                if word.group() in REPEATED:
                    continue
                marks = [
                    {mark["type"]: mark.get("attrs", {}) for mark in letters.marks[at]} for at in range(*word.span())
                ]
                is_alike = all(each == marks[0] for each in marks)
                found[word.group()] = {**dict.fromkeys(MARKS), **marks[0], **around} if is_alike else None
        for child in children:
            walk(child, around)

    walk(document, {})
    return found


def three_way(base, ours, theirs):
    """What a word may look like after a merge, by what it has: what either side made of that, which both may have changed."""
    names = ours.keys() | theirs.keys()
    was, mine, others = ({name: look.get(name) for name in names} for look in (base, ours, theirs))
    return {
        name: [others[name]]
        if mine[name] == was[name]
        else [mine[name]]
        if others[name] in (was[name], mine[name])
        else []
        for name in names
    }


def beside(place, edits):
    """What marks an editor gives to a word that is written there, where somebody formats it at the same time."""
    formats, _ = edits
    found = {name: [] for name in MARKS}
    for each in formats:
        if each.start <= place <= each.stop:
            found[each.name].append(each.value)
    return found


def text_merges(words, mine, others):
    """Whether a merge of both edits of a text needs nobody to decide: neither of words, nor of the marks of the same letters."""
    (formats, edit), (their_formats, their_edit) = mine, others
    if reference(words, edit, their_edit) is None:
        return False
    for format_, against in [(each, their_edit) for each in formats] + [(each, edit) for each in their_formats]:
        for kind, at, _ in against:
            if kind == "insert" and format_.start < at < format_.stop:
                return False
            if kind == "replace" and format_.start <= at < format_.stop:
                return False
    return not any(
        one.name == other.name and one.value != other.value and one.start < other.stop and other.start < one.stop
        for one in formats
        for other in their_formats
    )


def random_base(chance):
    """A document with some marks, as its Markdown says it, and its texts; None where Markdown does not say it."""
    page = Page(chance)
    said = page.markdown(page.texts(), [2 for _ in page.blocks])
    document = parse(said)
    edits = {}
    for at, block in enumerate(texts_of(document)):
        words = text_of(block).split()
        if not words or not all(map(WORD.fullmatch, words)):
            return page, None  # a list of tasks and one of items are one list
        if block["type"] in ("paragraph", "heading") and chance.random() < 0.5:
            edits[at] = [random_format(chance, words)], ()
    made = with_edits(document, edits)
    return page, made if parse(markdown(made)) == made else None


def edited_by_others(chance, first, texts, edits, settings):
    """The updates of somebody who edits in an editor."""
    doc, since = load(None, [first]), []
    doc.observe(lambda event: since.append(event.update))
    root = doc.get("default", type=XmlFragment)
    natives = [each for each in text_types(doc) if str(each)]
    with doc.transaction():
        for at, (formats, edit) in edits.items():
            for each in formats:
                begin, end = each.letters(texts[at])
                natives[at].format(begin, end, {each.name: each.value})
            if edit:
                types_in(natives[at], texts[at], edit, chance.choice(STYLES[1:]))
        for at, value in settings.items():
            element = native_elements(root)[at]
            element.attributes[ATTRIBUTES[element.tag][0]] = value
    return since, tree(doc)


@dataclass(frozen=True)
class Pair:
    """What two made of a document: `edits` and `settings` are those of the edit and of the others, by their places."""

    documents: list
    made: Merged
    texts: list
    edits: tuple
    settings: tuple

    def merges(self):
        """Whether a merge on words needs nobody to decide."""
        (mine, others), (ours, theirs) = self.edits, self.settings
        return all(text_merges(self.texts[at], mine[at], others[at]) for at in mine.keys() & others.keys()) and all(
            ours[at] == theirs[at] for at in ours.keys() & theirs.keys()
        )

    def written_beside(self):
        """By the words that the edit writes: the marks that the others put there."""
        mine, others = self.edits
        return {edit[0][2]: beside(edit[0][1], others.get(at, ((), ()))) for at, (_, edit) in mine.items() if edit}


def random_pair(chance):
    """Two edits of a document and what is made of them; None where Markdown does not say it."""
    page, base = random_base(chance)
    if base is None:
        return None
    blocks = [*texts_of(base)]
    texts = [text_of(block).split() for block in blocks]
    edits, settings = ({}, {}), (random_settings(chance, base), random_settings(chance, base))
    for each in edits:
        for _ in range(chance.randint(1, 2)):
            at = chance.randrange(len(texts))
            each[at] = random_edit(chance, blocks[at], texts[at], page.word)
    if chance.random() < 0.1:
        edits, settings = (edits[0], edits[0]), (settings[0], settings[0])
    wanted = with_edits(base, edits[0])
    for at, value in settings[0].items():
        node = elements(wanted)[at]
        node["attrs"] = node.get("attrs", {}) | {ATTRIBUTES[node["type"]][0]: value}
    if parse(markdown(wanted)) != wanted:
        return None
    first = from_tree(base, 5)
    since, theirs = edited_by_others(chance, first, texts, edits[1], settings[1])
    made = rebased_edit([first], since, Whole(markdown(wanted)))
    assert isinstance(made, Merged), (made, *map(markdown, (base, wanted, theirs)))
    return Pair([base, wanted, theirs, made.after], made, texts, edits, settings)


def assert_looks(pair):
    """Assert that each word looks as either side made it, and return how many were looked at."""
    before, ours, theirs, now = map(looks, pair.documents)
    written, context = pair.written_beside(), [*map(markdown, pair.documents), pair.made.conflicts]
    seen = Counter()
    for word, look in now.items():
        known = [each[word] for each in (before, ours, theirs) if word in each]
        assert known, (word, context)
        if len(known) != (3 if word in before else 1):
            continue  # both wrote it, or one deleted it
        assert None not in (look, *known), (word, context)
        seen[word in before] += 1
        if word in before:
            may_be = three_way(*known)
        else:
            may_be = {name: [known[0][name], *written.get(word, {}).get(name, [])] for name in MARKS}
        for name, allowed in may_be.items():
            undone = [theirs.get(word, {}).get(name)] if pair.made.conflicts else []
            assert look.get(name) in [*allowed, *undone], (word, name, look, known, context)
    return seen


def test_random_pairs_of_words_marks_and_attributes_look_as_either_side_made_them():
    chance, counted, seen = random.Random(seed()), Counter(), Counter()
    for _ in range(RANDOM_PAIRS):
        pair = random_pair(chance)
        if pair is None:
            continue
        counted["mergeable"] += pair.merges()
        counted["flagged"] += pair.merges() and bool(pair.made.conflicts)
        if not pair.made.conflicts:
            counted["clean"] += 1
            assert_merged(*map(said_words, pair.documents))
        seen += assert_looks(pair)
    assert counted["clean"] > RANDOM_PAIRS // 4, counted
    assert min(seen[True], seen[False]) > RANDOM_PAIRS // 2, seen
    assert 2 * counted["flagged"] <= counted["mergeable"], counted
