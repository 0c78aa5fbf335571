"""Migrates the database at the address on standard input to the newest revision."""

import sys
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

# One server at a time migrates: the others wait here, and then find nothing left to do.
_LOCK = 7_305_808_869_232_001


def configuration() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config


def upgrade(url: str, revision: str = "head") -> None:
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    with psycopg.connect(url, autocommit=True) as guard, engine.connect() as connection:
        guard.execute("select pg_advisory_lock(%s)", [_LOCK])
        config = configuration()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


if __name__ == "__main__":
    upgrade(sys.stdin.read())
