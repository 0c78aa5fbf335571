"""Worker that copies the images of other documents that clients bring into a document, as edits of who brought them."""

from collections.abc import Callable, Iterable
from typing import Final

import structlog
from cachetools import LRUCache

from computing.jobs import POINT_TO_COPIES
from computing.runner import Crashed, JobRunner, TooCostly
from domain.commit import Commit
from domain.credit import AuthorId, Credit
from domain.document import WRITTEN_MEANWHILE, Computed, edit
from domain.errors import BudgetSpent, Quarantined, Rejection, Unavailable
from domain.questions import AccountOf, ItemFor, StateOf
from domain.storage import StorageQuotas, added_bytes, no_room
from graphql_api.copied_images import CopiedImages, copied_images
from graphql_api.ports import Clock, LiveDocuments, LockScope, Transaction
from persistence.audit_feed import EditedLog
from persistence.image_addresses import COPYING, AddressesOfImages, addresses_of_images
from persistence.store import PostgresStore

AUDIT_TURNS: Final = 60  # between two reads of the audit
MAX_KNOWN: Final = 10_000  # documents of which it is known how far they were looked at
_log: Final = structlog.get_logger("service")


class ImageCopier:
    """A worker, and a listener of commits. The audit names what other processes commit, and what was before a restart.

    `leads` says whether this process looks at those, too.

    To look twice is harmless: a copy has one id, and an image that has the address of its copy is left as it is.
    """

    every: float = 1.0

    def __init__(
        self,
        store: PostgresStore,
        documents: LiveDocuments,
        runner: JobRunner,
        clock: Clock,
        quotas: StorageQuotas,
        leads: Callable[[], bool] = lambda: True,
    ) -> None:
        self._store, self._documents, self._runner, self._clock = store, documents, runner, clock
        self._quotas = quotas
        self._leads = leads
        self._log = EditedLog(store, COPYING)
        self._edited: set[str] = set()
        self._named: dict[str, int] = {}  # by the audit: the turn after which each is looked at for the last time
        self._known: LRUCache[str, int] = LRUCache(MAX_KNOWN)  # the last update that was looked at
        self._turn = 0

    def committed(self, commit: Commit) -> None:
        if commit.is_local or self._leads():
            self._edited.update(commit.documents)

    async def turn(self) -> None:
        if self._turn % AUDIT_TURNS == 0 and self._leads():
            last = self._turn + 2 * AUDIT_TURNS  # an edit just after another one may have no entry in the audit
            self._named |= dict.fromkeys(await self._log.edited_documents(), last)
            self._edited |= self._named.keys()
            self._named = {each: at for each, at in self._named.items() if at > self._turn}
        self._turn += 1
        asked, self._edited = self._edited, set()
        try:
            asked -= await self._looked_at(asked) if asked else set()
        finally:
            self._edited |= asked
        if self._leads():
            await self._log.finished({*self._named, *self._edited})

    async def _looked_at(self, document_ids: Iterable[str]) -> set[str]:
        """Return those of the documents that need not be looked at again before they are edited."""
        found = await addresses_of_images(self._store, {each: self._known.get(each, 0) for each in document_ids})
        done = {each for each in document_ids if each not in found}  # deleted for ever
        for document_id, addresses in found.items():
            if await self._is_done(document_id, addresses):
                self._known[document_id] = addresses.sequence
                done.add(document_id)
        return done

    async def _is_done(self, document_id: str, addresses: AddressesOfImages) -> bool:
        """Copy what was brought into a document; false where it is to be tried again. No fault holds up the others."""
        try:
            return all([await self._copy(document_id, author, ids) for author, ids in addresses.ids.items()])
        except (Quarantined, TooCostly, Crashed):
            return True
        except (BudgetSpent, Unavailable):
            return False
        except Exception:  # noqa: BLE001 - one document's fault must not stop the others
            _log.exception("the images of a document could not be copied", document_id=document_id)
            return True

    async def _copy(self, document_id: str, author: AuthorId, ids: Iterable[str]) -> bool:
        """Copy what an author brought into a document; false where it is to be tried again."""
        user_id, agent = author
        images = await copied_images(self._store, user_id, document_id, ids, self._clock())
        account = await self._store.read(AccountOf(user_id)) if images.ids else None
        if account is None:
            return True
        state = await self._store.read(StateOf(document_id))
        made = await self._runner.run(POINT_TO_COPIES, user_id, document_id, state, {**images.ids})
        return not made.update or await self._record(document_id, made, Credit(user_id, account.name, agent), images)

    async def _record(self, document_id: str, made: Computed, by: Credit, images: CopiedImages) -> bool:
        async def work(transaction: Transaction) -> bool:
            found = await transaction.read(ItemFor(by.user_id, document_id))
            edited = edit(found, made.update)
            if found is None or isinstance(edited, Rejection):
                return True
            grown = await self._documents.bytes_added_since(document_id, made, by, transaction, found.item.sequence)
            if isinstance(grown, Rejection):
                return grown is not WRITTEN_MEANWHILE
            copies = await images.recorded(transaction, by.user_id, made.update, found.item.drive_id)
            if isinstance(copies, Rejection):
                return False
            added = added_bytes(copies)
            if no_room(self._quotas, added):
                return True
            await transaction.record((*edited, *copies), by, self._clock())
            for drive_id, size in added.items():
                self._quotas.wrote(drive_id, size)
            return True

        return await self._store.transact(LockScope(items=(document_id,), documents=(document_id,)), work)
