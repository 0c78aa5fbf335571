"""The private part of psycopg_pool that the store uses, with its reason. A test names the version."""

from typing import Any

from psycopg import AsyncConnection


def expire(connection: AsyncConnection[Any]) -> None:
    """Have the pool replace a connection when it is returned.

    One that is closed before is replaced as well, with a warning in the log for each.
    """
    vars(connection)["_expire_at"] = 0.0
