"""Values as PostgreSQL sends and takes them in its binary format."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Final
from uuid import UUID

UUID_OID, TEXT_OID, INT4_OID, INT8_OID, BYTEA_OID = 2950, 25, 23, 20, 17
"""The types of what is in arrays, by the numbers that PostgreSQL has for them."""

# The number of dimensions, whether nulls are among them, the type of what is in them, how many there are, where counting begins.
_head, size, _int, _long, _microseconds = (Struct(form).pack for form in ("!iiIii", "!i", "!ii", "!iq", "!q"))
_BEGINNING: Final = 946_684_800_000  # milliseconds from 1970 to 2000, from where moments are counted, in microseconds
_BEGAN: Final = datetime(2000, 1, 1, tzinfo=UTC)
NULL: Final = b"\xff\xff\xff\xff"
"""Stands in an array for a value with its length."""


def array(oid: int, values: Sequence[bytes], count: int | None = None) -> bytes:
    """Return an array of `values`, each with its length; of `count` of them where some come in several pieces."""
    return _head(1, 1, oid, len(values) if count is None else count, 1) + b"".join(values)


def integer(value: int) -> bytes:
    """Return an INT4 with its length."""
    return _int(4, value)


def long(value: int) -> bytes:
    """Return an INT8 with its length."""
    return _long(8, value)


def uuid_of(written: str) -> bytes:
    """Return a UUID with its length."""
    return with_length(UUID(written).bytes)


def with_length(value: bytes) -> bytes:
    return size(len(value)) + value


def timestamptz(milliseconds: int) -> bytes:
    """Return a time in milliseconds since 1970."""
    return _microseconds((milliseconds - _BEGINNING) * 1000)


def time_of(value: bytes) -> datetime:
    """Return the time that a `timestamptz` is."""
    return _BEGAN + timedelta(microseconds=int.from_bytes(value, signed=True))
