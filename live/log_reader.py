"""Reads the log of a document since a revision, and runs in turn what is computed from it: see `live.computations`."""

from collections.abc import Awaitable, Callable

from documents.copies import decode_copied
from documents.credits import Source
from documents.loading import Loading, noted, unnoted
from documents.replay import CompactedVersion, LoggedEdit, LogSince
from domain.credit import Credit
from domain.document import DocumentLog, DocumentLogSince
from domain.errors import Rejection
from domain.questions import LogSinceOf
from live.computations import Computations
from live.document_edits import REVISION_GONE
from live.document_reader import SMALL_EDIT
from live.store_reader import StoreReader


class LogReader:
    """Computes from the log of a document since a revision: small logs at once, others in turn."""

    def __init__(
        self, reader: StoreReader, computations: Computations | None = None, loading: Loading = unnoted
    ) -> None:
        self._reader = reader
        self._computations = computations or Computations()
        self._loading = loading

    async def compute[T](
        self,
        document_id: str,
        revision: int,
        by: Credit,
        act: Callable[[DocumentLogSince], T | Rejection],
        size: int = 0,
    ) -> T | Rejection:
        """Return what `act` makes of the log; REVISION_GONE if there is none. `size` is what `act` works on besides."""

        def read() -> Awaitable[DocumentLogSince | None]:
            return self._reader.read(LogSinceOf(document_id, revision))

        def made(stored: DocumentLogSince | None) -> T | Rejection:
            return REVISION_GONE if stored is None else act(stored)

        computed = noted(self._loading, document_id, made)
        stored = await read()
        if stored is None or stored.size + size < SMALL_EDIT:
            return computed(stored)
        del stored  # while it waits
        return await self._computations.run(by.user_id, read, computed)


def whole_log(stored: DocumentLog) -> LogSince:
    """Return a log from its snapshot on as `documents` reads it."""
    state = (stored.snapshot,) if stored.snapshot else ()
    log = tuple(
        LoggedEdit(each.update, each.user_id, each.agent, each.at, decode_copied(each.copied)) for each in stored.log
    )
    return LogSince(stored.sequence - len(log), state, log, credits=stored.credits)


def log_since(stored: DocumentLogSince) -> LogSince:
    """Return the log as `documents` reads it."""
    log = [
        LoggedEdit(each.update, each.user_id, each.agent, each.at, decode_copied(each.copied)) for each in stored.log
    ]
    return LogSince(
        stored.revision,
        stored.state,
        tuple(log),
        tuple(CompactedVersion(each.sequence, each.update, each.at) for each in stored.versions),
        stored.credits,
        tuple(copied for encoded in stored.copied for copied in decode_copied(encoded) or ()),
        tuple(Source(*author) for author in stored.authors),
    )
