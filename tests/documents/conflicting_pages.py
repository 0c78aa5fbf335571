"""Pages that two edits change at once, and a three-way merge of their words to hold the result against."""

import itertools
import re
from collections import Counter

from pycrdt import XmlFragment, XmlText

from documents.editing.concurrent_blocks import texts_of
from documents.tree.tree import text_of

WORD = re.compile(r"\w+")
STYLES = ("inside", "before", "behind")  # where a replacement stands beside what it replaces


def by_slot(edit):
    return {(kind == "insert", at): (kind, new) for kind, at, new in edit}


def reference(words, ours, theirs):
    """The words after a merge of both, slot by slot; None where both change one slot in two ways."""
    mine, others = by_slot(ours), by_slot(theirs)
    if any(mine[slot] != others[slot] for slot in mine.keys() & others.keys()):
        return None
    both, made = mine | others, []
    for at in range(len(words) + 1):
        made += [both[True, at][1]] if (True, at) in both else []
        if at < len(words):
            kind, new = both.get((False, at), ("", words[at]))
            made += [] if kind == "delete" else [new]
    return made


def changes(words, edit, style):
    """The edit as insertions by place and deleted places: the style says where a replacement stands beside what it replaces."""
    said = " ".join(words)
    starts = [0, *itertools.accumulate(len(word) + 1 for word in words)]
    gone, come = set(), {}
    for kind, at, new in sorted(edit, key=lambda each: each[1]):
        if kind == "insert":
            place, text = (starts[at], f"{new} ") if at < len(words) else (len(said), f" {new}")
            come[place] = text + come.get(place, "") if at < len(words) else come.get(place, "") + text
            continue
        start, stop = starts[at], starts[at] + len(words[at])
        if kind == "replace":
            place = {"inside": start + 1, "before": start, "behind": stop}[style]
            come[place] = come.get(place, "") + new
        elif (stop < len(said) and style != "behind") or not start:
            stop += 1
        else:
            start -= 1
        gone |= {*range(start, stop)}
    return come, gone


def types_in(text, words, edit, style):
    """Make the edit in a text, as an editor does: from its end, so that places before it stay."""
    come, gone = changes(words, edit, style)
    for at in range(len(" ".join(words)), -1, -1):
        if at in gone:
            del text[at : at + 1]
        if at in come:
            text.insert(at, come[at])


def assert_merged(base, ours, theirs, found):
    """Assert that of each word there are as many as both changes together make; what both do may be done once."""
    counts = [*map(Counter, (base, ours, theirs, found))]
    for word in {*base, *ours, *theirs, *found}:
        was, mine, others, now = (each[word] for each in counts)
        by = mine - was, others - was
        low, high = was + sum(by), was + sum(by)
        if min(by) > 0:
            low = was + max(by)
        elif max(by) < 0:
            low, high = max(low, 0), was + min(by)
        assert low <= now <= high, (word, base, ours, theirs, found)


KINDS = ("paragraph", "heading", "quote", "list", "ordered", "tasks", "table", "code", "details")
COMMON = ("the", "a", "of", "and", "cat", "dog")


class Page:
    """A document whose texts are lists of words; a text is named by its place."""

    def __init__(self, chance):
        self.count = 0
        self.chance = chance
        self.blocks = []
        for _ in range(chance.randint(1, 5)):
            kind = chance.choice(KINDS)
            self.blocks.append((kind, [self.words() for _ in range(chance.randint(1, 3))]))

    def word(self):
        self.count += 1
        return f"w{self.count}x"

    def words(self):
        return [
            self.chance.choice(COMMON) if self.chance.random() < 0.4 else self.word()
            for _ in range(self.chance.randint(2, 6))
        ]

    def markdown(self, texts, levels):
        """The Markdown where the texts, in their order, say this."""
        said, blocks = iter(texts), []
        for number, (kind, parts) in enumerate(self.blocks):
            own = [" ".join(next(said)) for _ in parts]
            blocks.append(_written(kind, own, levels[number]))
        return "\n\n".join(blocks)

    def texts(self):
        return [part for _, parts in self.blocks for part in parts]


def _written(kind, texts, level):
    match kind:
        case "heading":
            return f"{'#' * level} {texts[0]}" + "".join(f"\n\n{each}" for each in texts[1:])
        case "quote":
            return "\n>\n".join(f"> {each}" for each in texts)
        case "list" | "ordered" | "tasks":
            mark = {"list": "-", "ordered": "1.", "tasks": "- [ ]"}[kind]
            return "\n".join(f"{mark} {each}" for each in texts)
        case "table":
            row = "| " + " | ".join(texts) + " |"
            return f"{row}\n{'| --- ' * len(texts)}|"
        case "code":
            return "```\n" + texts[0] + "\n```" + "".join(f"\n\n{each}" for each in texts[1:])
        case "details":
            rest = "\n\n".join(texts[1:]) or "inside"
            return f"<details>\n<summary>{texts[0]}</summary>\n\n{rest}\n\n</details>"
    return "\n\n".join(texts)


def word_edit(chance, words, new):
    """One word edit of a text as (insertion or not, place, kind, new word), of those that leave a word."""
    kind = chance.choice(("replace", "insert", "insert", *(("delete",) if len(words) > 1 else ())))
    return kind, chance.randrange(len(words) + (kind == "insert")), new()


def said_words(document):
    return [word for text in texts_of(document) for word in WORD.findall(text_of(text))]


def text_types(doc):
    found, waiting = [], [doc.get("default", type=XmlFragment)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, XmlText):
            found.append(node)
        else:
            waiting += reversed(list(node.children))
    return found
