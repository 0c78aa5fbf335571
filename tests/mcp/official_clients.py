"""The official clients, and how an application of theirs is connected."""

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

FOLDER = Path(__file__).with_name("clients")
TYPESCRIPT = {"v1": "2025-11-25", "v2": "2025-11-25", "v2-auto": "2026-07-28"}
PYTHON = {"legacy": "2025-11-25", "auto": "2026-07-28"}

CALLBACK = "http://127.0.0.1:33418/callback"


def told(location):
    """What an application is told by the address at which it is called back."""
    assert location.startswith(CALLBACK)
    return dict(parse_qsl(urlsplit(location).query))


class Kept:
    """What a client keeps of its connection."""

    tokens = None
    client_info = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client_info

    async def set_client_info(self, client_info):
        self.client_info = client_info
