"""The settings that a server has in common with all others on its database."""

from collections.abc import Mapping
from hashlib import scrypt
from typing import Final

from domain.errors import Unavailable
from persistence.cursor_key import cursor_key
from persistence.node_lease import Common
from persistence.store import PostgresStore
from service.blobs import ObjectBlobs
from service.settings import Settings

TOLD: Final[Mapping[str, str]] = {
    "origin": "public address (`--origin`)",
    "blobs": "store of images (`--blobs`)",
    "smtp-url": "mail server (`--smtp-url`)",
    "metrics-token": "token of metrics (`--metrics-token`)",
}


async def common_settings(settings: Settings, store: PostgresStore) -> Common:
    """Return what the settings say, by the names in `TOLD`.

    Of a secret it has a digest, keyed by a secret of the database and slow to try passwords against.
    """
    key = await cursor_key(store)
    secrets = {"smtp-url": settings.smtp_url, "metrics-token": settings.metrics_token}
    return {"origin": settings.origin or ""} | {name: _digest(key, secret) for name, secret in secrets.items()}


async def with_blobs(found: Common, blobs: ObjectBlobs) -> Common:
    """Add the mark of the store of images, unless that cannot be reached: beside others, such a server differs."""
    try:
        return {**found, "blobs": await blobs.mark()}
    except Unavailable:
        return found


def _digest(key: bytes, secret: str | None) -> str:
    return scrypt(secret.encode(), salt=key, n=2**14, r=8, p=1, dklen=16).hex() if secret else ""
