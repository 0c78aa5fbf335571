"""Lists the words that differ from a word by one typing error: a letter that is another, missing or too many, or two swapped.

They are made of the letters of the word's script and looked up, so that no list of all words is read, and each document answers
for itself. Letters of Korean are those that a syllable is made of. Numbers have no errors: another number is another thing.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

MIN_LETTERS: Final = 5  # of a word that may have an error
MAX_LETTERS: Final = 24
# The letters of scripts, as folded words have them; of others only missing and swapped letters are found.
_ALPHABETS: Final = (
    (("a", "z"),),
    (("\u03b1", "\u03c9"),),  # Greek
    (("\u0430", "\u045f"),),  # Cyrillic
    (("\u0561", "\u0586"),),  # Armenian
    (("\u05d0", "\u05ea"),),  # Hebrew
    (("\u0621", "\u064a"), ("\u067e", "\u067e"), ("\u0686", "\u0686"), ("\u0698", "\u0698"), ("\u06a9", "\u06af"), ("\u06cc", "\u06cc")),
    *(((chr(block), chr(block + 0x7F)),) for block in range(0x900, 0xE00, 0x80)),  # of India
    (("\u10d0", "\u10f0"),),  # Georgian
    (("\u1100", "\u1112"), ("\u1161", "\u1175"), ("\u11a8", "\u11c2")),  # Korean: first consonants, vowels, last consonants
)  # fmt: skip
_SYLLABLES: Final = ("\uac00", "\ud7a3")
_PART_OF_SYLLABLE: Final = re.compile("[\u1100-\u11ff]")


class Misspelled(NamedTuple):
    """A word that differs by one error; `begun`: so does what a longer word begins with."""

    word: str
    begun: bool


def misspelled(word: str) -> Sequence[Misspelled]:
    """Return the words that differ from a folded word by one error; none of a short or very long one, or of a number."""
    letters = _letters(word)
    if not MIN_LETTERS <= len(letters) <= MAX_LETTERS or any(
        unicodedata.category(each)[0] not in "LM" for each in word
    ):
        return ()
    found = {unicodedata.normalize("NFC", each.word): each.begun for each in _edited(letters)}
    found.pop(word, None)
    return [Misspelled(each, begun) for each, begun in found.items() if not _PART_OF_SYLLABLE.search(each)]


def _letters(word: str) -> str:
    low, high = _SYLLABLES
    return "".join(unicodedata.normalize("NFD", each) if low <= each <= high else each for each in word)


def _edited(letters: str) -> Iterator[Misspelled]:
    last = len(letters) - 1
    for at, letter in enumerate(letters):
        before, after = letters[:at], letters[at + 1 :]
        # Without its last letter the word is the beginning of every other that has another letter there.
        yield Misspelled(before + after, begun=at != last)
        for other in _alphabet(letter):
            yield Misspelled(before + other + after, begun=True)
            yield Misspelled(before + other + letter + after, begun=True)
        if at != last and letter != letters[at + 1]:
            yield Misspelled(before + letters[at + 1] + letter + letters[at + 2 :], begun=True)


@cache
def _alphabet(letter: str) -> str:
    """Return the letters among which this one is; none where they are too many."""
    for ranges in _ALPHABETS:
        if any(low <= letter <= high for low, high in ranges):
            codes = (code for low, high in ranges for code in range(ord(low), ord(high) + 1))
            return "".join(each for each in map(chr, codes) if unicodedata.category(each)[0] in "LM")
    return ""
