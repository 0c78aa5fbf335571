"""Keeps the awareness states of one document that other nodes tell of, by node and Yjs client."""

from collections.abc import Sequence

import msgspec

from domain.credit import AuthorId
from live.awareness import REMOVED
from live.codec import ClientState


class _User(msgspec.Struct):
    id: str
    agent: str | None = None


class _State(msgspec.Struct):
    user: _User


def author_of(state: ClientState) -> AuthorId:
    """Return whose a state is, as the node wrote it that took the state from its client; raises msgspec.DecodeError."""
    user = msgspec.json.decode(state.json, type=_State).user
    return user.id, user.agent


class AwarenessElsewhere:
    """A client is shown once, by its latest state; all states of a node go with it."""

    def __init__(self) -> None:
        self._shown: dict[int, dict[int, ClientState]] = {}

    def all(self) -> list[ClientState]:
        clients = {client for states in self._shown.values() for client in states}
        return [state for client in clients if (state := self.find(client))]

    def find(self, client: int) -> ClientState | None:
        """Return the latest state of a client."""
        found = [states[client] for states in self._shown.values() if client in states]
        return max(found, key=lambda state: state.clock, default=None)

    def update(self, node: int, states: Sequence[ClientState], *, whole: bool = False) -> list[ClientState]:
        """Take states of a node, `whole`: in the place of all before; return what changes for clients of this one."""
        before = {} if node not in self._shown else {**self._shown[node]}
        now = {} if whole else {**before}
        for state in states:
            if state.json == REMOVED:
                now.pop(state.client, None)
            else:
                now[state.client] = state
        if now:
            self._shown[node] = now
        else:
            self._shown.pop(node, None)
        gone = [ClientState(client, state.clock, REMOVED) for client, state in before.items() if client not in now]
        return [*self.instead_of(gone), *(state for state in now.values() if before.get(state.client) != state)]

    def instead_of(self, states: Sequence[ClientState]) -> list[ClientState]:
        """Return the states as clients are told of them: one who leaves here may be at another node by now."""
        return [(self.find(state.client) or state) if state.json == REMOVED else state for state in states]
