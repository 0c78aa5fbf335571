"""The web application's GraphQL documents (`web/application.graphql`): it sends their texts, and the server prepares them."""

from pathlib import Path
from typing import Final

APPLICATION: Final = Path(__file__).with_name("application.graphql")
