"""Recognizes updates in version 2 of Yjs's encoding, which no other part of the server reads."""

from typing import Final

from documents.yjs.lib0 import Decoder, Hostile

FIRST: Final = 0  # the byte that Yjs keeps for flags of later versions
STREAMS: Final = 9
SMALLEST_REST: Final = 2  # the numbers of clients that write, and of those of whom something is deleted


def is_v2(update: bytes) -> bool:
    """Whether bytes that are no update of version 1 are laid out as one of version 2: nine streams, and what refers to them."""
    decoder = Decoder(update)
    try:
        if decoder.byte() != FIRST:
            return False
        for _ in range(STREAMS):
            decoder.bytes()
    except (IndexError, Hostile):
        return False
    return len(update) - decoder.at >= SMALLEST_REST
