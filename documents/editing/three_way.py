"""Finds what of an edit conflicts with what others changed since its base, over all of a document, and takes it out of the edit.

`documents.editing.conflicts` compares one text; here are blocks, attributes, and what hangs together: text that an edit moves is deleted in one
place and inserted in another, and is moved or stays.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from documents.editing.apply_tree import key
from documents.editing.concurrent_blocks import TEXTS, texts_of
from documents.editing.conflicts import Comparison, ConflictClass, Fate, Letters, Settled, Side, TextHunk, letters_of
from documents.editing.natives import Became
from documents.editing.text_diff import words_in
from documents.history.moves import MIN_LETTERS
from documents.markdown.markdown_out import markdown
from documents.tree.schema import OVERLAPPING
from documents.tree.table_grid import grid
from documents.tree.tree import Json, text_of

MAX_LINKED: Final = 2**10  # hunks of an edit that are compared for text that it moves
MAX_COMPARED: Final = 2**14  # pairs of texts that are compared; of more, those that are equal are found
MAX_PLACES: Final = 2**6  # of a text in another that are looked at


@dataclass(frozen=True, slots=True)
class Conflict:
    """A hunk that was left undone: what the place says by others and by the edit; `path` leads to its block, None where that is gone."""

    path: tuple[int, ...] | None
    why: ConflictClass
    theirs: str
    yours: str


type _Marks = Sequence[Json]
type _MarkChange = tuple[_Marks, _Marks]
"""The marks that are given to a letter, and those that are taken from it."""


class _Words:
    """Words of a text in their order: how often each is there, all joined, and where one ends in these."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.counts, self.joined = Counter(words), "".join(words)
        self.ends = frozenset(accumulate(map(len, words), initial=0))

    def __bool__(self) -> bool:
        return bool(self.joined)

    def moves_to(self, other: "_Words") -> bool:
        """Whether what is deleted here is, for the most part, what is inserted there."""
        if not self or not other:
            return False
        shared = (self.counts & other.counts).total()
        is_most = shared > 0 and 2 * shared >= min(self.counts.total(), other.counts.total())
        return is_most or self.is_in(other) or other.is_in(self)

    def goes_on_as(self, other: "_Words") -> bool:
        """Whether much of what is deleted here is inserted there: as much as keeps its author."""
        shared = self.counts & other.counts
        letters = sum(len(word) * many for word, many in shared.items())
        is_much = shared.total() >= 2 and letters >= MIN_LETTERS
        is_most = 2 * shared.total() >= max(self.counts.total(), other.counts.total())
        return is_much and (is_most or self.is_in(other) or other.is_in(self))

    def is_in(self, other: "_Words") -> bool:
        """Whether the letters of words in a row are those of all these: in other markup they may be other words."""
        at = -1
        for _ in range(MAX_PLACES):
            at = other.joined.find(self.joined, at + 1)
            if at < 0 or {at, at + len(self.joined)} <= other.ends:
                return at >= 0
        return False


type _Moved = tuple[_Words, _Words]
"""What is inserted, and what is deleted."""


@dataclass(frozen=True, slots=True)
class AttributeSet:
    """The edit gave an attribute another value than it had."""

    made: Json
    name: str
    was: object


@dataclass(frozen=True, slots=True)
class TextChanged:
    """The edit changed a text: where its letters can be counted, by this hunk of it."""

    made: Json
    compared: Comparison | None = None
    hunk: TextHunk | None = None


@dataclass(frozen=True, slots=True)
class Inserted:
    """The edit inserted a node."""

    made: Json


@dataclass(frozen=True, slots=True)
class Deleted:
    """The edit deleted a child of a node of the base."""

    parent: Json
    child: Json


@dataclass(slots=True)
class Found:
    """What the edit did to a node of the base, what that is beside what others did, and the nodes that say so on both sides."""

    node: Json
    fate: Fate
    done: AttributeSet | TextChanged | Inserted | Deleted
    theirs: Json | None = None
    yours: Json | None = None

    @property
    def _hunk(self) -> TextHunk | None:
        return self.done.hunk if isinstance(self.done, TextChanged) else None

    def says(self) -> tuple[str, str]:
        """Return what the place says by others and by the edit."""
        if self._hunk is None or self.theirs is not None:
            return block(self.theirs), block(self.yours)
        says = _marked if self._hunk.formats else _plain
        return says(self._hunk.theirs), says(self._hunk.yours)

    def moves(self) -> _Moved:
        """Return the words that the edit inserts and deletes."""
        if self._hunk is not None:
            return _Words(self._hunk.inserted), _Words(self._hunk.deleted)
        inserted = self.done.made if isinstance(self.done, Inserted) else None
        return _moving(inserted, self.done.child if isinstance(self.done, Deleted) else None)


class _Moves:
    """Where others wrote again what they deleted of texts of the base; `written` are the texts in which words came, with these."""

    def __init__(self, theirs: Became, written: Sequence[tuple[Json, _Words]]) -> None:
        self._theirs, self._written, self._left = theirs, written, MAX_COMPARED
        self._equal: dict[str, list[tuple[Json, _Words]]] = {}
        for text, words in written:
            self._equal.setdefault(words.joined, []).append((text, words))

    def of(self, text: Json) -> list[tuple[Json, _Words]]:
        side = self._theirs.side(text)
        if side is None:
            return []
        kept = {*side.kept}
        chars = letters_of(text.get("content", ())).chars
        lost = _Words(words_in("".join(char for at, char in enumerate(chars) if at not in kept)))
        equal = self._equal.get(lost.joined, []) if lost else []
        if equal or self._left < len(self._written):
            return equal
        self._left -= len(self._written)
        return [(there, words) for there, words in self._written if lost.goes_on_as(words)]


class ThreeWay:
    """The base of an edit, what the edit made of it, and what others made of it since.

    `held` are the nodes of the base that the edit was to delete and that stay, since others wrote in them.
    """

    def __init__(
        self, base: Json, ours: Became, theirs: Became, trees: tuple[Json, Json], held: Sequence[Json] = ()
    ) -> None:
        self._base, self._ours, self._theirs, self._held = base, ours, theirs, held
        self._made, self._present = trees
        self._undone: dict[int, list[Found]] = {}  # by the id of the node that the edit made, or deleted a child of
        self.forced: dict[int, int] = {}

    def undone(self, earlier: Sequence[Found] = ()) -> list[Found]:
        """Return the hunks that are not to be made beside the `earlier` ones, and take them out of the edit."""
        found = [*self._found()]
        first = [each for each in found if each.fate is not Settled.clean]
        undone = [*first, *self._moved(first, found)]
        undone += self._deletes_moved(undone, earlier)
        undone += self._deletes_columns()
        for each in undone:
            of = each.done.parent if isinstance(each.done, Deleted) else each.done.made
            self._undone.setdefault(id(of), []).append(each)
        return undone

    def _found(self) -> Iterator[Found]:
        yield from self._children(self._base)
        for node in self._ours.touched():
            if node is not self._base and self._ours.node(node) is not None and self._theirs.touches(node):
                yield from self._attrs(node)
                yield from self._text(node) if _is_text(node) else self._children(node)

    def _attrs(self, node: Json) -> Iterator[Found]:
        made, other = self._ours.node(node) or node, self._theirs.node(node)
        was, mine = node.get("attrs", {}), made.get("attrs", {})
        theirs = None if other is None else other.get("attrs", {})
        for name in sorted({*was, *mine}):
            if was.get(name) == mine.get(name):
                continue
            if theirs is not None and theirs.get(name) == was.get(name):
                continue
            fate: Fate = ConflictClass.place_gone if theirs is None else ConflictClass.attribute_changed
            if theirs is not None and theirs.get(name) == mine.get(name):
                fate = Settled.already_done
            yield Found(node, fate, AttributeSet(made, name, was.get(name)), other, made)

    def _text(self, node: Json) -> Iterator[Found]:
        made, other = self._ours.node(node) or node, self._theirs.node(node)
        ours, theirs = self._ours.side(node), self._theirs.side(node)
        if ours is None or theirs is None:
            if made.get("content") != node.get("content"):
                yield Found(node, ConflictClass.same_place, TextChanged(made), other, made)
            return
        compared = Comparison(letters_of(node.get("content", ())), ours, theirs, is_gone=other is None)
        is_there = other is None and self._is_inserted(made)
        for hunk in compared.hunks:
            fate = Settled.already_done if is_there else hunk.fate
            yield Found(node, fate, TextChanged(made, compared, hunk))

    def _is_inserted(self, node: Json) -> bool:
        """Whether others wrote a block that is the same."""
        return any(self._theirs.was(each) is None and key(each) == key(node) for each in self._present["content"])

    def _children(self, node: Json) -> Iterator[Found]:
        """Yield the blocks that the edit inserts in a node: those that others inserted in the same place, too, or whose place is gone."""
        made = self._made if node is self._base else self._ours.node(node)
        other = self._present if node is self._base else self._theirs.node(node)
        if made is None:
            return
        both = {
            id(child)
            for child in node.get("content", ())
            if self._ours.node(child) is not None and self._theirs.node(child) is not None
        }
        there = [] if other is None else [*_inserted(other, self._theirs, both)]
        for gap, child in _inserted(made, self._ours, both):
            fate = ConflictClass.place_gone if other is None else Settled.clean
            for at, (place, written) in enumerate(there):
                if place == gap and key(written) == key(child):
                    del there[at]
                    fate = Settled.already_done
                    break
            yield Found(node, fate, Inserted(child), None, child)

    def _moved(self, first: Sequence[Found], found: Sequence[Found]) -> list[Found]:
        """Return the hunks that move text to or from those that are not made: it would be lost, or be there twice."""
        seeds = [(each.fate, *each.moves()) for each in first]
        seeds += [(Settled.already_done, *_moving(None, each)) for each in self._deleted_by_both()]
        seeds += [(ConflictClass.others_inside, *_moving(None, self._ours.node(each))) for each in self._held]
        if not any(inserted or deleted for _, inserted, deleted in seeds):
            return []
        others = [each for each in (*found, *self._elsewhere()) if each.fate is Settled.clean]
        made: list[Found] = []
        if len(others) > MAX_LINKED:
            return made
        waiting = [(each, *each.moves()) for each in others]
        while seeds:
            fate, came, went = seeds.pop()
            for link in [*waiting]:
                each, inserted, deleted = link
                back = isinstance(fate, ConflictClass) and deleted.moves_to(came)
                if back or went.moves_to(inserted):
                    waiting.remove(link)
                    each.fate = fate if isinstance(fate, ConflictClass) else ConflictClass.deleted_by_others
                    made.append(each)
                    seeds.append((each.fate, inserted, deleted))
        return made

    def _elsewhere(self) -> Iterator[Found]:
        """Yield the hunks of the edit where others changed nothing, and the blocks that it deletes."""
        for node in self._ours.touched():
            if self._ours.node(node) is None:
                continue
            for child in node.get("content", ()):
                if child["type"] != "text" and self._ours.node(child) is None and self._theirs.node(child) is not None:
                    yield Found(child, Settled.clean, Deleted(node, child), self._theirs.node(child))
            if not self._theirs.touches(node):
                yield from self._text(node) if _is_text(node) else self._children(node)

    def _deletes_moved(self, undone: Sequence[Found], earlier: Sequence[Found]) -> list[Found]:
        """Return what the edit deletes of texts that others moved; what it was to move elsewhere itself is not made already."""
        hunks = [
            each for each in undone if each.fate is Settled.already_done and each.moves()[1] and not each.moves()[0]
        ]
        blocks = [*self._deleted_blocks()]
        came = [came for each in (*earlier, *undone) if (came := each.moves()[0])]
        if (not hunks and not blocks) or (len(hunks) + len(blocks)) * max(
            len(came), MAX_PLACES
        ) > MAX_LINKED * MAX_PLACES:
            return []
        moves = _Moves(self._theirs, [*self._written_by_others()])
        for each in hunks:
            deleted = each.moves()[1]
            there = [text for text, words in moves.of(each.node) if deleted.is_in(words)]
            if there and not any(map(deleted.moves_to, came)):
                each.fate = ConflictClass.deleted_by_others
                each.theirs, each.yours = there[0], self._ours.node(each.node)
        found: list[Found] = []
        for parent, child in blocks:
            there = [moved for text in texts_of(child) for moved, _ in moves.of(text)]
            if there and not any(map(_Words(words_of(child)).moves_to, came)):
                moved_to = {"type": "doc", "content": there}
                found.append(Found(child, ConflictClass.deleted_by_others, Deleted(parent, child), moved_to))
        return found

    def _deletes_columns(self) -> Iterator[Found]:
        """Yield the cells that the edit deletes of columns in which others wrote: without these their rows would be shorter."""
        held = {id(node) for node in self._held}
        for table in tables_of(self._base) if held else ():
            rows = table["content"]
            for column in zip(*grid([row.get("content", []) for row in rows]), strict=False):
                if held.isdisjoint(map(id, column)):
                    continue
                for row, cell in zip(rows, column, strict=True):
                    other = None if cell is None else self._theirs.node(cell)
                    is_deleted = self._ours.node(row) is not None and self._ours.node(cell) is None
                    if other is not None and is_deleted:
                        yield Found(cell, ConflictClass.others_inside, Deleted(row, cell), other)

    def _deleted_blocks(self) -> Iterator[tuple[Json, Json]]:
        """Yield the blocks that the edit deletes and in which others deleted something, each behind the one that it was in."""
        for node in self._ours.touched():
            for child in node.get("content", ()) if self._ours.node(node) is not None else ():
                is_deleted = child["type"] != "text" and self._ours.node(child) is None
                if is_deleted and any(map(self._theirs.deleted_in, texts_of(child))):
                    yield node, child

    def _written_by_others(self) -> Iterator[tuple[Json, _Words]]:
        """Yield the texts in which others wrote, each with the words that came."""
        known = set(map(id, self._base["content"]))
        for text in texts_of(
            {**self._present, "content": [each for each in self._present["content"] if id(each) not in known]}
        ):
            was = self._theirs.was(text)
            side = None if was is None else self._theirs.side(was)
            if was is None:
                yield text, _Words(words_of(text))
            elif side is not None:
                chars = (char for char, at in zip(side.letters.chars, side.kept, strict=True) if at < 0)
                yield text, _Words(words_in("".join(chars)))

    def _deleted_by_both(self) -> Iterator[Json]:
        """Yield the texts that the edit deletes, of which others deleted something or all."""
        for node in self._ours.touched():
            for child in node.get("content", ()) if self._ours.node(node) is not None else ():
                if child["type"] != "text" and self._ours.node(child) is None:
                    yield from (text for text in texts_of(child) if self._theirs.deleted_in(text))

    def reduced(self) -> Json:
        """Return what the edit makes of the base without what was taken out; `forced` says which node is which of the base."""
        self.forced = {}
        return self._node(self._made, self._base)

    def _of(self, node: Json) -> Sequence[Found]:
        return self._undone.get(id(node), ())

    def _node(self, made: Json, was: Json) -> Json:
        if made is was:
            return made
        node = dict(made)
        attributes = [each.done for each in self._of(made) if isinstance(each.done, AttributeSet)]
        if attributes:
            names = {each.name for each in attributes}
            attrs = {name: value for name, value in node.pop("attrs", {}).items() if name not in names}
            attrs |= {each.name: each.was for each in attributes if each.was is not None}
            if attrs:
                node["attrs"] = attrs
        content = self._content(made, was)
        node.pop("content", None)
        if content or made is self._made:
            node["content"] = content
        if made is not self._made:
            self.forced[id(node)] = id(was)
        return node

    def _content(self, made: Json, was: Json) -> list[Json]:
        texts = [each.done for each in self._of(made) if isinstance(each.done, TextChanged)]
        if texts:
            compared, hunks = texts[0].compared, [each.hunk for each in texts if each.hunk]
            return compared.reduced(hunks).content() if compared else was.get("content", [])
        content: list[Json] = []
        there: list[int] = []  # the ids of the nodes of the base
        for child in made.get("content", ()):
            before = None if child["type"] == "text" else self._ours.was(child)
            if not any(isinstance(each.done, Inserted) for each in self._of(child)):
                content.append(child if before is None else self._node(child, before))
                there.append(0 if before is None else id(before))
        for child in (each.done.child for each in self._of(was) if isinstance(each.done, Deleted)):
            siblings = [id(each) for each in was["content"]]
            before_it = siblings[: siblings.index(id(child))]
            at = max((place + 1 for place, each in enumerate(there) if each in before_it), default=0)
            content.insert(at, child)
            there.insert(at, id(child))
        return content or ([*was.get("content", ())] if made.get("content") else [])


def remade_nodes(ours: Became, theirs: Became, after: Became) -> dict[int, Json]:
    """Return nodes that the library merged otherwise than an edit and what others changed since, as they are to be, by their ids.

    Of what two set at once, or wrote beside what the other formats, the library takes either, by the numbers of the clients. `after` is
    the present document after the edit, by what it was before.
    """
    found: dict[int, Json] = {}
    for node in ours.touched():
        made, other = ours.node(node), theirs.node(node)
        now = None if other is None else after.node(other)
        if made is None or other is None or now is None or not theirs.touches(node):
            continue
        attrs = _merged_attributes(*[each.get("attrs", {}) for each in (node, made, other)])
        content = _merged_marks(node, other, ours, theirs, after) if _is_text(now) else now.get("content")
        parts = {"attrs": attrs or None, "content": content}
        if any(now.get(name) != value for name, value in parts.items()):
            rest = {name: value for name, value in now.items() if name not in parts}
            found[id(now)] = rest | {name: value for name, value in parts.items() if value is not None}
    return found


def _merged_attributes(base: Json, ours: Json, theirs: Json) -> Json:
    changed = {name for name in {*base, *ours} if base.get(name) != ours.get(name)}
    return {name: value for name, value in theirs.items() if name not in changed} | {
        name: ours[name] for name in changed if name in ours
    }


def _merged_marks(node: Json, other: Json, ours: Became, theirs: Became, after: Became) -> list[Json]:
    """Return the content of a text after the edit, each letter with the marks that it is to have."""
    now: list[Json] = (after.node(other) or {}).get("content", [])
    sides = ours.side(node), theirs.side(node), after.side(other)
    if any(each is None for each in sides):
        return now
    mine, others, new = (side for side in sides if side is not None)
    base = letters_of(node.get("content", ())).marks
    marks = [*new.letters.marks]
    for place, wanted in _wanted_marks(base, mine, others, new):
        if not _are_same(marks[place], wanted):
            marks[place] = wanted
    return now if marks == new.letters.marks else Letters(new.letters.chars, marks, new.letters.nodes).content()


def _wanted_marks(base: Sequence[_Marks], ours: Side, theirs: Side, after: Side) -> Iterator[tuple[int, _Marks]]:
    """Yield letters of a text after the edit, by their places, with the marks that they are to have.

    Letters of the base have those of a three-way merge, and letters of others theirs. Letters of the edit have those that it gave
    them, changed as others changed the letters on both sides.
    """
    places = {at: place for place, at in enumerate(ours.kept) if at >= 0}
    written = [place for place, at in enumerate(ours.kept) if at < 0]
    came: list[int] = []
    changes: list[_MarkChange | None] = []  # by the place after the edit: what others changed of a letter of the base
    for place, before in enumerate(after.kept):
        at = -1 if before < 0 else theirs.kept[before]
        changes.append(None if at < 0 else _change_of(base[at], theirs.letters.marks[before]))
        if before < 0:
            came.append(place)
        elif at in places:
            yield place, _changed_marks(ours.letters.marks[places[at]], changes[place])
        else:
            yield place, theirs.letters.marks[before]
    if [after.letters.chars[place] for place in came] == [ours.letters.chars[place] for place in written]:
        left, right = [*_last(changes)], [*_last(reversed(changes))][::-1]
        for place, own in zip(came, written, strict=True):
            yield place, _changed_marks(ours.letters.marks[own], _common(left[place], right[place]))


def _change_of(before: _Marks, after: _Marks) -> _MarkChange:
    return [mark for mark in after if mark not in before], [mark for mark in before if mark not in after]


def _changed_marks(marks: _Marks, change: _MarkChange | None) -> _Marks:
    given, taken = change or ((), ())
    kept = [mark for mark in marks if mark not in taken]
    names = {mark["type"] for mark in kept} - OVERLAPPING
    return [*kept, *[mark for mark in given if mark not in kept and mark["type"] not in names]]


def _common(one: _MarkChange | None, other: _MarkChange | None) -> _MarkChange | None:
    if one is None or other is None:
        return None
    given, taken = ([mark for mark in mine if mark in theirs] for mine, theirs in zip(one, other, strict=True))
    return given, taken


def _last(changes: Iterable[_MarkChange | None]) -> Iterator[_MarkChange | None]:
    """Yield for each place the last change up to it."""
    last: _MarkChange | None = None
    for each in changes:
        last = each or last
        yield last


def _are_same(one: _Marks, other: _Marks) -> bool:
    return all(mark in other for mark in one) and all(mark in one for mark in other)


def _inserted(tree: Json, side: Became, both: set[int]) -> Iterator[tuple[int, Json]]:
    """Yield the nodes that a side inserted in another, each with the number of those before it that both sides kept."""
    gap = 0
    for child in tree.get("content", ()):
        if child["type"] != "text":
            was = side.was(child)
            if was is None:
                yield gap, child
            elif id(was) in both:
                gap += 1


def tables_of(node: Json) -> Iterator[Json]:
    if node["type"] == "table" and node.get("content"):
        yield node
        return
    for child in node.get("content", ()):
        yield from tables_of(child)


def _is_text(node: Json) -> bool:
    return node["type"] in TEXTS or any(child["type"] == "text" for child in node.get("content", ()))


def _moving(inserted: Json | None, deleted: Json | None) -> _Moved:
    return _Words(words_of(inserted)), _Words(words_of(deleted))


def words_of(node: Json | None) -> list[str]:
    """Return the words of the texts in a block; none go from one text to the next."""
    return [] if node is None else [word for text in texts_of(node) for word in words_in(text_of(text))]


def _plain(content: list[Json]) -> str:
    return text_of({"content": content}).strip()


def _marked(content: list[Json]) -> str:
    return block({"type": "paragraph", "content": content})


def block(node: Json | None) -> str:
    return "" if node is None else markdown({"type": "doc", "content": [node]}).strip()
