"""Writes the text of one block as Markdown: escaping, marks, links, images, breaks.

The writer does not verify its output by parsing: each rule is safe by itself, and the tests parse.

- White space stands outside marks at their beginning and end, except in code, which keeps all of its own; a mark
  never spans a break.
- `*`, `**` and `~~` are used where CommonMark's flanking rules recognize them in every edition; elsewhere that mark
  becomes a tag (`<strong>`), which works everywhere.
- Characters that begin a block are escaped at the start of every line, not only of the first.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from documents.markdown.addresses import destination, safe_image, safe_link
from documents.markdown.markdown_it_internals import flanks
from documents.tree.tree import SPACES, Json

type Mark = tuple[str, ...]

_FLEXIBLE: Final = {"bold": ("**", "strong"), "italic": ("*", "em"), "strike": ("~~", "s")}
_TAGS: Final = {"underline": "u", "highlight": "mark", "subscript": "sub", "superscript": "sup"}
_CODE: Final[Mark] = ("code",)
WRITTEN: Final = frozenset({*_FLEXIBLE, *_TAGS, "code"})
INLINE: Final = frozenset({"text", "hardBreak", "image", "mention"})

_NEWLINE = re.compile(r"\r\n?|\n")
_SPECIAL = re.compile(r"[\\`*\[\]~]|<(?!\s)|&(?=#?\w+;)")
_TAG_BEGINS = re.compile(r"<[a-zA-Z/]")
_ENDS_OF_TAGS: Final = (
    ">\"':@"  # one of which follows, in the same text, where a tag or an address in angle brackets begins
)
_IN_TITLE = re.compile(r'[\\"&<]')
_BACKSLASH: Final = r"\\\g<0>"
_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")  # between two letters it cannot be emphasis
_LINE_START = re.compile(
    r"^(?:(?P<number>\d{1,9})(?=[.)](?:\s|$))"
    r"|(?=\#{1,6}(?:\s|$)|[+-](?:\s|$)|-[-:|]|=[=\s]|=$|[>|]|:-))",
    re.MULTILINE,
)
_BLOCK_STARTERS = frozenset("#+-=>|:0123456789")


def line(nodes: Sequence[Any], hard_break: str = "<br>") -> str:
    """Inline nodes as one line; `hard_break` says what a break in them becomes."""
    pieces = _pieces(nodes)
    if len(pieces) == 1 and not pieces[0].marks and not pieces[0].raw:
        text = escaped_markdown((pieces[0].text or "").strip(SPACES))
    else:
        text = _assembled(_trimmed(_spaced(pieces)), hard_break)
    return text.replace("\\~", "~") if text.count("~") == 1 else text  # it takes two to strike


def lines(nodes: Sequence[Any]) -> str:
    """Inline nodes as the lines of a paragraph."""
    text = line(nodes, "\\\n")
    if "\n" in text or text[:1] in _BLOCK_STARTERS:
        text = _LINE_START.sub(lambda found: f"{found['number'] or ''}\\", text)
    return text


def escaped_markdown(text: str) -> str:
    if "<" in text:
        ends = max(map(text.rfind, _ENDS_OF_TAGS))

        def escape(found: re.Match[str]) -> str:
            at = found.start()  # at the begin of a line a tag needs no end to begin a block
            return found[0] if at > max(ends, 0) and _TAG_BEGINS.match(text, at) else f"\\{found[0]}"

        text = _SPECIAL.sub(escape, text)
    else:
        text = _SPECIAL.sub(_BACKSLASH, text)
    return _UNDERSCORE.sub(r"\\_", text) if "_" in text else text


def _clean(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    text: str = value
    if "\n" in text or "\r" in text:
        text = _NEWLINE.sub(" ", text)
    return text.replace("\0", "\ufffd") if "\0" in text else text


def attributes(node: Json) -> Json:
    attrs = node.get("attrs")
    return attrs if isinstance(attrs, dict) else {}


@dataclass(slots=True)
class _Piece:
    """A stretch of equal marks: text, or `raw` Markdown such as an image, or (text None) a break."""

    text: str | None
    marks: frozenset[Mark]
    raw: bool = False

    @property
    def loose(self) -> bool:
        """Whether white space at its edges may move or go: that of code and of raw Markdown may not."""
        return self.text is not None and not self.raw and _CODE not in self.marks

    @property
    def space(self) -> bool:
        return self.text is not None and self.text.isspace() and self.loose


_NO_MARKS: Final[frozenset[Mark]] = frozenset()


def _pieces(nodes: Iterable[Any]) -> list[_Piece]:
    pieces: list[_Piece] = []
    waiting = list(nodes)[::-1]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        kind = node.get("type")
        if kind == "text":
            _add(pieces, _clean(node.get("text")), _marks(node))
        elif kind == "hardBreak":
            pieces.append(_Piece(None, _NO_MARKS))
        elif kind == "mention":
            attrs = attributes(node)
            label = attrs.get("label") or attrs.get("id") or ""
            _add(pieces, "@" + _clean(str(label)), _marks(node))
        elif kind == "image":
            image = _image(attributes(node))
            if image:
                pieces.append(_Piece(image, _marks(node), raw=True))
            else:
                _add(pieces, _clean(attributes(node).get("alt")), _marks(node))
        elif isinstance(content := node.get("content"), list):
            waiting += content[::-1]
    return pieces


def _add(pieces: list[_Piece], text: str, marks: frozenset[Mark]) -> None:
    if not text:
        return
    last = pieces[-1] if pieces else None
    if last and last.text is not None and not last.raw and last.marks == marks:
        last.text += text
    else:
        pieces.append(_Piece(text, marks))


def _marks(node: Json) -> frozenset[Mark]:
    marks: set[Mark] = set()
    linked = False
    for mark in node.get("marks") or ():
        name = mark.get("type")
        if name in WRITTEN:
            marks.add((name,))
        elif name == "link" and not linked:
            attrs = attributes(mark)
            href = attrs.get("href")
            if isinstance(href, str) and safe_link(href):
                linked = True
                marks.add(("link", f"]({destination(href)}{_title(attrs)})"))
    return frozenset(marks) if marks else _NO_MARKS


def _title(attrs: Json) -> str:
    title = attrs.get("title")
    words = " ".join(_clean(title).split())
    return f' "{_IN_TITLE.sub(_BACKSLASH, words)}"' if words else ""


def _image(attrs: Json) -> str:
    """Empty when its source is none that a reader should load."""
    source = attrs.get("src")
    if not isinstance(source, str):
        source = ""
    alt = escaped_markdown(_clean(attrs.get("alt")))
    return f"![{alt}]({destination(source)}{_title(attrs)})" if safe_image(source) else ""


def _spaced(pieces: list[_Piece]) -> list[_Piece]:
    """White space at the edge of a mark becomes a piece of its own, under the marks that both its neighbours share."""
    if all(not piece.marks for piece in pieces):
        return pieces
    split: list[_Piece] = []
    for piece in pieces:
        if piece.text is None or not piece.loose or not (piece.marks or piece.space):
            split.append(piece)
            continue
        core = piece.text.strip()
        start = piece.text.find(core) if core else len(piece.text)
        for text in (piece.text[:start], core, piece.text[start + len(core) :]):
            if text.isspace() and split and split[-1].space:
                split[-1].text = f"{split[-1].text}{text}"
                split[-1].marks &= piece.marks
            elif text:
                split.append(_Piece(text, piece.marks))
    return _with_marked_spaces(split)


def _with_marked_spaces(split: list[_Piece]) -> list[_Piece]:
    after: list[frozenset[Mark]] = [_NO_MARKS] * len(split)
    marks = _NO_MARKS
    for index in range(len(split) - 1, -1, -1):
        after[index] = marks
        if not split[index].space:
            marks = split[index].marks
    joined: list[_Piece] = []
    before = _NO_MARKS
    for index, piece in enumerate(split):
        if piece.space:
            piece.marks &= before & after[index]
        if joined and _one(joined[-1], piece, before, after[index]):
            joined[-1].text = f"{joined[-1].text}{piece.text}"
        else:
            joined.append(piece)
        if not piece.space:
            before = piece.marks
    return joined


def _one(last: _Piece, piece: _Piece, before: frozenset[Mark], after: frozenset[Mark]) -> bool:
    """Whether the piece goes on where the last one ends; a mark must not be opened again before a space."""
    if last.text is None or piece.text is None or last.raw or piece.raw or last.marks != piece.marks:
        return False
    if not piece.marks:
        return True
    return piece.marks == before == after if piece.space else not last.space


def _trimmed(pieces: list[_Piece]) -> list[_Piece]:
    """No white space beside breaks, and neither at the ends."""
    kept: list[_Piece] = []
    for piece in pieces:
        if piece.text is not None and piece.loose and (not kept or kept[-1].text is None):
            piece.text = piece.text.lstrip(SPACES)
        if piece.text is None:
            _strip_end(kept)
        if piece.text or (piece.text is None and kept):
            kept.append(piece)
    _strip_end(kept)
    while kept and kept[-1].text is None:
        kept.pop()
    return kept


def _strip_end(kept: list[_Piece]) -> None:
    while kept and kept[-1].text is not None and kept[-1].loose:
        kept[-1].text = kept[-1].text.rstrip(SPACES)
        if kept[-1].text:
            return
        kept.pop()


@dataclass(slots=True)
class _Span:
    """One mark from where it opens to where it closes; the numbers are places in the list of tokens."""

    mark: Mark
    opened: int
    closed: int = -1
    tag: bool = False


def _assembled(pieces: list[_Piece], hard_break: str) -> str:
    tokens: list[str] = []
    spans: list[_Span] = []
    stack: list[_Span] = []
    ends = _ends(pieces)
    for index, piece in enumerate(pieces):
        wanted = piece.marks - {_CODE}
        keep = next((at for at, span in enumerate(stack) if span.mark not in wanted), len(stack))
        while len(stack) > keep:
            _close(stack.pop(), tokens)
        if not piece.space:
            missing = wanted - {span.mark for span in stack}
            for mark in sorted(missing, key=lambda mark: (-ends[index][mark], mark[0] != "link", mark)):
                if mark[0] == "link" and tokens and tokens[-1].endswith("!"):
                    tokens[-1] = tokens[-1][:-1] + "\\!"
                span = _Span(mark, len(tokens))
                tokens.append(_opening(mark))
                stack.append(span)
                if mark[0] in _FLEXIBLE:
                    spans.append(span)
        tokens.append(_written(piece, hard_break))
    while stack:
        _close(stack.pop(), tokens)
    if spans:
        _settle(tokens, spans)
    return "".join(tokens)


def _ends(pieces: list[_Piece]) -> list[dict[Mark, int]]:
    """For each piece and each of its marks, where the mark's unbroken stretch ends."""
    ends: list[dict[Mark, int]] = [{} for _ in pieces]
    following: dict[Mark, int] = {}
    for index in range(len(pieces) - 1, -1, -1):
        following = {mark: following.get(mark, index + 1) for mark in pieces[index].marks}
        ends[index] = following
    return ends


def _opening(mark: Mark) -> str:
    name = mark[0]
    return "[" if name == "link" else _FLEXIBLE[name][0] if name in _FLEXIBLE else f"<{_TAGS[name]}>"


def _close(span: _Span, tokens: list[str]) -> None:
    name = span.mark[0]
    span.closed = len(tokens)
    tokens.append(span.mark[1] if name == "link" else _FLEXIBLE[name][0] if name in _FLEXIBLE else f"</{_TAGS[name]}>")


def _written(piece: _Piece, hard_break: str) -> str:
    if piece.text is None:
        return hard_break
    if piece.raw:
        return piece.text
    return _code_span(piece.text) if _CODE in piece.marks else escaped_markdown(piece.text)


def _code_span(text: str) -> str:
    fence = "`"
    runs = set(re.findall("`+", text))
    while fence in runs:
        fence += "`"
    # readers take one space from both ends of what has one there, unless it is spaces alone
    stripped = text[0] == text[-1] == " " and text.strip(" ")
    pad = " " if stripped or text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _settle(tokens: list[str], spans: list[_Span]) -> None:
    """Turn into tags the marks whose delimiters a reader could take for something else.

    A tag can spoil only the delimiters right outside it, so the rounds are no more than marks lie in each other.
    """
    while doubtful := _doubtful(tokens, [span for span in spans if not span.tag]):
        for span in doubtful:
            name = _FLEXIBLE[span.mark[0]][1]
            span.tag = True
            tokens[span.opened], tokens[span.closed] = f"<{name}>", f"</{name}>"


def _doubtful(tokens: list[str], spans: list[_Span]) -> list[_Span]:
    opening, closing = {span.opened for span in spans}, {span.closed for span in spans}
    found: list[_Span] = []
    around: dict[str, list[int]] = {"*": [], "~": []}  # where the open spans of each delimiter close
    for span in spans:
        char = tokens[span.opened][0]
        while around[char] and around[char][-1] < span.opened:
            around[char].pop()

        def same(places: set[int], at: int, char: str = char) -> bool:
            return at in places and tokens[at][0] == char

        begins, ends = same(opening, span.opened - 1), same(closing, span.closed + 1)  # is the inner one of two
        opened, closed = same(opening, span.opened + 1), same(closing, span.closed - 1)  # is the outer one of two
        first = _flanks(_last(tokens, span.opened - 1 - begins), _first(tokens, span.opened + 1 + opened))
        final = _flanks(_first(tokens, span.closed + 1 + ends), _last(tokens, span.closed - 1 - closed))
        needed = _ONE_SIDED if around[char] or begins or ends or opened or closed else _BOTH_SIDED
        # where two share a run that will not do, the outer one gives way, and frees the inner
        if (first < needed and not begins) or (final < needed and not ends) or same(closing, span.opened - 1):
            found.append(span)
        around[char].append(span.closed)
    return found


def _first(tokens: list[str], at: int) -> str:
    return tokens[at][0] if at < len(tokens) else " "


def _last(tokens: list[str], at: int) -> str:
    return tokens[at][-1] if at >= 0 else " "


_BOTH_SIDED, _ONE_SIDED = 1, 2


def _flanks(outside: str, inside: str) -> int:
    """0: no delimiter can stand here; 1: it may open and close alike; 2: it can only be what is meant."""
    return min(_flanks_strictly(outside, inside), _flanks_as_read(outside, inside))


def _flanks_as_read(outside: str, inside: str) -> int:
    """As our reader has it, beside Chinese, Japanese and Korean text."""
    return (_BOTH_SIDED if flanks(inside, outside) else _ONE_SIDED) if flanks(outside, inside) else 0


def _flanks_strictly(outside: str, inside: str) -> int:
    """As CommonMark has it.

    Editions differ on whether symbols count as punctuation: outside they are taken for letters, inside for punctuation,
    which is the worse case on either side.
    """
    outer, inner = _kind(outside), _kind(inside)
    if outer == "space":
        return _ONE_SIDED
    if inner == "letter":
        return _ONE_SIDED if outer == "punctuation" else _BOTH_SIDED
    return _BOTH_SIDED if outer == "punctuation" else 0


_ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@lru_cache(maxsize=4096)
def _kind(char: str) -> str:
    if char in " \t\n":
        return "space"
    if char in _ASCII_PUNCTUATION:
        return "punctuation"
    category = unicodedata.category(char)
    return {"Z": "space" if category == "Zs" else "letter", "P": "punctuation", "S": "symbol"}.get(
        category[0], "letter"
    )
