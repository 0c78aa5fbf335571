"""Where to go on after signing in: a path of our own, whatever the address asks for."""

import re
from typing import Final

START: Final = "/"
ASKED: Final = "/oauth/authorize?"  # where applications send people
MAX_LENGTH: Final = 4_000
_item: Final = re.compile(r"/(?:doc|folder|drive)/[0-9a-f-]{36}")
# one slash, then nothing that a browser would read as another host, drop or translate
_own: Final = re.compile(r"/(?![/\\])[!-\[\]-~]*")


def item_path(text: str | None) -> str | None:
    """Return `text` where it is the path of an item's page, which is all that a link we mail may lead on to.

    Anybody can ask for a letter to anybody, so no other path is put into one.
    """
    return text if text is not None and _item.fullmatch(text) else None


def going_on(path: str | None) -> str:
    """Return the query that says where to go on: to an item's page, or empty."""
    return f"?next={path}" if item_path(path) else ""


def own_path(text: str | None) -> str:
    """Return `text` where it is a path of this site, with its query; else the start."""
    if text is None or len(text) > MAX_LENGTH or _own.fullmatch(text) is None:
        return START
    return text
