"""Splits texts into searched words and matches queries: without regard to case, by prefixes of words.

Words are split here and not by Postgres, whose parser depends on the locale of the database, so that the index and
the excerpts agree. Like its `simple` configuration, this neither stems nor drops words. In scripts without spaces
between words, each character is a word.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from documents.inline_out import INLINE, attributes
from documents.scan import Refused
from documents.snapshot import load
from documents.tree import Json, tree
from domain.questions import Part
from domain.values import text_fault

MAX_TEXT_LENGTH: Final = 1_000_000  # characters of one document; what comes after them is not searched
MAX_PASSAGE_LENGTH: Final = 1_000
MAX_WORD_LENGTH: Final = 64
MAX_VOCABULARY_BYTES: Final = 800_000  # bytes of different words, of which Postgres takes a megabyte
MAX_QUERY_LENGTH: Final = 500
MAX_PIECES: Final = 30
EXCERPT: Final = 240
BEFORE: Final = 60  # characters of an excerpt before its first hit
ELLIPSIS: Final = "\u2026"


@dataclass(frozen=True, slots=True)
class SearchText:
    """A document's text, block by block; `folded` are the words of each between single spaces, `words` all of them."""

    passages: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term between spaces in a query: names are searched for `raw`, content for its words.

    Content must have all of the words, in any place; the last one may be only begun.
    """

    raw: str
    words: tuple[str, ...]

    @property
    def patterns(self) -> list[str]:
        """Return the patterns of a folded passage that contains these words."""
        return [f" {word} " for word in self.words[:-1]] + [f" {word}" for word in self.words[-1:]]

    def hits(self, word: str) -> bool:
        return word in self.words[:-1] or (bool(self.words) and word.startswith(self.words[-1]))


def query_terms(query: str) -> tuple[QueryTerm, ...]:
    """Any text is a query; of a very long one, the beginning. One that cannot be stored is found nowhere."""
    if text_fault(query):
        return (QueryTerm("\n", ()),)  # no name holds a line's end
    return tuple(QueryTerm(raw, tuple(words(raw))) for raw in query[:MAX_QUERY_LENGTH].split()[:MAX_PIECES])


def words(text: str) -> Iterator[str]:
    return (word for word, _, _ in _located(text))


def _located(text: str) -> Iterator[tuple[str, int, int]]:
    for found in _word().finditer(text):
        word = "".join(unicodedata.normalize("NFKC", found[0]).casefold().split())[:MAX_WORD_LENGTH]
        if word:
            yield word, found.start(), found.end()


@cache
def _word() -> re.Pattern[str]:
    marks = "".join(chr(code) for code in range(0x300, 0xFE30) if unicodedata.category(chr(code))[0] == "M")
    alone = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    alone += "\U00020000-\U0003ffff"
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
    cut = [list(words(passage)) for passage in passages]
    vocabulary: set[str] = set()
    room = MAX_VOCABULARY_BYTES
    for word in (word for each in cut for word in each):
        if word not in vocabulary and (size := len(word.encode())) <= room:
            vocabulary.add(word)
            room -= size
    return SearchText(tuple(passages), tuple(f" {' '.join(each)} " for each in cut), tuple(sorted(vocabulary)))


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
            return f" {attributes(node).get('alt') or ''} "
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
    hits = [(start, end) for word, start, end in _located(passage) if any(piece.hits(word) for piece in sought)]
    begin = _space_before(passage, hits[0][0] - BEFORE) if hits else 0
    over = passage.find(" ", begin + EXCERPT)
    over = len(passage) if over < 0 else over
    parts = [Part(ELLIPSIS, hit=False)] if begin else []
    at = begin
    for start, end in hits:
        if end > over:
            break
        parts += [Part(passage[at:start], hit=False)] if at < start else []
        parts.append(Part(passage[start:end], hit=True))
        at = end
    rest = passage[at:over] + (ELLIPSIS if over < len(passage) else "")
    return tuple(parts + ([Part(rest, hit=False)] if rest else []))


def _space_before(text: str, at: int) -> int:
    """Return the beginning of the word at this place."""
    return text.rfind(" ", 0, at) + 1 if at > 0 else 0
