"""Publishes every commit to the listeners of this process."""

import logging
from collections.abc import Awaitable, Callable, Collection, Container
from dataclasses import dataclass, field
from typing import Final, Protocol

from domain.commit import DOCUMENT_EDITED, Commit, LiveEdits
from domain.errors import Unavailable

type CommitListener = Callable[[Commit], Awaitable[None] | None]
"""Called with each commit. What it returns is awaited before the change returns; for live edits it returns None."""

_log: Final = logging.getLogger(__name__)


class OpenDocuments(Protocol):
    """The open documents, as a transaction that writes to their logs sees them."""

    @property
    def open(self) -> Container[str]:
        """The ids of these documents."""
        ...

    async def hold(self, document_id: str) -> None:
        """Append nothing of the document until `release`; what is being appended has ended when this returns.

        Where this is cancelled there is nothing to release.
        """
        ...

    def release(self, document_id: str) -> None: ...

    def forget(self, document_id: str) -> None:
        """Reload the document: whether a transaction that wrote to it was committed is unknown."""
        ...

    async def settled(self) -> None:
        """Return when the edits of connections that were closed are stored, or never will be."""
        ...


class Barrier(Protocol):
    async def passed(self, transaction: int) -> None:
        """Return when no other process serves by what was true before a change of access, which is committed."""
        ...

    async def all_passed(self) -> None:
        """Return when no process serves by what was true before any change of access that is committed by now."""
        ...


class CommitFeed:
    """The feed of one store. Listeners are called one after the other, in the order in which they subscribed.

    `tracked` are the numbers of the published transactions, for `AuditFeed`, which publishes those of other processes.
    """

    def __init__(self) -> None:
        self.listeners: list[tuple[CommitListener, Collection[str] | None]] = []
        self.open_documents: OpenDocuments | None = None
        self.barrier: Barrier | None = None
        self.tracked: set[int] | None = None

    def subscribe(self, listener: CommitListener, types: Collection[str] | None = None) -> None:
        """Call the listener with commits that have an entry of one of these types, or with all where `types` is None.

        Live edits have the type `documentEdited`.
        """
        self.listeners.append((listener, types))

    async def publish(self, commit: Commit, transaction_id: int | None = None) -> None:
        """Call the listeners, and return when all have finished; a failure of one is logged."""
        happened = {entry.type for entry in commit.entries}
        for listener, types in self.listeners:
            if types is not None and happened.isdisjoint(types):
                continue
            try:
                if (followed := listener(commit)) is not None:
                    await followed
            except Unavailable as error:
                _log.warning("a listener of a commit was put off: %s", error)
            except Exception:  # noqa: BLE001 - the change is committed
                _log.exception("a listener of a commit failed")
        self._track(transaction_id)

    async def settle(self, commit: Commit, transaction_id: int | None = None) -> None:
        """Return when nothing is stored or told any more by what was true before a change of access, which is published.

        Where this process committed it, as `transaction_id`, that is so at every process.
        """
        if not commit.changes_access:
            return
        if self.open_documents:
            await self.open_documents.settled()
        if self.barrier and transaction_id is not None:
            await self.barrier.passed(transaction_id)

    async def settle_earlier(self) -> None:
        """Return when nothing is stored or told by what was true before changes of access that anybody committed earlier."""
        if self.barrier:
            await self.barrier.all_passed()

    def publish_live(self, edits: LiveEdits, transaction_id: int | None = None) -> None:
        """Call the listeners with live edits; a failure of one is logged."""
        commit = Commit(live=edits)
        for listener, types in self.listeners:
            if types is not None and DOCUMENT_EDITED not in types:
                continue
            try:
                listener(commit)
            except Exception:  # noqa: BLE001 - the change is committed
                _log.exception("a listener of a commit failed")
        self._track(transaction_id)

    def unknown(self, commit: Commit) -> None:
        """Have the documents of a commit reloaded: whether it was committed is unknown."""
        for document_id in commit.documents:
            if self.open_documents:
                self.open_documents.forget(document_id)

    def _track(self, transaction_id: int | None) -> None:
        # Last: where the caller was cancelled before all listeners were called, `AuditFeed` publishes the commit again.
        if transaction_id is not None and self.tracked is not None:
            self.tracked.add(transaction_id)


@dataclass(slots=True)
class CommitHold:
    """The open documents whose appends one change holds back, until it has ended.

    A document that is opened meanwhile is not held: its appends are refused while the change has its lock, and repeated.
    """

    open_documents: OpenDocuments | None
    _held: list[str] = field(default_factory=list, init=False)

    async def add(self, document_id: str) -> None:
        documents = self.open_documents
        if documents and document_id in documents.open and document_id not in self._held:
            await documents.hold(document_id)
            self._held.append(document_id)

    def release(self) -> None:
        for document_id in self._held:
            if self.open_documents:
                self.open_documents.release(document_id)
