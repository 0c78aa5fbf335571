"""A document with a surrogate pair, and updates that cut it in half or keep it whole."""

from tests.support.documents.encoding import client, element, inside, item, number, string, update

# A paragraph of client 1 that says "a😀b", its letters under the clocks 2, 3 and 4, 5; and what client 2 does to it.
BEGUN = update(
    client(1, element("paragraph"), item(7, b"\x06", parent=inside(1, 0)), item(4, string("a😀b"), parent=inside(1, 1)))
)
STATE = {1: 6}


X = b"\x04" + string("x")


def beside(left: int | None, right: int | None, content: bytes = X) -> bytes:
    """An item of client 2 between two letters of client 1, of which one may be missing."""
    info = content[0] | (0 if left is None else 0x80) | (0 if right is None else 0x40)
    names = b"".join([number(1) + number(clock) for clock in (left, right) if clock is not None])
    return update(client(2, bytes([info]) + names + content[1:]))


def deletes(start: int, length: int) -> bytes:
    return b"\x00\x01\x01\x01" + number(start) + number(length)


BOLD = b"\x06" + string("bold") + string("{}")
CUTS = {
    "text between the halves": beside(3, 4),
    "text behind the first half": beside(3, None),
    "text before the second half": beside(None, 4),
    "the first half deleted": deletes(3, 1),
    "the second half deleted": deletes(4, 1),
    "the second half deleted with what is behind it": deletes(4, 2),
    "the first half deleted with what is before it": deletes(2, 2),
    "a format that begins between the halves": beside(3, 4, BOLD),
    "a format that ends there": beside(None, 4, BOLD),
    "its own pair cut": update(
        client(2, item(4, string("😀"), origin=(1, 5)), item(4, string("x"), origin=(2, 0))),
    ),
    "its own pair halved": update(client(2, item(4, string("😀"), origin=(1, 5))), deletes=b"\x01\x02\x01\x00\x01"),
}
KEEPS = {
    "text before the pair": beside(2, 3),
    "text behind it": beside(4, 5),
    "the pair deleted": deletes(3, 2),
    "all deleted": deletes(2, 4),
    "a letter deleted": deletes(2, 1),
    "a format around the pair": beside(2, 3, BOLD),
    "a pair beside the pair": beside(4, 5, b"\x04" + string("😀")),
    "half a character, as Yjs writes it": beside(4, 5, b"\x04" + string("\ufffd")),
    "what is there already": BEGUN,
}
