"""Bounds of what one request may ask for at once: the contract publishes them, and resolvers hold them."""

from typing import Final

MAX_PAGE: Final = 200
MAX_IDS: Final = 500  # of a list of ids in an argument
MAX_PASSAGES: Final = 500  # of an edit
