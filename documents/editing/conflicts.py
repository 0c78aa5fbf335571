"""Tells which hunks of an edit conflict with what others changed since the edit's base: a three-way merge of one text by its ids.

A side is what one of two made of the letters of the base; which letters it kept is known from their Yjs ids, and not guessed. The
base is cut into slots: its words, and the gaps between these. A run of slots that one side changed is a hunk. A word that both sides
left alone stands between two hunks, which then cannot conflict.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, groupby
from typing import Final

from documents.editing.text_diff import WORD, counted, words_in
from documents.tree.tree import Json, append_text

NODE: Final = "\ufffc"  # stands for a node among letters


class Settled(StrEnum):
    """What a hunk is that conflicts with nothing: others made the same of the place, or nothing that matters to it."""

    already_done = "already_done"
    clean = "clean"


class ConflictClass(StrEnum):
    """Why a hunk of an edit conflicts with what others changed since its base."""

    deleted_by_others = "deleted_by_others"
    place_gone = "place_gone"
    others_inside = "others_inside"
    same_place = "same_place"
    attribute_changed = "attribute_changed"
    format_overlaps = "format_overlaps"


type Fate = Settled | ConflictClass


type _Changes = dict[str, Json | None]
"""By the name of each mark that changes: what it becomes, None where it is taken away."""


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of a text, with the marks of each; `nodes` lie among them, at their places, as `NODE`."""

    chars: str
    marks: Sequence[Sequence[Json]]
    nodes: dict[int, Json]

    def part(self, places: range) -> "Letters":
        low, high = places.start, places.stop
        nodes = {at - low: self.nodes[at] for at in places if at in self.nodes}
        return Letters(self.chars[low:high], self.marks[low:high], nodes)

    def content(self) -> list[Json]:
        made: list[Json] = []
        for at, char in enumerate(self.chars):
            if at in self.nodes:
                made.append(self.nodes[at])
            else:
                append_text(made, char, [*self.marks[at]])
        return made


@dataclass(frozen=True, slots=True)
class Side:
    """What one side made of a text: `kept` names for each of its letters that of the base, or is -1.

    `gaps` is for each of its letters the place in the base before which it stands.
    """

    letters: Letters
    kept: Sequence[int]
    gaps: Sequence[int]


@dataclass(slots=True)
class TextHunk:
    """A run of slots that an edit changes or, of `formats`, the letters of the base from `start` up to `stop`, whose marks it changes.

    `theirs` and `yours` are what the place says on both sides; `inserted` and `deleted` are the words that the edit writes and deletes.
    """

    slots: range
    fate: Fate = Settled.clean
    formats: bool = False
    theirs: list[Json] = field(default_factory=list)
    yours: list[Json] = field(default_factory=list)
    inserted: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)


def letters_of(content: Sequence[Json]) -> Letters:
    chars: list[str] = []
    marks: list[Sequence[Json]] = []
    nodes: dict[int, Json] = {}
    for node in content:
        if node["type"] == "text":
            chars.append(node["text"])
            marks += [node.get("marks", ())] * len(node["text"])
        else:
            nodes[len(marks)] = node
            chars.append(NODE)
            marks.append(())
    return Letters("".join(chars), marks, nodes)


def unchanged(letters: Letters) -> Side:
    places = range(len(letters.chars))
    return Side(letters, places, places)


def gone() -> Side:
    return Side(Letters("", (), {}), (), ())


class Comparison:
    """Three versions of one text. `hunks` are those of our side, with what each is beside theirs."""

    def __init__(self, base: Letters, ours: Side, theirs: Side, *, is_gone: bool = False) -> None:
        self._base = base
        self._spans = [found.span() for found in WORD.finditer(base.chars)]
        self._slots = [*self._slots_of_letters()]
        self._ours, self._theirs = _Changed(self, ours), _Changed(self, theirs)
        self.hunks = [
            TextHunk(
                run.slots,
                theirs=self._theirs.content(run.slots),
                yours=self._ours.content(run.slots),
                inserted=run.inserted,
                deleted=run.deleted,
            )
            for run in self._ours.runs
        ]
        formats = [*self._formats()]
        self._classify(is_gone=is_gone)
        self.hunks += formats
        self._check()

    @property
    def base(self) -> Letters:
        return self._base

    def slot(self, at: int) -> int:
        return self._slots[at]

    def slot_of_gap(self, gap: int) -> int:
        """Return the word that goes on over a place between letters, or the gap in which it lies."""
        if gap == len(self._slots):
            return 2 * len(self._spans)
        own = self._slots[gap]
        if not own % 2:
            return own
        return own if gap and self._slots[gap - 1] == own else own - 1

    def word(self, slot: int) -> range:
        """Return the places of the letters of a word."""
        return range(*self._spans[slot // 2])

    def _slots_of_letters(self) -> Iterator[int]:
        end = 0
        for number, (start, stop) in enumerate(self._spans):
            yield from [2 * number] * (start - end)
            yield from [2 * number + 1] * (stop - start)
            end = stop
        yield from [2 * len(self._spans)] * (len(self._base.chars) - end)

    def reduced(self, undone: Iterable[TextHunk]) -> Letters:
        """Return our side without these hunks."""
        slots: set[int] = set()
        formats: set[int] = set()
        for hunk in undone:
            (formats if hunk.formats else slots).update(hunk.slots)
        return self._ours.without(slots, formats).letters

    def _classify(self, *, is_gone: bool) -> None:
        ours, theirs = self._ours.runs, self._theirs.runs
        # Two runs that meet are one region, and so are those that meet it: by the numbers of the runs of both sides.
        regions = _connected(len(ours), len(theirs), self._meeting())
        for mine, others in regions:
            if not others:
                continue
            own, other = [ours[at] for at in mine], [theirs[at] for at in others]
            fate, region = self._fate(own, other), _region([*own, *other])
            for at in mine:
                self._settle(self.hunks[at], fate, region)
        if is_gone:
            for hunk in self.hunks:
                if hunk.fate is Settled.clean:
                    self._settle(hunk, ConflictClass.place_gone, hunk.slots)

    def _settle(self, hunk: TextHunk, fate: Fate, region: range) -> None:
        hunk.fate = fate
        hunk.theirs, hunk.yours = self._theirs.content(region), self._ours.content(region)

    def _meeting(self) -> Iterator[tuple[int, int]]:
        """Yield the runs of ours and theirs that meet.

        They change one slot, or insert at one place; or they lie side by side, and one inserts beside a word that the other deletes, or
        both have the same result.
        """
        ours, theirs = self._ours.runs, self._theirs.runs
        of_slot = {slot: at for at, run in enumerate(theirs) for slot in run.slots}
        of_gap = {gap: at for at, run in enumerate(theirs) for gap in run.gaps}
        for at, run in enumerate(ours):
            yield from ((at, of_slot[slot]) for slot in run.slots if slot in of_slot)
            yield from ((at, of_gap[gap]) for gap in run.gaps if gap in of_gap)
            for slot in (run.slots.start - 1, run.slots.stop):
                other = of_slot.get(slot)
                if other is not None and (_cross(run, theirs[other]) or self._is_same(_region([run, theirs[other]]))):
                    yield at, other

    def _is_same(self, region: range) -> bool:
        return self._ours.said(region).split() == self._theirs.said(region).split()

    def _fate(self, mine: "Sequence[_Run]", others: "Sequence[_Run]") -> Fate:
        region = _region([*mine, *others])
        if self._is_same(region):
            same = _drawn(self._ours.content(region)) == _drawn(self._theirs.content(region))
            return Settled.already_done if same else ConflictClass.format_overlaps
        lost = {at for run in mine for at in run.lost}
        lost_by_others = {at for run in others for at in run.lost}
        if not any(run.written for run in (*mine, *others)):
            done = all(at in lost_by_others or self._base.chars[at].isspace() for at in lost)
            return Settled.already_done if done else Settled.clean
        if any(self._slots[at] % 2 for at in lost & lost_by_others):
            return ConflictClass.deleted_by_others
        inserts = any(run.written for run in mine)
        if inserts and any(self._slots[at] % 2 for at in lost_by_others):
            return ConflictClass.place_gone
        return ConflictClass.same_place

    def _formats(self) -> Iterator[TextHunk]:
        base, ours, theirs = self._base, self._ours, self._theirs
        changes = [
            (at, _changes(base.marks[at], ours.marks(at)))
            for at in range(len(base.chars))
            if ours.keeps(at) and base.marks[at] != ours.marks(at)
        ]
        inserted = {gap for run in theirs.runs for gap in run.gaps}
        for span, made in self._stretches(changes):
            hunk = TextHunk(span, formats=True)
            there = [at for at in span if theirs.keeps(at)]
            if not there:
                hunk.fate = ConflictClass.place_gone
            elif any(self._is_inside(gap, span) for gap in inserted) or any(
                _clashes(made, _changes(base.marks[at], theirs.marks(at))) for at in there
            ):
                hunk.fate = ConflictClass.format_overlaps
            elif all(made == _changes(base.marks[at], theirs.marks(at)) for at in there):
                hunk.fate = Settled.already_done
            hunk.theirs, hunk.yours = theirs.between(span), ours.between(span)
            yield hunk

    def _stretches(self, changes: Iterable[tuple[int, _Changes]]) -> list[tuple[range, _Changes]]:
        """Return the runs of letters of which the same changes."""
        found: list[tuple[range, _Changes]] = []
        for at, made in changes:
            if found and found[-1][1] == made and self._are_beside(found[-1][0].stop - 1, at):
                found[-1] = range(found[-1][0].start, at + 1), made
            else:
                found.append((range(at, at + 1), made))
        return found

    def _are_beside(self, before: int, at: int) -> bool:
        """Whether letters of the base are side by side, but for letters of the same word that our side does not keep."""
        between = range(before + 1, at)
        return not between or (
            self._slots[before] == self._slots[at] and not any(self._ours.keeps(each) for each in between)
        )

    def _is_inside(self, gap: int, span: range) -> bool:
        """Whether others inserted among these letters, or in the place of one of them."""
        ends = (gap == span.start and not self._theirs.keeps(gap)) or (
            gap == span.stop and not self._theirs.keeps(gap - 1)
        )
        return span.start < gap < span.stop or ends

    def _check(self) -> None:
        """Make conflicts of what both sides together would tear or join: of hunks beside theirs, and then of all."""
        if self._holds_together():
            return
        near = {slot + by for run in self._theirs.runs for slot in run.slots for by in (-2, -1, 0, 1, 2)}
        for only_near in (True, False):
            for hunk in self.hunks:
                if hunk.fate is Settled.clean and not hunk.formats and (not only_near or near & {*hunk.slots}):
                    self._settle(hunk, ConflictClass.same_place, hunk.slots)
            if self._holds_together():
                return

    def merged(self) -> str:
        """Return the letters of the text after the clean hunks of our side are made beside theirs."""
        return _merged(self._base.chars, self._clean(), self._theirs.side)

    def _clean(self) -> Side:
        undone = [hunk for hunk in self.hunks if hunk.fate is not Settled.clean and not hunk.formats]
        return self._ours.without({slot for hunk in undone for slot in hunk.slots}, set())

    def _holds_together(self) -> bool:
        """Whether the merged text has all words that both sides have, each as often, and no other."""
        if not self._theirs.runs:
            return True
        ours, theirs = self._clean(), self._theirs.side
        wanted = counted(ours.letters.chars)
        wanted.update(words_in(theirs.letters.chars))
        wanted.subtract(words_in(self._base.chars))
        kept = {*ours.kept, *theirs.kept}
        wanted.update(
            self._base.chars[start:stop] for start, stop in self._spans if kept.isdisjoint(range(start, stop))
        )
        return {word: count for word, count in wanted.items() if count} == counted(self.merged())


def _merged(base: str, ours: Side, theirs: Side) -> str:
    inserted: dict[int, str] = {}
    for side in (theirs, ours):
        for char, kept, gap in zip(side.letters.chars, side.kept, side.gaps, strict=True):
            if kept < 0:
                inserted[gap] = inserted.get(gap, "") + char
    stays = {*ours.kept} & {*theirs.kept}
    parts = [inserted.get(at, "") + (char if at in stays else "") for at, char in enumerate(base)]
    return "".join([*parts, inserted.get(len(base), "")])


@dataclass(slots=True)
class _Run:
    """Slots side by side that a side changes; `gaps` are where it inserts, `lost` are the letters of the base that it deletes.

    `written` is what it inserts, without white space around; `inserted` and `deleted` are words.
    """

    slots: range
    gaps: set[int] = field(default_factory=set)
    lost: list[int] = field(default_factory=list)
    written: str = ""
    inserted: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)

    @property
    def only_inserts(self) -> bool:
        return bool(self.inserted) and not self.deleted

    @property
    def only_deletes(self) -> bool:
        return bool(self.deleted) and not self.written


def _region(runs: Sequence[_Run]) -> range:
    return range(min(run.slots.start for run in runs), max(run.slots.stop for run in runs))


def _cross(one: _Run, other: _Run) -> bool:
    """Whether one inserts beside what the other deletes."""
    return (one.only_inserts and other.only_deletes) or (one.only_deletes and other.only_inserts)


class _Changed:
    """One side of a text, by the slots of the base."""

    def __init__(self, comparison: Comparison, side: Side) -> None:
        self.side = side
        self._comparison = comparison
        self._places = {at: place for place, at in enumerate(side.kept) if at >= 0}
        self._length = len(comparison.base.chars)
        touched = self._glued()
        self._slots = [*accumulate(self._slots_of(touched), max)]
        touched |= {slot for slot, at in zip(self._slots, side.kept, strict=True) if at < 0}
        lost = [at for at in range(self._length) if at not in self._places]
        touched |= {comparison.slot(at) for at in lost}
        for at, node in comparison.base.nodes.items():
            place = self._places.get(at)
            if place is not None and side.letters.nodes.get(place) != node:
                touched.add(comparison.slot(at))
        self.runs = [*_runs(touched)]
        self._fill(lost)

    def keeps(self, at: int) -> bool:
        return at in self._places

    def marks(self, at: int) -> Sequence[Json]:
        return self.side.letters.marks[self._places[at]]

    def said(self, slots: range) -> str:
        places = self._of(slots)
        return self.side.letters.chars[places.start : places.stop]

    def content(self, slots: range) -> list[Json]:
        return self._part(self._of(slots))

    def _of(self, slots: range) -> range:
        return range(bisect_left(self._slots, slots.start), bisect_left(self._slots, slots.stop))

    def between(self, span: range) -> list[Json]:
        """Return what stands from the first letter of these that is kept up to the last."""
        places = [self._places[at] for at in span if at in self._places]
        return self._part(range(places[0], places[-1] + 1) if places else range(0))

    def _part(self, places: range) -> list[Json]:
        return self.side.letters.part(places).content()

    def without(self, slots: AbstractSet[int], formats: AbstractSet[int]) -> Side:
        """Return the side with the letters of these slots, and the marks of these letters, as they are in the base."""
        base, letters = self._comparison.base, self.side.letters
        drawn = self._drawn_as(formats) if formats else {}
        found: list[
            tuple[int, int, int]
        ] = []  # a place in the base, whether it stands there, and its place in the side
        for place, (at, gap, slot) in enumerate(zip(self.side.kept, self.side.gaps, self._slots, strict=True)):
            if at < 0 and slot not in slots:
                found.append((gap, 0, place))
            elif at >= 0 and self._comparison.slot(at) not in slots:
                found.append((at, 1, place))
        found += [(at, 1, -1) for at in range(self._length) if self._comparison.slot(at) in slots]
        chars: list[str] = []
        marks: list[Sequence[Json]] = []
        nodes: dict[int, Json] = {}
        kept: list[int] = []
        gaps: list[int] = []
        for at, is_kept, place in sorted(found):
            source, where = (base, at) if place < 0 else (letters, place)
            chars.append(source.chars[where])
            marks.append(drawn.get(place, base.marks[at] if is_kept and at in formats else source.marks[where]))
            if where in source.nodes:
                nodes[len(kept)] = source.nodes[where]
            kept.append(at if is_kept else -1)
            gaps.append(at)
        return Side(Letters("".join(chars), marks, nodes), kept, gaps)

    def _drawn_as(self, formats: AbstractSet[int]) -> dict[int, Sequence[Json]]:
        """Return the marks of letters that the side writes in a word of which others keep the marks of the base, by their places."""
        found: dict[int, Sequence[Json]] = {}
        for word in WORD.finditer(self.side.letters.chars):
            places = range(*word.span())
            kept = [at for place in places if (at := self.side.kept[place]) in formats]
            if kept:
                written = [place for place in places if self.side.kept[place] < 0]
                found |= dict.fromkeys(written, self._comparison.base.marks[kept[0]])
        return found

    def _glued(self) -> set[int]:
        """Return the words of which the side made others: by joining two, or by letters written at one."""
        touched: set[int] = set()
        for found in WORD.finditer(self.side.letters.chars):
            kept = [self.side.kept[place] for place in range(*found.span())]
            own = {self._comparison.slot(at) for at in kept if at >= 0}
            if own and (len(own) > 1 or -1 in kept):
                touched |= own
        return touched

    def _slots_of(self, glued: AbstractSet[int]) -> Iterator[int]:
        """Yield the slot of each letter of the side: what it writes in the place of a word that it deletes belongs to this word."""
        slot, of_word = self._comparison.slot, dict[int, int]()
        for found in WORD.finditer(self.side.letters.chars):
            places = range(*found.span())
            own = [slot(at) for place in places if (at := self.side.kept[place]) >= 0]
            if own:
                of_word |= {place: next((each for each in own if each in glued and each % 2), -1) for place in places}
        for place, (at, gap) in enumerate(zip(self.side.kept, self.side.gaps, strict=True)):
            if at >= 0:
                yield slot(at)
            elif of_word.get(place, -1) >= 0:
                yield of_word[place]
            else:
                yield self._replaced(gap)

    def _replaced(self, gap: int) -> int:
        own = self._comparison.slot_of_gap(gap)
        if own % 2:
            return own
        for at, word in ((gap, own + 1), (gap - 1, own - 1)):
            if 0 <= at < self._length and self._comparison.slot(at) == word:
                letters = self._comparison.word(word)
                if not any(each in self._places for each in letters):
                    return word
        return own

    def _fill(self, lost: Sequence[int]) -> None:
        run_of = {slot: run for run in self.runs for slot in run.slots}
        base = self._comparison.base.chars
        for at in lost:
            run_of[self._comparison.slot(at)].lost.append(at)
        for char, at, gap, slot in zip(
            self.side.letters.chars, self.side.kept, self.side.gaps, self._slots, strict=True
        ):
            if at < 0:
                run = run_of[slot]
                run.gaps.add(gap)
                run.written += char
        for run in self.runs:
            words = [self._comparison.word(slot) for slot in run.slots if slot % 2]
            before = Counter(base[word.start : word.stop] for word in words)
            after = counted(self.said(run.slots))
            run.inserted, run.deleted = [*(after - before).elements()], [*(before - after).elements()]
            run.written = run.written.strip()


def _drawn(content: Sequence[Json]) -> list[tuple[object, ...]]:
    """Return what is to be seen of a text: its letters but white space, each with its marks."""
    letters = letters_of(content)
    return [
        (char, [*letters.marks[at]], letters.nodes.get(at))
        for at, char in enumerate(letters.chars)
        if not char.isspace()
    ]


def _runs(slots: Iterable[int]) -> Iterator[_Run]:
    for _, group in groupby(enumerate(sorted(slots)), lambda each: each[1] - each[0]):
        found = [slot for _, slot in group]
        yield _Run(range(found[0], found[-1] + 1))


def _changes(before: Sequence[Json], after: Sequence[Json]) -> _Changes:
    old, new = ({mark["type"]: mark for mark in marks} for marks in (before, after))
    return {name: new.get(name) for name in {*old, *new} if old.get(name) != new.get(name)}


def _clashes(one: _Changes, other: _Changes) -> bool:
    return any(name in other and other[name] != mark for name, mark in one.items())


def _connected(ones: int, others: int, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the groups of numbers of both sides that the pairs join; each of `ones` is in one."""
    beside: dict[int, set[int]] = {}
    for one, other in pairs:
        beside.setdefault(one, set()).add(ones + other)
        beside.setdefault(ones + other, set()).add(one)
    seen: set[int] = set()
    for first in range(ones):
        if first in seen:
            continue
        group, waiting = {first}, [first]
        while waiting:
            new = beside.get(waiting.pop(), set()) - group
            group |= new
            waiting += new
        seen |= group
        yield (
            sorted(at for at in group if at < ones),
            sorted(at - ones for at in group if at >= ones and at < ones + others),
        )
