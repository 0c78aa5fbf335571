"""Merges an edit of a document's Markdown into its tree: only what differs in Markdown changes.

It compares three trees: the document, its Markdown parsed, and the new Markdown parsed. The differences between the
last two are applied to the first. So everything that Markdown cannot express (colours, comments, alignment, spans,
unknown nodes) stays where the Markdown around it stays, and a changed block keeps what it can. A block that cannot be
merged faithfully is replaced: the final tree always gives the new Markdown.

Nested blocks are compared once, by their outermost block; only if that result is wrong are they compared one by one.
A merge that writes more than MAX_WRITTEN for that replaces the remaining blocks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise
from typing import Any, Final

from documents.editing.apply_tree import key
from documents.editing.hunks import Hunk, WrittenBlock, hunks, parse_apart
from documents.editing.sequence_alignment import Pair, aligned, equal_pairs, likely_pairs
from documents.editing.text_diff import SAME_TYPE, likenesses
from documents.editing.text_merge import carried, merged_inline
from documents.markdown.images import TEXT_BLOCKS, apart
from documents.markdown.inline_out import INLINE
from documents.markdown.markdown_in import TooComplexError, parse
from documents.markdown.markdown_out import BLOCKS, LISTS, MarkdownWriter, flat, located, markdown, texts
from documents.markdown.unsupported_markup import UnsupportedMarkup
from documents.tree.table_grid import grid
from documents.tree.tree import Json, text_of

_NESTING: Final = frozenset({"blockquote", "details", *LISTS})
_HOLDERS: Final = frozenset({"blockquote", "detailsContent", "tableCell", "tableHeader"})  # never empty
_STAYS: Final = {"type": "doc"}  # a block beside a hunk

MAX_WRITTEN: Final = 2**25  # characters of Markdown that one merge writes in order to compare

type _Combine = Callable[[Json, Json, Json], Json]


@dataclass(frozen=True, slots=True)
class _Unit:
    """A block as Markdown shows it (`node`: the one it is), the nodes it is made of, and its Markdown."""

    node: Json
    made_of: list[Json]
    text: str


def merged_markdown(tree: Json, wanted: str, writer: MarkdownWriter, unsupported: UnsupportedMarkup) -> Json:
    """The tree, changed so that its Markdown says what `wanted` says; what the schema has no place for is `unsupported`."""
    nodes = _content(tree)
    units = _units(nodes, writer.texts)
    whole = [unit for unit in units if unit.text]
    found = hunks([WrittenBlock(unit.text, unit.node["type"] in LISTS) for unit in whole], wanted, unsupported)
    parts = {id(unit): _apart(unit) for hunk in found for unit in whole[hunk.start : hunk.stop]}
    seen = [part for unit in units for part in parts.get(id(unit), [unit])]
    rows, head, results = _changed(whole, found, parts)
    instead = {id(unit): result for unit, result in zip(rows, results, strict=True)}
    shown = [instead.get(id(unit), [unit.node]) for unit in seen if unit.text]
    return {**tree, "content": _rebuilt(nodes, seen, head, shown)}


def _changed(
    whole: Sequence[_Unit], found: Sequence[Hunk], parts: Mapping[int, list[_Unit]]
) -> tuple[list[_Unit], list[Json], list[list[Json]]]:
    """Return the units of the hunks with the one before each, the new nodes before all of them, and what each becomes."""
    changed = [
        [part for unit in whole[hunk.start : hunk.stop] for part in parts[id(unit)] if part.text] for hunk in found
    ]
    rows: list[_Unit] = []
    base: list[Json] = []
    wanted: list[Json] = []
    stay: list[Pair] = []
    for hunk, units, parsed in zip(found, changed, _base(changed), strict=True):
        if hunk.start:
            stay.append((len(base), len(wanted)))
            rows.append(whole[hunk.start - 1])
            base.append(_STAYS)
            wanted.append(_STAYS)
        rows += units
        base += parsed
        wanted += hunk.new
    return rows, *_woven([unit.node for unit in rows], base, wanted, _Merge().outermost, stay)


def _base(changed: Sequence[Sequence[_Unit]]) -> Iterator[list[Json]]:
    """Yield the blocks of each hunk parsed from their own Markdown; values unlike any other if they cannot be separated."""
    try:
        parsed = parse_apart(["\n\n".join(unit.text for unit in units) for units in changed])
    except TooComplexError:
        parsed = None
    for at, units in enumerate(changed):
        fits = parsed is not None and len(parsed[at]) == len(units)
        yield parsed[at] if parsed is not None and fits else [{"type": ""} for _ in units]


def _content(node: Json) -> list[Json]:
    return node.get("content") or []


def _units(nodes: list[Json], write: Callable[[Iterable[Json]], list[str]] = texts) -> list[_Unit]:
    found = list(located(nodes))
    return [
        _Unit(made_of[0] if made_of[0]["type"] not in INLINE - {"image"} else block, made_of, text)
        for (block, made_of), text in zip(found, write(block for block, _ in found), strict=True)
    ]


def _apart(unit: _Unit) -> list[_Unit]:
    """Return a unit in whose text images stand as the blocks that its Markdown is read as."""
    kind = unit.node["type"]
    if "![" not in unit.text or kind in {"image", *BLOCKS - TEXT_BLOCKS}:
        return [unit]
    try:
        parsed = parse(unit.text)["content"]
    except TooComplexError:
        return [unit]
    if not any(block["type"] == "image" for block in parsed):
        return [unit]
    for nodes in (apart(unit.node), parsed) if kind in TEXT_BLOCKS else (parsed,):
        written = texts(flat(nodes))
        if sum(map(bool, written)) == len(parsed):
            break
    return [_Unit(node, unit.made_of, text) for node, text in zip(nodes, written, strict=True)]


def _woven(
    old: list[Json], base: list[Json], wanted: list[Json], combine: _Combine, stay: Sequence[Pair] = ()
) -> tuple[list[Json], list[list[Json]]]:
    """Return the new nodes before the first old one, and the replacement of each old node; the pairs `stay` are given."""
    one, other = list(map(key, base)), list(map(key, wanted))
    alike = likenesses(base, wanted)

    def like(row: int, column: int) -> float:
        kinds = _kinship(base[row]["type"], wanted[column]["type"])
        return kinds and kinds + alike(row, column)

    equal = [*stay]
    for (a, c), (b, d) in pairwise([(-1, -1), *stay, (len(one), len(other))]):
        found = equal_pairs(one[a + 1 : b], other[c + 1 : d])
        equal += [(a + 1 + row, c + 1 + column) for row, column in found]
    pairs = likely_pairs(sorted(equal), (len(one), len(other)), like)
    return _placed(old, base, wanted, pairs, combine)


def _placed(
    old: list[Json], base: list[Json], wanted: list[Json], pairs: Sequence[Pair], combine: _Combine
) -> tuple[list[Json], list[list[Json]]]:
    head: list[Json] = []
    results: list[list[Json]] = [[] for _ in old]
    place, done = head, 0
    for row, column in pairs:
        place += wanted[done:column]
        place, done = results[row], column + 1
        same = key(base[row]) == key(wanted[column])
        place.append(old[row] if same else combine(old[row], base[row], wanted[column]))
    place += wanted[done:]
    return head, results


def _kinship(one: str, other: str) -> float:
    if one == other:
        return SAME_TYPE
    return SAME_TYPE / 2 if {one, other} <= TEXT_BLOCKS or {one, other} <= LISTS else 0


def _rebuilt(nodes: list[Json], seen: list[_Unit], head: list[Json], results: list[list[Json]]) -> list[Json]:
    """The nodes, with the results in the places of the units that Markdown shows."""
    shown = [unit for unit in seen if unit.text]
    same = [len(made) == 1 and made[0] is unit.node for unit, made in zip(shown, results, strict=True)]
    if not head and all(same):
        return nodes
    instead: dict[int, list[Json]] = {}
    stop = 0
    for _, parts in groupby(seen, key=lambda unit: id(unit.made_of)):
        units = [*parts]
        first = units[0].made_of[0]
        start, stop = stop, stop + sum(bool(unit.text) for unit in units)
        if start == stop:
            if units[0].node is first:
                around = results[max(start - 1, 0) : start + 1]
                empty = first["type"] == "paragraph" and not _content(first)
                instead[id(first)] = [] if empty and around and not any(around) else [first]
        elif first["type"] not in INLINE - {"image"}:
            instead[id(first)] = [first] if all(same[start:stop]) else _put_together(units, results[start:stop])
        # loose text stays so only where nothing beside it changes: it could run together with other text
        elif not (all(same[max(start - 1, 0) : stop + 1]) and (start or not head)):
            instead |= {id(node): [] for node in units[0].made_of}
            instead[id(first)] = results[start]
    return [*head, *_with(nodes, instead)]


def _put_together(parts: list[_Unit], results: list[list[Json]]) -> list[Json]:
    """The nodes that a block which was taken apart becomes."""
    shown = iter(results)
    return [node for part in parts for node in (next(shown) if part.text else [part.node])]


def _with(nodes: list[Json], instead: dict[int, list[Json]]) -> list[Json]:
    made: list[Json] = []
    for node in nodes:
        if id(node) in instead:
            made += instead[id(node)]
        elif node["type"] in BLOCKS or node["type"] in INLINE or not _content(node):
            made.append(node)
        elif within := _with(_content(node), instead):
            # an image directly in it would make all of it one paragraph
            inner = [_in_paragraph(child) if child["type"] == "image" else child for child in within]
            made.append({**node, "content": inner})
    return made


@dataclass(slots=True)
class _Merge:
    """One merge; `left` is how many characters it may still write in order to compare."""

    left: int = MAX_WRITTEN

    def outermost(self, now: Json, base: Json, wanted: Json) -> Json:
        """Return the new block: changed as little as possible, with the wanted Markdown."""
        made = self._combined(now, base, wanted, self._within)
        if made and self._says_the_same(made, wanted):
            return made
        if made and now["type"] in _NESTING:
            made = self._combined(now, base, wanted, self.outermost)
            if made and self._says_the_same(made, wanted):
                return made
        return self._otherwise(now, base, wanted)

    def _within(self, now: Json, base: Json, wanted: Json) -> Json:
        """As `outermost`, but what nests others is compared with all that is around it."""
        if now["type"] not in _NESTING:
            return self.outermost(now, base, wanted)
        return self._combined(now, base, wanted, self._within) or self._otherwise(now, base, wanted)

    def _otherwise(self, now: Json, base: Json, wanted: Json) -> Json:
        if now["type"] == wanted["type"]:
            made = {**carried(now, base, wanted), "content": _content(wanted)}
            if self._says_the_same(made, wanted):
                return made
        return wanted

    def _says_the_same(self, one: Json, other: Json) -> bool:
        if self.left <= 0:
            return False
        first, second = (markdown({"type": "doc", "content": [node]}) for node in (one, other))
        self.left -= len(first) + len(second)
        if first == second:
            return True
        try:
            return parse(first) == parse(second)
        except TooComplexError:
            return False

    def _combined(self, now: Json, base: Json, wanted: Json, combine: _Combine) -> Json | None:
        if now["type"] == "image":
            return carried(now, base, wanted) if base["type"] == wanted["type"] == "image" else None
        kinds = {base["type"], wanted["type"]}
        if len(kinds) > 1 and now["type"] != base["type"]:
            return None
        content: list[Json] | None = None
        if kinds <= TEXT_BLOCKS or kinds == {"codeBlock"}:
            content = merged_inline(_content(now), _content(base), _content(wanted), verbatim=kinds == {"codeBlock"})
        elif kinds <= LISTS:
            content = _children(_content(now), _content(base), _content(wanted), partial(self._item, combine))
        elif kinds == {"table"}:
            content = _table(_content(now), _content(base), _content(wanted))
        elif kinds == {"blockquote"}:
            return self._holding(now, base, wanted, combine)
        elif kinds == {"details"} and [node["type"] for node in _content(now)] == ["detailsSummary", "detailsContent"]:
            (summary, inner), (old, before), (new, after) = _content(now), _content(base), _content(wanted)
            merged = merged_inline(_content(summary), _content(old), _content(new), verbatim=True)
            content = [
                {**summary, "content": _content(new) if merged is None else merged},
                self._holding(inner, before, after, combine),
            ]
        return None if content is None else {**carried(now, base, wanted), "content": content}

    def _holding(self, now: Json, base: Json, wanted: Json, combine: _Combine) -> Json:
        """A container of blocks; it gets those that are wanted where too much was written already to compare them."""
        nodes = _content(now)
        seen = [part for unit in self._written(nodes) for part in _apart(unit)]
        shown = [unit.node for unit in seen if unit.text]
        old, new = ([unit.node for unit in self._written(_content(node)) if unit.text] for node in (base, wanted))
        is_compared = self.left > 0
        content = _rebuilt(nodes, seen, *_woven(shown, old, new, combine)) if is_compared else _content(wanted)
        made = {**carried(now, base, wanted), "content": content}
        if made["type"] in ("listItem", "taskItem") and (not content or content[0]["type"] != "paragraph"):
            made["content"] = [{"type": "paragraph"}, *content]
        elif made["type"] in _HOLDERS and not content:
            made["content"] = [{"type": "paragraph"}]
        return made

    def _item(self, combine: _Combine, now: Json, base: Json, wanted: Json) -> Json:
        return self._holding(now, base, wanted, combine) if now["type"] in ("listItem", "taskItem") else wanted

    def _written(self, nodes: list[Json]) -> list[_Unit]:
        if self.left <= 0:
            return []
        units = _units(nodes)
        self.left -= sum(len(unit.text) for unit in units)
        return units


def _in_paragraph(node: Json) -> Json:
    return {"type": "paragraph", "content": [node]}


def _children(nodes: list[Json], base: list[Json], wanted: list[Json], combine: _Combine) -> list[Json] | None:
    """The children of a list or a table, which are its items or rows one by one."""
    if len(nodes) != len(base):
        return None
    head, results = _woven(nodes, base, wanted, combine)
    return [*head, *(node for result in results for node in result)]


def _table(nodes: list[Json], base: list[Json], wanted: list[Json]) -> list[Json] | None:
    old, new = (_content(rows[0]) for rows in (base, wanted))
    columns: list[Pair] = [(at, at) for at in range(len(old))]
    if len(old) != len(new):
        columns = aligned([*map(key, old)], [*map(key, new)], lambda *_: 1)

    places = dict(zip(map(id, nodes), grid([*map(_content, nodes)]), strict=True))

    def row(now: Json, was: Json, becomes: Json) -> Json:
        before, after = _content(was), _content(becomes)
        cells = [_COVERED if cell is None else cell for cell in places[id(now)]]
        missing: list[Any] = [{"type": ""}] * (len(before) - len(cells))  # shorter rows are read as if they were filled
        head, results = _placed([*cells, *missing], before, after, columns, _cell)
        return {**now, "content": [cell for each in (head, *results) for cell in each if cell["type"]]}

    return _children(nodes, base, wanted, row)


_COVERED: Final[Json] = {"type": "", "covered": True}  # where another cell goes on: Markdown has an empty one
_NO_CELL: Final[Json] = {"type": ""}


def _cell(now: Json, base: Json, wanted: Json) -> Json:
    if not now["type"]:
        return _NO_CELL if now is _COVERED and not text_of(wanted) else wanted
    (old, *before), (new, *after) = _content(base), _content(wanted)
    runs = [*_runs(now)]
    text = None
    if runs and not before and not after and old["type"] == new["type"] == "paragraph":
        joined = [*runs[0]]
        for number, run in enumerate(runs[1:], start=1):  # Markdown writes a break between two
            joined += [{"type": "hardBreak", "run": number}, *run]
        text = merged_inline(joined, _content(old), _content(new), verbatim=False)
    made = None
    if text is not None:
        kept: dict[int, list[Json]] = {0: []}
        last = 0
        for node in text:
            if "run" in node:
                last = node["run"]
                kept[last] = []
            else:
                kept[last].append(node)
        made = _with_runs(now, (kept.get(number) for number in range(len(runs))))
    return {**carried(now, base, wanted), "content": _content(wanted if made is None else made)}


def _runs(node: Json) -> Iterator[list[Json]]:
    """Yield the inline nodes of a cell, those that stand side by side together, and the lines of code one by one."""
    if node["type"] in TEXT_BLOCKS:
        yield _content(node)
        return
    if node["type"] == "codeBlock":
        yield from ([{"type": "text", "text": text}] for text in text_of(node).split("\n"))
        return
    for is_inline, group in _parts(node):
        if is_inline:
            yield group
        else:
            for child in group:
                yield from _runs(child)


def _with_runs(node: Json, runs: Iterator[list[Json] | None]) -> Json | None:
    """Return a node with other runs; None where of all that was in it no run is left."""
    if node["type"] in TEXT_BLOCKS:
        run = next(runs)
        return None if run is None else {**node, "content": run}
    if node["type"] == "codeBlock":
        lines = [
            text_of({"type": "", "content": run}) for _ in text_of(node).split("\n") if (run := next(runs)) is not None
        ]
        return {**node, "content": [{"type": "text", "text": "\n".join(lines)}]} if any(lines) else None
    made: list[Json] = []
    for is_inline, group in _parts(node):
        if is_inline:
            run = next(runs)
            made += run or []
        else:
            made += [child for each in group if (child := _with_runs(each, runs)) is not None]
    if not _content(node):
        return node
    if made and node["type"] in ("listItem", "taskItem") and made[0]["type"] != "paragraph":
        made = [{"type": "paragraph"}, *made]
    return {**node, "content": made} if made else None


def _parts(node: Json) -> Iterator[tuple[bool, list[Json]]]:
    """Yield the children of a node, inline ones and others apart."""
    for is_inline, group in groupby(_content(node), key=lambda child: child["type"] in INLINE):
        yield is_inline, [*group]
