"""The value that is published of each commit: its audit entries, or a batch of live edits."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from domain.account import AccountDisabled
from domain.credit import Credit
from domain.document import DocumentCopied, DocumentEdited
from domain.drive import DriveDeleted
from domain.events import Event
from domain.key import KeyRevoked
from domain.member import MemberRemoved, MemberSet
from domain.move import ItemMoved
from domain.oauth import AppDisconnected
from domain.organization import OrganizationMemberRemoved
from domain.session import SessionEnded
from domain.share import ShareChanged, ShareRemoved
from domain.trash import ItemDeleted, ItemTrashed


def event_type(kind: type[Event]) -> str:
    """Return the name that the audit has for events of this kind, such as `itemRenamed`; a copy is its document's first edit."""
    kind = DocumentEdited if kind is DocumentCopied else kind
    return kind.__name__[0].lower() + kind.__name__[1:]


DOCUMENT_EDITED: Final = event_type(DocumentEdited)

ACCESS_EVENTS: Final = frozenset(
    map(
        event_type,
        (
            AccountDisabled,
            AppDisconnected,
            DriveDeleted,
            ItemDeleted,
            ItemMoved,
            ItemTrashed,
            KeyRevoked,
            MemberRemoved,
            MemberSet,
            OrganizationMemberRemoved,
            SessionEnded,
            ShareChanged,
            ShareRemoved,
        ),
    )
)
"""The events that may end or change the access of a connection that is open already."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One entry of the audit; `details` is what the event carried, by names in camel case."""

    type: str
    drive_id: str | None
    item_id: str | None
    by: Credit
    at: datetime
    details: Mapping[str, object]


class LiveAuthor(Protocol):
    """An author in one open document. Equal only to itself."""

    @property
    def by(self) -> Credit: ...


@dataclass(frozen=True, slots=True)
class LiveEdits:
    """A batch of edits of open documents, by the documents' ids. `at` is in milliseconds since 1970.

    `audited` are those of the authors who have an entry in the audit for it.
    """

    drives: Mapping[str, str]
    rows: Mapping[str, Sequence[tuple[LiveAuthor, bytes]]]
    audited: Collection[LiveAuthor]
    at: int


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: entries of the audit, or live edits.

    `is_local`: by this process. What other processes committed may come as one, whose credits have no names.
    """

    entries: Sequence[AuditEntry] = ()
    live: LiveEdits | None = None
    is_local: bool = True

    @property
    def documents(self) -> Collection[str]:
        """The documents that have new updates."""
        if self.live:
            return self.live.drives.keys()
        return {entry.item_id for entry in self.entries if entry.type == DOCUMENT_EDITED and entry.item_id}

    @property
    def editors(self) -> Mapping[str, Sequence[Credit]]:
        """Who edited each document, by the documents' ids; not of live edits."""
        edited: dict[str, list[Credit]] = {}
        for entry in self.entries:
            if entry.type == DOCUMENT_EDITED and entry.item_id:
                edited.setdefault(entry.item_id, []).append(entry.by)
        return edited

    @property
    def changes_access(self) -> bool:
        """Whether it may end or change the access of somebody."""
        return any(entry.type in ACCESS_EVENTS for entry in self.entries)

    @property
    def changed_access(self) -> tuple[set[str], set[str]]:
        """The drives, and the users, whose access may have changed."""
        entries = [entry for entry in self.entries if entry.type in ACCESS_EVENTS]
        users = {user_id for entry in entries if isinstance(user_id := entry.details.get("userId"), str)}
        return {entry.drive_id for entry in entries if entry.drive_id}, users


type OnCommitted = Callable[[Mapping[str, int] | Exception], None]
"""Called with the number of the last row of each document that was not refused, or the error after which that is unknown."""
