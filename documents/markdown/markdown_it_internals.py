"""Differences of CommonMark and GFM from markdown-it, made by its private parts; a test names the version.

- Spaces and tabs are stripped from the edges of a block. markdown-it strips all white space, as JavaScript does: also the two
  ideographic spaces by which a Chinese or Japanese paragraph is indented.
- An indented line after a link definition is a paragraph.
- Emphasis beside Chinese, Japanese and Korean text is read as people write it, `**重要。**请`, as markdown-cjk-friendly has it.
"""

import unicodedata
from collections.abc import MutableMapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock, paragraph, reference
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token

from documents.tree.tree import SPACES

__all__ = ["InlineParser", "flanks", "read_references", "strip_spaces_and_tabs_alone"]

_TRIMMING: Final = ("heading", "lheading", "paragraph", "table")


def strip_spaces_and_tabs_alone() -> None:
    """Change all parsers of this process."""
    for name in _TRIMMING:
        vars(import_module(f"markdown_it.rules_block.{name}"))["mdTrim"] = lambda text: text.strip(SPACES)


def read_references(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A rule in the place of markdown-it's: what goes on after a definition is a paragraph, however indented it is."""
    if not reference(state, start, end, silent):
        return False
    if not silent and state.line < end and not state.isEmpty(state.line) and state.is_code_block(state.line):
        paragraph(state, state.line, end, False)
    return True


@lru_cache(maxsize=4096)
def is_cjk(char: str) -> bool:
    """Whether it is a letter or punctuation of Chinese, Japanese or Korean; an emoji, which is as wide, is not."""
    return unicodedata.east_asian_width(char) in ("W", "F", "H") and unicodedata.category(char) != "So"


class InlineParser(ParserInline):
    """The inline parser, with the rules of emphasis for text without spaces between words."""

    def parse(self, src: str, md: MarkdownIt, env: MutableMapping[str, Any], tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class _State(StateInline):
    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803  the parser's own names
        """As markdown-it's, but that punctuation of CJK is no punctuation here, and a letter of CJK bounds it as a space does."""
        stop = start
        while stop < self.posMax and self.src[stop] == self.src[start]:
            stop += 1
        last = self.src[start - 1] if start else " "
        following = self.src[stop] if stop < self.posMax else " "
        left, right = flanks(last, following), flanks(following, last)
        return Scanned(
            left and (canSplitWord or not right or _is_punctuation(last)),
            right and (canSplitWord or not left or _is_punctuation(following)),
            stop - start,
        )


def flanks(outside: str, inside: str) -> bool:
    """Whether a delimiter between two characters may begin, or end, emphasis of what is inside."""
    if isWhiteSpace(ord(inside)):
        return False
    return is_cjk(inside) or not _is_punctuation(inside) or _bounds(outside)


def _bounds(char: str) -> bool:
    return isWhiteSpace(ord(char)) or _is_punctuation(char) or is_cjk(char)


def _is_punctuation(char: str) -> bool:
    return isMdAsciiPunct(ord(char)) or isPunctChar(char)
