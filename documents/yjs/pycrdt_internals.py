"""The private parts of pycrdt that this package relies on; a test names the version whose parts they are.

The compiled classes do in a quarter of the time what the public wrappers do. They take the compiled transaction as an
argument, where the wrappers find it by themselves.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from pycrdt import Doc, Subscription
from pycrdt._pycrdt import XmlElement as NativeElement
from pycrdt._pycrdt import XmlFragment as NativeFragment
from pycrdt._pycrdt import XmlText as NativeText

__all__ = [
    "NativeElement",
    "NativeFragment",
    "NativeText",
    "apply_each",
    "deleted_in",
    "is_undecodable",
    "native",
    "transaction_of",
    "watch",
]

UNDECODABLE: Final = "Cannot decode update"  # how the message of the library's error begins


def native(shared: Any) -> Any:
    """Return the compiled value of a shared type that is in a document."""
    return shared.integrated


def transaction_of(transaction: Any) -> Any:
    """Return the compiled transaction; None where the wrapper has none."""
    return transaction._txn  # noqa: SLF001


def watch(doc: Doc[Any], heard: Callable[[Any], None]) -> Subscription:
    """Have `heard` called with the event of each transaction, for as long as the subscription is kept.

    `Doc.observe` keeps the subscription in the document, and in it the document: neither would ever be freed.
    """
    return doc._doc.observe(heard)  # noqa: SLF001


def deleted_in(event: Any) -> bytes:
    """Return all that a transaction deleted, as updates have it; only the type stubs leave it out."""
    deleted: bytes = event.delete_set
    return deleted


def apply_each(doc: Doc[Any], updates: Iterable[bytes]) -> None:
    """Apply each update in a transaction of its own."""
    native_doc = doc._doc  # noqa: SLF001
    for update in updates:
        transaction = native_doc.create_transaction()
        try:
            native_doc.apply_update(transaction, update)
            transaction.commit()
        finally:
            transaction.drop()


def is_undecodable(error: BaseException) -> bool:
    """Whether the library could not decode an update, and so has not begun to apply it."""
    return str(error).startswith(UNDECODABLE)
