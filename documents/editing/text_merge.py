"""Merges an edit of a block's Markdown into its text: what Markdown cannot express stays where it can.

It compares three sequences of characters: the text, its Markdown parsed, and the new Markdown parsed. A character
that remains keeps its own marks, except those that the Markdown added or removed.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from documents.editing.text_diff import kept_in_parts
from documents.markdown.inline_out import WRITTEN, attributes
from documents.tree.schema import MARK_RANK
from documents.tree.tree import Json, append_text, mark_order

_SAID: Final = WRITTEN | {"link"}
_MAX_CHARACTERS: Final = 2**17  # of a text that is merged character by character


@dataclass(slots=True)
class _Atom:
    """One character, or one node among them, and what Markdown shows of it."""

    shown: str
    marks: list[Json]
    text: str = ""
    node: Json | None = None

    def put(self, into: list[Json], marks: list[Json], node: Json | None = None) -> None:
        if self.node is None:
            append_text(into, self.text, marks)
        else:  # what lies in a text as a node is stored without marks
            into.append(node or self.node)


def carried(now: Json, base: Json, wanted: Json) -> Json:
    """The node, with what differs between its old Markdown and the new Markdown."""
    attrs, old, new = dict(attributes(now)), attributes(base), attributes(wanted)
    for name in {*old, *new}:
        if name not in new:
            attrs.pop(name, None)
        elif name not in old or old[name] != new[name]:
            attrs[name] = new[name]
    kind = now["type"] if base["type"] == wanted["type"] else wanted["type"]
    made = {**now, "type": kind, "attrs": attrs}
    return made if attrs else {name: value for name, value in made.items() if name != "attrs"}


def merged_inline(
    now: Sequence[Json], base: Sequence[Json], wanted: Sequence[Json], *, verbatim: bool
) -> list[Json] | None:
    """The new text; None where the base does not fit, or where a text is too long to be laid beside another.

    `verbatim` is text whose white space counts, as in code.
    """
    if any(_length(nodes) > _MAX_CHARACTERS for nodes in (now, base, wanted)):
        return None
    old, written, new = (_atoms(nodes, verbatim=verbatim) for nodes in (now, base, wanted))
    owners = _owners(old, written)
    if owners is None:
        return None
    into: list[Json] = []
    last, end = -1, 0
    for at, start, stop, source in [*_kept(old, written, new, owners), (len(old), len(new), len(new), -1)]:
        between, come = old[last + 1 : at], new[end:start]
        if come or _shows(owners, last + 1, at):
            around = _shared(old[last].marks if last >= 0 else [], old[at].marks if at < len(old) else [])
            for atom in come:
                atom.put(into, sorted([*atom.marks, *around], key=mark_order))
            between = [atom for atom in between if atom.node and atom.node["type"] != "hardBreak" and not atom.shown]
        for atom in between:
            atom.put(into, atom.marks)
        if at < len(old):
            was, becomes, atom = written[source], new[start], old[at]
            node = carried(atom.node, was.node, becomes.node) if atom.node and was.node and becomes.node else None
            atom.put(into, _marks(atom.marks, was.marks, becomes.marks), node)
        last, end = at, stop
    return into


def _length(nodes: Sequence[Json]) -> int:
    return sum(len(node["text"]) if node["type"] == "text" else 1 for node in nodes)


def _shows(owners: Sequence[int], start: int, stop: int) -> bool:
    """Whether an atom from `start` to `stop` is one of the owners, which rise."""
    at = bisect_right(owners, start - 1)
    return at < len(owners) and owners[at] < stop


def _atoms(nodes: Sequence[Json], *, verbatim: bool) -> list[_Atom]:
    atoms: list[_Atom] = []
    for node in nodes:
        marks = node.get("marks") or []
        if node["type"] != "text":
            atoms.append(_Atom(_shown(node, verbatim=verbatim), marks, node=node))
            continue
        text = node["text"]
        for at, char in enumerate(text):
            shown = "\ufffd" if char == "\0" else ("\n" if verbatim else " ") if char in "\r\n" else char
            atoms.append(_Atom("" if text[at : at + 2] == "\r\n" else shown, marks, char))
    return atoms


def _shown(node: Json, *, verbatim: bool) -> str:
    attrs, kind = attributes(node), node["type"]
    if kind == "hardBreak":
        return "\n"
    if kind == "mention" and not verbatim:
        return f"@{attrs.get('label') or attrs.get('id') or ''}"
    if kind == "image" and not verbatim:
        return _string(attrs.get("alt"))  # one that Markdown shows as its text: others are blocks here
    return "".join(atom.shown for atom in _atoms(node.get("content") or [], verbatim=verbatim))


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _owners(old: list[_Atom], written: list[_Atom]) -> list[int] | None:
    """Return for each atom of the Markdown its atom in the text: Markdown omits, but adds nothing."""
    places = [(char, at) for at, atom in enumerate(old) for char in atom.shown]
    owners: list[int] = []
    next_place = 0
    for atom in written:
        while next_place < len(places) and places[next_place][0] != atom.shown:
            next_place += 1
        if next_place == len(places):
            return None
        owners.append(places[next_place][1])
        next_place += 1
    return owners


def _kept(
    old: list[_Atom], written: list[_Atom], new: list[_Atom], owners: list[int]
) -> list[tuple[int, int, int, int]]:
    """An atom that remains, its range (from, to) afterwards, and its place in the Markdown.

    A node that shows as text, such as a mention, stays while all of that does, with no marks or letters added.
    """
    found: list[tuple[int, int, int, int]] = []
    for start, there, length in kept_in_parts(
        "".join(atom.shown for atom in written), "".join(atom.shown for atom in new)
    ):
        at = start
        while at < start + length:
            stop = at + 1
            while stop < len(owners) and owners[stop] == owners[at]:
                stop += 1
            whole = stop <= start + length and (at == 0 or owners[at - 1] != owners[at])
            after = stop - start + there
            grown = stop == start + length and after < len(new) and new[after].shown.isalnum()
            marked = any(
                written[place].marks != new[place - start + there].marks
                for place in range(at, min(stop, start + length))
            )
            owner = old[owners[at]]
            as_text = owner.node is not None and written[at].node is None
            if not as_text or (whole and len(owner.shown) == stop - at and not grown and not marked):
                found.append((owners[at], at - start + there, stop - start + there, at))
            at = stop
    return found


def _shared(before: list[Json], after: list[Json]) -> list[Json]:
    """Return the marks outside Markdown on both sides of a place: an insertion there gets them, too."""
    return [mark for mark in before if mark["type"] not in _SAID and mark in after]


def _marks(now: list[Json], base: list[Json], wanted: list[Json]) -> list[Json]:
    if base == wanted:
        return now
    old, new = ({mark["type"]: mark for mark in marks} for marks in (base, wanted))
    marks: list[Json] = []
    for mark in now:
        kind: Any = mark["type"]
        if kind not in old and kind not in new:
            marks.append(mark)
        elif kind in new:
            marks.append(carried(mark, old[kind], new[kind]) if kind in old else new[kind])
    have = {mark["type"] for mark in marks}
    return sorted(
        [*marks, *(mark for kind, mark in new.items() if kind not in have and kind in MARK_RANK)], key=mark_order
    )
