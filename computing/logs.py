"""Makes of stored logs what `documents` replays."""

from documents.history.copied_text import decode_copied
from documents.history.credits import Source
from documents.history.replay import CompactedVersion, LoggedEdit, LogSince
from domain.document import DocumentLog, DocumentLogSince


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
