"""Finds in stored documents what is searched, and the text that is gone although nobody deleted it."""

from collections.abc import Sequence
from dataclasses import dataclass

from computing.loaded_document import size_of
from computing.logs import whole_log
from documents.history.copied_text import encode_copied
from documents.history.followed import Followed, follow_moves
from documents.history.replay import Replayed, replayed
from documents.history.unseen import UnseenText, unseen_since
from documents.projection.search_text import SearchText, load_search_text
from documents.yjs.scan import Refused, accepted
from documents.yjs.snapshot import encode_deleted
from domain.credit import AuthorId
from domain.document import Computed, DocumentLog, DocumentState


def read_search_text(state: DocumentState) -> SearchText | Refused:
    return load_search_text(state.snapshot, state.updates)


@dataclass(frozen=True, slots=True)
class FoundUnseen:
    """The unseen texts of a log, and the letters of one writer that follow what they stood beside, as an update of the document."""

    texts: list[UnseenText]
    sequence: int
    followed_by: AuthorId | None = None
    update: Computed | None = None


def followed_update(made: Replayed, follows: Followed, stored: DocumentLog) -> Computed:
    """Return what letters follow by, computed from a log, to be recorded."""
    return Computed(
        follows.update,
        stored.sequence,
        size_of(stored) + len(follows.update),
        frozenset({follows.client}),
        encode_copied(follows.copied),
        encode_deleted(made.doc),
        near=follows.near,
    )


def find_unseen(stored: DocumentLog, since: int, refused: Sequence[AuthorId] | None) -> FoundUnseen:
    """Find the text that went unseen since a revision, and letters that follow what was moved, but for those of the `refused`.

    With None in their place, no letters follow.
    """
    made = accepted(replayed(whole_log(stored)))
    texts = unseen_since(made, since)
    follows = None if refused is None else follow_moves(made, {*refused})
    if follows is None:
        return FoundUnseen(texts, stored.sequence)
    update = followed_update(made, follows, stored)
    return FoundUnseen(texts, stored.sequence, (follows.user_id, follows.agent), update)
