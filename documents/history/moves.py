"""Finds the text that one update moves: text that it both deletes and inserts.

Yjs cannot move anything. Where an editor splits, joins, retypes or moves a block, it deletes the text and writes it again, under the
client of whoever did that. Inserted letters are moved where the same update deletes them elsewhere, and

- they are the whole text of a text node, before the update or after it, or end or begin what it deletes and are one after it; or
- they belong to a run of at least MIN_WORDS whole words and MIN_LETTERS characters that is deleted in the same order.

The longest runs are matched first, and of equal ones the first in the document; each deleted letter is moved once. All that is less
is new writing, whoever wrote the same word before.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

import regex

from documents.history.copied_text import Copied
from documents.history.credits import Credits
from documents.history.item_runs import Piece, Pieces
from documents.yjs.item_list import Branch, Items
from documents.yjs.scan import TEXT, Id

MIN_WORDS: Final = 2
MIN_LETTERS: Final = 12  # characters that are no white space
LEAST_OF_TWO_WORDS: Final = 3  # characters side by side: those of two words, at least, and the space between them
MAX_LOOKS: Final = 2**22  # at pieces of text nodes, one look for each edit of each; what takes more is no move
MAX_ALIKE: Final = 8  # places of deleted text that are compared with one place of inserted text

# Words, each letter of a script without spaces, and what stands between them.
_TOKEN: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]|[\w\p{M}]+|\s+|.", regex.DOTALL
)
_IS_WORD: Final = regex.compile(r"[\w\p{M}]")
_NODE: Final = "\ufffc"  # stands for a node among letters
_WIDEST: Final = "\uffff"  # of what takes one unit of UTF-16


@dataclass(slots=True)
class Node:
    """All that a text node says before an update or after it. `ids` begin its parts, each of which goes on up to its place of `ends`.

    `ends` are in units of UTF-16. `stretches` is what the update deletes or inserts of it.
    """

    text: str
    ids: list[Id]
    ends: list[int]
    stretches: "list[Stretch]" = field(default_factory=list)
    _units: list[int] | None = None

    def touch(self, start: int, stop: int) -> None:
        """Add a stretch that the update deletes or inserts."""
        low, high = start, stop
        while low and _goes_on(self.text, low):
            low -= 1
        while high < len(self.text) and _goes_on(self.text, high):
            high += 1
        self.stretches.append(Stretch(self, start, stop, low, self.text[low:high]))

    def runs(self, start: int, stop: int) -> Iterator[tuple[Id, int]]:
        """Yield the ids of what stands from `start` up to `stop`, each with how many units go on from it."""
        low, high = self._unit(start), self._unit(stop)
        place = bisect_right(self.ends, low)
        while low < high:
            (client, clock), begin = self.ids[place], self.ends[place - 1] if place else 0
            end = min(high, self.ends[place])
            yield (client, clock + low - begin), end - low
            low, place = end, place + 1

    def _unit(self, place: int) -> int:
        if len(self.text) == (self.ends[-1] if self.ends else 0):
            return place
        if self._units is None:
            self._units = [*accumulate((1 + (letter > _WIDEST) for letter in self.text), initial=0)]
        return self._units[place]


@dataclass(slots=True)
class Stretch:
    """Letters side by side in a text node, from `start` up to `stop`, that an update deletes or inserts.

    `text` goes on over the rest of a word that stays: it is what the node says from `low` on.
    """

    node: Node
    start: int
    stop: int
    low: int
    text: str

    @property
    def whole(self) -> bool:
        return self.stop - self.start == len(self.node.text)

    @property
    def own(self) -> str:
        return self.node.text[self.start : self.stop]


@dataclass(slots=True)
class TextEdits:
    """The text nodes in which an update deletes letters, as they are before it, and those in which it inserts some, as after it."""

    before: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)


def moves(items: Items, credits_: Credits, edits: AbstractSet[int]) -> dict[int, tuple[Copied, ...]]:
    """Return the text that each of these edits moved, those that moved none left out.

    `credits_` names each edit by a number; these rise in the order in which the edits were made.
    """
    look = _Look(Pieces(credits_), edits)
    for root in items.roots.values():
        look.at(root)
    return {number: copied for number, edit in look.found().items() if (copied := tuple(sorted(moved_letters(edit))))}


class _Look:
    """Goes through a document in its order, and gathers the text nodes that each edit changed."""

    def __init__(self, cut: Pieces, edits: AbstractSet[int]) -> None:
        self._cut = cut
        self._edits = edits
        self._texts: list[_TextEdited] = []
        self._left = MAX_LOOKS

    def at(self, root: Branch) -> None:
        waiting: list[tuple[Branch, int | None]] = [(root, None)]
        while waiting:
            branch, gone = waiting.pop()
            pieces = self._cut.of(branch, gone)
            text = _TextEdited([piece for piece in pieces if piece.is_countable], self._edits)
            if text.edits:
                self._texts.append(text)
            waiting += [(piece.item.branch, piece.deleted) for piece in reversed(pieces) if piece.item.branch]

    def found(self) -> dict[int, TextEdits]:
        """Return what each edit did that may have moved text."""
        found: dict[int, TextEdits] = defaultdict(TextEdits)
        count = Counter(number for text in self._texts for number in text.edits)
        for text in self._texts:
            for number in text.edits:
                if count[number] == 1 and text.is_too_little(number):
                    continue
                self._left -= len(text.pieces)
                if self._left < 0:
                    break
                text.add_to(found[number], number)
        return found


class _TextEdited:
    """The pieces of one text node, and those of the edits that inserted or deleted letters of it, in order."""

    def __init__(self, pieces: Sequence[Piece], edits: AbstractSet[int]) -> None:
        self.pieces = pieces
        self._inserted: Counter[int] = Counter()
        self._deleted: Counter[int] = Counter()
        for piece in pieces:
            if piece.item.kind == TEXT and piece.inserted != piece.deleted:
                self._inserted[piece.inserted] += piece.length
                if piece.deleted is not None:
                    self._deleted[piece.deleted] += piece.length
        self.edits = sorted((self._inserted.keys() | self._deleted.keys()) & edits)
        self._numbers: list[int] = []
        self._lengths: list[int] = []

    def is_too_little(self, number: int) -> bool:
        """Whether an edit that changes no other text node moves nothing: less than half goes, and what comes or goes has no two words."""
        inserted, deleted = self._inserted[number], self._deleted[number]
        return min(inserted, deleted) < LEAST_OF_TWO_WORDS and self._length(number - 1) > 2 * deleted

    def _length(self, number: int) -> int:
        """Return how many letters there are right after an edit."""
        if not self._numbers:
            grown = Counter(self._inserted)
            grown.subtract(self._deleted)
            self._numbers = sorted(grown)
            self._lengths = [*accumulate(grown[each] for each in self._numbers)]
        place = bisect_right(self._numbers, number)
        return self._lengths[place - 1] if place else 0

    def add_to(self, edit: TextEdits, number: int) -> None:
        """Add the text node, as it is before the edit with this number and after it."""
        if self._deleted[number]:
            seen = [piece for piece in self.pieces if piece.is_there(number - 1)]
            edit.before.append(_node(seen, lambda piece: piece.deleted == number))
        if self._inserted[number] and (seen := [piece for piece in self.pieces if piece.is_there(number)]):
            edit.after.append(_node(seen, lambda piece: piece.inserted == number))


def _node(pieces: Iterable[Piece], is_own: Callable[[Piece], bool]) -> Node:
    node = Node("", [], [])
    runs: list[tuple[bool, bytearray]] = []
    end = 0
    for piece in pieces:
        is_text = piece.item.kind == TEXT
        own = is_text and is_own(piece)
        if not runs or runs[-1][0] != own:
            runs.append((own, bytearray()))
        start = 2 * (piece.clock - piece.item.clock)
        runs[-1][1].extend(piece.item.data[start : start + 2 * piece.length] if is_text else _NODE.encode("utf-16-le"))
        end += piece.length if is_text else 1
        node.ids.append(piece.id)
        node.ends.append(end)
    said = [data.decode("utf-16-le", "surrogatepass") for _, data in runs]
    node.text = "".join(said)
    at = 0
    for (own, _), letters in zip(runs, said, strict=True):
        start, stop = at, at + len(letters)
        if own:
            node.touch(start, stop)
        at = stop
    return node


def _goes_on(text: str, at: int) -> bool:
    """Whether a word goes on over a place between two characters."""
    return bool(_IS_WORD.match(text[at - 1]) and _IS_WORD.match(text[at]))


class Moved(NamedTuple):
    """Text of a node after an update, from the character `start` on, that was in another before it, from `begin` on."""

    node: Node
    start: int
    gone: Node
    begin: int
    length: int


def moved_text(edit: TextEdits) -> list[Moved]:
    """Return the inserted text that is moved."""
    match = _Match(edit)
    if match.inserted and match.deleted:
        match.nodes()
        match.stretches()
        match.remainders()
        match.runs()
    return match.found


def moved_letters(edit: TextEdits) -> Iterator[Copied]:
    """Yield the inserted letters that are moved, with those that they are."""
    for node, start, gone, begin, length in moved_text(edit):
        sources = gone.runs(begin, begin + length)
        of, left = next(sources)
        for (client, first), units in node.runs(start, start + length):
            clock, end = first, first + units
            while clock < end:
                part = min(end - clock, left)
                yield Copied(client, clock, part, of)
                clock, left, of = clock + part, left - part, (of[0], of[1] + part)
                if not left:
                    of, left = next(sources, (of, end))


type _Run = tuple[int, int, int, int, int]
"""The number of an inserted stretch and a place in its text, those of a deleted one, and the length of the same text there."""


class _Match:
    """Finds what is moved."""

    def __init__(self, edit: TextEdits) -> None:
        self._edit = edit
        self.inserted = [stretch for node in edit.after for stretch in node.stretches]
        self.deleted = [stretch for node in edit.before for stretch in node.stretches]
        self.found: list[Moved] = []
        self._taken = [_mask(each) for each in self.inserted], [_mask(each) for each in self.deleted]

    def nodes(self) -> None:
        """Take text nodes that say the same as another did before, most of which is deleted.

        An editor that swaps two paragraphs leaves the letters in which both end where they are.
        """
        numbers = [*accumulate((len(node.stretches) for node in self._edit.after), initial=0)]
        others = [*accumulate((len(node.stretches) for node in self._edit.before), initial=0)]
        for says in (_exactly, _but_for_spaces):
            places = _places(self._edit.before, lambda node: says(node.text))  # noqa: B023
            for at, node in enumerate(self._edit.after):
                said = says(node.text)
                free = places.get(said) if said else None
                if not free or self._is_taken(self._taken[0], node, numbers[at]):
                    continue
                other = free.pop(0)
                gone = self._edit.before[other]
                is_left = 2 * sum(each.stop - each.start for each in gone.stretches) < len(gone.text)
                if is_left or self._is_taken(self._taken[1], gone, others[other]):
                    continue
                begin = gone.text.find(said) - node.text.find(said)
                for number, stretch in enumerate(node.stretches, start=numbers[at]):
                    start, stop = (
                        max(0, min(place + begin, len(gone.text))) for place in (stretch.start, stretch.stop)
                    )
                    if start < stop:
                        self.found.append(Moved(node, start - begin, gone, start, stop - start))
                    self._fill(self._taken[0][number])
                for number in range(others[other], others[other + 1]):
                    self._fill(self._taken[1][number])

    def _is_taken(self, taken: Sequence[bytearray], node: Node, number: int) -> bool:
        return any(
            all(taken[number + at][stretch.start - stretch.low : stretch.stop - stretch.low])
            for at, stretch in enumerate(node.stretches)
        )

    def _fill(self, mask: bytearray) -> None:
        mask[:] = b"\1" * len(mask)

    def stretches(self) -> None:
        """Take stretches that are equal, where one of them is all that a text node says."""
        for says in (_exactly, _but_for_spaces):
            places = _places(self.deleted, lambda stretch: says(stretch.own))  # noqa: B023
            every = {said: deque(found) for said, found in places.items() if said}
            whole = {
                said: deque(other for other in found if self.deleted[other].whole) for said, found in every.items()
            }
            for at, stretch in enumerate(self.inserted):
                said = says(stretch.own)
                waiting = (every if stretch.whole else whole).get(said)
                if not waiting:
                    continue
                start = stretch.own.find(said) + stretch.start - stretch.low
                if any(self._taken[0][at][start : start + len(said)]):
                    continue
                while waiting:  # what is taken stays so
                    other = waiting.popleft()
                    gone = self.deleted[other]
                    run = at, start, other, gone.own.find(said) + gone.start - gone.low, len(said)
                    if self._is_free(run):
                        self._take(run)
                        break

    def remainders(self) -> None:
        """Take new text nodes that say what a deleted stretch ends or begins with: the rest of it was selected, and replaced."""
        begins: dict[str, list[int]] = defaultdict(list)
        ends: dict[str, list[int]] = defaultdict(list)
        for other, gone in enumerate(self.deleted):
            tokens = _borders(gone.own)
            for places, name in ((begins, gone.own[: tokens[1]]), (ends, gone.own[tokens[-2] :])):
                if len(places[name]) < MAX_ALIKE:
                    places[name].append(other)
        for at, stretch in enumerate(self.inserted):
            if not stretch.whole or not stretch.text.strip():
                continue
            tokens, length = _borders(stretch.text), len(stretch.text)
            found = [
                (other, len(self.deleted[other].own) - length) for other in ends.get(stretch.text[tokens[-2] :], ())
            ]
            found += [(other, 0) for other in begins.get(stretch.text[: tokens[1]], ())]
            for other, begin in found:
                gone = self.deleted[other]
                run = at, 0, other, begin + gone.start - gone.low, length
                if begin >= 0 and _is_apart(gone.own, begin, stretch.text) and self._is_free(run):
                    self._take(run)
                    break

    def runs(self) -> None:
        """Take the runs that are long enough, from the longest on, and of each what longer ones left."""
        for run in sorted(self._common_runs(), key=lambda run: (-run[4], run)):
            for rest in [*self._left(run)]:
                self._take(rest)

    def _take(self, run: _Run) -> None:
        at, start, other, begin, length = run
        self._taken[0][at][start : start + length] = b"\1" * length
        self._taken[1][other][begin : begin + length] = b"\1" * length
        inserted, deleted = self.inserted[at], self.deleted[other]
        self.found.append(Moved(inserted.node, start + inserted.low, deleted.node, begin + deleted.low, length))

    def _is_free(self, run: _Run) -> bool:
        at, start, other, begin, length = run
        taken = self._taken[0][at][start : start + length] + self._taken[1][other][begin : begin + length]
        return not any(taken)

    def _left(self, run: _Run) -> Iterator[_Run]:
        """Yield what of a run is free on both sides."""
        at, start, other, begin, length = run
        ones, others = self._taken[0][at], self._taken[1][other]
        first = 0
        for place in range(length + 1):
            if place == length or ones[start + place] or others[begin + place]:
                if first < place:
                    yield at, start + first, other, begin + first, place - first
                first = place + 1

    def _common_runs(self) -> Iterator[_Run]:
        """Yield the runs that are long enough and could be no longer, in whole words."""
        seeds: dict[str, list[tuple[int, int]]] = defaultdict(list)
        borders = [_borders(stretch.text) for stretch in self.deleted]
        for other, stretch in enumerate(self.deleted):
            for start, stop in _seeds(stretch.text, borders[other]):
                found = seeds[stretch.text[start:stop]]
                if len(found) < MAX_ALIKE:
                    found.append((other, start))
        if not seeds:
            return
        for at, stretch in enumerate(self.inserted):
            own = _borders(stretch.text)
            known: dict[tuple[int, int], int] = {}  # up to where the run on a diagonal goes
            for start, stop in _seeds(stretch.text, own):
                for other, begin in seeds.get(stretch.text[start:stop], ()):
                    diagonal = other, start - begin
                    if known.get(diagonal, -1) < start:
                        run = _extended(stretch.text, self.deleted[other].text, start, begin, stop - start)
                        known[diagonal] = run[0] + run[2]
                        first, second, length = _in_words(run, own, borders[other])
                        yield at, first, other, second, length


def _exactly(text: str) -> str:
    return text


def _but_for_spaces(text: str) -> str:
    return text.strip()


def _places[T](of: Sequence[T], says: Callable[[T], str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(of):
        places[says(each)].append(at)
    return places


def _mask(stretch: Stretch) -> bytearray:
    """Return which characters of a stretch are taken: at first, the rest of a word that stays."""
    mask = bytearray(b"\1" * len(stretch.text))
    mask[stretch.start - stretch.low : stretch.stop - stretch.low] = bytes(stretch.stop - stretch.start)
    return mask


def _is_apart(text: str, at: int, said: str) -> bool:
    """Whether a text says something at a place, and no word goes over its ends."""
    ends = at, at + len(said)
    return text.startswith(said, at) and not any(0 < end < len(text) and _goes_on(text, end) for end in ends)


def _borders(text: str) -> list[int]:
    """Return where the tokens of a text begin and end."""
    return [0, *accumulate(map(len, _TOKEN.findall(text)))]


def _seeds(text: str, borders: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the shortest runs from each word on that are long enough to be moved."""
    words = [bool(_IS_WORD.match(text[start])) for start in borders[:-1]]
    sizes = (0 if text[start].isspace() else stop - start for start, stop in pairwise(borders))
    letters, count = [*accumulate(sizes, initial=0)], [*accumulate(words, initial=0)]
    stop = 0
    for place, is_word in enumerate(words):
        if not is_word:
            continue
        while stop < len(words) and not _are_enough(count[stop] - count[place], letters[stop] - letters[place]):
            stop += 1
        if not _are_enough(count[stop] - count[place], letters[stop] - letters[place]):
            return
        yield borders[place], borders[stop]


def _are_enough(words: int, letters: int) -> bool:
    return words >= MIN_WORDS and letters >= MIN_LETTERS


def _extended(one: str, other: str, start: int, begin: int, length: int) -> tuple[int, int, int]:
    """Return the longest common run around an equal one: where it begins in both, and its length."""
    while start and begin and one[start - 1] == other[begin - 1]:
        start, begin, length = start - 1, begin - 1, length + 1
    step = 1
    while step:  # doubled while it is equal, then halved
        part = one[start + length : start + length + step]
        if len(part) == step and part == other[begin + length : begin + length + step]:
            length += step
            step *= 2
        else:
            step //= 2
    return start, begin, length


def _in_words(run: tuple[int, int, int], own: Sequence[int], others: Sequence[int]) -> tuple[int, int, int]:
    """Return a run cut to whole tokens of both texts."""
    start, begin, length = run
    first, second = _inside(own, start, length), _inside(others, begin, length)
    both = {each - start for each in first} & {each - begin for each in second}
    low, high = min(both), max(both)
    return start + low, begin + low, high - low


def _inside(borders: Sequence[int], start: int, length: int) -> Sequence[int]:
    return borders[bisect_left(borders, start) : bisect_right(borders, start + length)]


def are_one_word(one: str, other: str) -> bool:
    """Whether two letters side by side are of one word; an empty string is no letter."""
    return bool(one and other and _IS_WORD.match(one) and len(_TOKEN.findall(one + other)) == 1)
