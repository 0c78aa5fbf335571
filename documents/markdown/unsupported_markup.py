"""Collects what Markdown and HTML say that the schema has no place for, so that the answer to an edit tells it."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

MAX_NAMES: Final = 100  # of one text
_VALUE: Final = re.compile("\"[^\"]*\"|'[^']*'")
_NAME: Final = re.compile(r"[\s/]([A-Za-z][\w:.-]*)")
_TAKEN: Final[Mapping[str, frozenset[str]]] = {
    "a": frozenset({"href", "title"}),
    "img": frozenset({"src", "alt", "title"}),
    "ol": frozenset({"start"}),
    "td": frozenset({"align"}),
    "th": frozenset({"align"}),
    "pre": frozenset({"lang", "class"}),
    "code": frozenset({"class"}),
}


class Unsayable(StrEnum):
    """Attribute, mark or node that one of Markdown and the schema cannot express."""

    mark = "mark"
    attribute = "attribute"
    node = "node"


class UnsupportedMarkup:
    """What a text says and the document does not: `found` are kinds and names, of HTML as it names them."""

    __slots__ = ("found",)

    def __init__(self) -> None:
        self.found: set[tuple[Unsayable, str]] = set()

    def add(self, what: Unsayable, name: str) -> None:
        if len(self.found) < MAX_NAMES:
            self.found.add((what, name[:MAX_NAMES]))

    def node(self, name: str) -> None:
        self.add(Unsayable.node, name)

    def attributes(self, tag: str, names: Iterable[str]) -> None:
        """Add those attributes of a tag that are not taken."""
        for name in names:
            if name not in _TAKEN.get(tag, ()):
                self.add(Unsayable.attribute, name)

    def written(self, tag: str, raw: str) -> None:
        """Add those attributes of a tag, as it is written, that are not taken."""
        self.attributes(tag, (name.lower() for name in _NAME.findall(_VALUE.sub('""', raw))))

    def comments(self, raw: str) -> None:
        if "<!--" in raw:
            self.node("comment")

    def link_around_image(self) -> None:
        self.add(Unsayable.mark, "link")
