"""Splits texts into searched words and matches queries: without regard to case, accents and points, by prefixes of words.

Words are split here and not by Postgres, whose parser depends on the locale of the database, so that the index and
the excerpts agree. Like its `simple` configuration, this neither stems nor drops words. In scripts without spaces
between words, each character is a word, and so is an emoji. Words that a hyphen joins and numbers with separators are
words as a whole, too: `e-mail` is also `email`, and `1,234` also `1234`.

A change of how words are made needs a migration that indexes all documents, and folds all names, again.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, NamedTuple

from documents.markdown.addresses import OWN_ITEM
from documents.markdown.inline_out import INLINE, attributes
from documents.projection.typing_errors import Misspelled, misspelled
from documents.tree.tree import Json, tree
from documents.yjs.scan import Refused
from documents.yjs.snapshot import load
from domain.questions import Part
from domain.sort_key import LETTERS
from domain.values import text_fault

MAX_TEXT_LENGTH: Final = 1_000_000  # characters of one document; what comes after them is not searched
MAX_PASSAGE_LENGTH: Final = 1_000
MAX_WORD_LENGTH: Final = 64
MAX_VOCABULARY_BYTES: Final = 800_000  # bytes of different words, of which Postgres takes a megabyte
MAX_QUERY_LENGTH: Final = 500
MAX_PIECES: Final = 30
MAX_LINKED: Final = 1_000  # items that a document links to
MAX_MISSPELLED: Final = 2_500  # words that differ from those of a query
EXCERPT: Final = 240
BEFORE: Final = 60  # characters of an excerpt before its first hit
ELLIPSIS: Final = "\u2026"


@dataclass(frozen=True, slots=True)
class SearchText:
    """A document's text, block by block; `folded` are the words of each between single spaces, `words` all of them.

    `linked` are the ids of items that it links to.
    """

    passages: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term between spaces in a query: folded names are searched for `name`, content for its words.

    Content must have all of the words, in any place, or else what they are `joined`, or one of those that were
    `misspelled`; the last one may be only begun.
    """

    name: str
    words: tuple[str, ...]
    joined: str | None = None
    misspelled: tuple[Misspelled, ...] = ()

    @property
    def alternatives(self) -> Sequence[tuple[str, ...]]:
        """Return the words of which content must have all, of one of these."""
        return [each for each in (self.words, (self.joined,) if self.joined else ()) if each]

    @property
    def patterns(self) -> Iterator[tuple[str, str, bool]]:
        """Yield the patterns of a folded passage that contains these words, the word of each, and whether it is only begun."""
        for words in self.alternatives:
            yield from ((f" {word} ", word, False) for word in words[:-1])
            yield f" {words[-1]}", words[-1], True
        yield from ((f" {word}" if begun else f" {word} ", word, begun) for word, begun in self.misspelled)

    def hits(self, word: str) -> bool:
        return any(word in words[:-1] or word.startswith(words[-1]) for words in self.alternatives) or any(
            word.startswith(each) if begun else word == each for each, begun in self.misspelled
        )


def query_terms(query: str, *, misspelled: bool = False) -> tuple[QueryTerm, ...]:
    """Any text is a query; of a very long one, the beginning. One that cannot be stored is found nowhere.

    `misspelled`: words may differ from those that are asked for by one typing error.
    """
    if text_fault(query):
        return (QueryTerm("\n\n\n", ()),)  # no name holds that
    terms = [_term(raw) for raw in query[:MAX_QUERY_LENGTH].split()[:MAX_PIECES]]
    return tuple(_forgiving(terms) if misspelled else terms)


def _term(raw: str) -> QueryTerm:
    found = [*_located(raw)]
    joined = next((each.word for each in found if each.is_joined and len(each) == len(raw)), None)
    name = fold(_JOINTS.sub("", raw) if joined else raw)
    return QueryTerm(name or raw, tuple(each.word for each in found if not each.is_joined), joined)


def _forgiving(terms: Iterable[QueryTerm]) -> Iterator[QueryTerm]:
    room = MAX_MISSPELLED
    for term in terms:
        made = misspelled(term.words[0]) if len(term.words) == 1 else ()
        if len(made) > room:
            made = ()
        room -= len(made)
        yield replace(term, misspelled=tuple(made))


def folded_name(name: str) -> str:
    """Return what is searched of a name: the name, the name without its hyphens and separators, and its words, on a line each."""
    whole, joined = _folded(name), _folded(_JOINTS.sub("", name))
    return "\n".join((whole, joined if joined != whole else "", " ".join(searched_words(name))))


def searched_words(text: str) -> Iterator[str]:
    for each in _located(text):
        yield each.word


class _Located(NamedTuple):
    """A word, and from where to where it stands in a text; `is_joined` of others."""

    word: str
    start: int
    stop: int
    is_joined: bool = False

    def __len__(self) -> int:
        return self.stop - self.start


def _located(text: str) -> Iterator[_Located]:
    """Yield the words of a text, and behind those that belong together what they are joined."""
    run: list[_Located] = []
    for found in _word().finditer(text):
        word = fold(found[0])[:MAX_WORD_LENGTH]
        if not word:
            continue
        located = _Located(word, found.start(), found.end())
        if run and not _belongs(text[run[-1].stop : located.start], run[-1].word, word):
            yield from _whole_run(run)
            run = []
        run.append(located)
        yield located
    yield from _whole_run(run)


def _belongs(between: str, before: str, after: str) -> bool:
    return between in _HYPHENS or (between in _SEPARATORS and before.isdecimal() and after.isdecimal())


def _whole_run(run: Sequence[_Located]) -> Iterator[_Located]:
    if len(run) > 1:
        whole = "".join(each.word for each in run[:MAX_WORD_LENGTH])[:MAX_WORD_LENGTH]
        yield _Located(whole, run[0].start, run[-1].stop, is_joined=True)


def fold(text: str) -> str:
    """Return a text without case, width, accents and points, and what cannot be seen; marks that are letters stay.

    Those are the marks of Indic scripts, Thai and Japanese.
    """
    return "".join(_folded(text).split())


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    bare = _FOLDED_AWAY.sub("", unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()))
    return unicodedata.normalize("NFC", bare.translate(LETTERS))


_HYPHENS: Final = frozenset("-\u2010\u2011")
_SEPARATORS: Final = frozenset(",.'\u2019\u00a0\u202f")  # of the digits of a number
_JOINTS: Final = re.compile("(?<=\\w)[-\u2010\u2011](?=\\w)|(?<=\\d)[,.'\u2019\u00a0\u202f](?=\\d)")
# Accents and points of Latin, Greek, Cyrillic (where \u0438\u0306 is a letter of its own), Hebrew and Arabic; what cannot be seen.
_FOLDED_AWAY: Final = re.compile(
    "(?<!\u0438)\u0306|[\u0300-\u0305\u0307-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufe00-\ufe0f"
    "\U0001f3fb-\U0001f3ff]"
)
_UNSEEN: Final = "\u00ad\u200c\u200d\u2060\ufeff"  # what goes on within a word
_EMOJI: Final = "\u2600-\u27bf\U0001f000-\U0001faff"


@cache
def _word() -> re.Pattern[str]:
    marks = (
        "".join(chr(code) for code in range(0x300, 0xFE30) if unicodedata.category(chr(code))[0] == "M")
        + "\uff9e\uff9f"
        + _UNSEEN
    )
    alone = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    alone += "\uff66-\uff9d\U00020000-\U0003ffff" + _EMOJI
    return re.compile(f"[{alone}][{marks}]*|(?:[^\\W_{alone}][{marks}]*)+")


def load_search_text(snapshot: bytes | None, updates: Iterable[bytes]) -> SearchText | Refused:
    doc = load(snapshot, updates)
    return doc if isinstance(doc, Refused) else search_text(tree(doc))


def search_text(node: Json) -> SearchText:
    passages: list[str] = []
    left = MAX_TEXT_LENGTH
    for passage in _passages(node):
        if left < len(passage):
            break
        left -= len(passage)
        passages.append(passage)
    cut = [list(searched_words(passage)) for passage in passages]
    vocabulary: set[str] = set()
    room = MAX_VOCABULARY_BYTES
    for word in (word for each in cut for word in each):
        if word not in vocabulary and (size := len(word.encode())) <= room:
            vocabulary.add(word)
            room -= size
    folded = tuple(f" {' '.join(each)} " for each in cut)
    return SearchText(tuple(passages), folded, tuple(sorted(vocabulary)), _linked(node))


def _linked(whole: Json) -> tuple[str, ...]:
    """The ids of items in the addresses of links, in their order, at most `MAX_LINKED`."""
    found: dict[str, None] = {}
    waiting: list[Any] = [whole]
    while waiting and len(found) < MAX_LINKED:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        marks, content = node.get("marks"), node.get("content")
        for mark in marks if isinstance(marks, list) else ():
            is_link = isinstance(mark, dict) and mark.get("type") == "link"
            if is_link and (item := OWN_ITEM.fullmatch(str(attributes(mark).get("href")))):
                found[item[1]] = None
        waiting += content[::-1] if isinstance(content, list) else ()
    return tuple(found)


def _passages(whole: Json) -> Iterator[str]:
    waiting: list[Any] = [whole]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        content = node.get("content")
        nodes = content if isinstance(content, list) else []
        kinds = [node.get("type") if isinstance(node, dict) else None for node in nodes]
        if INLINE.intersection(kinds):
            yield from _cut("".join(_said(each) for each, kind in zip(nodes, kinds, strict=True) if kind in INLINE))
        waiting += [each for each, kind in zip(nodes, kinds, strict=True) if kind not in INLINE][::-1]


def _said(node: Json) -> str:
    match node["type"]:
        case "text":
            return str(node.get("text", ""))
        case "mention":
            return f"@{attributes(node).get('label') or attributes(node).get('id') or ''}"
        case "image":
            return f" {attributes(node).get('alt') or ''} {attributes(node).get('title') or ''} "
        case _:
            return " "


def _cut(text: str) -> Iterator[str]:
    """The text on one line, in parts that are no longer than a passage, and that end between words where they can."""
    text = " ".join(text.replace("\0", "\ufffd").encode("utf-8", "replace").decode().split())
    while len(text) > MAX_PASSAGE_LENGTH:
        end = text.rfind(" ", MAX_PASSAGE_LENGTH // 2, MAX_PASSAGE_LENGTH)
        end = MAX_PASSAGE_LENGTH if end < 0 else end
        yield text[:end]
        text = text[end:].lstrip()
    if text:
        yield text


def excerpt(passage: str, asked: Iterable[QueryTerm]) -> tuple[Part, ...]:
    """The passage around its first hit, no longer than `EXCERPT` but for the words at its ends."""
    sought = tuple(asked)
    hits = [(each.start, each.stop) for each in _located(passage) if any(piece.hits(each.word) for piece in sought)]
    hits.sort(key=lambda hit: (hit[0], -hit[1]))  # what is joined before the words in it
    begin = _space_before(passage, hits[0][0] - BEFORE) if hits else 0
    over = passage.find(" ", begin + EXCERPT)
    over = len(passage) if over < 0 else over
    parts = [Part(ELLIPSIS, hit=False)] if begin else []
    at = begin
    for start, end in hits:
        if end > over:
            break
        if start < at:
            continue
        parts += [Part(passage[at:start], hit=False)] if at < start else []
        parts.append(Part(passage[start:end], hit=True))
        at = end
    rest = passage[at:over] + (ELLIPSIS if over < len(passage) else "")
    return tuple(parts + ([Part(rest, hit=False)] if rest else []))


def _space_before(text: str, at: int) -> int:
    """Return the beginning of the word at this place."""
    return text.rfind(" ", 0, at) + 1 if at > 0 else 0
