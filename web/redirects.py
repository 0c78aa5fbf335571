"""Validates the paths that pages redirect to after a form."""

import re
from typing import Final

HOME: Final = "/"
AUTHORIZE: Final = "/oauth/authorize?"  # where applications send people
MAX_PATH: Final = 4_000
# one slash, then nothing that a browser would read as another host, drop or translate
_own: Final = re.compile(r"/(?![/\\])[!-\[\]-~]*")


def own_path(text: str | None) -> str:
    """Return `text` where it is a path of this site, with its query; else the home page."""
    if text is None or len(text) > MAX_PATH or _own.fullmatch(text) is None:
        return HOME
    return text
