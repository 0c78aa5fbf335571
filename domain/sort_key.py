"""Sort key of a name: text that compares by code point as people order the names.

Case and accents only break ties, and runs of digits compare as numbers: `apple`, `Ápple`, `file 9`, `File 10`, `Zebra`.
A change of this function needs a migration that writes the stored keys again.
"""

import re
from typing import Final
from unicodedata import category, combining, normalize

from domain.values import NAME_LENGTH

# Less than all that a name may hold, so that a name comes before those that begin with it.
_END: Final = "\x01"
# With the name itself, 1,020 bytes at most, and two ids it is what an entry of a B-tree of PostgreSQL may hold: 2,704.
MAX_FOLDED_BYTES: Final = 1_000
# Letters that Unicode takes for letters of their own, where most people see one of these with a stroke, or two joined.
LETTERS: Final = str.maketrans({"đ": "d", "ħ": "h", "\u0131": "i", "ł": "l", "ø": "o", "ŧ": "t", "æ": "ae", "œ": "oe"})
_digits = re.compile(r"\d+")


def sort_key(name: str) -> str:
    """Return the sort key of a name of at most 255 code points (the rest is ignored).

    INVARIANT: two different names have different keys, and every key is greater than the empty text.
    """
    name = name[:NAME_LENGTH]  # normalization takes quadratic time for long runs of marks
    folded = _digits.sub(_number, name.lower() if name.isascii() else _folded(name))
    if len(folded) * 4 > MAX_FOLDED_BYTES:
        folded = folded.encode()[:MAX_FOLDED_BYTES].decode(errors="ignore")
    return f"{folded}{_END}{name}"


def _folded(name: str) -> str:
    """Return the name without case, accents and invisible characters; composed again, which is shorter for Hangul."""
    bare = _bare(_bare(name).casefold()).translate(LETTERS)
    return normalize("NFC", bare)


def _bare(text: str) -> str:
    return "".join(filter(_is_seen, normalize("NFKD", text)))


def _is_seen(character: str) -> bool:
    """Whether a character is more than an accent; vowels of Indic scripts are, though Unicode calls them marks."""
    return not (combining(character) or category(character) in {"Me", "Cf"} or "\ufe00" <= character <= "\ufe0f")


def _number(digits: re.Match[str]) -> str:
    """Return digits behind how many they are: 0 to 8 as a digit, and a 9 before that for each nine more."""
    significant = str(int(digits[0]) or "")  # of any script; without zeros before it
    nines, rest = divmod(len(significant), 9)
    return f"{'9' * nines}{rest}{significant}"
