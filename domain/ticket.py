"""Tickets: each opens one document, or a socket of GraphQL, once and within 30 seconds, for clients that cannot send headers."""

from datetime import timedelta
from typing import Final

from domain.key import base62

PREFIX: Final = "cdt_"
LIFETIME: Final = timedelta(seconds=30)
SECRET_LENGTH: Final = 32


def compose(randomness: int) -> str:
    return PREFIX + base62(randomness, SECRET_LENGTH)
