"""Shares the awareness of documents that are open at several nodes: who is there, and where they write.

A node tells which documents it opens. Who has one of them open, too, answers with the states of its own clients, and tells of each
change from then on. So states go where somebody sees them. They travel in rings, which have up to 8,000 bytes, and the last state of
a client alone waits for the next ring. A larger state than a ring has room for is shown at its own node alone.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import msgspec

from live.awareness import REMOVED
from live.codec import ClientState
from live.node import NodeAmongOthers
from live.room import Room

MAX_STATE: Final = 3_500  # bytes of a state that is told
_AROUND: Final = 64  # bytes of a message beside its documents and states
_NAMED: Final = 48  # bytes of a document's id and what is around it
_NUMBERED: Final = 40  # bytes of a client's numbers and what is around them


class _Message(msgspec.Struct, array_like=True, frozen=True):
    """Documents that the node closed and opened, those of which these are all states, and states by document."""

    node: int
    closed: Sequence[str]
    opened: Sequence[str]
    whole: Sequence[str]
    states: Sequence[tuple[str, Sequence[tuple[int, int, msgspec.Raw]]]]


def _nothing() -> None: ...


class SharedAwareness:
    """That of the rooms of one process, the `node`. `on_news` is called when there is something to tell."""

    def __init__(self, node: NodeAmongOthers, rooms: Mapping[str, Room]) -> None:
        self.on_news: Callable[[], None] = _nothing
        self._node = node
        self._rooms = rooms
        self._elsewhere: defaultdict[str, set[int]] = defaultdict(set)  # by document, the nodes that have it open
        self._closed: dict[str, None] = {}
        self._opened: dict[str, None] = {}
        self._whole: set[str] = set()
        self._states: dict[str, dict[int, ClientState]] = {}

    # What happens here

    def opened(self, document_id: str) -> None:
        if self._node.has_others:
            self._opened[document_id] = None
            self.on_news()

    def closed(self, document_id: str) -> None:
        self._elsewhere.pop(document_id, None)
        self._states.pop(document_id, None)
        self._whole.discard(document_id)
        if self._node.has_others:
            self._opened.pop(document_id, None)
            self._closed[document_id] = None
            self.on_news()

    def changed(self, room: Room, states: Sequence[ClientState]) -> None:
        if states and room.document_id in self._elsewhere:
            self._states.setdefault(room.document_id, {}).update((state.client, state) for state in states)
            self.on_news()

    def begin_again(self) -> None:
        """Tell everything once more: nobody knows what the others heard."""
        for document_id, room in self._rooms.items():
            self.opened(document_id)
            if document_id in self._elsewhere:
                self._tell_whole(room)

    def keep(self, nodes: Collection[int]) -> None:
        """Forget what other nodes told than these, which are there."""
        gone = {node for of in self._elsewhere.values() for node in of}.difference(nodes)
        for document_id in [each for each, of in self._elsewhere.items() if gone & of]:
            for node in gone & self._elsewhere[document_id]:
                self._left(document_id, node)

    # What others are told

    @property
    def has_news(self) -> bool:
        return bool(self._closed or self._opened or self._states)

    def take(self, size: int) -> str:
        """Return what is to be told next, in up to so many bytes."""
        size -= _AROUND
        closed = _taken(self._closed, size // _NAMED)
        size -= _NAMED * len(closed)
        opened = _taken(self._opened, size // _NAMED)
        size -= _NAMED * len(opened)
        whole: list[str] = []
        told: list[tuple[str, list[tuple[int, int, msgspec.Raw]]]] = []
        for document_id in [*self._states]:
            size -= _NAMED * 2
            if size < 0:
                break
            if document_id in self._whole:
                self._whole.discard(document_id)
                whole.append(document_id)
            told.append((document_id, []))
            waiting_states = self._states[document_id]
            for client in [*waiting_states]:
                written = _written(waiting_states[client])
                size -= _NUMBERED + len(bytes(written[2]))
                if size < 0:
                    break
                told[-1][1].append(written)
                del waiting_states[client]
            if waiting_states:
                break
            del self._states[document_id]
        return msgspec.json.encode(_Message(self._node.number, closed, opened, whole, told)).decode()

    def _tell_whole(self, room: Room) -> None:
        self._whole.add(room.document_id)
        self._states[room.document_id] = {state.client: state for state in room.own_states()}
        self.on_news()

    # What others tell

    def heard(self, message: str) -> None:
        told = msgspec.json.decode(message, type=_Message)
        for document_id in told.closed:
            self._left(document_id, told.node)
        for document_id in told.opened:
            if room := self._rooms.get(document_id):
                self._elsewhere[document_id].add(told.node)
                room.show_elsewhere(told.node, (), whole=True)
                self._tell_whole(room)
        for document_id, states in told.states:
            if room := self._rooms.get(document_id):
                self._elsewhere[document_id].add(told.node)
                # Who is late must not tell: others may have gone on without waiting for what is to be closed here.
                if self._node.is_held:
                    read = [ClientState(client, clock, bytes(json).decode()) for client, clock, json in states]
                    room.show_elsewhere(told.node, read, whole=document_id in told.whole)

    def _left(self, document_id: str, node: int) -> None:
        nodes = self._elsewhere.get(document_id)
        if nodes and node in nodes:
            nodes.discard(node)
            if not nodes:
                del self._elsewhere[document_id]
            if room := self._rooms.get(document_id):
                room.show_elsewhere(node, (), whole=True)


def _taken(waiting: dict[str, None], most: int) -> list[str]:
    """Take the first out of what waits."""
    taken = [*waiting][: max(most, 0)]
    for each in taken:
        del waiting[each]
    return taken


def _written(state: ClientState) -> tuple[int, int, msgspec.Raw]:
    json = state.json.encode()
    return state.client, state.clock, msgspec.Raw(json if len(json) <= MAX_STATE else REMOVED.encode())
