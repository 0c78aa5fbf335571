"""Decides which author may write under a Yjs client id: its first author in the log, or the editor who shows it."""

from collections.abc import Iterable

from documents.scan import Scanned
from domain.credit import AuthorId
from live.awareness import Awareness


class ClientIds:
    """The client ids of one document; `awareness` has the users for whom unused ids are reserved."""

    def __init__(self, awareness: Awareness) -> None:
        self._awareness = awareness
        self._owners: dict[int, AuthorId] = {}

    def load(self, owners: dict[int, AuthorId]) -> None:
        self._owners = owners

    def may_show(self, client: int, author: AuthorId) -> bool:
        return self._owners.get(client, author) == author

    def may_write(self, clients: Iterable[int], author: AuthorId) -> bool:
        return all(
            (self._owners.get(client) or self._awareness.reserved_for(client) or author) == author for client in clients
        )

    def claim(self, scanned: Scanned, author: AuthorId) -> list[int]:
        """Make the author the owner of what an update is the first to write under; return those client ids."""
        claimed = [client for client, end in scanned.ends.items() if end and client not in self._owners]
        self._owners.update(dict.fromkeys(claimed, author))
        return claimed
