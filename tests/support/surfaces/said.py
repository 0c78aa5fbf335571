"""What was said on any surface, in one form."""

from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True, slots=True)
class Said:
    """An answer: `status` is REST's own, `code` None for success, `data` the operation's answer.

    `response` is there where a test speaks HTTP itself.
    """

    status: int
    code: str | None
    data: Any
    message: str = ""
    response: httpx.Response | None = None
    request_id: str | None = None
