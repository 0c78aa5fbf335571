"""Keeps the awareness states of one document, each from the client that it belongs to.

A Yjs client id belongs to the connection that first sent a state under it, unless that connection may not edit and another one may.
Clients also repeat the states of others, and report each other's silence; all that is ignored. The `user` that a
client sends is replaced by the one that the server knows.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec

from domain.credit import Credit
from live import codec
from live.codec import ClientState

MAX_STATE: Final = 8 * 1024
REMOVED: Final = "null"
BROADCAST_SECONDS: Final = 0.05  # between two broadcasts of what changed
# The fields of `user` that are taken from the client.
_COLORS: Final = ("color", "colorLight")
_color: Final = re.compile(r"#[0-9A-Fa-f]{3,8}|[a-z]{3,20}|hsla?\([0-9., %deg]{1,40}\)")


class AwarenessSource(Protocol):
    @property
    def credit(self) -> Credit: ...

    @property
    def author_id(self) -> tuple[str, str | None]: ...

    @property
    def may_edit(self) -> bool: ...


@dataclass(slots=True)
class _Shown:
    state: ClientState
    by: AwarenessSource


class Awareness:
    """The states of one document, as Yjs's class of this name keeps them."""

    def __init__(self) -> None:
        self._shown: dict[int, _Shown] = {}
        self._clients: dict[AwarenessSource, int] = {}

    def all(self) -> list[ClientState]:
        return [shown.state for shown in self._shown.values()]

    def has(self, client: int) -> bool:
        return client in self._shown

    def claim(self, client: int, author_id: tuple[str, str | None]) -> list[ClientState]:
        """Remove the state of anybody else under a client id that the author has written under; return the removal."""
        shown = self._shown.get(client)
        return self.remove(shown.by) if shown and shown.by.author_id != author_id else []

    def update(self, by: AwarenessSource, states: Iterable[ClientState]) -> list[ClientState]:
        """Take the states that are the connection's own; return these as they are broadcast."""
        taken: list[ClientState] = []
        for state in states:
            known = self._shown.get(state.client)
            if state.json == REMOVED:
                if known and known.by is by:
                    taken += self.remove(by)
            elif self._may_show(by, state, known) and (attributed := _attributed(state, by.credit)):
                self._shown[state.client] = _Shown(attributed, by)
                self._clients[by] = state.client
                if known and known.by is not by:
                    self._clients.pop(known.by, None)
                taken.append(attributed)
        return taken

    def remove(self, by: AwarenessSource) -> list[ClientState]:
        """Remove the connection's state; return the removal, if there was a state."""
        client = self._clients.pop(by, None)
        shown = self._shown.pop(client, None) if client is not None else None
        return [ClientState(shown.state.client, shown.state.clock, REMOVED)] if shown else []

    def _may_show(self, by: AwarenessSource, state: ClientState, known: _Shown | None) -> bool:
        if self._clients.get(by, state.client) != state.client:
            return False
        if known is None or known.by is by or (by.may_edit and not known.by.may_edit):
            return True
        # A client that reconnected before its old socket was found dead.
        return known.by.author_id == by.author_id and state.clock > known.state.clock


class AwarenessBroadcast:
    """Collects the states that changed, and sends the last one of each client every `BROADCAST_SECONDS` at most."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._changed: dict[int, ClientState] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._sent_at = 0.0

    def add(self, states: Sequence[ClientState]) -> None:
        if not states:
            return
        self._changed.update((state.client, state) for state in states)
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(max(loop.time(), self._sent_at + BROADCAST_SECONDS), self._flush)

    def _flush(self) -> None:
        self._timer, self._sent_at = None, asyncio.get_running_loop().time()
        changed, self._changed = self._changed, {}
        self._send(codec.awareness(changed.values()))


def _attributed(state: ClientState, credit: Credit) -> ClientState | None:
    if len(state.json) > MAX_STATE:
        return None
    try:
        content: Any = msgspec.json.decode(state.json)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if not isinstance(content, dict):
        return None
    user = content.get("user")
    colors = {name: user[name] for name in _COLORS if _is_color(user.get(name))} if isinstance(user, dict) else {}
    content["user"] = {**colors, "id": credit.user_id, "name": credit.name, "agent": credit.agent}
    return ClientState(state.client, state.clock, msgspec.json.encode(content).decode())


def _is_color(value: object) -> bool:
    return isinstance(value, str) and _color.fullmatch(value) is not None
