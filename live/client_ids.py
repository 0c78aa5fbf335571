"""Decides which author may write under a Yjs client id: its first author in the log, or else the editor who showed it first."""

from collections.abc import Iterable, Mapping
from typing import Final

from documents.yjs.scan import Scanned
from domain.credit import AuthorId

MAX_SHOWN: Final = (
    256  # ids of one user under which nobody has written; of more, those are given up that were shown first
)


class ClientIds:
    """The client ids of one document: `shown` are those under which nobody has written, by the editor who showed them here."""

    def __init__(self) -> None:
        self._owners: dict[int, AuthorId] = {}
        self._reserved: dict[int, AuthorId] = {}  # those that were shown before the document was opened
        self.shown: dict[int, AuthorId] = {}

    def load(self, owners: Mapping[int, AuthorId], reserved: Mapping[int, AuthorId]) -> None:
        self._owners, self._reserved = {**owners}, {**reserved}

    def may_use(self, client: int, author: AuthorId) -> bool:
        return (self._owners.get(client) or self.shown.get(client) or self._reserved.get(client) or author) == author

    def may_write(self, clients: Iterable[int], author: AuthorId) -> bool:
        return all(self.may_use(client, author) for client in clients)

    def claim(self, scanned: Scanned, author: AuthorId) -> list[int]:
        """Make the author the owner of what an update is the first to write under; return those client ids."""
        claimed = [client for client, end in scanned.ends.items() if end and client not in self._owners]
        for client in claimed:
            self._owners[client] = author
            self.shown.pop(client, None)
            self._reserved.pop(client, None)
        return claimed

    def show(self, client: int, author: AuthorId) -> bool:
        """Keep an id that its owner shows for them; false where it is kept already."""
        if client in self._owners or client in self.shown:
            return False
        others = [known for known, (user_id, _) in self.shown.items() if user_id == author[0]]
        if len(others) >= MAX_SHOWN:
            del self.shown[others[0]]
        self._reserved.pop(client, None)
        self.shown[client] = author
        return True
