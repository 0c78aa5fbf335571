"""Codrive from Python: one method for each operation, over httpx, sync and async.

>>> client = Codrive(api_key="<API_KEY>")
>>> client.drive_items.create_child({"itemId": folder, "name": "Notes", "driveItemType": "docs_workbook"})
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codrive_client import types
    from codrive_client.client import AsyncCodrive, Codrive
    from codrive_client.errors import (
        BadRequestError,
        CodriveError,
        ConflictError,
        ConnectionFailedError,
        ForbiddenError,
        InvalidAnswerError,
        InvalidInputError,
        NotFoundError,
        RateLimitError,
        ServerError,
        TimedOutError,
        TooLargeError,
        UnauthorizedError,
    )

from codrive_client._version import __version__

__all__ = [
    "AsyncCodrive",
    "BadRequestError",
    "Codrive",
    "CodriveError",
    "ConflictError",
    "ConnectionFailedError",
    "ForbiddenError",
    "InvalidAnswerError",
    "InvalidInputError",
    "NotFoundError",
    "RateLimitError",
    "ServerError",
    "TimedOutError",
    "TooLargeError",
    "UnauthorizedError",
    "__version__",
    "types",
]


def __getattr__(name: str) -> Any:
    """Import lazily: the command line starts without the HTTP library."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "types":
        return import_module(f"{__name__}.types")
    module = "client" if name.endswith("Codrive") else "errors"
    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return __all__
