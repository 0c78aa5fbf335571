"""The port that notes which document's stored bytes are being given to the library.

The library is native code: bytes that it cannot take may end the process. What was being loaded then is known to the next
process, which leaves a document alone that has ended the last two.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

type Loading = Callable[[str], AbstractContextManager[object]]
"""Enter what it returns, on the thread that loads the document, for as long as that takes. Raises `Quarantined`."""


def unnoted(_document_id: str) -> AbstractContextManager[object]:
    """Load without a note: where no server runs."""
    return nullcontext()
