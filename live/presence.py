"""Keeps the awareness states of one document, each from the client that it belongs to.

A Yjs client id belongs to the seat that first showed itself under it, unless that one may not edit and another may. Clients
also repeat what they heard of others, and report each other's silence; all that is passed over. What a client says of its
user is replaced by who it is.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec

from domain.credit import Credit
from live.codec import State

LARGEST_STATE: Final = 8 * 1024
GONE: Final = "null"
# The only wishes of a client about how its user looks that others are shown.
_WISHES: Final = ("color", "colorLight")
_color: Final = re.compile(r"#[0-9A-Fa-f]{3,8}|[a-z]{3,20}|hsla?\([0-9., %deg]{1,40}\)")


class Sitter(Protocol):
    @property
    def credit(self) -> Credit: ...

    @property
    def who(self) -> tuple[str, str | None]: ...

    @property
    def may_edit(self) -> bool: ...


@dataclass(slots=True)
class _Shown:
    state: State
    by: Sitter


class Presence:
    """What is shown in one document."""

    def __init__(self) -> None:
        self._shown: dict[int, _Shown] = {}
        self._clients: dict[Sitter, int] = {}

    def all(self) -> list[State]:
        return [shown.state for shown in self._shown.values()]

    def holder(self, client: int) -> tuple[str, str | None] | None:
        """Return for whom a client id is reserved: whoever shows it and may edit."""
        shown = self._shown.get(client)
        return shown.by.who if shown and shown.by.may_edit else None

    def owned(self, client: int, by: tuple[str, str | None]) -> list[State]:
        """Return the end of what anybody else shows under a client id that turned out to be somebody's."""
        shown = self._shown.get(client)
        return self.left(shown.by) if shown and shown.by.who != by else []

    def heard(self, by: Sitter, states: Iterable[State]) -> list[State]:
        """Take what is the seat's own to say, and return that as it is told to all."""
        told: list[State] = []
        for state in states:
            known = self._shown.get(state.client)
            if state.json == GONE:
                if known and known.by is by:
                    told += self.left(by)
            elif self._may_show(by, state, known) and (said := _introduced(state, by.credit)):
                self._shown[state.client] = _Shown(said, by)
                self._clients[by] = state.client
                if known and known.by is not by:
                    self._clients.pop(known.by, None)
                told.append(said)
        return told

    def left(self, by: Sitter) -> list[State]:
        """Return the end of what the seat showed, if it showed anything."""
        client = self._clients.pop(by, None)
        shown = self._shown.pop(client, None) if client is not None else None
        return [State(shown.state.client, shown.state.clock, GONE)] if shown else []

    def _may_show(self, by: Sitter, state: State, known: _Shown | None) -> bool:
        if self._clients.get(by, state.client) != state.client:
            return False
        if known is None or known.by is by or (by.may_edit and not known.by.may_edit):
            return True
        # A client that came back before its old socket was found dead.
        return known.by.who == by.who and state.clock > known.state.clock


def _introduced(state: State, credit: Credit) -> State | None:
    if len(state.json) > LARGEST_STATE:
        return None
    try:
        content: Any = msgspec.json.decode(state.json)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if not isinstance(content, dict):
        return None
    said = content.get("user")
    wishes = {name: said[name] for name in _WISHES if _is_color(said.get(name))} if isinstance(said, dict) else {}
    content["user"] = {**wishes, "id": credit.user_id, "name": credit.name, "agent": credit.agent}
    return State(state.client, state.clock, msgspec.json.encode(content).decode())


def _is_color(value: object) -> bool:
    return isinstance(value, str) and _color.fullmatch(value) is not None
