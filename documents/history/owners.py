"""Determines the owner of each Yjs client id in a document: the author of its first clock in the log.

A client writes its clocks in order, so the author of the first one is the client. Later clocks of another author
under the same id were forged, or are older than this check.
"""

from collections.abc import Iterable
from typing import Final

from pycrdt import get_state

from documents.history.credits import Credits
from documents.yjs.lib0 import Decoder
from domain.credit import AuthorId
from domain.document import LoggedUpdate

_NOTHING_BEGINS: Final = b"\0"


def owners(credited: bytes | None, log: Iterable[LoggedUpdate]) -> dict[int, AuthorId]:
    """Return the owner of each client: from the credits of a snapshot, if there are some, and the updates after it.

    All of that was accepted before, and is read in one pass.
    """
    found: dict[int, AuthorId] = {
        client: (source.user_id, source.agent) for client, source in Credits.decode(credited).writers().items()
    }
    for each in log:
        begins = get_state(each.update)  # of the clients whose clocks the update tells from the first one on
        if begins != _NOTHING_BEGINS:
            decoder = Decoder(begins)
            for _ in range(decoder.uint()):
                found.setdefault(decoder.uint(), (each.user_id, each.agent))
                decoder.uint()
    return found
