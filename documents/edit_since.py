"""Edits a document as it was at an earlier revision, and merges the edit into what it is now."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pycrdt import Doc, merge_updates

from documents.change import Damaged, change, change_around
from documents.credits import Credits
from documents.edit import Edit, target
from documents.hold import Held, NotDone, texts_of
from documents.lib0 import Decoder
from documents.markdown_out import MarkdownWriter
from documents.pycrdt_internals import NativeElement, transaction_of
from documents.scan import DeletedRun, Refused
from documents.snapshot import apply_updates, cannot_be_halved, encode_deleted, guarded, load, state_vector
from documents.structs import VISIBLE, Update, overlap, read_deletions, read_update
from documents.tree import Elements, Json, Walked, elements, text_of, walk
from documents.words import WORD, words_in


@dataclass(frozen=True, slots=True)
class Kept:
    """Part of an edit that was left undone in a block, since others changed it; `path` leads to it in the document after the edit."""

    path: tuple[int, ...]
    not_done: NotDone


@dataclass(frozen=True, slots=True)
class Merged:
    """The update, empty where there was nothing to do, and what the document said before it and says after it.

    `deleted` is the encoded set of all that is deleted with it. Where it `deletes_nodes`, others' next updates may write
    into one of these, see `documents.structs.builds_on_deleted`. `writer` has written most of both.
    """

    update: bytes
    deleted: bytes
    deletes_nodes: bool
    kept: tuple[Kept, ...]
    before: Json
    after: Json
    writer: MarkdownWriter


@dataclass(frozen=True, slots=True)
class ChangedMeanwhile(Refused):
    """The edit changes blocks that others have changed since its base, and is not to be merged with them."""


_UNREADABLE: Final = Refused("the document as it was cannot be read")
_CHANGED_BY_BOTH: Final = ChangedMeanwhile(
    "others changed a block since `base` that the edit changes: read the document again, or let `onConflict` be `merge`"
)
_TOO_ENTANGLED: Final = ChangedMeanwhile("others wrote or deleted where the edit deletes: read the document again")


def edit_since(
    base: Sequence[bytes], since: Sequence[bytes], wanted: Edit, *, refuse: bool = False
) -> Merged | Refused:
    """Make an edit to the document that the updates `base` make, and merge it with the updates `since`.

    Nothing that came since is deleted. With `refuse` the edit is refused where it changes a block that others changed since.
    """
    doc = load(None, base)
    if isinstance(doc, Refused):
        return _UNREADABLE
    now = walk(doc)
    writer = MarkdownWriter()
    wanted_tree = target(now.tree, wanted, writer)
    if isinstance(wanted_tree, Refused):
        return wanted_tree
    if since:
        return _merged(doc, now, wanted_tree, (base, since), writer, refuse=refuse)
    made = change_around(doc, now, wanted_tree, known_sound=cannot_be_halved(base))
    if isinstance(made, Refused):
        return made
    return Merged(made.update, encode_deleted(doc), made.deletes_nodes, (), now.tree, made.tree, writer)


def _merged(
    doc: Doc[Any],
    now: Walked,
    wanted: Json,
    log: tuple[Sequence[bytes], Sequence[bytes]],
    writer: MarkdownWriter,
    *,
    refuse: bool,
) -> Merged | Refused:
    base, since = log
    present = load(None, base)
    if isinstance(present, Refused):
        return _UNREADABLE
    begun = state_vector(present)
    meanwhile = guarded(lambda: _Meanwhile(present, now.tree, since))
    if isinstance(meanwhile, Refused):
        return meanwhile
    made = change_around(doc, now, wanted, meanwhile.held, known_sound=cannot_be_halved(base))
    if isinstance(made, Refused):
        return made
    before, gone_before = walk(present).tree, Credits()
    gone_then = read_deletions(Decoder(encode_deleted(present)))
    gone_before.delete(gone_then, None)
    updates = [made.update] if made.update else []
    written = [*map(read_update, updates)]
    refused = apply_updates(present, updates)
    if refused:
        return Damaged(refused.reason)
    deleted = encode_deleted(present)
    gone = _newly_deleted(gone_before, read_deletions(Decoder(deleted)))
    if _loses(gone, map(read_update, since), begun) or _moves_into_deleted(gone, written, begun):
        return _TOO_ENTANGLED
    if refuse and (made.kept or made.changes_held or _loses(gone, written, {})):
        return _CHANGED_BY_BOTH
    after = walk(present).tree
    deletes_what_is_gone = any(overlap(update.deleted, gone_then) for update in written)
    if deletes_what_is_gone and _brings_back(now.tree, before, wanted, after):
        return _TOO_ENTANGLED
    known = {word for tree in (now.tree, before, wanted) for word in _words(tree)}
    spaces = _apart(present, known, after)
    if isinstance(spaces, Refused):
        return spaces
    update = made.update
    if spaces:
        update, after = merge_updates(made.update, spaces), walk(present).tree
    kept = tuple(meanwhile.paths(present, after, made.kept))
    return Merged(update, deleted, made.deletes_nodes, kept, before, after, writer)


class _Meanwhile:
    """Applies to a document what others wrote since, and finds the nodes of its tree that they changed or deleted."""

    def __init__(self, doc: Doc[Any], tree: Json, since: Sequence[bytes]) -> None:
        self.held = Held()
        self._natives: dict[int, Any] = {}  # by the id of the node
        with doc.transaction() as transaction:
            found = elements(doc, transaction_of(transaction))
            within = transaction_of(transaction)
            pairs = list(_paired(found, tree, within)) if found else []
            nodes = {native: id(node) for native, node, _ in pairs}
            children = {native: [nodes.get(child) for child in native.children(within)] for native in nodes}
            if found:
                children[found.root] = [nodes.get(child) for child in found.elements]
        self._natives = {id(node): native for native, node, _ in pairs}
        changed: set[int] = set()
        wrote: set[int] = set()
        deleted: set[int] = set()

        def hear(events: list[Any]) -> None:
            for event in events:
                held = {nodes[above] for above in _upwards(event.target) if above in nodes}
                changed.update(held)
                if any("insert" in step for step in event.delta):
                    wrote.update(held)
                deleted.update(_deleted(children.get(event.target, ()), event.delta))

        listening = found.root.observe_deep(hear) if found else None
        try:
            with doc.transaction():
                for update in since:
                    doc.apply_update(update)
        finally:
            if listening:
                listening.drop()
        for _, node, _ in pairs:  # from the top down
            if id(node) in deleted:
                deleted.update(map(id, node.get("content", ())))
        self.held = Held(changed | deleted, wrote)

    def paths(self, doc: Doc[Any], tree: Json, kept: Mapping[int, NotDone]) -> Iterator[Kept]:
        """Yield what was kept in the document, which now says `tree`; without a path where it is there no more."""
        wanted = {self._natives[node]: not_done for node, not_done in kept.items() if node in self._natives}
        with doc.transaction() as transaction:
            found = elements(doc, transaction_of(transaction))
            for native, _, path in _paired(found, tree, transaction_of(transaction)) if found and wanted else ():
                if native in wanted:
                    yield Kept(path, wanted[native])


def _deleted(nodes: Sequence[int | None], delta: Sequence[Mapping[str, Any]]) -> Iterator[int]:
    """Yield those of the nodes of an element's children that went with a change of the element."""
    at = 0
    for step in delta:
        stop = at + step.get("retain", 0) + step.get("delete", 0)
        if "delete" in step:
            yield from (node for node in nodes[at:stop] if node is not None)
        at = stop


def _upwards(native: Any) -> Iterator[Any]:
    while hasattr(native, "parent"):
        yield native
        native = native.parent()


def _paired(found: Elements, tree: Json, transaction: Any) -> Iterator[tuple[Any, Json, tuple[int, ...]]]:
    """Yield the elements of a document with their nodes and the paths of these, from the top down."""
    waiting: list[tuple[list[Any], Json, tuple[int, ...]]] = [(found.elements, tree, ())]
    while waiting:
        natives, above, path = waiting.pop()
        nodes = [(at, node) for at, node in enumerate(above.get("content", ())) if node["type"] != "text"]
        if len(natives) != len(nodes):  # something else lies between the elements
            continue
        for native, (at, node) in zip(natives, nodes, strict=True):
            yield native, node, (*path, at)
            below = [child for child in native.children(transaction) if type(child) is NativeElement]
            waiting.append((below, node, (*path, at)))


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
    was, present, asked, made = map(_words, (base, before, wanted, after))
    return bool((made - present - (asked - was)) & was)


def _apart(doc: Doc[Any], known: Collection[str], after: Json) -> bytes | Refused:
    """Put a space between words that came to stand side by side: what others wrote beside a word that the edit replaces."""
    wanted = _spaced(after, known)
    return b"" if wanted is after else change(doc, wanted)


def _spaced(node: Json, known: Collection[str]) -> Json:
    if node["type"] == "text":
        text = WORD.sub(lambda found: _parted(found[0], known), node["text"])
        return node if text == node["text"] else {**node, "text": text}
    content = node.get("content", [])
    made = [_spaced(child, known) for child in content]
    return node if all(one is other for one, other in zip(made, content, strict=True)) else {**node, "content": made}


def _parted(word: str, known: Collection[str]) -> str:
    if word in known:
        return word
    places = (at for at in range(1, len(word)) if word[:at] in known and word[at:] in known)
    return next((f"{word[:at]} {word[at:]}" for at in places), word)


def _words(tree: Json) -> Counter[str]:
    return Counter(word for text in texts_of(tree) for word in words_in(text_of(text)))


def _moves_into_deleted(gone: Credits, written: Iterable[Update], begun: Mapping[int, int]) -> bool:
    """Whether an edit deletes content of its base, and writes content into what others deleted since.

    What it writes there may be what it deletes, moved: nobody would see it again.
    """
    deletes = any(gone.alive(client, 0, end) != [(0, end)] for client, end in begun.items())
    return deletes and _loses(gone, written, {})
