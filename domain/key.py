"""API keys: their form, and the digest by which a key is recognized."""

import hashlib
import re
import zlib
from dataclasses import dataclass
from datetime import datetime

from domain.credit import Credit
from domain.errors import NOT_FOUND, Rejection

PREFIX = "cdr_"
SECRET_LENGTH = 30
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_form = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{SECRET_LENGTH}}}[0-9A-Za-z]{{6}}")
# Whatever looks like one of our keys, or like a secret of a session or an application, so that logs can cut it out
# wherever it was put.
LOOKS_LIKE_A_KEY = re.compile(r"cd[acfqrs]_[0-9A-Za-z]+")


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as its owner may see it again; the secret itself is nowhere."""

    id: str
    user_id: str
    name: str
    agent: str | None
    organization_id: str | None
    prefix: str
    last_four: str
    created_at: datetime
    last_used_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class KeyCreated:
    key: ApiKey
    digest: str


@dataclass(frozen=True, slots=True)
class KeyRevoked:
    key_id: str
    user_id: str


def base62(number: int, width: int) -> str:
    digits = []
    for _ in range(width):
        number, digit = divmod(number, 62)
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))


def compose(randomness: int) -> str:
    """Return a key made of `randomness`, which must hold 179 bits or more: prefix, 30 characters, 6 of checksum."""
    body = PREFIX + base62(randomness, SECRET_LENGTH)
    return body + base62(zlib.crc32(body.encode()), 6)


def is_key(text: str) -> bool:
    """Whether `text` has the form and the checksum of a key: typing errors are known without a look-up."""
    return _form.fullmatch(text) is not None and base62(zlib.crc32(text[:-6].encode()), 6) == text[-6:]


def digest(secret: str) -> str:
    """Return the stored digest of a secret; plain SHA-256, since the secret's own entropy protects it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def create(
    secret: str, key_id: str, name: str, agent: str | None, organization_id: str | None, owner: Credit, now: datetime
) -> KeyCreated:
    """Return the event that makes `secret` a key of `owner`."""
    shown = ApiKey(
        key_id, owner.user_id, name, agent, organization_id, secret[: len(PREFIX) + 4], secret[-4:], now
    )  # fmt: skip
    return KeyCreated(shown, digest(secret))


def revoke(key: ApiKey | None, user_id: str) -> tuple[KeyRevoked, ...] | Rejection:
    if key is None or key.user_id != user_id:
        return NOT_FOUND
    return (KeyRevoked(key.id, user_id),)
