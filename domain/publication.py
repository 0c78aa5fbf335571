"""Publication: publishing and unpublishing a document."""

from dataclasses import dataclass

from domain.access import Can
from domain.account import Account, require_verified
from domain.errors import Rejection
from domain.item import ItemFacts, allowed, document


@dataclass(frozen=True, slots=True)
class DocumentPublished:
    item_id: str
    drive_id: str
    slug: str


@dataclass(frozen=True, slots=True)
class DocumentUnpublished:
    item_id: str
    drive_id: str


def set_publication(
    facts: ItemFacts | None, *, published: bool, new_slug: str, by: Account
) -> tuple[DocumentPublished | DocumentUnpublished, ...] | Rejection:
    """Publish a document under a slug it never had before, or end its publication."""
    seen = allowed(facts, Can.publish, "publish or unpublish this item")
    if isinstance(seen, ItemFacts):
        refused = require_verified(by, "publish") if published else None
        seen = refused or document(seen)
    if isinstance(seen, Rejection):
        return seen
    if (seen.item.slug is not None) == published:
        return ()
    if published:
        return (DocumentPublished(seen.item.id, seen.item.drive_id, new_slug),)
    return (DocumentUnpublished(seen.item.id, seen.item.drive_id),)
