"""Moves the content of an imported update to the root that is read, and finds content that no read shows.

A read shows the nodes of one root. Yjs names the root in the first structs that lie in it, and all others lie where these do;
so the content moves with its ids when these names are exchanged.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from pycrdt import Doc

from documents.admission.update_names import NameKind, names, renamed
from documents.tree.tree import ROOTS
from documents.yjs.item_list import XML_ELEMENT, XML_TEXT
from documents.yjs.lib0 import Decoder
from documents.yjs.scan import DELETED, GC, SKIP, TYPE, DeletedRun, Id, Refused
from documents.yjs.snapshot import encode_state
from documents.yjs.structs import FORMAT, Struct, covers, deleted_ranges, read_update

MAX_LISTED: Final = 8
MAX_NAME: Final = 40
_XML_FRAGMENT: Final = 4
_NODES: Final = frozenset({XML_ELEMENT, XML_TEXT, _XML_FRAGMENT})
_UNSEEN: Final = frozenset({GC, SKIP, DELETED, FORMAT})

type _Parent = tuple[object, ...]
"""As in `Struct`: a root or the id of an item, and the key under which something lies there, if any; empty if unknown."""


@dataclass(frozen=True, slots=True)
class MovedUpdate:
    """An update with its content in the root that is read; `roots` tells which root became which."""

    update: bytes
    roots: Mapping[str, str] = field(default_factory=dict)

    def original(self, root: str) -> str:
        return self.roots.get(root, root)  # two are exchanged, so each became the other


def moved_to_root(update: bytes, source: str | None, target: str) -> MovedUpdate | Refused:
    """Exchange two roots in an update that was scanned: the one with the text, which `source` names if given, and `target`.

    Without `source` it is the first of those that may be read in which the update has nodes. Refused where the update names
    roots, but not this one.
    """
    found = [name for name in names(update) if name.kind is NameKind.ROOT]
    roots = [*dict.fromkeys([name.value for name in found])]
    if source is None:
        source = _source(update, [root for root in ROOTS if root in roots])
    elif roots and source not in roots:
        return Refused(f"`field` is none of its roots, which are {_listed(roots)}")
    if source is None or source == target or source not in roots:
        return MovedUpdate(update)
    exchanged = {source: target, target: source}
    changes = [(name, exchanged[name.value]) for name in found if name.value in exchanged]
    return MovedUpdate(renamed(update, changes), exchanged)


def _source(update: bytes, roots: list[str]) -> str | None:
    if len(roots) > 1:
        filled = {each.root for each in _contents(update, {}) if each.is_in_node}
        roots = [root for root in roots if root in filled] or roots
    return roots[0] if roots else None


def unseen(doc: Doc[Any], since: Mapping[int, int], shown: str | None) -> tuple[str, ...]:
    """Return the roots in which something was written after a state vector, if none of it is in a node of the root `shown`.

    What was deleted by now counts for nothing, nor does formatting.
    """
    roots: dict[str, None] = {}
    for content in _contents(encode_state(doc), since):
        if content.is_in_node and content.root == shown:
            return ()
        roots[content.root] = None
    return tuple(roots)


class _Content(NamedTuple):
    """Where something lies: in a root, and there in a node or not."""

    root: str
    is_in_node: bool


def _contents(update: bytes, since: Mapping[int, int]) -> Iterator[_Content]:
    """Yield where each struct lies that an update writes after a state vector and that is there for a reader."""
    runs, deletions = read_update(update)
    deleted = deleted_ranges(deletions)
    parents = _Parents(runs)
    for client, structs in runs.items():
        for struct in structs:
            begin, stop = max(struct.clock, since.get(client, 0)), struct.clock + struct.length
            if begin >= stop or struct.kind in _UNSEEN or covers(deleted, DeletedRun(client, begin, stop - begin)):
                continue
            if content := parents.content(client, struct):
                yield content


@dataclass(slots=True)
class _Parents:
    """Finds the parents of an update's structs: one that names no parent lies where its neighbour does."""

    runs: Mapping[int, list[Struct]]
    _known: dict[Id, _Parent] = field(default_factory=dict)

    def content(self, client: int, struct: Struct) -> _Content | None:
        parent = self._parent(client, struct)
        while parent and not isinstance(parent[0], str):
            above = self._find((parent[0], parent[1]))  # type: ignore[arg-type]
            if above is None:
                return None
            client, struct = above
            parent = self._parent(client, struct)
        if not parent:
            return None
        is_node = struct.kind == TYPE and parent[1] is None and Decoder(struct.data, struct.start).uint() in _NODES
        return _Content(str(parent[0]), is_node)

    def _parent(self, client: int, struct: Struct) -> _Parent:
        path: list[Id] = []
        found: _Parent = ()
        here: tuple[int, Struct] | None = (client, struct)
        while here is not None:
            client, struct = here
            known = self._known.get((client, struct.clock))
            found = known or struct.parent
            if known is not None or struct.parent:
                break
            path.append((client, struct.clock))
            beside = struct.origin or struct.right
            here = self._find(beside) if beside else None
        self._known.update(dict.fromkeys(path, found))
        return found

    def _find(self, name: Id) -> tuple[int, Struct] | None:
        client, clock = name
        structs = self.runs.get(client, [])
        at = bisect_right(structs, clock, key=lambda struct: struct.clock) - 1
        return (client, structs[at]) if at >= 0 and clock < structs[at].clock + structs[at].length else None


def hidden(roots: Iterable[str], source: str | None) -> Refused:
    """Refuse an update with content in these roots that no read would show, although the text was said to be in `source`."""
    known = " or ".join([f"`{name}`" for name in ROOTS])
    lacking = f"{known}: name another root with such nodes in `field`" if source is None else "the root of `field`"
    return Refused(
        f"no read would show anything of it: it has content in {_listed(roots)}, but no XML nodes in {lacking}"
    )


def _listed(roots: Iterable[str]) -> str:
    """Return the names of roots for a message."""
    found = [*roots]
    first = ", ".join([f"`{_short(root)}`" for root in found[:MAX_LISTED]])
    return f"{first} and {len(found) - MAX_LISTED} more" if len(found) > MAX_LISTED else first


def _short(name: str) -> str:
    line = " ".join(name.replace("\0", "\ufffd").split())
    return line if len(line) <= MAX_NAME else f"{line[:MAX_NAME]}…"
