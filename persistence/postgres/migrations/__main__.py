"""Migrates the database at the address on standard input to the newest revision."""

import sys
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from persistence.postgres.migrations import ADMISSION, LOCK, check_no_older_server


def configuration() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config


def upgrade(url: str, revision: str = "head") -> None:
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    with psycopg.connect(url, autocommit=True) as guard, engine.connect() as connection:
        guard.execute("select pg_advisory_lock(%s), pg_advisory_lock(%s)", [LOCK, ADMISSION])
        check_no_older_server(guard)
        config = configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


if __name__ == "__main__":
    upgrade(sys.stdin.read())
