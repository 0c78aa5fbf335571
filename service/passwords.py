"""How passwords are hashed and held against their hashes: by argon2, in threads, a few at a time."""

import asyncio
import secrets

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 2  # each takes 64 MiB and a whole core for a moment


class Argon2:
    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._room = asyncio.Semaphore(AT_ONCE)
        # what the passwords of nobody are held against, so that nobody's takes as long as somebody's
        self._of_nobody = self._hasher.hash(secrets.token_urlsafe())

    async def hashed(self, password: str) -> str:
        async with self._room:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def fits(self, password: str, password_hash: str | None) -> bool:
        async with self._room:
            fits = await asyncio.to_thread(self._verify, password, password_hash or self._of_nobody)
        return fits and password_hash is not None

    def _verify(self, password: str, password_hash: str) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False
