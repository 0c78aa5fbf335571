"""The web application's GraphQL documents (`web/application.graphql`): it sends their texts, and the server prepares them."""

import re
from functools import cache
from pathlib import Path
from typing import Final

from contract.contract import documents

APPLICATION: Final = Path(__file__).with_name("application.graphql")
_EMPTY_LINES: Final = re.compile(r"\n{2,}")


@cache
def application_documents() -> dict[str, str]:
    """Return the text of each document by its name, as the application's client (urql) writes it: without empty lines."""
    return {name: _EMPTY_LINES.sub("\n", text).strip() for name, text in documents(APPLICATION).items()}


def prepared_texts() -> list[str]:
    """Return the texts that the server prepares: all but subscriptions."""
    return [text for text in application_documents().values() if not text.startswith("subscription ")]
