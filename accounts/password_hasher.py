"""Hashes passwords with argon2, in threads of their own, a few at a time."""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

MAX_AT_ONCE = 2  # each takes 64 MiB and a whole core for a moment


class Argon2Hasher:
    """`unknown` is the hash of a password that nobody knows.

    It is verified where there is no hash, so that an unknown address takes as long as a known one.
    """

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._threads = ThreadPoolExecutor(MAX_AT_ONCE, thread_name_prefix="argon2")
        self.unknown = self._hasher.hash(secrets.token_urlsafe())

    async def hash(self, password: str) -> str:
        return await self._run(lambda: self._hasher.hash(password))

    async def verify(self, password: str, password_hash: str | None) -> bool:
        matches = await self._run(lambda: self._verify(password, password_hash or self.unknown))
        return matches and password_hash is not None

    async def _run[T](self, act: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, act)

    def _verify(self, password: str, password_hash: str) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False
