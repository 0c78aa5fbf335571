"""Edits a document as it was at an earlier revision, and merges the edit into what it is now."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, Final

from pycrdt import Doc, merge_updates

from documents.editing.apply_tree import Changed, Damaged, apply_tree, apply_tree_around, change_to, key
from documents.editing.concurrent_blocks import TEXTS, LeftBlock, NotDone
from documents.editing.conflicts import ConflictClass
from documents.editing.edit import Blocks, Edit, FoundEdit, Section, target
from documents.editing.natives import Became, Heard, Natives, read_again
from documents.editing.sequence_alignment import equal_pairs
from documents.editing.text_diff import WORD
from documents.editing.three_way import Conflict, Found, ThreeWay, block, remade_nodes, tables_of, words_of
from documents.history.credits import Credits
from documents.markdown.markdown_out import MarkdownWriter
from documents.markdown.unsupported_markup import UnsupportedMarkup
from documents.projection.outline import SectionNotFound, section
from documents.tree.table_grid import has_merged
from documents.tree.tree import Json, Walked, text_of, walk
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import DeletedRun, Refused
from documents.yjs.snapshot import apply_updates, cannot_be_halved, encode_deleted, guarded, load, state_vector
from documents.yjs.structs import VISIBLE, Update, overlap, read_deletions, read_update


@dataclass(frozen=True, slots=True)
class Kept:
    """Part of an edit that was left undone in a block, since others changed it; `path` leads to it in the document after the edit."""

    path: tuple[int, ...]
    not_done: NotDone


@dataclass(frozen=True, slots=True)
class Merged:
    """The update, empty where there was nothing to do, and what the document said before it and says after it.

    `deleted` is the encoded set of all that is deleted with it. Where it `deletes_nodes`, others' next updates may write
    into one of these, see `documents.yjs.structs.builds_on_deleted`. `writer` has written most of both. `unsupported` is what the
    Markdown of the edit says and the document does not.
    """

    update: bytes
    deleted: bytes
    deletes_nodes: bool
    kept: tuple[Kept, ...]
    conflicts: tuple[Conflict, ...]
    before: Json
    after: Json
    writer: MarkdownWriter
    unsupported: UnsupportedMarkup


@dataclass(frozen=True, slots=True)
class ChangedMeanwhile(Refused):
    """The edit conflicts with what others changed since its base, and is not to be merged with it."""

    conflicts: tuple[Conflict, ...] = ()


_UNREADABLE: Final = Refused("the document as it was cannot be read")
_NEWER: Final = SectionNotFound(
    "the heading of `section` came after the revision `base`: read the section, and send its `revision`"
)
_TOO_ENTANGLED: Final = ChangedMeanwhile("others wrote or deleted where the edit deletes: read the document again")
_EMPTY_CELL: Final[Json] = {"type": "tableCell", "content": [{"type": "paragraph"}]}
MAX_PASSES: Final = 4  # in which conflicts are taken out of an edit: without them, its words may pair otherwise


def rebased_edit(
    base: Sequence[bytes],
    since: Sequence[bytes],
    wanted: Edit,
    *,
    refuse: bool = False,
    copies: Mapping[str, str] | None = None,
) -> Merged | Refused:
    """Make an edit to the document that the updates `base` make, and merge it with the updates `since`.

    Nothing that came since is deleted, and what conflicts with it is left undone. With `refuse` the edit is refused where anything
    conflicts. Images that have `copies` become these, by their ids.
    """
    doc = load(None, base)
    if isinstance(doc, Refused):
        return _UNREADABLE
    now = walk(doc)
    writer, unsupported = MarkdownWriter(), UnsupportedMarkup()
    found = _found(base, since, wanted, now.tree)
    if isinstance(found, Refused):
        return found
    wanted_tree = target(now.tree, found, writer, unsupported, copies)
    if isinstance(wanted_tree, Refused):
        return wanted_tree
    if since:
        return _merged(doc, now, wanted_tree, (base, since), (writer, unsupported), refuse=refuse)
    made = apply_tree_around(doc, now, wanted_tree, known_sound=cannot_be_halved(base))
    if isinstance(made, Refused):
        return made
    return Merged(
        made.update, encode_deleted(doc), made.deletes_nodes, (), (), now.tree, made.tree, writer, unsupported
    )


def _found(base: Sequence[bytes], since: Sequence[bytes], wanted: Edit, now: Json) -> FoundEdit | Refused:
    """Return the edit with the blocks of the base that it is of; a SectionNotFound where the section is gone by now."""
    if not isinstance(wanted, Section):
        return wanted
    # each is loaded for this alone, since finding a section spends it
    present, first = load(None, (*base, *since)), load(None, base)
    if isinstance(present, Refused) or isinstance(first, Refused):
        return _UNREADABLE
    gone = section(present, walk(present).tree["content"], wanted.id)
    if isinstance(gone, SectionNotFound):
        return gone
    blocks = section(first, now["content"], wanted.id)
    return _NEWER if isinstance(blocks, SectionNotFound) else Blocks(*blocks, wanted.markdown)


def _merged(
    doc: Doc[Any],
    now: Walked,
    wanted: Json,
    log: tuple[Sequence[bytes], Sequence[bytes]],
    told: tuple[MarkdownWriter, UnsupportedMarkup],
    *,
    refuse: bool,
) -> Merged | Refused:
    base, since = log
    others = _present(base, since, now.tree)
    if isinstance(others, Refused):
        return others
    present, heard, begun = others
    before = read_again(present, (heard,))
    if before == wanted:
        return Merged(b"", encode_deleted(present), False, (), (), before, before, *told)
    gone_before = Credits()
    theirs = Became(heard, present, before)
    reduced = _reduced(doc, now, wanted, base, theirs)
    if isinstance(reduced, Refused):
        return reduced
    made = reduced.made
    gone_then = read_deletions(Decoder(encode_deleted(present)))
    gone_before.delete(gone_then, None)
    updates = [made.update] if made.update else []
    written = [*map(read_update, updates)]
    heard_edit = Heard(heard.natives if reduced.ours is None else theirs.after)
    with heard_edit.listening():
        refused = apply_updates(present, updates)
    if refused:
        return Damaged(refused.reason)
    deleted = encode_deleted(present)
    gone = _newly_deleted(gone_before, read_deletions(Decoder(deleted)))
    if _loses(gone, map(read_update, since), begun) or _moves_into_deleted(gone, written, begun):
        return _TOO_ENTANGLED
    after = read_again(present, (heard, heard_edit))
    deletes_what_is_gone = any(overlap(update.deleted, gone_then) for update in written)
    if deletes_what_is_gone and _brings_back(now.tree, before, wanted, after):
        return _TOO_ENTANGLED
    other = {} if reduced.ours is None else remade_nodes(reduced.ours, theirs, Became(heard_edit, present, after))
    mended = _mended(present, (now.tree, before, wanted), after, other)
    if isinstance(mended, Refused):
        return mended
    update = made.update
    if mended:
        update, after = merge_updates(*updates, mended), walk(present).tree
    kept, conflicts = reduced.told(theirs, Became(heard, present, after))
    if refuse and conflicts:
        return _conflicting(conflicts)
    return Merged(update, deleted, made.deletes_nodes, kept, conflicts, before, after, *told)


def _present(
    base: Sequence[bytes], since: Sequence[bytes], now: Json
) -> tuple[Doc[Any], Heard, Mapping[int, int]] | Refused:
    """Return the document as it is, what came since the base, and the clocks from which on it did."""
    present = load(None, base)
    if isinstance(present, Refused):
        return _UNREADABLE
    begun = state_vector(present)
    heard = Heard(Natives(present, now))
    refused = guarded(lambda: _apply(present, heard, since))
    return refused if isinstance(refused, Refused) else (present, heard, begun)


def _apply(doc: Doc[Any], heard: Heard, updates: Sequence[bytes]) -> None:
    with heard.listening(), doc.transaction():
        for update in updates:
            doc.apply_update(update)


@dataclass(frozen=True, slots=True)
class _Reduced:
    """An edit of the base without what conflicts; `held` is the edit before that, which left blocks as they are.

    `ours` is what it makes of the base, None where others changed none of the same nodes.
    """

    made: Changed
    held: Changed
    undone: Sequence[Found]
    ours: Became | None

    def told(self, theirs: Became, after: Became) -> tuple[tuple[Kept, ...], tuple[Conflict, ...]]:
        kept = self.held.kept
        conflicts = [
            *(
                Conflict(after.path(each.node), *_beside(each.node, theirs), block(each.wanted))
                for each in kept
                if not _is_retyped_alike(each, theirs)
            ),
            *(
                Conflict(after.path(each.node), each.fate, *each.says())
                for each in self.undone
                if isinstance(each.fate, ConflictClass)
            ),
        ]
        paths = [(after.path(each.node), each.not_done) for each in kept]
        return tuple(Kept(path, not_done) for path, not_done in paths if path is not None), tuple(conflicts)


def _is_retyped_alike(left: LeftBlock, theirs: Became) -> bool:
    """Whether others made of a block what the edit was to make of it."""
    is_retyped = left.not_done is NotDone.retyped and theirs.node(left.node) is None
    return is_retyped and left.wanted is not None and key(left.wanted) in theirs.written


def _beside(node: Json, theirs: Became) -> tuple[ConflictClass, str]:
    """Return why a block was left as it is, and what it says now."""
    other = theirs.node(node)
    if other is None:
        return ConflictClass.deleted_by_others, ""
    if theirs.wrote(node):
        return ConflictClass.others_inside, block(other)
    if text_of(other) != text_of(node):
        return ConflictClass.deleted_by_others, block(other)
    same = other.get("attrs") == node.get("attrs")
    return ConflictClass.format_overlaps if same else ConflictClass.attribute_changed, block(other)


def _reduced(doc: Doc[Any], now: Walked, wanted: Json, base: Sequence[bytes], theirs: Became) -> _Reduced | Refused:
    """Make an edit to the base, and again without what conflicts, as long as anything does."""
    sound = cannot_be_halved(base)
    ours = Heard(Natives(doc, now.tree))
    with ours.listening():
        first = apply_tree_around(
            doc, now, wanted, theirs.held(), known_sound=sound, read=partial(read_again, heard=(ours,))
        )
    if isinstance(first, Refused):
        return first
    if first.kept:
        _ = theirs.after  # before the edit is made beside it
    held = [each.node for each in first.kept if each.not_done is NotDone.deleted]
    undone: list[Found] = []
    made: Changed | Refused = first
    for _ in range(MAX_PASSES):
        if isinstance(made, Refused):
            return made
        side = Became(ours, doc, made.tree)
        compared = ThreeWay(now.tree, side, theirs, (made.tree, theirs.tree), held)
        is_apart = bool(now.tree["content"]) and not held and theirs.is_apart(side)
        found = [] if is_apart else compared.undone(undone)
        if not found:
            return _Reduced(made, first, undone, None if is_apart else side)
        undone += found
        again = load(None, base)
        if isinstance(again, Refused):
            return _UNREADABLE
        doc, ours = again, Heard(Natives(again, now.tree))
        with ours.listening():
            made = change_to(
                doc,
                now,
                compared.reduced(),
                compared.forced,
                known_sound=sound,
                read=partial(read_again, heard=(ours,)),
            )
    return _TOO_ENTANGLED


def _conflicting(conflicts: tuple[Conflict, ...]) -> ChangedMeanwhile:
    first = conflicts[0]
    where = "whose block is gone" if first.path is None else f"in the block at {[*first.path]}"
    count = "1 change conflicts" if len(conflicts) == 1 else f"{len(conflicts)} changes conflict"
    return ChangedMeanwhile(
        f"{count} with what others changed since `base`, the first {where} (`{first.why}`): send `dryRun` with `onConflict: merge` "
        "to see them all, or read the document again",
        conflicts,
    )


def _newly_deleted(before: Credits, after: Sequence[DeletedRun]) -> Credits:
    """Return what an edit deletes of what was not deleted before it, what it writes into deleted nodes with it."""
    gone = Credits()
    for client, clock, length in after:
        runs = [(client, start, stop - start) for start, stop in before.alive(client, clock, clock + length)]
        gone.delete(runs, None)
    return gone


def _loses(gone: Credits, updates: Iterable[Update], begun: Mapping[int, int]) -> bool:
    """Whether content that came with the updates, from the clocks `begun` on, is among what is gone."""
    return any(
        gone.alive(client, start, stop) != [(start, stop)]
        for update in updates
        for client, structs in update.runs.items()
        for struct in structs
        for start, stop in [(max(struct.clock, begun.get(client, 0)), struct.clock + struct.length)]
        if struct.kind in VISIBLE and start < stop
    )


def _brings_back(base: Json, before: Json, wanted: Json, after: Json) -> bool:
    """Whether an edit writes a word of its base beside those that are there: others deleted or moved it meanwhile."""
    was, present, asked, made = map(_words, _differing(base, before, wanted, after))
    return bool((made - present - (asked - was)) & was)


def _mended(doc: Doc[Any], trees: Sequence[Json], after: Json, other: Mapping[int, Json]) -> bytes | Refused:
    """Put other nodes in the place of some, by their ids, a space between words that came to stand side by side, and cells in new rows.

    What others wrote beside a word that the edit replaces stands beside the new word. `trees` are what the document said and was
    to say before; the edit changed nothing in the blocks that are in all of them.
    """
    *olds, new = _differing(*trees, after)
    known = {word for blocks in olds for word in _words(blocks)}
    columns = dict(_columns_of_rows(each for blocks in olds[1:] for each in blocks))
    mended_blocks = ((block, _with_cells(_spaced(_with(block, other), known), columns)) for block in new)
    made = {id(block): mended for block, mended in mended_blocks if mended is not block}
    if not made:
        return b""
    return apply_tree(doc, {**after, "content": [made.get(id(block), block) for block in after["content"]]})


def _with(node: Json, other: Mapping[int, Json]) -> Json:
    node = other.get(id(node), node)
    return _each(node, lambda child: _with(child, other)) if other else node


def _differing(*trees: Json) -> Iterator[list[Json]]:
    """Yield the blocks of each tree but those that are in all."""
    shared = set.intersection(*({id(block) for block in tree["content"]} for tree in trees))
    for tree in trees:
        yield [block for block in tree["content"] if id(block) not in shared]


def _columns_of_rows(blocks: Iterable[Json]) -> Iterator[tuple[bytes, list[bytes]]]:
    """Yield each row of the tables by its key, with the keys of the cells of the first row, where both have as many."""
    for table in (table for each in blocks for table in tables_of(each)):
        first, *rows = ([key(cell) for cell in row.get("content", ())] for row in table["content"])
        for row, cells in zip(table["content"][1:], rows, strict=True):
            if len(cells) == len(first):
                yield key(row), first


def _with_cells(node: Json, columns: Mapping[bytes, Sequence[bytes]]) -> Json:
    """Give a row that one side inserted an empty cell in each column that the other one did; its others stay under their columns."""
    if node["type"] != "table":
        return _each(node, lambda child: _with_cells(child, columns)) if columns else node
    rows = [row.get("content", []) for row in node.get("content", ())]
    if len({*map(len, rows)}) < 2 or has_merged(rows):
        return node
    first = [key(cell) for cell in rows[0]]

    def filled(row: Json) -> Json:
        own = columns.get(key(row), [])
        places = {column: at for at, column in equal_pairs(own, first)}
        if not own or len(own) >= len(first) or len(places) < len(own):
            return row
        cells = row["content"]
        return {**row, "content": [cells[places[at]] if at in places else _EMPTY_CELL for at in range(len(first))]}

    return _each(node, filled)


def _spaced(node: Json, known: Collection[str]) -> Json:
    """Part words that came to stand side by side; a word is one over all of its marks."""
    if node["type"] not in TEXTS:
        return _each(node, lambda child: _spaced(child, known))
    content = node.get("content", [])
    parts = [child["text"] if child["type"] == "text" else text_of(child) for child in content]
    found = WORD.finditer("".join(parts))
    places = [word.start() + at for word in found if (at := _seam(word[0], known))]
    ends = accumulate(map(len, parts), initial=0)
    made = [
        _with_spaces(child, [place - start for place in places if start < place < start + len(part)])
        for child, part, start in zip(content, parts, ends, strict=False)
    ]
    return node if all(one is other for one, other in zip(made, content, strict=True)) else {**node, "content": made}


def _with_spaces(node: Json, places: Sequence[int]) -> Json:
    if node["type"] != "text" or not places:
        return node
    text = node["text"]
    return {**node, "text": " ".join(text[start:end] for start, end in pairwise([0, *places, len(text)]))}


def _each(node: Json, make: Callable[[Json], Json]) -> Json:
    """Return the node with what is made of each of its children, itself where that is the same."""
    content = node.get("content", [])
    made = [make(child) for child in content]
    return node if all(one is other for one, other in zip(made, content, strict=True)) else {**node, "content": made}


def _seam(word: str, known: Collection[str]) -> int:
    """Return where two known words meet in one that is not known; 0 if nowhere."""
    if word in known:
        return 0
    return next((at for at in range(1, len(word)) if word[:at] in known and word[at:] in known), 0)


def _words(blocks: Iterable[Json]) -> Counter[str]:
    return Counter(word for block in blocks for word in words_of(block))


def _moves_into_deleted(gone: Credits, written: Iterable[Update], begun: Mapping[int, int]) -> bool:
    """Whether an edit deletes content of its base, and writes content into what others deleted since.

    What it writes there may be what it deletes, moved: nobody would see it again.
    """
    deletes = any(gone.alive(client, 0, end) != [(0, end)] for client, end in begun.items())
    return deletes and _loses(gone, written, {})
