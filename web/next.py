"""Where to go on after signing in: a path of our own, whatever the address asks for."""

import re
from typing import Final

START: Final = "/"
ASKED: Final = "/oauth/authorize?"  # where applications send people
LONGEST: Final = 4_000
# one slash, then nothing that a browser would read as another host, drop or translate
_own: Final = re.compile(r"/(?![/\\])[!-\[\]-~]*")


def own_path(text: str | None) -> str:
    """Return `text` where it is a path of this site, with its query; else the start."""
    if text is None or len(text) > LONGEST or _own.fullmatch(text) is None:
        return START
    return text
