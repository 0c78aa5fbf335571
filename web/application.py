"""The web application's GraphQL documents (`web/application.graphql`): it sends their texts, and the server prepares them."""

import re
from pathlib import Path
from typing import Final

from graphql_api.execute import documents

APPLICATION: Final = Path(__file__).with_name("application.graphql")
_BETWEEN: Final = re.compile(r"[\s,]+")


def application_documents() -> dict[str, str]:
    """Return the text of each document by its name, in one line as the application's client (urql) writes it.

    The documents hold no string, so white space and commas are the same everywhere in them.
    """
    return {name: _BETWEEN.sub(" ", text).strip() for name, text in documents(APPLICATION).items()}


def prepared_texts() -> list[str]:
    """Return the texts that the server prepares: all but subscriptions."""
    return [text for text in application_documents().values() if not text.startswith("subscription ")]
