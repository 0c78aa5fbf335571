"""Shows edits that came over the API in awareness: who made them, and where, for some seconds.

Each author has a client id of the server's own in a document. Yjs clients choose theirs at random below 2^32, so these lie above.
Nothing is written under them, and clients cannot show anything under them.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from documents.yjs.relative_position import RelativePosition
from domain.credit import AuthorId, Credit
from live.awareness import REMOVED
from live.codec import ClientState

SECONDS: Final = 10.0
MAX_AUTHORS: Final = 100  # in one document; of more, those are forgotten whose last edit is the longest ago
_MIN_CLIENT: Final = 2**32
_MAX_CLIENT: Final = 2**53  # JavaScript's


@dataclass(slots=True)
class _Shown:
    """The last state of one author; without a `timer` it is removed."""

    state: ClientState
    timer: asyncio.TimerHandle | None


class EditPresence:
    """The edits that are shown in one document; `broadcast` is called with the states that changed."""

    def __init__(self, broadcast: Callable[[Sequence[ClientState]], None]) -> None:
        self._broadcast = broadcast
        self._shown: dict[AuthorId, _Shown] = {}  # by their authors, the last one last
        self._first_client = _MIN_CLIENT + secrets.randbelow(_MAX_CLIENT // 2)
        self._next_client = self._first_client

    def all(self) -> list[ClientState]:
        return [shown.state for shown in self._shown.values() if shown.timer]

    def owns(self, client: int) -> bool:
        """Whether an edit is or was shown under this client id: clients repeat the states of others, also late."""
        return self._first_client <= client < self._next_client

    def show(self, by: Credit, place: RelativePosition | None) -> None:
        """Show an edit of this author for `SECONDS`, in the place of the one before."""
        author = (by.user_id, by.agent)
        shown = self._shown.pop(author, None)
        if shown and shown.timer:
            shown.timer.cancel()
        client, clock = (shown.state.client, shown.state.clock + 1) if shown else (self._new_client(), 1)
        state = ClientState(client, clock, _encoded(by, place))
        timer = asyncio.get_running_loop().call_later(SECONDS, self._remove, author)
        self._shown[author] = _Shown(state, timer)
        self._broadcast([state])
        if len(self._shown) > MAX_AUTHORS:
            self._forget(next(iter(self._shown)))

    def _remove(self, author: AuthorId) -> None:
        shown = self._shown[author]
        shown.state, shown.timer = ClientState(shown.state.client, shown.state.clock + 1, REMOVED), None
        self._broadcast([shown.state])

    def _forget(self, author: AuthorId) -> None:
        if timer := self._shown[author].timer:
            timer.cancel()
            self._remove(author)
        del self._shown[author]

    def _new_client(self) -> int:
        self._next_client += 1
        return self._next_client - 1


def _encoded(by: Credit, place: RelativePosition | None) -> str:
    cursor = {"anchor": place.json, "head": place.json} if place else None
    user = {"id": by.user_id, "name": by.name, "agent": by.agent}
    return msgspec.json.encode({"user": user, "cursor": cursor}).decode()
